import fc from 'fast-check'
import type { MemoryRecord } from '../../src/core/model/record.ts'
import { anyFacets, anyRecord, anyText } from '../arbitraries.ts'
import { CONTENT } from './guide-samples.ts'

const anyMark = fc.record({
  runId: anyText,
  outcome: fc.constantFrom('positive' as const, 'negative' as const, 'neutral' as const),
  strong: fc.boolean(),
  direct: fc.boolean(),
  verifierStatus: fc.constant(null),
  usedSurface: fc.constant('use_now' as const),
  guideTraceId: fc.constant(null),
  reason: anyText,
  atMs: fc.nat(),
  seq: fc.nat(),
})
const anyTime = fc.oneof(fc.constant(0), fc.nat(), fc.double({ min: 0.5, max: 2 ** 52, noNaN: true }))
/** What an event may change in a record; all of it that a record keeps apart. */
export const anyChange = fc.record(
  {
    facets: anyFacets,
    findings: fc.array(anyText, { maxLength: 2 }),
    derivedFrom: fc.array(anyText, { maxLength: 2 }),
    runId: fc.option(anyText),
    clientId: fc.option(anyText),
    marks: fc.array(anyMark, { maxLength: 2 }),
    assertions: fc.array(anyMark, { maxLength: 2 }),
    counters: fc.record({
      positive: fc.nat(3),
      negativeWeak: fc.nat(3),
      negativeStrong: fc.nat(3),
      neutral: fc.nat(3),
      observedPositive: fc.nat(3),
    }),
    revision: fc.integer({ min: 1, max: 5 }),
    revisions: fc.array(
      fc.record({
        revision: fc.nat(),
        content: anyText.map((text) => ({ ...CONTENT, text })),
        atMs: anyTime,
        seq: fc.nat(),
      }),
      { maxLength: 2 },
    ),
    createdAtMs: anyTime,
    observedAtMs: anyTime,
    updatedAtMs: anyTime,
    ordinal: fc.nat(),
    seq: fc.nat(),
  },
  { requiredKeys: [] },
)

/** A record to which anything may have happened. */
export const anyChanged: fc.Arbitrary<MemoryRecord> = fc
  .tuple(anyRecord, anyChange)
  .map(([record, change]) => ({ ...record, ...change }))
