import { expect, test } from 'vitest'
import type { ObserveRequest } from '../../src/contract/observe.ts'
import { observeCommand } from '../../src/runtime/normalise/observe.ts'
import { longTextsOf } from '../../src/runtime/screening.ts'

const LONG = 'x'.repeat(64 * 1024 + 1)
const jobsOf = (request: ObserveRequest) => longTextsOf(observeCommand(request).command)

test('what is short enough is left to the turn', () => {
  expect(jobsOf({ input_text: LONG.slice(1), handoff: { summary: 'short' } })).toEqual([])
})

test('every long text is for the pool: of memories, nodes and the handoff, each with its context', () => {
  const jobs = jobsOf({
    input_text: LONG,
    nodes: [{ text: 'short' }, { text: `${LONG}y` }],
    handoff: { handoff_text: `${LONG}z` },
  })
  expect(new Set(jobs.map(({ text }) => text))).toEqual(new Set([LONG, `${LONG}y`, `${LONG}z`]))
  expect(jobs[0]?.context).toEqual({ domain: 'general', declaredType: 'fact', queryText: null })
})
