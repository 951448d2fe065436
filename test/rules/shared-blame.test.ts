import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proofsOf } from '../support/prove.ts'
import { negative, positive, type Report, Subject, said } from '../support/subject.ts'

const prove = proofsOf('shared blame')

describe('shared blame', () => {
  /** The subject after these reports; digits name companions. */
  function after(reports: readonly (readonly [Report, ...number[]])[], isRun = false): Subject {
    const subject = new Subject(isRun, 3)
    for (const [report, ...beside] of reports) {
      subject.report(
        report,
        'as it went',
        beside.flatMap((n) => subject.companions[n] ?? []),
      )
    }
    return subject
  }
  const failed = (runId: string) => negative(runId, true)
  const passed = (runId: string) => positive(runId, true)

  test('F15: shared blame is strong once another run has a verified failure that names the memory and none of the others, before it or after it', () => {
    expect(after([[failed('a'), 0]]).standing).toBe('demoted')
    for (const order of [0, 1]) {
      const reports = [[failed('a'), 0, 1] as const, [failed('b'), 2] as const]
      const subject = after(order === 0 ? reports : reports.toReversed())
      expect(subject.standing).toBe('contested')
      expect(subject.world.record(subject.id).counters).toMatchObject({ negativeStrong: 2, negativeWeak: 0 })
    }
    // Two strong negatives of a run memory: it has failed.
    expect(
      after(
        [
          [failed('a'), 0, 1],
          [failed('b'), 2],
        ],
        true,
      ).standing,
    ).toBe('failed')
    // The other failure names one of the others too, comes from the same run, or has no failure evidence.
    for (const second of [
      [failed('b'), 1, 2] as const,
      [failed('a'), 2] as const,
      [negative('b', false), 2] as const,
    ]) {
      const { world, id } = after([[failed('a'), 0, 1], second])
      expect(world.record(id).counters.negativeStrong).toBe(0)
    }
    // Without failure evidence shared blame never becomes strong.
    const { world, id } = after([[negative('a', false), 0], [failed('b')]])
    expect(world.record(id).counters).toMatchObject({ negativeStrong: 1, negativeWeak: 1 })
  })

  test('F16: a later verified success that names the memory and none of the others takes shared blame from it, and from it alone', () => {
    const subject = after([[failed('a'), 0, 1], [passed('b')]])
    expect(subject.standing).toBe('active')
    expect(subject.world.record(subject.id).counters).toMatchObject({ negativeWeak: 0, positive: 1 })
    expect(subject.world.record(subject.id).changes.at(-1)?.cause).toBe('evidence_withdrawn')
    expect(subject.companions.slice(0, 2).map((id) => subject.world.record(id).facets.standing)).toEqual([
      'demoted',
      'demoted',
    ])
    // Two weak negatives contest; without the shared one the other demotes.
    const twice = [[failed('a'), 0] as const, [negative('c', false)] as const]
    expect(after(twice).standing).toBe('contested')
    expect(after([...twice, [passed('b')]]).standing).toBe('active')
    const last = [...twice, [passed('b')] as const, [negative('d', false)] as const]
    expect(after(last).standing).toBe('demoted')
  })

  test('F16: blame stays when the success names another of the blamed, comes first, is not verified, or its run has failed with the memory', () => {
    const blame = [failed('a'), 0, 1] as const
    const weakOf = (...reports: readonly (readonly [Report, ...number[]])[]) => {
      const { world, id } = after(reports)
      return world.record(id).counters.negativeWeak
    }
    expect(weakOf(blame, [passed('b'), 2])).toBe(0)
    expect(weakOf(blame, [passed('b'), 1])).toBe(1)
    expect(weakOf([passed('b')], blame)).toBe(1)
    expect(weakOf(blame, [positive('b', false)])).toBe(1)
    expect(weakOf(blame, [failed('b'), 2], [passed('b'), 2])).toBe(0)
    // A run that failed with it alone is no success, and proves the blame.
    const { world, id } = after([blame, [failed('b')], [passed('b')]])
    expect(world.record(id).counters).toMatchObject({ negativeStrong: 2, positive: 0 })
    expect(weakOf([negative('a', false), 0], [passed('b')])).toBe(0)
  })

  test('F16: to take blame away never raises a memory above what the rest of the evidence gives', () => {
    const anySaid = fc
      .array(fc.constantFrom('p', 'h', 'f', 'w'), { maxLength: 8 })
      .map((words) => words.join(''))
    prove(
      fc.tuple(fc.boolean(), anySaid, anySaid, fc.boolean()),
      ([isRun, before, behind, isVerified]) => {
        const lead = said(before)
        const tail = said(behind, 50)
        const blamed = new Subject(isRun, 1).reportAll(lead)
        blamed.report(negative('shared', isVerified), 'as it went', blamed.companions)
        blamed.reportAll(tail)
        blamed.report(positive('takes it away', true))
        const without = new Subject(isRun, 1).reportAll(lead).reportAll(tail)
        without.report(positive('takes it away', true))
        // Failed is left by no evidence.
        if (blamed.standing === 'failed') return
        expect(blamed.standing).toBe(without.standing)
      },
      150,
    )
  })
})
