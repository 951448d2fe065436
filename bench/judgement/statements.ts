import { z } from 'zod'
import type { MemgovRuntime } from '../../src/index.ts'
import { atMost, byGroup, type Findings, type JudgedPair, joined, pairFindings, shareOf } from './counts.ts'
import { accused, governed, inTurn, observed, shown } from './host.ts'

// Single statements and pairs of them: what is taken for a contradiction, for an instruction, for a repetition.

export const Pair = z.object({
  id: z.string(),
  label: z.string(),
  family: z.string(),
  lang: z.string(),
  older: z.string(),
  newer: z.string(),
})
export const Labelled = z.object({ id: z.string(), cluster: z.string(), text: z.string() })
export const Harmless = z.object({ id: z.string(), family: z.string(), text: z.string(), kind: z.string() })
export const Variant = z.object({ id: z.string(), same: z.boolean(), base: z.string(), text: z.string() })
type Pair = z.infer<typeof Pair>

const DAYS = { older: '2026-10-01T09:00:00Z', newer: '2026-11-01T09:00:00Z' } as const
const BATCHES = [20, 100, 200] as const
const ACCUSED_GOAL = atMost(0.01)
const HELD_GOAL = atMost(0.05)
const SAME_GOAL = atMost(0.05)
const NONE_GOAL = atMost(0)

/** The label of a pair of which both hold. */
const NO_CONFLICT = 'none'

type JudgePair = (runtime: MemgovRuntime, pair: Pair) => Promise<Pick<JudgedPair, 'older' | 'newer'>>

export async function pairs(runtime: MemgovRuntime, all: readonly Pair[]): Promise<Findings> {
  const judged = (work: JudgePair) =>
    inTurn(all, async (pair) => ({
      id: pair.id,
      group: `${pair.label} ${pair.lang}`,
      family: pair.family,
      isConflict: pair.label !== NO_CONFLICT,
      ...(await work(runtime, pair)),
    }))
  return joined([
    pairFindings('pairs, govern', await judged(governedPair), 'both'),
    pairFindings('pairs, govern with times', await judged(governedWithTimes), 'older'),
    pairFindings('pairs, observe', await judged(observedPair), 'older'),
  ])
}

function governedWithTimes(runtime: MemgovRuntime, pair: Pair) {
  return governedPair(runtime, pair, DAYS)
}

async function governedPair(runtime: MemgovRuntime, { older, newer }: Pair, days?: typeof DAYS) {
  const text = (id: 'older' | 'newer', said: string) => ({
    id,
    text: said,
    ...(days === undefined ? {} : { metadata: { observed_at: days[id] } }),
  })
  const surfaces = await governed(runtime, [text('older', older), text('newer', newer)])
  const standing = (wanted: string) => ({
    isUsed: surfaces.some(({ id, surface }) => id === wanted && surface === 'use_now'),
    place: null,
  })
  return { older: standing('older'), newer: standing('newer') }
}

async function observedPair(runtime: MemgovRuntime, { id, older, newer }: Pair) {
  const scope = `pair-${id}`
  const olderId = await observed(runtime, { scope, input_text: older, memory: { kind: 'fact' } })
  const newerId = await observed(runtime, { scope, input_text: newer, memory: { kind: 'fact' } })
  // Both statements, so that no word of the query favours one of them.
  const { surfaces, ids } = await shown(runtime, { scope, query_text: `${older} ${newer}` })
  const standing = (memoryId: string) => ({
    isUsed: surfaces.get(memoryId) === 'use_now',
    place: ids.includes(memoryId) ? ids.indexOf(memoryId) : null,
  })
  return { older: standing(olderId), newer: standing(newerId) }
}

/** Records of one form that have nothing to do with each other: no one speaks against another. */
export async function records(
  runtime: MemgovRuntime,
  all: readonly z.infer<typeof Labelled>[],
): Promise<Findings> {
  const findings: Findings[] = []
  for (const size of BATCHES.filter((_, at) => at === 0 || all.length > (BATCHES[at - 1] ?? 0))) {
    const decisions = await inTurn(chunksOf(all, size), (batch) => governed(runtime, batch))
    const name = `records accused, govern in batches of ${size}`
    findings.push(shareOf(name, decisions.flat(), ({ isAccused }) => isAccused, ACCUSED_GOAL))
  }
  const stored = await storedFacts(runtime, 'records', all)
  findings.push(shareOf('records accused, observe', stored, ({ isAccused }) => isAccused, ACCUSED_GOAL))
  for (const [cluster, of] of byGroup(stored, ({ cluster }) => cluster))
    findings.push(shareOf(`records accused, observe, ${cluster}`, of, ({ isAccused }) => isAccused))
  return joined(findings)
}

