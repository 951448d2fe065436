import type { FindingKind } from './finding.ts'

// Phrases that are told by their words: hiding something from the one who is served, switching guards off, claiming rights,
// poisoning what is remembered, acting with what belongs to the user. Each row is looked at where one of its heads stands.

/**
 * What a phrase tells alone, in no rule or preference though where it is how to answer (`manner`), or the name of a sign that a
 * person may give as well: two signs of different names close to each other tell what none of them tells alone.
 */
export const PHRASE_WEIGHTS = [
  'alone',
  'manner',
  'call',
  'norm',
  'hush',
  'guard',
  'right',
  'standing',
  'account',
  'authority',
] as const
export type PhraseWeight = (typeof PHRASE_WEIGHTS)[number]

export interface PhraseRow {
  /** Absent: `assistant_directive`. */
  readonly kind?: FindingKind
  readonly weight: PhraseWeight
  /** First words, folded, separated by blanks. */
  readonly heads: string
  /** What follows the head. A blank stands for any white space, `%n` for up to n words of any kind. */
  readonly behind: string
  /** Letters one of which the word behind begins with, for heads that are common. */
  readonly next?: string
  /** Only where an order stands: first in its clause, after a comma, or after a linking word. */
  readonly isOrder?: true
  /** Not in a sentence that has this in it. */
  readonly unless?: RegExp
}

/** The one who is served. */
export const USER = '(?:users?|humans?|owners?|operators?|customers?)'
/** What opens accounts. */
export const SECRETS =
  '(?:passwords?|passcodes?|passphrases?|credentials?|api keys?|access keys?|access tokens?|private keys?|secret keys?|login|one-time codes?|pin)'
