import { oddsOf, signsOf } from '../../src/core/search/rank-result.ts'
import { meanOf } from '../recall-sets/found.ts'
import { foreignQuestions } from '../recall-sets/measured.ts'
import { rankedScope } from '../recall-sets/ranked-scope.ts'
import type { QuestionSet } from '../recall-sets/sets.ts'
import { descend } from './descent.ts'
import type { Sample } from './samples.ts'

/** The bias, and the signs of `signsOf`. */
const COLUMNS = 6

/**
 * Weights of the bias and of each sign, by which questions of a set are told from those of other families: a logistic
 * regression, of two candidates of which one has neither.
 */
export function fittedOdds(sets: readonly QuestionSet[]): readonly number[] {
  const asked = sets.flatMap((set) => aboutOf(set, sets))
  const signs = asked.map(({ about }) => signsOf(about))
  // The descent moves in all alike when all vary alike.
  const means = Array.from({ length: COLUMNS - 1 }, (_, at) => meanOf(signs.map((row) => row[at] ?? 0)))
  const spreads = means.map((mean, at) => Math.sqrt(meanOf(signs.map((row) => ((row[at] ?? 0) - mean) ** 2))))
  const samples = asked.map(({ isOwn }, place): Sample => {
    const rows = new Float32Array(2 * COLUMNS)
    rows[0] = 1
    for (const [at, mean] of means.entries())
      rows[at + 1] = ((signs[place]?.[at] ?? 0) - mean) / (spreads[at] ?? 1)
    return { weight: 1, rows, isEvidence: Uint8Array.of(+isOwn, +!isOwn) }
  })
  const [bias = 0, ...scaled] = descend(samples, COLUMNS)
  const weights = scaled.map((weight, at) => weight / (spreads[at] ?? 1))
  const before = weights.reduce((sum, weight, at) => sum - weight * (means[at] ?? 0), bias)
  return [before, ...weights].map((weight) => Math.round(100 * weight) / 100)
}

type Asked = { readonly about: Parameters<typeof oddsOf>[0]; readonly isOwn: boolean }

function aboutOf(set: QuestionSet, sets: readonly QuestionSet[]): readonly Asked[] {
  const foreign = foreignQuestions(set, sets)
  return set.scopes.flatMap((scope, place) => {
    const ranked = rankedScope(scope)
    const others = foreign.filter((_, at) => at % set.scopes.length === place)
    return [
      ...scope.questions.map(({ text }) => ({ about: ranked.about(text), isOwn: true })),
      ...others.map((text) => ({ about: ranked.about(text), isOwn: false })),
    ]
  })
}

/** Shares of the questions of a set, and of foreign ones, that are told for sure to be about it. */
export function toldApart(set: QuestionSet, sets: readonly QuestionSet[], sure: number): readonly number[] {
  const asked = aboutOf(set, sets)
  return [true, false].map((isOwn) => {
    const some = asked.filter((each) => each.isOwn === isOwn)
    return some.filter(({ about }) => oddsOf(about) >= sure).length / Math.max(1, some.length)
  })
}
