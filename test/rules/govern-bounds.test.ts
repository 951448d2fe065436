import { describe, expect, test } from 'vitest'
import type { Candidate } from '../../src/core/external/govern.ts'
import { examineCandidates } from '../../src/core/external/govern-examination.ts'
import { isAboutWork, selfClaimOf } from '../../src/core/external/govern-signal.ts'
import { candidateOf, commandOf, decideOne, MARKED, MARKS, offeredOf } from '../support/govern-samples.ts'

const SAID = { dispute: 'value', firstStatement: 'one', secondStatement: 'other' }

describe('where contradictions are looked for', () => {
  /** The texts that are compared, as they are given. */
  function comparedOf(candidates: readonly Candidate[], mode: 'standard' | 'strict' = 'standard') {
    const given: string[][] = []
    const contradictionsAmong = (texts: readonly string[]) => {
      given.push([...texts])
      return [{ first: 0, second: 1, ...SAID }]
    }
    const readers = { screen: () => [], contradictionsAmong }
    const { contradictions } = examineCandidates(commandOf({ candidates, mode }), readers)
    expect(given.length).toBeLessThanOrEqual(1)
    return { texts: given[0] ?? null, contradictions }
  }
  const offered = (externalId: string, text: string, sourceTrust: 'trusted' | 'known' = 'trusted') =>
    offeredOf({ externalId, text, sourceTrust })

  test('among the candidates that the table lets be used, in the order of their ids, told by their places', () => {
    const candidates = [
      offered('c', 'C.'),
      candidateOf({ externalId: 'b' }),
      offered('a', 'A.'),
      offered('d', 'D.'),
    ]
    expect(comparedOf(candidates)).toEqual({
      texts: ['A.', 'C.', 'D.'],
      contradictions: [{ first: 2, second: 0, ...SAID }],
    })
    expect(comparedOf([offered('a', 'A.', 'known'), offered('b', 'B.')]).texts).toHaveLength(2)
    expect(comparedOf([offered('a', 'A.', 'known'), offered('b', 'B.')], 'strict').texts).toBeNull()
    expect(comparedOf([offered('a', 'A.')]).texts).toBeNull()
  })
})

describe('how far a word reaches', () => {
  const filler = (count: number): string => Array.from({ length: count }, () => 'word').join(' ')
  test('a subject reaches ten words and a pronoun four', () => {
    expect(selfClaimOf(`The approach ${filler(9)} failed.`)).toBe('negative')
    expect(selfClaimOf(`The approach ${filler(10)} failed.`)).toBeNull()
    expect(selfClaimOf(`So this ${filler(3)} failed.`)).toBe('negative')
    expect(selfClaimOf(`So this ${filler(4)} failed.`)).toBeNull()
  })
  test('a denial reaches three words', () => {
    expect(selfClaimOf(`The approach never ${filler(2)} failed.`)).toBeNull()
    expect(selfClaimOf(`The approach never ${filler(3)} failed.`)).toBe('negative')
  })
  test('a condition ends at a comma, and a colon ends nothing', () => {
    expect(selfClaimOf('If slow, the approach failed.')).toBe('negative')
    expect(selfClaimOf('The approach: failed.')).toBe('negative')
    expect(selfClaimOf('If slow: the approach failed.')).toBeNull()
    expect(selfClaimOf('Yes: failed.')).toBeNull()
  })
  test('a text is about work by its type, its files or a path', () => {
    expect(isAboutWork('x', null, false, false)).toBe(false)
    expect(isAboutWork('x', 'event', false, false)).toBe(false)
    expect(isAboutWork('x', 'procedure', false, false)).toBe(true)
    expect(isAboutWork('x', null, true, false)).toBe(true)
    expect(isAboutWork('x', null, false, true)).toBe(true)
    expect(isAboutWork('src/a.ts', 'fact', true, true)).toBe(false)
  })
})

test('the reason code of what the runtime knows names the family', () => {
  for (const state of ['suppressed', 'failed', 'superseded', 'contested'] as const)
    expect(decideOne(offeredOf({ text: `${MARKS.history}${state}` }), 'standard', MARKED).reasonCode).toBe(
      'runtime_history',
    )
  expect(decideOne(offeredOf({ hint: 'failed' })).reasonCode).toBe('negative_hint')
})
