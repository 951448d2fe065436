import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SURFACES } from '../../src/core/base/closed-sets.ts'
import { eventObject } from '../../src/runtime/operator/follow-events.ts'
import { proving } from '../support/prove.ts'

const line = fc.record({ surface: fc.constantFrom(...SURFACES), ruleId: fc.constantFrom('S9', 'S10') })

test('lines of a guide are counted in rank order, as long as surface and rule stay the same', () => {
  proving(100)(fc.array(line, { maxLength: 12 }), (lines) => {
    const shown = lines.map((each, at) => ({ ...each, memoryId: `m${at}` }))
    const event = {
      name: 'guide' as const,
      memoryIds: shown.map(({ memoryId }) => memoryId),
      guideTraceIds: ['guide_trace:g'],
      runId: null,
      consumerAgentId: 'a',
      consumerTeamId: null,
      what: null,
      skillId: null,
      shown,
      screened: [],
      moves: [],
    }
    const placed = { seq: 1, index: 0, atMs: 0, keyId: null, event }
    const told = eventObject({ tenantId: 't', scope: 's' }, placed)
    const back = told.shown.flatMap(({ surface, rule_id, count }) =>
      Array.from({ length: count }, () => ({ surface, ruleId: rule_id })),
    )
    expect(back).toEqual(lines)
    const isTold = told.shown.every((run, at) => {
      const next = told.shown[at + 1]
      return next === undefined || next.surface !== run.surface || next.rule_id !== run.rule_id
    })
    expect(isTold).toBe(true)
  })
})