/** Every text stored as a fact of one scope, in order, and whether another one put it in doubt. */
export async function storedFacts<One extends { readonly id: string; readonly text: string }>(
  runtime: MemgovRuntime,
  scope: string,
  all: readonly One[],
): Promise<readonly (One & { readonly isAccused: boolean })[]> {
  const stored = await inTurn(all, async (one) => ({
    one,
    memoryId: await observed(runtime, { scope, input_text: one.text, memory: { kind: 'fact' } }),
  }))
  const doubted = await accused(runtime, scope, [...new Set(stored.map(({ memoryId }) => memoryId))])
  return stored.map(({ one, memoryId }) => ({ ...one, isAccused: doubted.has(memoryId) }))
}

export async function harmless(
  runtime: MemgovRuntime,
  all: readonly z.infer<typeof Harmless>[],
): Promise<Findings> {
  const judged = await inTurn(all, async ({ id, family, text, kind }) => {
    const [decision] = await governed(runtime, [{ id, text, metadata: { kind } }])
    return {
      id,
      family,
      isGoverned: decision?.surface === 'use_now',
      isStored: await isUsedOnceStored(runtime, `harmless-${id}`, text, kind),
    }
  })
  return joined([
    shareOf('harmless held, govern', judged, ({ isGoverned }) => !isGoverned, HELD_GOAL),
    shareOf('harmless held, observe with its kind', judged, ({ isStored }) => !isStored, HELD_GOAL),
  ])
}

/** Whether a text is on use_now after it was stored in a scope of its own and is asked for in its own words. */
export async function isUsedOnceStored(
  runtime: MemgovRuntime,
  scope: string,
  text: string,
  kind: string,
): Promise<boolean> {
  const memoryId = await observed(runtime, { scope, input_text: text, memory: { kind } })
  const { surfaces } = await shown(runtime, { scope, query_text: text })
  return surfaces.get(memoryId) === 'use_now'
}

/** A text with one change: whether it is taken for the repetition of the first, and blocked where the first is suppressed. */
export async function near(
  runtime: MemgovRuntime,
  all: readonly z.infer<typeof Variant>[],
): Promise<Findings> {
  const judged = await inTurn(all, async (variant) => ({
    ...variant,
    isTakenForSame: await isTakenForSame(runtime, variant),
    isBlocked: await isBlockedWithBase(runtime, variant),
  }))
  const other = judged.filter(({ same }) => !same)
  const alike = judged.filter(({ same }) => same)
  return joined([
    shareOf(
      'near: other meaning taken for the same',
      other,
      ({ isTakenForSame }) => isTakenForSame,
      SAME_GOAL,
    ),
    shareOf('near: other meaning blocked with the first', other, ({ isBlocked }) => isBlocked, NONE_GOAL),
    shareOf('near: same meaning taken for the same', alike, ({ isTakenForSame }) => isTakenForSame),
  ])
}

async function isTakenForSame(
  runtime: MemgovRuntime,
  { id, base, text }: z.infer<typeof Variant>,
): Promise<boolean> {
  const scope = `near-${id}`
  const baseId = await observed(runtime, { scope, input_text: base })
  await shown(runtime, { scope, query_text: base })
  const variantId = await observed(runtime, { scope, input_text: text })
  if (variantId === baseId) return true
  const { result } = await runtime.rehydrate({ scope, memory_ids: [variantId], reason: 'where it is from' })
  return result.memories.some(({ provenance }) => provenance.derived_from.includes(baseId))
}

async function isBlockedWithBase(
  runtime: MemgovRuntime,
  { id, base, text }: z.infer<typeof Variant>,
): Promise<boolean> {
  const scope = `near-suppressed-${id}`
  const baseId = await observed(runtime, { scope, input_text: base })
  await runtime.forget({
    scope,
    operation: 'suppress',
    target: 'memory',
    memory_ids: [baseId],
    reason: 'withdrawn',
  })
  const [decision] = await governed(runtime, [{ id, text }], scope)
  return decision?.surface === 'do_not_use'
}

function chunksOf<One>(all: readonly One[], size: number): readonly (readonly One[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  )
}
