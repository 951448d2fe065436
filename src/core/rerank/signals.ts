import type { MemoryRecord } from '../model/record.ts'
import { FLAG_DOUBTED, FLAG_EXACT, FLAG_STRONG } from '../search/rank-result.ts'
import { logOfShare, type Weights } from './features.ts'

/**
 * Memories that recall found by text, best first, as parallel lists: of some hundred a guide shows a few dozen, and
 * only those become objects.
 */
export interface TextHits {
  /** Slots of the memories in their actor; -1: replaced since it was found. */
  readonly slots: ArrayLike<number>
  readonly scores: ArrayLike<number>
  /** Shares of the query's weight that the memories match, 0–1. */
  readonly coverage: ArrayLike<number>
  /** Terms of the query that they hold. */
  readonly matchedTerms: ArrayLike<number>
  /** HIT_EXACT, HIT_ABOVE_FLOOR, HIT_DOUBTED. */
  readonly flags: ArrayLike<number>
  /** Which terms of the query each holds, a bit for each term. */
  readonly masks: ArrayLike<number>
  /** Share of the query's weight of the term of each bit. */
  readonly termShares: ArrayLike<number>
}

/** It holds an exact identifier that the query names. */
export const HIT_EXACT = FLAG_EXACT
/** On its own it shows that the memory is about what is asked. */
export const HIT_ABOVE_FLOOR = FLAG_STRONG
/** It does, but so little that what stands beside it shows nothing. */
export const HIT_DOUBTED = FLAG_DOUBTED

/** How one of the hits was found. */
export interface TextHit {
  readonly isExact: boolean
  readonly isAboveFloor: boolean
}

/** A memory that recall found by embedding. */
export interface NearHit {
  readonly memoryId: string
  /** How far the cosine of its vector and that of the query stands above the median of the scope, in deviations. */
  readonly deviations: number
  readonly isAboveFloor: boolean
}

/** What recall found. */
export interface Found {
  readonly hits: TextHits
  /** By embedding. */
  readonly near: readonly NearHit[]
}

/** A candidate with what raised and lowered it: parts of `total`, in logarithms of odds. */
export interface ScoredCandidate {
  readonly record: MemoryRecord
  /** Null: it has no word of the query; what stands beside it brought it here. */
  readonly hit: TextHit | null
  readonly text: number
  /** Null: not found by embedding. */
  readonly near: NearHit | null
  readonly semantic: number
  readonly neighbours: number
  readonly run: number
  readonly author: number
  /** It asks itself. */
  readonly question: number
  /** What stands before it in its run asks, and matches. */
  readonly answer: number
  /** It tells a time, a number, a name, as was asked. */
  readonly date: number
  readonly number: number
  readonly name: number
  readonly task: number
  readonly help: number
  readonly recency: number
  readonly total: number
  /** Neither it nor what stands beside it in its run shows on its own that it is about what is asked. */
  readonly isWeak: boolean
}

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
      weights.found * logOfText +
      weights.score * text +
      part(2, weights.coverage) +
      part(3, weights.exact) +
      part(19, weights.order),
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

/** Why a memory is a candidate, as a guide tells it. */
export interface RecallSource {
  readonly kind: string
  readonly score: number
  readonly reason: string
}

/** Every signal of a candidate with its part of the score, the text first. One below zero lowered it. */
export function sourcesOf(candidate: ScoredCandidate): RecallSource[] {
  const { hit, near } = candidate
  const sources: RecallSource[] = []
  if (hit !== null) {
    const reason = hit.isExact ? 'exact_identifier' : hit.isAboveFloor ? 'text_match' : 'weak_text_match'
    sources.push({ kind: hit.isExact ? 'exact_recovery' : 'lexical', score: rounded(candidate.text), reason })
  }
  const nearness = near?.isAboveFloor === true ? 'semantic_match' : 'weak_semantic_match'
  addSource(sources, 'semantic', candidate.semantic, nearness)
  addSource(sources, 'graph', candidate.neighbours, 'neighbour_of_match')
  addSource(sources, 'execution_native', candidate.run, 'run_of_matches')
  const author = candidate.author > 0 ? 'author_named' : 'other_author_named'
  addSource(sources, 'structured', candidate.author, author)
  addSource(sources, 'graph', candidate.answer, 'answers_match')
  addSource(sources, 'structured', candidate.question, 'is_question')
  addSource(sources, 'structured', candidate.date, 'tells_time')
  addSource(sources, 'structured', candidate.number, 'tells_number')
  addSource(sources, 'structured', candidate.name, 'tells_name')
  addSource(sources, 'structured', candidate.task, 'asked_task')
  addSource(sources, 'structured', candidate.help, 'helped_before')
  addSource(sources, 'recent', candidate.recency, 'recency')
  return sources
}

function addSource(sources: RecallSource[], kind: string, score: number, reason: string): void {
  if (score !== 0) sources.push({ kind, score: rounded(score), reason })
}

/** Three decimals are enough to see what counted. */
function rounded(score: number): number {
  return Math.round(score * 1000) / 1000
}
