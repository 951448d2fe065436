import { hash } from 'node:crypto'
import type { AdoptSource } from '../../../edges/cli/command-flags.ts'

/** One entry of a file of memory, as it would be observed. */
export interface Entry {
  /** What the file calls it; null: only its words tell it from others. */
  readonly id: string | null
  readonly text: string
  /** The headings above it, or the thing that it is about. */
  readonly title: string | null
  /** Where it begins, from 1. */
  readonly line: number
  readonly observedAt: string | null
  /** The file says that it holds no longer. */
  readonly isStale: boolean
}

/** What a file holds, and what of it was left out: sentences for a person. */
export interface Entries {
  readonly entries: readonly Entry[]
  readonly leftOut: readonly string[]
}

const ID_DIGITS = 32

/**
 * The client id of an entry. It is of its words and of no line or path: an entry that moves within its file, or whose file
 * is renamed, is the same one.
 */
export function clientIdOf(from: AdoptSource, { id, title, text }: Entry): string {
  return `adopt:${from}:${hash('sha256', JSON.stringify([id, title, text])).slice(0, ID_DIGITS)}`
}

export const PLAIN = { id: null, observedAt: null, isStale: false } as const

/** Each entry once: the first of those that say the same. */
export function distinct(from: AdoptSource, { entries, leftOut }: Entries): Entries {
  const byId = new Map<string, Entry>()
  for (const entry of entries) {
    const id = clientIdOf(from, entry)
    if (!byId.has(id)) byId.set(id, entry)
  }
  const repeated = entries.length - byId.size
  const told = repeated === 0 ? [] : [`${repeated} say the same under the same heading as an earlier one`]
  return { entries: [...byId.values()], leftOut: [...leftOut, ...told] }
}

/** A memory that was adopted from the same file before, with the entry as it was then. */
export interface Earlier extends Pick<Entry, 'id' | 'text' | 'title' | 'line'> {
  readonly memoryId: string
  readonly clientId: string
  /** An entry of this file superseded it, and nothing else. */
  readonly isReplaced: boolean
  /** It may still guide somebody. */
  readonly isLive: boolean
}

/** An entry with the client id that it has here and the memory that it takes the place of. */
export interface Placed {
  readonly entry: Entry
  readonly clientId: string
  readonly replaces: Earlier | null
  /** Its memory, where that guides nobody any more. */
  readonly ended: Earlier | null
}

export type Changes = ReturnType<typeof changesOf>

/** Between entries of a heading of which the file has another number than before: the share of words that must be the same. */
const ALIKE_SHARE_MIN = 0.5

/** Holds the entries of a file against what was adopted from it before. */
export function changesOf(from: AdoptSource, entries: readonly Entry[], earlier: readonly Earlier[]) {
  const byClientId = new Map(earlier.map((each) => [each.clientId, each]))
  const known = entries.map((entry) => {
    const clientId = freeIdOf(clientIdOf(from, entry), byClientId)
    return { entry, clientId, memory: byClientId.get(clientId) ?? null }
  })
  const said = new Set(known.flatMap(({ memory }) => memory?.memoryId ?? []))
  const gone = earlier.filter(({ isLive, memoryId }) => isLive && !said.has(memoryId))
  const replaced = pairsOf(known, gone)
  const taken = new Set([...replaced.values()].map(({ memoryId }) => memoryId))
  return {
    placed: known.map(
      ({ entry, clientId, memory }): Placed => ({
        entry,
        clientId,
        replaces: replaced.get(entry) ?? null,
        ended: memory?.isLive === false ? memory : null,
      }),
    ),
    /** Live memory of the file that no entry says any more or takes the place of. */
    removed: gone.filter(({ memoryId }) => !taken.has(memoryId)),
  }
}

/** An entry that is back after another one took its place is a new memory: the old one stays superseded. */
function freeIdOf(clientId: string, byClientId: ReadonlyMap<string, Earlier>): string {
  let id = clientId
  for (let turn = 2; byClientId.get(id)?.isReplaced === true; turn += 1) id = `${clientId}:${turn}`
  return id
}

interface Known {
  readonly entry: Entry
  readonly memory: Earlier | null
}

function pairsOf(known: readonly Known[], gone: readonly Earlier[]): ReadonlyMap<Entry, Earlier> {
  const pairs = new Map<Entry, Earlier>()
  const byId = new Map(gone.flatMap((each) => (each.id === null ? [] : [[each.id, each] as const])))
  const fresh = known.filter(({ memory }) => memory === null)
  for (const { entry } of fresh) {
    const same = entry.id === null ? undefined : byId.get(entry.id)
    if (same !== undefined) pairs.set(entry, same)
  }
  const taken = new Set(pairs.values())
  const anchors = anchorsOf(known)
  const groups = new Map<string, { readonly new: Entry[]; readonly old: Earlier[] }>()
  const groupAt = (gap: number, title: string | null) => {
    const key = JSON.stringify([gap, title])
    const group = groups.get(key) ?? { new: [], old: [] }
    groups.set(key, group)
    return group
  }
  for (const { entry } of fresh) {
    if (!pairs.has(entry)) groupAt(gapOf(anchors, 'line', entry.line), entry.title).new.push(entry)
  }
  for (const each of gone) {
    // What has another id is another memory.
    if (!taken.has(each) && each.id === null)
      groupAt(gapOf(anchors, 'lineThen', each.line), each.title).old.push(each)
  }
  for (const group of groups.values()) pairWithin(group, pairs)
  return pairs
}

interface Anchor {
  readonly line: number
  readonly lineThen: number
}

/** Entries that are what they were and in the order in which they were. */
function anchorsOf(known: readonly Known[]): readonly Anchor[] {
  const anchors: Anchor[] = []
  for (const { entry, memory } of known) {
    if (memory === null || memory.line <= (anchors.at(-1)?.lineThen ?? 0)) continue
    anchors.push({ line: entry.line, lineThen: memory.line })
  }
  return anchors
}

/** How many anchors stand before a line of the file, as it is or as it was. */
function gapOf(anchors: readonly Anchor[], when: keyof Anchor, line: number): number {
  const next = anchors.findIndex((anchor) => anchor[when] > line)
  return next < 0 ? anchors.length : next
}

function pairWithin(
  { new: entries, old }: { readonly new: readonly Entry[]; readonly old: readonly Earlier[] },
  pairs: Map<Entry, Earlier>,
): void {
  const before = old.toSorted((a, b) => a.line - b.line)
  if (entries.length === before.length) {
    for (const [at, entry] of entries.entries()) {
      const same = before[at]
      if (same !== undefined) pairs.set(entry, same)
    }
    return
  }
  const left = new Set(before)
  for (const entry of entries) {
    const words = wordsOf(entry.text)
    const likeness = (each: Earlier): number => shareOf(words, wordsOf(each.text))
    const nearest = [...left].toSorted((a, b) => likeness(b) - likeness(a))[0]
    if (nearest === undefined || likeness(nearest) < ALIKE_SHARE_MIN) continue
    pairs.set(entry, nearest)
    left.delete(nearest)
  }
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))
}

function shareOf(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  const most = Math.max(words.size, others.size)
  return most === 0 ? 0 : [...words].filter((word) => others.has(word)).length / most
}
