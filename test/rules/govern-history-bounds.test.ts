import { describe, expect, test } from 'vitest'
import { examineCandidates, heldText } from '../../src/core/external/govern-examination.ts'
import { heldBackHistory } from '../../src/core/external/govern-history.ts'
import { selfClaimOf } from '../../src/core/external/govern-signal.ts'
import type { Facets, MemoryRecord } from '../../src/core/model/record.ts'
import { readForDispute } from '../../src/core/similarity/dispute.ts'
import { minHash } from '../../src/core/similarity/text-signature.ts'
import type { Similar } from '../../src/core/write/similar.ts'
import { MEMORY_TEXT_MAX } from '../../src/core/write/write-memory.ts'
import { NOW_MS, offeredOf, SUPPRESSED, stateWith, storedOf } from '../support/govern-samples.ts'

const EYES = { agentId: 'local-agent', teamId: null }
const FAILED: Partial<Facets> = { standing: 'failed' }

/** What is known of a text when these memories have the same words, or nearly the same. */
function historyOf(text: string, exact: readonly MemoryRecord[], near: readonly MemoryRecord[] = []) {
  const asked: string[] = []
  const similar: Similar = {
    exact: () => exact.map(({ memoryId }) => memoryId),
    related: () => [],
    reading: readForDispute,
    mayDispute: () => true,
    nearDuplicates: (words) => {
      asked.push(words)
      return near.map(({ memoryId }) => memoryId)
    },
  }
  const state = stateWith(...exact, ...near)
  return {
    found: heldBackHistory(state, similar, EYES, NOW_MS)(text, minHash(heldText(text))),
    isNearAsked: asked.length > 0,
  }
}

describe('what the actor knows against a text', () => {
  test('of equally grave ones the first counts: the same words before nearly the same', () => {
    const [one, two, three] = ['m1', 'm2', 'm3'].map((id) => storedOf(id, 'ran it', FAILED))
    if (one === undefined || two === undefined || three === undefined) throw new Error('three')
    expect(historyOf('ran it', [two, one], [three]).found).toEqual({
      state: 'failed',
      isNear: false,
      memoryId: 'm2',
    })
    expect(historyOf('ran it', [], [three, one]).found).toEqual({
      state: 'failed',
      isNear: true,
      memoryId: 'm3',
    })
    const graver = storedOf('m4', 'ran it', SUPPRESSED)
    expect(historyOf('ran it', [one], [graver]).found?.memoryId).toBe('m1')
    expect(historyOf('ran it', [one, graver]).found?.memoryId).toBe('m4')
  })

  test('a memory that nothing is known against counts nothing, however near it is', () => {
    const live = storedOf('m1', 'ran it')
    expect(historyOf('ran it', [live]).found).toBe(null)
    expect(historyOf('ran it', [], [live]).found).toBe(null)
  })

  test('nothing is known against a text that a memory says which may be used', () => {
    const held = storedOf('m1', 'ran it', SUPPRESSED)
    expect(historyOf('ran it', [held, storedOf('m2', 'ran it')]).found).toBe(null)
    expect(historyOf('ran it', [storedOf('m2', 'ran it')], [held]).found).toBe(null)
    const doubtful = storedOf('m2', 'ran it', { trust: 'candidate' })
    expect(historyOf('ran it', [held, doubtful]).found?.memoryId).toBe('m1')
  })

  test('a run that ended failed or blocked counts as failed', () => {
    const run = storedOf('m1', 'ran it')
    const ended = (outcome: 'failed' | 'blocked' | 'succeeded') =>
      historyOf('ran it', [{ ...run, content: { ...run.content, outcome } }]).found?.state ?? null
    expect([ended('failed'), ended('blocked'), ended('succeeded')]).toEqual(['failed', 'failed', null])
  })

  test('a text of 32 000 characters is compared by its words, a longer one only with the same', () => {
    const long = (length: number): string => 'word '.repeat(length).slice(0, length)
    const held = storedOf('m1', 'other words', SUPPRESSED)
    expect(historyOf(long(MEMORY_TEXT_MAX), [], [held])).toMatchObject({
      found: { memoryId: 'm1' },
      isNearAsked: true,
    })
    expect(historyOf(long(MEMORY_TEXT_MAX + 1), [], [held])).toEqual({ found: null, isNearAsked: false })
    expect(historyOf(long(MEMORY_TEXT_MAX), [held]).found?.memoryId).toBe('m1')
    expect(historyOf(long(MEMORY_TEXT_MAX + 1), [held]).found).toBe(null)
  })

  test('a payload that happens to hold a full text of its own does not speak for a memory that is whole', () => {
    const held = storedOf('m1', 'ran it', SUPPRESSED)
    const content = { ...held.content, payload: { full_text: 'other words' } }
    expect(historyOf('ran it', [{ ...held, content }]).found?.state).toBe('suppressed')
  })
})

/** Candidates that nothing but a contradiction holds back, in the order of their ids. */
function contradictionsIn(texts: readonly string[]) {
  const candidates = texts.map((text, at) =>
    offeredOf({ text, externalId: `ext:${String(at).padStart(3, '0')}` }),
  )
  return examineCandidates({ mode: 'standard', candidates, queryText: 'deploy', scope: 'default' })
    .contradictions
}

describe('contradictions among candidates', () => {
  const SAID = 'The service listens on port 5432.'
  const OTHER = 'The service listens on port 6543.'
  const isFound = (a: string, b: string): boolean => contradictionsIn([a, b]).length > 0
  /** So many characters of sentences that say nothing of a port. */
  const padded = (length: number): string =>
    'Nothing more. '.repeat(Math.floor(length / 14)).padEnd(length, ' ')

  test('two are enough, and one contradicts nobody', () => {
    expect(isFound(SAID, OTHER)).toBe(true)
    expect(isFound(SAID, SAID)).toBe(false)
    expect(contradictionsIn([SAID])).toEqual([])
    expect(contradictionsIn([])).toEqual([])
  })

  test('the beginning of a text is compared, up to its last whole sentence or line', () => {
    expect(isFound(`${padded(4_000 - SAID.length - 1)} ${SAID}`, OTHER)).toBe(true)
    expect(isFound(`${padded(4_001 - SAID.length - 1)} ${SAID}`, OTHER)).toBe(false)
    expect(isFound(`${SAID} ${padded(100_000)}`, OTHER)).toBe(true)
    expect(isFound(`${SAID.slice(0, -1)}\n${'x'.repeat(100_000)}`, OTHER)).toBe(true)
    // The cut falls inside the number: half a sentence says nothing.
    const cut = `${padded(4_000 - 'The service listens on port 543'.length)}${SAID} ${padded(20)}`
    expect(cut.slice(0, 4_000).endsWith('port 543')).toBe(true)
    expect(isFound(cut, SAID)).toBe(false)
  })
})

describe('what a text says of itself', () => {
  test.each([
    ['The approach has "failed".', 'negative'],
    ['If it is x. The plan failed.', 'negative'],
    ['The plan, we saw, has failed.', 'negative'],
    ['The approach did not stall; count the failures.', null],
    ['The plan is no longer late.', null],
    ['This plan is older.', null],
  ])('%s', (text, claim) => {
    expect(selfClaimOf(text)).toBe(claim)
  })
})
