import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SURFACES } from '../../src/core/base/closed-sets.ts'
import { isDirectPositive, isVerifiedNegative } from '../../src/core/write/feedback.ts'
import { anyMemoryInput, anyOutcomeReport } from '../arbitraries.ts'
import { memoryOf, runOf } from '../support/commands.ts'
import { answering } from '../support/named-hit.ts'
import { proofsOf } from '../support/prove.ts'
import { negative, positive, Subject } from '../support/subject.ts'
import { World } from '../support/world.ts'
import { isDirect, isVerifiedFailure, StandingModel } from './feedback.reference.ts'

const prove = proofsOf('feedback')
const COMPANIONS = 2
/** A report that may name others too; half of the time it names the memory alone. */
const anySharedReport = fc.record({
  report: anyOutcomeReport,
  beside: fc.oneof(fc.constant<number[]>([]), fc.subarray([0, 1])),
})
const anyReports = fc.array(anyOutcomeReport, { minLength: 1, maxLength: 14, size: 'max' })

describe('what an outcome is', () => {
  const anySurface = fc.constantFrom(...SURFACES)

  test('F1: a positive is direct for a use_now exposure, or for an inspected one that the host asserts or a verifier passed', () => {
    prove(
      fc.tuple(anyOutcomeReport, anySurface),
      ([report, exposedOn]) => {
        expect(isDirectPositive(report, exposedOn)).toBe(isDirect(report, exposedOn))
      },
      300,
    )
    prove(fc.tuple(fc.boolean(), anyReports), ([isRun, reports]) => {
      const subject = new Subject(isRun)
      for (const report of reports) {
        const before = subject.world.record(subject.id)
        const exposedOn = subject.report(report, 'a word of its own')
        const { marks } = subject.world.record(subject.id)
        if (marks.length === before.marks.length) continue
        expect(marks.at(-1)?.direct).toBe(isDirect(report, exposedOn))
      }
    })
  })

  test('F1: a positive that is only observed says in a warning what to send instead, and no other outcome does', () => {
    prove(fc.tuple(fc.boolean(), anyReports), ([isRun, reports]) => {
      const subject = new Subject(isRun).reportAll(reports.slice(1))
      const [report] = reports
      if (report === undefined) return
      const { guide_trace_id: guideTraceId } = subject.guide()
      const exposedOn = subject.world.exposure(guideTraceId)?.surfaces[0] ?? 'do_not_use'
      const told = subject.world.feedback({ ...report, guideTraceId, memoryIds: [subject.id] }).warnings
      const warnings = told.filter((sentence) => !sentence.includes('is failed'))
      const isObserved = report.outcome === 'positive' && !isDirect(report, exposedOn)
      expect(warnings.length).toBe(isObserved ? 1 : 0)
      if (!isObserved) return
      expect(warnings[0]).toContain(subject.id)
      if (exposedOn === 'inspect_before_use') expect(warnings[0]).toContain('explicit_host_assertion')
      if (exposedOn === 'use_now') expect(warnings[0]).toContain('send used_surface use_now')
    })
  })

  test('F1: a positive beside a failed verifier or tool counts as any positive, and warns', () => {
    for (const status of ['verifierStatus', 'toolStatus'] as const) {
      const subject = new Subject(false)
      const { guide_trace_id: guideTraceId } = subject.guide()
      const said = { ...positive('run-1', false), [status]: 'failed', guideTraceId, memoryIds: [subject.id] }
      const { warnings, isDirect: counts } = subject.world.feedback(said)
      expect(counts).toBe(true)
      expect(warnings).toEqual([
        expect.stringMatching(/^outcome positive is what counts, though \w+ is failed/),
      ])
      const against = { ...said, outcome: 'negative', runId: 'run-2' } as const
      expect(subject.world.feedback(against).warnings).toEqual([])
    }
  })

  test('F2: a negative with failure evidence is strong when it names one memory, and weak for each of several', () => {
    prove(
      anyOutcomeReport,
      (report) => expect(isVerifiedNegative(report)).toBe(isVerifiedFailure(report)),
      300,
    )
    prove(fc.tuple(anyOutcomeReport, fc.integer({ min: 1, max: 6 })), ([report, named]) => {
      const world = new World()
      const ids = Array.from({ length: named }, (_, n) => world.write(memoryOf({ text: `note ${n}` })))
      const { guide_trace_id: guideTraceId } = world.guide()
      world.feedback({ ...report, guideTraceId, memoryIds: ids })
      const isStrong = isVerifiedFailure(report) && named === 1
      for (const id of ids) {
        const { negativeStrong, negativeWeak } = world.record(id).counters
        const isNegative = report.outcome === 'negative'
        expect(negativeStrong).toBe(isStrong ? 1 : 0)
        expect(negativeWeak).toBe(isNegative && !isStrong ? 1 : 0)
      }
    })
  })
})

