import { logOfShare, type Weights } from './features.ts'
import type { ScoredCandidate } from './signals.ts'

type Signals =
  | 'text'
  | 'semantic'
  | 'neighbours'
  | 'run'
  | 'author'
  | 'question'
  | 'answer'
  | 'date'
  | 'number'
  | 'name'
type Named = Omit<ScoredCandidate, Signals | 'task' | 'help' | 'recency'>

/**
 * A candidate with what each signal adds to its score. `text`, `found`: the shares of the best text score that its words
 * alone have, and its words and its embedding.
 */
export function candidateOf(
  { record, hit, near, total, isWeak }: Named,
  features: Float64Array,
  weights: Weights,
  text: number,
  found: number,
): ScoredCandidate {
  const part = (at: number, weight: number): number => (features[at] ?? 0) * weight
  const logOfText = logOfShare(text)
  const logOfFound = logOfShare(found)
  // Each by its name: to spread one object into another takes longer than all of the rest.
  return {
    record,
    hit,
    near,
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
    total,
    isWeak,
  }
}
