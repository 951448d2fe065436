import { describe, expect, test } from 'vitest'
import type { Standing } from '../../src/core/base/closed-sets.ts'
import type { FacetChange, FeedbackMark, MemoryRecord } from '../../src/core/model/record.ts'
import { isStrongNegative, standingAfter } from '../../src/core/write/feedback.ts'
import { idOf, sampleRecord } from '../support/guide-samples.ts'

const mark = (parts: Partial<FeedbackMark>): FeedbackMark => ({
  runId: 'run-1',
  outcome: 'negative',
  strong: false,
  direct: false,
  verifierStatus: null,
  usedSurface: 'use_now',
  guideTraceId: null,
  reason: 'r',
  atMs: 0,
  seq: 5,
  ...parts,
})
const verified = (parts: Partial<FeedbackMark>): FeedbackMark =>
  mark({ outcome: 'positive', direct: true, verifierStatus: 'passed', ...parts })
const change = (facet: FacetChange['facet'], to: string, seq: number): FacetChange => ({
  facet,
  from: 'x',
  to,
  cause: 'c',
  reason: 'r',
  atMs: 0,
  seq,
  byMemoryId: null,
})

function moved(
  standing: Standing,
  past: readonly FeedbackMark[],
  next: FeedbackMark,
  rest: Partial<MemoryRecord> = {},
) {
  const base = sampleRecord(idOf(1), { text: 'x' }, rest)
  const record = { ...base, marks: past, facets: { ...base.facets, standing } }
  const move = standingAfter(record, next)
  return move === null ? null : `${move.cause}: ${move.to}`
}

const WEAK = mark({ runId: 'run-2' })
const STRONG = mark({ runId: 'run-2', strong: true })
const GOOD = verified({ runId: 'run-2' })
const RUN = { domain: 'execution', memoryType: 'execution_memory' } as const

test('three named memories can be blamed, four cannot', () => {
  const evidence = {
    outcome: 'negative',
    verifierStatus: 'failed',
    toolStatus: null,
    runtimeSignalRefs: [],
  } as const
  expect([1, 3, 4, 5].map((namedCount) => isStrongNegative({ ...evidence, namedCount }))).toEqual([
    true,
    true,
    false,
    false,
  ])
})

describe('a weak negative', () => {
  test('demotes an active memory and leaves a contested or failed one', () => {
    expect(moved('active', [], WEAK)).toBe('weak_negative: demoted')
    expect(moved('contested', [mark({})], WEAK)).toBeNull()
    expect(moved('failed', [mark({})], WEAK)).toBeNull()
  })

  test('contests a demoted one only after a weak negative of another run', () => {
    expect(moved('demoted', [], WEAK)).toBeNull()
    expect(moved('demoted', [mark({})], WEAK)).toBe('repeated_weak_negative: contested')
    expect(moved('demoted', [mark({ strong: true })], WEAK)).toBeNull()
    expect(moved('demoted', [mark({ outcome: 'neutral' })], WEAK)).toBeNull()
    expect(moved('demoted', [mark({ runId: 'run-2' })], WEAK)).toBeNull()
  })

  test('forgets what came before the memory was active again', () => {
    const after = (...changes: FacetChange[]) => moved('demoted', [mark({ seq: 5 })], WEAK, { changes })
    expect(after(change('standing', 'active', 4))).toBe('repeated_weak_negative: contested')
    expect(after(change('standing', 'active', 5))).toBeNull()
    expect(after(change('standing', 'active', 6))).toBeNull()
    expect(after(change('standing', 'demoted', 6))).toBe('repeated_weak_negative: contested')
    expect(after(change('availability', 'active', 6))).toBe('repeated_weak_negative: contested')
  })
})

describe('a strong negative', () => {
  test('contests, and a second run fails a run memory', () => {
    expect(moved('active', [], STRONG)).toBe('strong_negative: contested')
    expect(moved('demoted', [], STRONG)).toBe('strong_negative: contested')
    expect(moved('contested', [], STRONG)).toBeNull()
    expect(moved('contested', [mark({ strong: true })], STRONG)).toBeNull()
    expect(moved('contested', [mark({ strong: true })], STRONG, RUN)).toBe('repeated_strong_negative: failed')
    expect(moved('failed', [mark({ strong: true })], STRONG, RUN)).toBeNull()
    expect(moved('contested', [mark({ strong: true }), verified({ runId: 'run-3' })], STRONG, RUN)).toBeNull()
  })
})

describe('a direct positive', () => {
  test('lifts a demoted memory, and an active or failed one stays', () => {
    expect(moved('demoted', [], verified({ verifierStatus: null }))).toBe('direct_positive: active')
    expect(moved('demoted', [], verified({ direct: false }))).toBeNull()
    expect(moved('active', [verified({})], GOOD)).toBeNull()
    expect(moved('failed', [verified({})], GOOD)).toBeNull()
  })

  test('lifts a contested one as the second verified, counted since it was last spoken against', () => {
    const after = (past: readonly FeedbackMark[], ...changes: FacetChange[]) =>
      moved('contested', past, GOOD, { changes })
    expect(after([])).toBeNull()
    expect(after([verified({})])).toBe('verified_positives: active')
    expect(moved('contested', [verified({})], verified({ runId: 'run-2', verifierStatus: null }))).toBeNull()
    expect(after([verified({ runId: 'run-2' })])).toBeNull()
    expect(after([verified({}), mark({ seq: 5 })])).toBeNull()
    expect(after([verified({}), mark({ seq: 4 })])).toBe('verified_positives: active')
    expect(after([verified({})], change('standing', 'contested', 5))).toBeNull()
    expect(after([verified({})], change('standing', 'contested', 4))).toBe('verified_positives: active')
    expect(after([verified({})], change('standing', 'active', 6))).toBe('verified_positives: active')
    expect(after([verified({})], change('validity', 'contested', 6))).toBe('verified_positives: active')
  })

  test('counts the first entry of a journal too', () => {
    expect(moved('contested', [verified({ seq: 1 })], GOOD)).toBe('verified_positives: active')
    expect(moved('demoted', [mark({ seq: 1 })], WEAK)).toBe('repeated_weak_negative: contested')
  })
})
