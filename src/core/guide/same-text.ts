import type { Origin, Surface } from '../base/closed-sets.ts'
import { isSameOccurrence } from '../model/occurrence.ts'
import type { MemoryRecord } from '../model/record.ts'
import { audienceKey } from '../model/visibility.ts'
import { normaliseText } from '../similarity/canonical-text.ts'
import type { GuideEntry } from './entry.ts'

/** An entry that has no line, and the memory whose line stands for it. */
export interface FoldedEntry {
  readonly entry: GuideEntry
  readonly intoId: string
}

/**
 * Of memories of one audience that say the same, one is shown: the one on the best surface, of these the one of the
 * highest authority, of these the newest. What observers wrote is meant, as long as it is not do_not_use: runs, handoffs
 * and claims say more than their text, and a warning shows none.
 */
export class SameTexts {
  readonly #byKey = new Map<number, GuideEntry[]>()
  readonly #into = new Map<GuideEntry, GuideEntry>()

  /** True when another entry stands for this one. */
  isFolded(entry: GuideEntry): boolean {
    return this.#into.has(entry)
  }

  /** The entries, without those for which an earlier one stands already. */
  *distinct(entries: Iterable<GuideEntry>): Generator<GuideEntry> {
    for (const entry of entries) {
      const text = textOf(entry)
      if (text === null) {
        yield entry
        continue
      }
      const key = keyOf(text)
      const alike = this.#byKey.get(key) ?? []
      const at = alike.findIndex((other) => isSame(entry, text, other))
      const other = alike[at]
      if (other === undefined) this.#byKey.set(key, [...alike, entry])
      else if (isBetter(entry, other)) {
        alike[at] = entry
        this.#into.set(other, entry)
      } else {
        this.#into.set(entry, other)
        continue
      }
      yield entry
    }
  }

  get folded(): readonly FoldedEntry[] {
    return Array.from(this.#into, ([entry, other]) => ({ entry, intoId: this.#last(other).record.memoryId }))
  }

  #last(entry: GuideEntry): GuideEntry {
    let last = entry
    for (let next = this.#into.get(last); next !== undefined; next = this.#into.get(last)) last = next
    return last
  }
}

/** What is compared; null: nothing stands for this entry, and it stands for none. */
function textOf({ record, surface }: GuideEntry): string | null {
  const { content, source, domain } = record
  if (surface === 'do_not_use' || source !== 'observe' || domain !== 'general') return null
  if (content.fullTextChars !== null) return null
  return content.text || content.summary || null
}

function isSame(entry: GuideEntry, text: string, other: GuideEntry): boolean {
  const { record } = entry
  if (audienceKey(record.audience) !== audienceKey(other.record.audience)) return false
  if (!isSameOccurrence(record, other.record)) return false
  const otherText = textOf(other) ?? ''
  return text === otherText || normaliseText(text) === normaliseText(otherText)
}

const SURFACE_ORDER = {
  use_now: 3,
  inspect_before_use: 2,
  rehydrate: 1,
  do_not_use: 0,
} as const satisfies Record<Surface, number>

const AUTHORITY_ORDER = {
  user: 4,
  verifier: 3,
  agent: 2,
  tool: 1,
  document: 0,
  external: 0,
  unknown: 0,
} as const satisfies Record<Origin, number>

function isBetter(a: GuideEntry, b: GuideEntry): boolean {
  const bySurface = SURFACE_ORDER[a.surface] - SURFACE_ORDER[b.surface]
  if (bySurface !== 0) return bySurface > 0
  const byAuthority = authorityOf(a.record) - authorityOf(b.record)
  return byAuthority === 0 ? a.record.ordinal > b.record.ordinal : byAuthority > 0
}

/** What an operator has activated stands as what a user says. */
function authorityOf({ origin, changes }: MemoryRecord): number {
  return changes.some(({ cause }) => cause === 'operator_activation')
    ? AUTHORITY_ORDER.user
    : AUTHORITY_ORDER[origin]
}

/** Equal for texts that normalise to the same, and mostly only for those: a hash of their letters and digits. */
function keyOf(text: string): number {
  const hash = hashOf(text)
  return hash === NOT_ASCII ? hashOf(normaliseText(text), true) : hash
}

const NOT_ASCII = -1

/** 31 bits, or `NOT_ASCII` for a text beyond ASCII unless that is allowed. */
function hashOf(text: string, isAnyScript = false): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code > 0x7f && !isAnyScript) return NOT_ASCII
    const lower = code | 0x20
    if (lower >= 0x61 && lower <= 0x7a) hash = Math.imul(hash ^ lower, 0x01000193)
    else if ((code >= 0x30 && code <= 0x39) || code > 0x7f) hash = Math.imul(hash ^ code, 0x01000193)
  }
  return hash & 0x7fffffff
}
