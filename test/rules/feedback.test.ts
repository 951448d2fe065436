import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SURFACES } from '../../src/core/base/closed-sets.ts'
import { isDirectPositive, isStrongNegative } from '../../src/core/write/feedback.ts'
import { anyMemoryInput, anyOutcomeReport } from '../arbitraries.ts'
import { feedbackOf, lifecycleOf, memoryOf, runOf } from '../support/commands.ts'
import { proofsOf } from '../support/prove.ts'
import { negative, positive, Subject } from '../support/subject.ts'
import { World } from '../support/world.ts'
import { isDirect, isStrong, StandingModel } from './feedback.reference.ts'

const prove = proofsOf('feedback')
const anyReports = fc.array(anyOutcomeReport, { minLength: 1, maxLength: 14, size: 'max' })

describe('what an outcome is', () => {
  const anySurface = fc.constantFrom(...SURFACES)

  test('F1: a positive is direct only for a use_now exposure, or asserted by the host for an inspected one', () => {
    prove(
      fc.tuple(anyOutcomeReport, anySurface),
      ([report, exposedOn]) => {
        const { outcome, usedSurface } = report
        expect(isDirectPositive(outcome, usedSurface, exposedOn)).toBe(isDirect(report, exposedOn))
      },
      300,
    )
    prove(fc.tuple(fc.boolean(), anyReports), ([isRun, reports]) => {
      const subject = new Subject(isRun)
      for (const report of reports) {
        const { positive: before } = subject.world.record(subject.id).counters
        const isNew = !subject.world
          .record(subject.id)
          .marks.some((mark) => mark.runId === report.runId && mark.outcome === report.outcome)
        const exposedOn = subject.report(report)
        const counted = subject.world.record(subject.id).counters.positive - before
        expect(counted).toBe(isNew && isDirect(report, exposedOn) ? 1 : 0)
      }
    })
  })

  test('F2: a negative with failure evidence is strong, unless it names more than three memories', () => {
    prove(
      fc.tuple(anyOutcomeReport, fc.integer({ min: 1, max: 6 })),
      ([report, namedCount]) => {
        expect(isStrongNegative({ ...report, namedCount })).toBe(isStrong(report, namedCount))
      },
      300,
    )
    prove(fc.tuple(anyOutcomeReport, fc.integer({ min: 1, max: 6 })), ([report, named]) => {
      const world = new World()
      const ids = Array.from({ length: named }, (_, n) => world.write(memoryOf({ text: `note ${n}` })))
      const { guide_trace_id: guideTraceId } = world.guide()
      world.feedback(feedbackOf({ ...report, guideTraceId, memoryIds: ids }))
      for (const id of ids) {
        const { negativeStrong, negativeWeak } = world.record(id).counters
        const isNegative = report.outcome === 'negative'
        expect(negativeStrong).toBe(isStrong(report, named) ? 1 : 0)
        expect(negativeWeak).toBe(isNegative && !isStrong(report, named) ? 1 : 0)
      }
    })
  })
})

