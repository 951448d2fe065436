import type { Clause } from './dispute-clause.ts'
import { isTakenBack, isWithout } from './dispute-gone.ts'
import {
  differsInDate,
  differsInHolder,
  differsInMeans,
  differsInNumber,
  differsInPlace,
  differsInPolarity,
  differsInValue,
  isRule,
  isVersioned,
  rivalRow,
} from './dispute-kinds.ts'
import { GUARDS, type GuardId, type Pair, pairOf } from './dispute-pair.ts'
import { type DisputeReading, readForDispute } from './dispute-reading.ts'
import { recordDispute } from './record-text.ts'

export { type DisputeReading, readForDispute } from './dispute-reading.ts'

export type DisputeKind =
  | 'no_longer'
  | 'policy'
  | 'negation'
  | 'version'
  | 'number'
  | 'deadline'
  | 'state'
  | 'preference'
  | 'command'
  | 'owner'
  | 'place'
  | 'record'

/** Two statements, one of each text, that cannot both hold. */
export interface TextDispute {
  readonly kind: DisputeKind
  readonly earlierStatement: string
  readonly laterStatement: string
}

interface KindRow {
  readonly id: Exclude<DisputeKind, 'record'>
  readonly guards: readonly GuardId[]
  readonly holds: (pair: Pair) => boolean
}

const KINDS: readonly KindRow[] = [
  {
    id: 'no_longer',
    guards: ['asserted', 'named', 'noEvent'],
    holds: (pair) => isTakenBack(pair) || isWithout(pair),
  },
  {
    id: 'policy',
    guards: ['asserted', 'named', 'sameTense', 'sameTimes', 'sameNames', 'sameQualifiers', 'noList'],
    holds: (pair) => isRule(pair) && (differsInPolarity(pair) || rivalRow(pair) === 'state'),
  },
  {
    id: 'negation',
    guards: ['asserted', 'named', 'sameTense', 'sameTimes', 'sameNames', 'sameQualifiers', 'noList'],
    holds: differsInPolarity,
  },
  {
    id: 'version',
    guards: [
      'asserted',
      'named',
      'sameTense',
      'noEvent',
      'sameTimes',
      'sameNames',
      'sameQualifiers',
      'noList',
    ],
    holds: (pair) => isVersioned(pair) && differsInNumber(pair),
  },
  {
    id: 'number',
    guards: [
      'asserted',
      'named',
      'sameTense',
      'noEvent',
      'noReading',
      'sameTimes',
      'sameNames',
      'sameQualifiers',
      'noList',
    ],
    holds: differsInNumber,
  },
  {
    id: 'deadline',
    guards: ['asserted', 'named', 'sameTense', 'noEvent', 'sameNames', 'noList'],
    holds: differsInDate,
  },
  {
    id: 'state',
    guards: ['asserted', 'named', 'sameTense', 'sameTimes', 'noList'],
    holds: (pair) => {
      const row = rivalRow(pair)
      return row === 'state' || row === 'frequency'
    },
  },
  {
    id: 'preference',
    guards: ['asserted', 'named', 'sameTense', 'sameTimes', 'noList'],
    holds: (pair) => {
      const row = rivalRow(pair)
      return row === 'taste' || row === 'channel' || row === 'language'
    },
  },
  {
    id: 'command',
    guards: ['asserted', 'named', 'sameTense', 'noEvent', 'sameTimes', 'noList'],
    holds: (pair) => rivalRow(pair) === 'tool' || differsInMeans(pair),
  },
  { id: 'owner', guards: ['asserted', 'named', 'sameTense', 'noEvent', 'noList'], holds: differsInHolder },
  { id: 'place', guards: ['asserted', 'named', 'sameTense', 'noEvent', 'noList'], holds: differsInPlace },
  { id: 'state', guards: ['asserted', 'named', 'sameTense', 'noEvent', 'noList'], holds: differsInValue },
]

export function disputeBetween(earlier: string, later: string): TextDispute | null {
  return disputeOf(readForDispute(earlier), readForDispute(later))
}

export function disputeOf(earlier: DisputeReading, later: DisputeReading): TextDispute | null {
  if (earlier.record !== null || later.record !== null) {
    if (earlier.record === null || later.record === null) return null
    const found = recordDispute(earlier.record, later.record)
    return found === null
      ? null
      : { kind: 'record', earlierStatement: found.earlier, laterStatement: found.later }
  }
  if (!isComparable(earlier, later)) return null
  for (const b of later.clauses) {
    for (const a of earlier.clauses) {
      const kind = later.spellings.has(a.spelling) ? null : kindBetween(a, b, earlier, later)
      if (kind !== null) return disputeIn(kind, earlier, a, later, b)
    }
  }
  return null
}

/** Prose of both, not the same, about the same ids, and no talk. */
export function isComparable(earlier: DisputeReading, later: DisputeReading): boolean {
  if (earlier.record !== null || later.record !== null || earlier.isTalk || later.isTalk) return false
  return earlier.spelling !== later.spelling && isSameEntity(earlier.ids, later.ids)
}

/** What two clauses disagree about, null when in nothing. */
export function kindBetween(
  a: Clause,
  b: Clause,
  earlier: DisputeReading,
  later: DisputeReading,
): DisputeKind | null {
  const pair = pairOf(a, b, earlier, later)
  if (pair === null) return null
  for (const { id, guards, holds } of KINDS)
    if (guards.every((guard) => GUARDS[guard](pair)) && holds(pair)) return id
  return null
}

function disputeIn(
  kind: DisputeKind,
  earlier: DisputeReading,
  a: Clause,
  later: DisputeReading,
  b: Clause,
): TextDispute {
  return {
    kind,
    earlierStatement: earlier.text.slice(a.start, a.end),
    laterStatement: later.text.slice(b.start, b.end),
  }
}

function isSameEntity(earlier: ReadonlySet<string>, later: ReadonlySet<string>): boolean {
  for (const id of earlier) if (!later.has(id)) return false
  return earlier.size > 0 || later.size === 0
}

/** Whether two texts speak about the same: equal ids, and at least two words and most words of the shorter in common. */
export function sameSubject(a: string, b: string): boolean {
  const left = readForDispute(a)
  const right = readForDispute(b)
  if (left.record !== null || right.record !== null) return false
  if (!isSameEntity(left.ids, right.ids) || !isSameEntity(right.ids, left.ids)) return false
  let shared = 0
  for (const word of left.words) if (right.words.has(word)) shared += 1
  const least = Math.min(left.words.size, right.words.size)
  return shared >= SUBJECT_WORDS_MIN && shared >= SUBJECT_SHARE_MIN * least
}

const SUBJECT_WORDS_MIN = 2
const SUBJECT_SHARE_MIN = 0.6
