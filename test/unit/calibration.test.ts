import { describe, expect, test } from 'vitest'
import {
  isThresholdMet,
  type Judgment,
  judgmentOf,
  type ThresholdState,
  thresholdOf,
} from '../../src/core/report/trace-input.ts'
import { calibrationSummary } from '../../src/runtime/reports/memory-decision-rows.ts'

const mark = (outcome: 'positive' | 'negative' | 'neutral', direct = false, strong = false) => ({
  outcome,
  direct,
  strong,
  seq: 1,
})

describe('the weight of an outcome', () => {
  test.each([
    [mark('positive', true), 0, 'positive_attribution', false],
    [mark('positive'), 0, 'no_signal', false],
    [mark('neutral'), 0, 'no_signal', false],
    [mark('negative', false, true), 0, 'strong_signal_threshold_met', true],
    [mark('negative'), 1, 'weak_below_threshold', false],
    [mark('negative'), 2, 'repeated_weak_threshold_met', true],
  ] as const)('%o with %i weak ones is %s', (outcome, weakCount, state, isMet) => {
    expect(thresholdOf(outcome, weakCount)).toBe(state)
    expect(isThresholdMet(thresholdOf(outcome, weakCount))).toBe(isMet)
  })
})

describe('a judgment', () => {
  const cases: readonly (readonly [readonly ThresholdState[], boolean, Judgment])[] = [
    [[], false, 'inconclusive'],
    [[], true, 'unused'],
    [['no_signal'], true, 'inconclusive'],
    [['positive_attribution'], true, 'supported'],
    [['weak_below_threshold'], true, 'weak'],
    [['positive_attribution', 'weak_below_threshold'], true, 'weak'],
    [['strong_signal_threshold_met'], true, 'contradicted'],
    [['positive_attribution', 'repeated_weak_threshold_met'], true, 'contradicted'],
  ]
  test.each(cases)('%j with feedback %s is %s', (thresholds, hasFeedback, judgment) => {
    expect(judgmentOf(thresholds, hasFeedback)).toBe(judgment)
  })
})

describe('the summary', () => {
  const memory = (memoryId: string, judgment: Judgment, ...groups: readonly string[]) => ({
    memoryId,
    judgment,
    groups,
  })

  test('counts every memory once, and a weak one also as inconclusive', () => {
    const judgments = ['supported', 'contradicted', 'weak', 'unused', 'inconclusive'] as const
    const summary = calibrationSummary(judgments.map((judgment) => memory(judgment, judgment)))
    expect(summary.window).toEqual({
      record_count: 5,
      anchored_count: 2,
      weak_count: 1,
      unused_count: 1,
      inconclusive_count: 2,
    })
    expect(summary.inconclusive_memory_ids).toEqual(['weak', 'inconclusive'])
  })

  test.each([
    [['supported', 'contradicted'], 'inspect_first'],
    [['supported', 'supported', 'contradicted'], 'keep'],
    [['supported', 'unused', 'unused'], 'needs_more_evidence'],
    [['inconclusive'], 'needs_more_evidence'],
    [['supported'], 'keep'],
  ] as const)('a group of %j is %s', (judgments, adjustment) => {
    const members = judgments.map((judgment, at) => memory(`m${at}`, judgment, 'surface:use_now'))
    const { buckets } = calibrationSummary(members)
    expect(buckets).toMatchObject([{ bucket: 'surface:use_now', recommended_adjustment: adjustment }])
  })
})
