// What a candidate is ranked by, beyond the order of the words: twenty numbers. Their weighted sum is the score, so each
// signal can be told with its part of it, in units of a logarithm of odds.
//
// Text scores and what is lent by them count in shares of the best text score of the query, which makes them alike for
// every scope and length of query. The score found and lent counts by its logarithm as well: twice the score is the same
// step, wherever it stands.

export const FEATURES = [
  'found',
  'score',
  'coverage',
  'exact',
  'speaker',
  'question',
  'asking',
  'answered',
  'date',
  'number',
  'name',
  'beside',
  'first',
  'recency',
  'runBest',
  'runMean',
  'runLong',
  'task',
  'help',
  'order',
] as const
export type Feature = (typeof FEATURES)[number]

/** How much each counts. */
export type Weights = Readonly<Record<Feature, number>>

/**
 * Fitted by `npm run fit`, which prints such a table: softmax loss by gradient descent over the commits and FAQs that it names
 * and texts of its own. `task` and `help` are set by hand, since no data has them: a task counts as a fifth more text
 * score, help at most a tenth.
 */
export const WEIGHTS: Weights = {
  found: 1.9,
  score: 1.46,
  coverage: 0.48,
  exact: 0.87,
  speaker: 1.31,
  question: -0.49,
  asking: -1.27,
  answered: 1.64,
  date: 1.09,
  number: 1.87,
  name: 0.73,
  beside: 1.35,
  first: 0.39,
  recency: 0.28,
  runBest: 1.1,
  runMean: 1.7,
  runLong: -2.1,
  task: 0.5,
  help: 0.25,
  order: 0.96,
}

/** Shares of a hit's score that what stands beside it in its run gets: those after it, those before it, the next first. */
export const LENT_AFTER: readonly number[] = [0.5, 0.2]
export const LENT_BEFORE: readonly number[] = [0.3, 0.2]
/**
 * What a word of the query that stands elsewhere in its run counts of one that stands beside it. In a run longer than this it
 * counts less: there it says less, and a run that is all of a scope says nothing.
 */
export const LENT_IN_RUN = 0.7
export const LENT_IN_RUN_OF = 40
/** Of these shares, what memories without a run get that were written one after the other: that says less. */
export const LENT_WITHOUT_RUN = 0.5
/** Of the best text score, what a memory counts by its embedding alone that stands out as far as any. */
export const NEAR_SHARE = 0.3
/** So many deviations above the median of its scope stand out as far as any. */
export const NEAR_DEVIATIONS = 6

/** Of the best score: keeps the logarithm of small scores apart from that of none, and finite. */
const LEAST = 0.05

/** 0 for none, 3 for the best text score. */
export function logOfShare(share: number): number {
  return Math.log((share + LEAST) / LEAST)
}
