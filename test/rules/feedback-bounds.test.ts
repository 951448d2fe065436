import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  FEEDBACK_OUTCOMES,
  LIFECYCLE_OPERATIONS,
  TOOL_STATUSES,
  USED_SURFACES,
  VERIFIER_STATUSES,
} from '../../src/core/base/closed-sets.ts'
import { isOperatorActivation } from '../../src/core/write/forget.ts'
import { anyHistory, anyOutcomeReport, anyStep } from '../arbitraries.ts'
import { lifecycleOf, memoryOf } from '../support/commands.ts'
import { play, worldAfter } from '../support/history.ts'
import { proofsOf } from '../support/prove.ts'
import { negative, Subject } from '../support/subject.ts'
import { AUTHORITY } from '../support/world.ts'

const prove = proofsOf('feedback bounds')
const anyReports = fc.array(anyOutcomeReport, { minLength: 1, maxLength: 14, size: 'max' })

describe('what feedback never does', () => {
  const anyFeedback = anyStep.filter((step) => step.kind === 'feedback')

  test('F11: feedback never changes trust, suppression, validity or availability, and deletes nothing', () => {
    prove(
      fc.tuple(anyHistory, fc.array(anyFeedback, { minLength: 5, maxLength: 12 })),
      ([history, steps]) => {
        const world = worldAfter(history)
        world.guide({ consumer: { agentId: 'ann', teamId: 'red' } })
        for (const step of steps) {
          const before = world.records()
          play(world, step)
          expect(world.records().map((record) => ({ ...record.facets, standing: null }))).toEqual(
            before.map((record) => ({ ...record.facets, standing: null })),
          )
          expect(world.records().map((record) => record.content)).toEqual(
            before.map((record) => record.content),
          )
        }
      },
    )
  })

  test('F12: a host assertion about an unexposed memory changes no counter of effect, facet or surface', () => {
    prove(fc.tuple(anyHistory, anyOutcomeReport), ([history, report]) => {
      const world = worldAfter(history)
      const id = world.write(memoryOf({ text: 'never shown' }))
      const before = world.record(id)
      const { runId } = report
      const used = { ...report, usedSurface: 'explicit_host_assertion', memoryIds: [id] } as const
      const effect = world.feedback({ ...used, runId: `${runId} unseen` })
      const after = world.record(id)
      expect(effect.attributions).toMatchObject([{ memoryId: id, exposedOn: null }])
      expect(after.counters).toEqual(before.counters)
      expect(after.assertions.length).toBe(before.assertions.length + 1)
      expect([after.facets, after.marks, after.changes]).toEqual([
        before.facets,
        before.marks,
        before.changes,
      ])
    })
  })

  test('F13: adding negative evidence never raises a surface, neither at once nor later', () => {
    prove(
      fc.tuple(fc.boolean(), anyReports, fc.boolean(), fc.nat({ max: 14 })),
      ([isRun, reports, isStrongOne, at]) => {
        const without = new Subject(isRun).reportAll(reports)
        const added = negative('the added run', isStrongOne)
        const withIt = new Subject(isRun).reportAll(reports.slice(0, at))
        const before = authorityOf(withIt)
        withIt.report(added)
        expect(authorityOf(withIt)).toBeLessThanOrEqual(before)
        withIt.reportAll(reports.slice(at))
        expect(authorityOf(withIt)).toBeLessThanOrEqual(authorityOf(without))
      },
      300,
    )
    prove(anyHistory, (history) => {
      const world = worldAfter(history)
      const { guide_trace_id: guideTraceId } = world.guide()
      const memoryIds = world.exposure(guideTraceId)?.memoryIds.slice(0, 3) ?? []
      if (memoryIds.length === 0) return
      const before = memoryIds.map((id) => AUTHORITY[world.surface(id)])
      const { nowMs } = world
      const report = { outcome: 'negative', toolStatus: 'failed', runId: 'a fresh run' } as const
      world.feedback({ ...report, guideTraceId, memoryIds })
      // What the clock alone would lift is not of interest here.
      world.nowMs = nowMs
      for (const [n, id] of memoryIds.entries()) {
        expect(AUTHORITY[world.surface(id)]).toBeLessThanOrEqual(before[n] ?? 0)
      }
    })
  })

  test('F14: only forget with activate, a positive host assertion and a named actor activates as operator', () => {
    const anyRequest = fc.record({
      operation: fc.constantFrom('activate', ...LIFECYCLE_OPERATIONS),
      outcome: fc.constantFrom(null, 'positive', ...FEEDBACK_OUTCOMES),
      usedSurface: fc.constantFrom(null, 'explicit_host_assertion', ...USED_SURFACES),
      actorName: fc.constantFrom(null, 'ann'),
      guideTraceId: fc.constantFrom(null, null, 'guide_trace:1'),
      verifierStatus: fc.constantFrom(null, ...VERIFIER_STATUSES),
      toolStatus: fc.constantFrom(null, ...TOOL_STATUSES),
    })
    prove(
      anyRequest,
      (request) => {
        const isAllowed =
          request.operation === 'activate' &&
          request.outcome === 'positive' &&
          request.usedSurface === 'explicit_host_assertion' &&
          request.actorName !== null &&
          request.guideTraceId === null
        expect(isOperatorActivation(lifecycleOf(request))).toBe(isAllowed)
      },
      300,
    )
    prove(fc.tuple(anyHistory, fc.array(anyFeedback, { minLength: 3, maxLength: 8 })), ([history, steps]) => {
      const world = worldAfter(history)
      for (const step of steps) {
        const turns = world.turns.length
        play(world, step)
        const events = world.turns.slice(turns).flatMap((turn) => turn.events)
        expect(events.filter((event) => 'cause' in event && event.cause === 'operator_activation')).toEqual(
          [],
        )
      }
    })
  })

  test('F14: what an operator activates is active and trusted, and still suppressed when it was', () => {
    prove(fc.tuple(anyHistory, fc.nat()), ([history, pick]) => {
      const world = worldAfter(history)
      const id = world.memoryIds[pick % Math.max(1, world.memoryIds.length)]
      if (id === undefined) return
      const before = world.record(id).facets
      const request = {
        operation: 'activate',
        usedSurface: 'explicit_host_assertion',
        outcome: 'positive',
      } as const
      world.lifecycle({ ...request, memoryIds: [id] })
      expect(world.record(id).facets).toEqual({ ...before, standing: 'active', trust: 'trusted' })
    })
  })
})

function authorityOf(subject: Subject): number {
  return AUTHORITY[subject.world.surface(subject.id)]
}