describe('what outcomes do to a memory', () => {
  test('under any sequence of outcomes a memory stands where the reference model says', () => {
    prove(
      fc.tuple(fc.boolean(), anyReports),
      ([isRun, reports]) => {
        const subject = new Subject(isRun)
        const model = new StandingModel(isRun)
        for (const report of reports) {
          model.take(report, subject.report(report))
          expect(subject.standing).toBe(model.standing)
        }
      },
      400,
    )
  })

  test('F3: one weak negative demotes an active memory, whatever came before', () => {
    prove(fc.tuple(fc.boolean(), anyReports, fc.string()), ([isRun, reports, reason]) => {
      const subject = new Subject(isRun).reportAll(reports)
      if (subject.standing !== 'active') return
      subject.report(negative('a fresh run', false), reason)
      expect(subject.standing).toBe('demoted')
    })
    prove(fc.boolean(), (isRun) => {
      expect(new Subject(isRun).reportAll([negative('one', false)]).standing).toBe('demoted')
    })
  })

  test('F3: a weak negative demotes an active memory even when its own history of changes is full', () => {
    prove(fc.integer({ min: 0, max: 40 }), (times) => {
      const subject = new Subject(false).reportAll([negative('one', false), positive('two', false)])
      for (let n = 0; n < times; n++) {
        for (const operation of ['suppress', 'unsuppress'] as const) {
          subject.world.lifecycle(lifecycleOf({ operation, memoryIds: [subject.id] }))
        }
      }
      expect(subject.reportAll([negative('three', false)]).standing).toBe('demoted')
    })
  })

  test('F4: two weak negatives from different runs, or one strong, contest a memory', () => {
    prove(fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()), ([isRun, isSameRun, isSecondStrong]) => {
      const second = isSameRun ? 'one' : 'two'
      const subject = new Subject(isRun).reportAll([negative('one', false), negative(second, isSecondStrong)])
      // The same run saying it again is a repeat.
      expect(subject.standing).toBe(isSameRun ? 'demoted' : 'contested')
      expect(new Subject(isRun).reportAll([negative('one', true)]).standing).toBe('contested')
    })
  })

  test('F5: two strong negatives from different runs without a verified positive between fail a run, and only a run', () => {
    prove(
      fc.tuple(fc.boolean(), fc.boolean(), fc.array(anyOutcomeReport, { maxLength: 4 })),
      ([isRun, isAnswered, between]) => {
        // What happens between, as long as it is no verified positive and no strong negative itself.
        const noise = between
          .map((report) => ({ ...report, verifierStatus: null, toolStatus: null, runtimeSignalRefs: [] }))
          .filter((report) => report.outcome !== 'neutral')
        const subject = new Subject(isRun).reportAll([negative('one', true), ...noise])
        if (isAnswered) subject.report(positive('answer', true))
        subject.report(negative('two', true))
        expect(subject.standing === 'failed').toBe(isRun && !isAnswered)
      },
    )
  })

  test('F6: repeats of the same memory, run and outcome count once', () => {
    prove(fc.tuple(fc.boolean(), anyReports, fc.nat()), ([isRun, reports, pick]) => {
      const subject = new Subject(isRun).reportAll(reports)
      const known = reports[pick % reports.length]
      if (known === undefined) return
      const before = subject.world.record(subject.id)
      subject.report({ ...known, verifierStatus: 'failed', usedSurface: 'explicit_host_assertion' })
      expect(subject.world.record(subject.id)).toEqual(before)
    })
  })

  test('F7: a neutral outcome changes no standing and no surface', () => {
    prove(fc.tuple(fc.boolean(), anyReports, anyOutcomeReport), ([isRun, reports, last]) => {
      const subject = new Subject(isRun).reportAll(reports)
      const before = subject.world.record(subject.id).facets
      subject.report({ ...last, runId: 'a fresh run', outcome: 'neutral' })
      expect(subject.world.record(subject.id).facets).toEqual(before)
    })
  })

  test('F8: one direct positive newer than the negative makes a demoted memory active', () => {
    prove(fc.tuple(fc.boolean(), anyReports, anyOutcomeReport), ([isRun, reports, last]) => {
      const subject = new Subject(isRun).reportAll(reports)
      if (subject.standing !== 'demoted') return
      const isLifted = last.outcome === 'positive' && last.usedSurface === 'explicit_host_assertion'
      if (last.outcome === 'negative') return
      subject.report({ ...last, runId: 'a fresh run' })
      expect(subject.standing).toBe(isLifted ? 'active' : 'demoted')
    })
    prove(fc.boolean(), (isVerified) => {
      // The positive came first: it answers nothing.
      const subject = new Subject(true).reportAll([positive('one', isVerified), negative('two', false)])
      expect(subject.standing).toBe('demoted')
      expect(subject.reportAll([positive('three', isVerified)]).standing).toBe('active')
    })
  })

  test('F9: two verified direct positives of different runs since the last negative make a contested memory active', () => {
    const anyAnswer = fc.record({
      runId: fc.constantFrom('a', 'b'),
      isVerified: fc.boolean(),
      isAsserted: fc.boolean(),
    })
    prove(
      fc.tuple(fc.boolean(), fc.array(anyAnswer, { maxLength: 5 }), fc.nat({ max: 5 })),
      ([isRun, answers, at]) => {
        const subject = new Subject(isRun).reportAll([positive('early', true), negative('first', true)])
        const verified = new Map<string, number>()
        const counted = new Set<string>()
        for (const [n, answer] of answers.entries()) {
          // A weak negative in between starts the count again.
          if (n === at) {
            subject.report(negative('second', false))
            verified.clear()
          }
          const { runId, isVerified, isAsserted } = answer
          subject.report({
            ...positive(runId, isVerified),
            usedSurface: isAsserted ? 'explicit_host_assertion' : 'use_now',
          })
          if (isVerified && isAsserted && !counted.has(runId)) verified.set(runId, n)
          counted.add(runId)
          if (verified.size === 2) break
          expect(subject.standing).toBe('contested')
        }
        expect(subject.standing).toBe(verified.size === 2 ? 'active' : 'contested')
      },
      200,
    )
  })

  test('F10: a failed memory comes back only by a newer succeeded revision or an operator', () => {
    const anyAttempt = fc.oneof(
      { weight: 3, arbitrary: anyOutcomeReport.map((report) => ({ kind: 'report', report }) as const) },
      { weight: 2, arbitrary: anyMemoryInput.map((input) => ({ kind: 'revise', input }) as const) },
      { weight: 1, arbitrary: fc.constant({ kind: 'activate' } as const) },
      { weight: 1, arbitrary: fc.constant({ kind: 'rehydrate' } as const) },
    )
    prove(
      fc.array(anyAttempt, { minLength: 1, maxLength: 10 }),
      (attempts) => {
        const world = new World()
        const id = world.write(runOf({ text: 'the subject' }, { clientId: 'subject', declared: ['failed'] }))
        for (const attempt of attempts) {
          if (world.record(id).facets.standing !== 'failed') return
          const before = world.record(id)
          let isAllowed = false
          if (attempt.kind === 'report') {
            const { guide_trace_id: guideTraceId } = world.guide()
            world.feedback(feedbackOf({ ...attempt.report, guideTraceId, memoryIds: [id] }))
          } else if (attempt.kind === 'revise') {
            const { content, declared } = attempt.input
            world.write(runOf(content, { clientId: 'subject', declared }))
            const isNewer = world.record(id).revision > before.revision
            isAllowed = isNewer && world.record(id).content.outcome === 'succeeded'
          } else {
            world.lifecycle(lifecycleOf({ operation: attempt.kind, memoryIds: [id] }))
            isAllowed = attempt.kind === 'activate'
          }
          if (!isAllowed) expect(world.record(id).facets.standing).toBe('failed')
          if (attempt.kind === 'activate') expect(world.record(id).facets.standing).toBe('active')
        }
      },
      150,
    )
  })
})
