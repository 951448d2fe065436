import { FEATURES, type Feature, WEIGHTS, type Weights } from '../../src/core/rerank/features.ts'
import { Reranking } from '../../src/core/rerank/rerank.ts'
import { HIT_ABOVE_FLOOR, type TextHits } from '../../src/core/rerank/signals.ts'
import { type Found, foundIn } from '../recall-sets/found.ts'
import { CONSUMER, type RankedScope, rankedScope } from '../recall-sets/ranked-scope.ts'
import type { QuestionSet, Scope } from '../recall-sets/sets.ts'

/** What recorded questions tell nothing of: nobody asked for a task there, and nobody said what helped. */
const BY_HAND: readonly Feature[] = ['task', 'help']
export const FITTED: readonly Feature[] = FEATURES.filter((feature) => !BY_HAND.includes(feature))
const COLUMNS = FITTED.map((feature) => FEATURES.indexOf(feature))

/** Everything that was found for one question. */
export interface Sample {
  /** Of the whole loss. */
  readonly weight: number
  /** FITTED numbers for each candidate, one candidate after the other. */
  readonly rows: Float32Array
  /** By candidate, 1: it answers. */
  readonly isEvidence: Uint8Array
}

/** A sample for each question of which something that answers it was found, and something that does not. */
export function samplesOf(set: QuestionSet, weight: number): readonly Sample[] {
  const questions = set.scopes.reduce((sum, scope) => sum + scope.questions.length, 0)
  return set.scopes.flatMap((scope) => {
    const ranked = rankedScope(scope)
    return scope.questions.flatMap(({ text, evidence }) => {
      const { rows, isEvidence } = sampleOf(ranked, text, evidence)
      const found = isEvidence.reduce((sum, each) => sum + each, 0)
      return found === 0 || found === isEvidence.length
        ? []
        : { weight: weight / questions, rows, isEvidence }
    })
  })
}

function sampleOf(ranked: RankedScope, text: string, evidence: readonly string[]): Omit<Sample, 'weight'> {
  const ranking = rankingOf(ranked, text, WEIGHTS)
  const rows = new Float32Array(ranking.size * FITTED.length)
  const isEvidence = new Uint8Array(ranking.size)
  for (let place = 0; place < ranking.size; place += 1) {
    const features = ranking.featuresAt(place)
    for (const [at, column] of COLUMNS.entries()) rows[place * FITTED.length + at] = features[column] ?? 0
    isEvidence[place] = evidence.includes(ranked.ids[ranking.slotAt(place)] ?? '') ? 1 : 0
  }
  return { rows, isEvidence }
}

/** What a ranking by these weights finds, however weak the matches are; hybrid: with a weak model of embeddings. */
export function rankedWith(
  set: { readonly scopes: readonly Scope[] },
  weights: Weights,
  isHybrid = false,
): readonly Found[] {
  return set.scopes.flatMap((scope) => {
    const ranked = rankedScope(scope)
    return scope.questions.map(({ text, evidence }) => {
      const order = Array.from(
        rankingOf(ranked, text, weights, isHybrid),
        ({ record }) => ranked.ids[record.slot] ?? '',
      )
      return foundIn(order, evidence)
    })
  })
}

function rankingOf(
  { state, hits, near }: RankedScope,
  queryText: string,
  weights: Weights,
  isHybrid = false,
): Reranking {
  const asked = { queryText, consumer: CONSUMER, taskSignature: null }
  const found = { hits: aboveFloor(hits(queryText)), near: isHybrid ? near(queryText) : [] }
  return new Reranking(state, asked, found, weights)
}

/** The relevance of a list is another question than its order. */
function aboveFloor(hits: TextHits): TextHits {
  return { ...hits, flags: Uint8Array.from(hits.flags, (flags) => flags | HIT_ABOVE_FLOOR) }
}
