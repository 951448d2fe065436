import { describe, expect, test } from 'vitest'
import { EMBEDDED_CHARS_MAX, embeddedText, sendableText } from '../../src/core/model/embedded-text.ts'
import type { Audience } from '../../src/core/model/record.ts'
import type { NearHit } from '../../src/core/rerank/signals.ts'
import { sourcesOf, WEIGHTS } from '../../src/core/rerank/signals.ts'
import { guideOf, memoryOf } from '../support/commands.ts'
import { hitsIn, type NamedHit } from '../support/named-hit.ts'
import { rerank } from '../support/rerank.ts'
import { World } from '../support/world.ts'

const BOB: Audience = { lane: 'private', ownerAgentId: 'bob', ownerTeamId: null }
const command = guideOf({ queryText: 'deploy', consumer: { agentId: 'ann', teamId: null } })

const near = (memoryId: string, place: number, isAboveFloor = true): NearHit => ({
  memoryId,
  cosine: 0.9 - place / 10,
  place,
  isAboveFloor,
})
const byText = (memoryId: string, score: number, isAboveFloor = true): NamedHit => ({
  memoryId,
  score,
  coverage: 0,
  matchedTerms: 1,
  isExact: false,
  isAboveFloor,
})

function ranked(world: World, hits: readonly NamedHit[], nearHits: readonly NearHit[]) {
  const scored = rerank(world.state, command, hitsIn(world.state, hits), WEIGHTS, nearHits)
  return Array.from(scored, (one) => {
    return { id: one.record.memoryId, sources: sourcesOf(one), total: one.total, isWeak: one.isWeak }
  })
}

describe('hits by embedding', () => {
  test('count by their order on the scale of the best text, and are told with their share', () => {
    const world = new World()
    const [a, b, c] = ['one', 'two', 'three'].map((text) => world.write(memoryOf({ text })))
    const rows = ranked(world, [byText(a ?? '', 4), byText(b ?? '', 1)], [near(c ?? '', 0), near(b ?? '', 1)])
    expect(rows.map(({ id }) => id)).toEqual([b, c, a])
    expect(rows[0]?.sources).toEqual([
      { kind: 'lexical', score: 1, reason: 'text_match' },
      { kind: 'semantic', score: 3.667, reason: 'semantic_match' },
      expect.objectContaining({ kind: 'recent' }),
    ])
    expect(rows[1]?.sources[0]).toEqual({ kind: 'semantic', score: 4, reason: 'semantic_match' })
  })

  test('are strong alone when they pass their floor; below it they are weak', () => {
    const world = new World()
    const [a, b] = ['one', 'two'].map((text) => world.write(memoryOf({ text })))
    const weak = (...hits: Parameters<typeof ranked>) =>
      ranked(...hits).flatMap((one) => (one.isWeak ? one.id : []))
    expect(weak(world, [], [near(a ?? '', 0, false)])).toEqual([a])
    expect(weak(world, [byText(b ?? '', 1, false)], [near(a ?? '', 0, false)]).toSorted()).toEqual([a, b])
    expect(weak(world, [byText(b ?? '', 1, false)], [near(a ?? '', 0)])).toEqual([b])
    const filled = ranked(world, [byText(b ?? '', 1)], [near(a ?? '', 0, false)])
    expect(filled.flatMap(({ sources }) => sources)).toContainEqual({
      kind: 'semantic',
      score: 1,
      reason: 'weak_semantic_match',
    })
  })

  test('that the consumer does not see change nothing', () => {
    const world = new World()
    const seen = world.write(memoryOf({ text: 'one' }))
    const hidden = world.write(memoryOf({ text: 'two' }, { audience: BOB }))
    const hits = [byText(seen, 2)]
    expect(ranked(world, hits, [near(hidden, 0)])).toEqual(ranked(world, hits, []))
    expect(ranked(world, [], [near(hidden, 0)])).toEqual([])
  })

  test('lend to what stands beside them in their run, as hits by words do', () => {
    const world = new World()
    const [, b] = ['one', 'two'].map((text) => world.write(memoryOf({ text }, { runId: 'r' })))
    const rows = ranked(world, [], [near(b ?? '', 0)])
    expect(rows).toHaveLength(2)
    expect(rows[1]?.sources[0]).toMatchObject({ kind: 'graph', reason: 'neighbour_of_match' })
  })
})

describe('what is sent of a memory', () => {
  test('title, text and summary, and nothing else of it', () => {
    const world = new World()
    const id = world.write(
      memoryOf(
        {
          title: 'A title',
          titleIsCallers: true,
          text: 'a text',
          summary: 'a summary',
          targetFiles: ['secret.ts'],
        },
        { clientId: 'client', runId: 'run', actorName: 'ann', taskSignature: 'task' },
      ),
    )
    expect(embeddedText(world.record(id))).toBe('A title\na text\na summary')
  })

  test('its beginning, whole characters only, and none of it when a secret lies there or across the end', () => {
    const long = `${'x'.repeat(EMBEDDED_CHARS_MAX - 1)}💡 and more`
    expect(sendableText(long)).toBe(`${'x'.repeat(EMBEDDED_CHARS_MAX - 1)}\ufffd`)
    const key = 'AKIAIOSFODNN7EXAMPLE'
    expect(sendableText(`use ${key}`)).toBeNull()
    expect(sendableText(`${'word '.repeat(EMBEDDED_CHARS_MAX / 5 - 2)}${key}`)).toBeNull()
  })
})
