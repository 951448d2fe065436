import { SURFACES, type Surface } from '../base/closed-sets.ts'
import { eachToken, WORD } from '../search/tokens.ts'
import { ENGLISH_STOP_WORDS } from '../text/everyday-words.ts'
import type { RecordedGuide } from './evidence.ts'

export const DECAY_DAYS = 90
const DAY_MS = 86_400_000
/** Newer memory that speaks of the same place in other words. */
const NEWER_MIN = 2
const SHARED_WORDS_MIN = 2
/** With so many words in common, the newer memory says the same thing again. */
const SHARED_WORDS_SAME = 6

/** What drift and decay need to know of a memory. */
export interface MemoryFacts {
  readonly memoryId: string
  readonly observedAtMs: number
  readonly isActive: boolean
  /** Trusted or advisory. */
  readonly isAuthoritative: boolean
  /** The surface of the guide after; null: not shown. */
  readonly surface: Surface | null
  readonly hasPositive: boolean
  readonly targetFiles: readonly string[]
  /** What it says, or the beginning of it; of memory without target files, which has no neighbours, it may be empty. */
  readonly text: string
}

export type ConfidenceDecaySummary = ReturnType<typeof confidenceDecay>
export type NeighborhoodDriftSummary = ReturnType<typeof neighborhoodDrift>

/** Memory so much older than the freshest that it should be confirmed. */
export function confidenceDecay(memories: readonly MemoryFacts[]) {
  const freshestMs = memories.reduce((latest, { observedAtMs }) => Math.max(latest, observedAtMs), -Infinity)
  const candidates = memories
    .filter(mayDrift)
    .filter(({ observedAtMs }) => freshestMs - observedAtMs >= DECAY_DAYS * DAY_MS)
  return {
    present: candidates.length > 0,
    threshold_days: DECAY_DAYS,
    candidate_memory_ids: candidates.map(({ memoryId }) => memoryId),
    authority_mutation: false as const,
    explanation: `${candidates.length} memories are at least ${DECAY_DAYS} days older than the freshest one and were never confirmed.`,
  }
}

/** Memory around which newer memory has gathered that says something else. */
export function neighborhoodDrift(memories: readonly MemoryFacts[]) {
  const wordsOf = wordReader()
  const placed = memories.filter(({ targetFiles }) => targetFiles.length > 0)
  const candidates = placed.filter(
    (memory) =>
      mayDrift(memory) && placed.filter((other) => pullsAway(other, memory, wordsOf)).length >= NEWER_MIN,
  )
  return {
    present: candidates.length > 0,
    candidate_memory_ids: candidates.map(({ memoryId }) => memoryId),
    authority_mutation: false as const,
    explanation: `${candidates.length} memories have ${NEWER_MIN} or more newer neighbours that say something else.`,
  }
}

function mayDrift(memory: MemoryFacts): boolean {
  const isShown = memory.surface === 'use_now' || memory.surface === 'inspect_before_use'
  return isShown && memory.isActive && memory.isAuthoritative && !memory.hasPositive
}

/** Newer, of the same path, with some words in common and not so many that it repeats the other. */
function pullsAway(other: MemoryFacts, memory: MemoryFacts, wordsOf: WordReader): boolean {
  if (other.observedAtMs <= memory.observedAtMs) return false
  if (!other.targetFiles.some((path) => memory.targetFiles.includes(path))) return false
  const words = wordsOf(memory)
  let shared = 0
  for (const word of wordsOf(other)) if (words.has(word)) shared += 1
  return shared >= SHARED_WORDS_MIN && shared < SHARED_WORDS_SAME
}

type WordReader = (memory: MemoryFacts) => ReadonlySet<string>

/** Content words in small letters, those of one memory read once. */
function wordReader(): WordReader {
  const known = new Map<MemoryFacts, ReadonlySet<string>>()
  return (memory) => {
    let words = known.get(memory)
    if (words === undefined) {
      words = contentWords(memory.text)
      known.set(memory, words)
    }
    return words
  }
}

function contentWords(text: string): ReadonlySet<string> {
  const words = new Set<string>()
  eachToken(text, (folded, start, end, kind, isPart) => {
    const word = folded.lower.slice(start, end)
    if (kind === WORD && !isPart && !ENGLISH_STOP_WORDS.has(word)) words.add(word)
  })
  return words
}

/** One memory that two guides treat differently. */
export interface SurfaceChange {
  readonly memoryId: string
  /** Null: the guide did not show it. */
  readonly before: Surface | null
  readonly after: Surface | null
  /** Why, by the guide after or else by the one before; null: kept no longer. */
  readonly reasonCode: string | null
}

/** What the guide after shows on another surface than the guide before, in the order of the guides. */
export function surfaceChanges(before: RecordedGuide, after: RecordedGuide): readonly SurfaceChange[] {
  const earlier = surfacesOf(before)
  const later = surfacesOf(after)
  const changes: SurfaceChange[] = []
  for (const memoryId of new Set([...later.keys(), ...earlier.keys()])) {
    const [from, to] = [earlier.get(memoryId) ?? null, later.get(memoryId) ?? null]
    if (from === to) continue
    const reasonCode = reasonCodeIn(to === null ? before : after, memoryId)
    changes.push({ memoryId, before: from, after: to, reasonCode })
  }
  return changes
}

function reasonCodeIn({ reasons }: RecordedGuide, memoryId: string): string | null {
  return reasons?.codes[reasons.memoryIds.indexOf(memoryId)] ?? null
}

function surfacesOf({ exposed }: RecordedGuide): ReadonlyMap<string, Surface> {
  return new Map(SURFACES.flatMap((surface) => exposed[surface].map((id) => [id, surface] as const)))
}
