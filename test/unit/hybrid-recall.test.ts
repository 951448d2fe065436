import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { scopesIn } from '../../bench/fit/own-texts.ts'
import { rankedWith } from '../../bench/fit/samples.ts'
import { type Measure, meanOf, valuesOf } from '../../bench/recall-sets/found.ts'
import { rankedScope } from '../../bench/recall-sets/ranked-scope.ts'
import { WEIGHTS } from '../../src/core/rerank/features.ts'

const folder = new URL('../../bench/fit/', import.meta.url)
const scopes = ['dialogues.txt', 'articles.txt'].flatMap((name) =>
  scopesIn(readFileSync(new URL(name, folder), 'utf8')),
)
const together = {
  scopes: [
    {
      name: 'together',
      memories: scopes.flatMap(({ memories }) => memories),
      questions: scopes.flatMap(({ questions }) => questions),
    },
  ],
}

describe('hybrid recall', () => {
  test('a weak model of embeddings takes nothing from what words find: a point of recall at most', () => {
    const words = rankedWith(together, WEIGHTS)
    const hybrid = rankedWith(together, WEIGHTS, true)
    const lost = (measure: Measure): number =>
      meanOf(valuesOf(words, measure)) - meanOf(valuesOf(hybrid, measure))
    expect(lost('recall@10')).toBeLessThan(0.01)
    expect(lost('recall@20')).toBeLessThan(0.01)
    // The model has its say: without that, this would prove nothing.
    expect(hybrid).not.toEqual(words)
    const [scope] = together.scopes
    expect(scope === undefined ? [] : rankedScope(scope).near('Who kept the lighthouse?')).not.toEqual([])
  })
})
