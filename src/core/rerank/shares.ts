import { FEATURES, logOfShare, type Weights } from './features.ts'
import type { ScoredCandidate } from './signals.ts'

/**
 * What each signal adds to the score of a candidate, and the score. `text`, `found`: the shares of the best text score that
 * its words alone have, and its words and its embedding.
 */
export function sharesOf(
  features: Float64Array,
  weights: Weights,
  text: number,
  found: number,
): Omit<ScoredCandidate, 'record' | 'hit' | 'near' | 'isWeak'> {
  const part = (at: number, weight: number): number => (features[at] ?? 0) * weight
  const logOfText = logOfShare(text)
  const logOfFound = logOfShare(found)
  return {
    text:
      weights.found * logOfText + weights.score * text + part(2, weights.coverage) + part(3, weights.exact),
    semantic: weights.found * (logOfFound - logOfText) + weights.score * (found - text),
    neighbours: weights.found * ((features[0] ?? 0) - logOfFound) + part(11, weights.beside),
    author: part(4, weights.speaker),
    question: part(5, weights.question) + part(6, weights.asking),
    answer: part(7, weights.answered),
    date: part(8, weights.date),
    number: part(9, weights.number),
    name: part(10, weights.name),
    recency: part(13, weights.recency),
    run:
      part(12, weights.first) +
      part(14, weights.runBest) +
      part(15, weights.runMean) +
      part(16, weights.runLong),
    task: part(17, weights.task),
    help: part(18, weights.help),
    total: totalOf(features, weights),
  }
}

/** Added in the order of FEATURES, as the totals of all candidates are. */
function totalOf(features: Float64Array, weights: Weights): number {
  let total = 0
  let at = 0
  for (const feature of FEATURES) {
    total += weights[feature] * (features[at] ?? 0)
    at += 1
  }
  return total
}