describe('what outcomes do to a memory', () => {
  test('under any sequence of outcomes a memory stands where the reference model says', () => {
    prove(
      fc.tuple(fc.boolean(), fc.array(anySharedReport, { minLength: 1, maxLength: 14, size: 'max' })),
      ([isRun, reports]) => {
        const subject = new Subject(isRun, COMPANIONS)
        const model = new StandingModel(isRun)
        for (const { report, beside } of reports) {
          const others = beside.flatMap((n) => subject.companions[n] ?? [])
          model.take(report, subject.report(report, 'as it went', others), others)
          expect(subject.standing).toBe(model.standing)
        }
      },
      600,
    )
  })

  test('F3: one weak negative demotes an active memory that fewer than three verified runs have passed', () => {
    prove(fc.tuple(fc.boolean(), anyReports, fc.string()), ([isRun, reports, reason]) => {
      const few = reports.filter((report, n) => n < 2 || report.verifierStatus !== 'passed')
      const subject = new Subject(isRun).reportAll(few)
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
          subject.world.lifecycle({ operation, memoryIds: [subject.id] })
        }
      }
      expect(subject.reportAll([negative('three', false)]).standing).toBe('demoted')
    })
  })

  test('F4: two weak negatives from different runs without a direct positive between, or one strong, contest a memory', () => {
    prove(fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()), ([isRun, isSameRun, isSecondStrong]) => {
      const second = isSameRun ? 'one' : 'two'
      const subject = new Subject(isRun).reportAll([negative('one', false), negative(second, isSecondStrong)])
      // The same run saying it again is a repeat, unless it says it more strongly.
      expect(subject.standing).toBe(isSameRun && !isSecondStrong ? 'demoted' : 'contested')
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

  test('F6: what a run has said of a memory before changes nothing when it says it again', () => {
    prove(fc.tuple(fc.boolean(), anyReports, fc.nat()), ([isRun, reports, pick]) => {
      const subject = new Subject(isRun).reportAll(reports)
      const known = reports[pick % reports.length]
      if (known === undefined) return
      const exposedOn = subject.report(known)
      const before = subject.world.record(subject.id)
      // Elsewhere the same words may be a direct positive.
      if (subject.report(known) !== exposedOn) return
      expect(subject.world.record(subject.id)).toEqual(before)
    })
  })

  test('F6: evidence of one run is the strongest it sent, in whatever order it came', () => {
    const anyOwn = anyOutcomeReport.map((report) => ({
      ...report,
      runId: 'own',
      // On every surface that guides give a memory of this standing it says the same.
      usedSurface: 'explicit_host_assertion' as const,
    }))
    prove(
      fc.tuple(
        fc.boolean(),
        anyReports,
        fc.array(anyOwn, { minLength: 2, maxLength: 4 }),
        anyReports,
        fc.nat(),
      ),
      ([isRun, before, own, behind, turn]) => {
        const orders = [
          own,
          own.toReversed(),
          [...own.slice(turn % own.length), ...own.slice(0, turn % own.length)],
        ]
        const seen = orders.map((order) => {
          const subject = new Subject(isRun).reportAll(before)
          subject.reportAll(order)
          const { counters, facets } = subject.world.record(subject.id)
          // Nothing of that run is heard any more once the memory has failed.
          if (facets.standing === 'failed') return 'failed'
          return { counters, at: facets.standing, later: subject.reportAll(behind).standing }
        })
        expect(seen[1]).toEqual(seen[0])
        expect(seen[2]).toEqual(seen[0])
      },
      200,
    )
  })

  test('F6: a run counts once, and every mark of it is kept', () => {
    const said = [
      positive('one', false),
      negative('one', false),
      positive('one', true),
      negative('one', true),
    ] as const
    const counters = { positive: 0, negativeWeak: 0, negativeStrong: 0, neutral: 0, observedPositive: 0 }
    const steps = [
      { ...counters, positive: 1 },
      { ...counters, negativeWeak: 1 },
      { ...counters, positive: 1 },
      { ...counters, negativeStrong: 1 },
    ]
    const subject = new Subject(false)
    for (const [n, report] of said.entries()) {
      subject.report(report)
      expect(subject.world.record(subject.id).counters).toEqual(steps[n])
      expect(subject.world.record(subject.id).marks.length).toBe(n + 1)
    }
    expect(subject.standing).toBe('contested')
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
      const isLifted = isDirect(last, 'inspect_before_use')
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
        const verified = new Set<string>()
        for (const [n, answer] of answers.entries()) {
          // A weak negative in between starts the count again, also for the runs before it.
          if (n === at) {
            subject.report(negative('second', false))
            verified.clear()
          }
          const isEarlier = n >= at && answers.slice(0, at).some(({ runId }) => runId === answer.runId)
          const { runId, isVerified, isAsserted } = answer
          subject.report({
            ...positive(runId, isVerified),
            usedSurface: isAsserted ? 'explicit_host_assertion' : 'use_now',
          })
          if (isEarlier) return
          if (isVerified) verified.add(runId)
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
            const { guide_trace_id: guideTraceId } = world.guide({}, [answering(id)])
            world.feedback({ ...attempt.report, guideTraceId, memoryIds: [id] })
          } else if (attempt.kind === 'revise') {
            const { content, declared } = attempt.input
            world.write(runOf(content, { clientId: 'subject', declared }))
            const isNewer = world.record(id).revision > before.revision
            isAllowed = isNewer && world.record(id).content.outcome === 'succeeded'
          } else {
            world.lifecycle({ operation: attempt.kind, memoryIds: [id] })
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
