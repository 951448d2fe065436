import { describe, expect, test } from 'vitest'
import { EMBEDDED_CHARS_MAX, embeddedText, sendableText } from '../../src/core/model/embedded-text.ts'
import type { Audience } from '../../src/core/model/record.ts'
import { NEAR_SHARE, WEIGHTS } from '../../src/core/rerank/features.ts'
import { type NearHit, sourcesOf } from '../../src/core/rerank/signals.ts'
import { guideOf, memoryOf } from '../support/commands.ts'
import { answering, hitsIn, type NamedHit } from '../support/named-hit.ts'
import { rerank } from '../support/rerank.ts'
import { World } from '../support/world.ts'

const BOB: Audience = { lane: 'private', ownerAgentId: 'bob', ownerTeamId: null }
const command = guideOf({ queryText: 'deploy', consumer: { agentId: 'ann', teamId: null } })

const near = (memoryId: string, place: number, isAboveFloor = true, deviations = 6 - place): NearHit => ({
  memoryId,
  deviations,
  isAboveFloor,
})
const byText = (memoryId: string, score: number, isAboveFloor = true): NamedHit =>
  answering(memoryId, { score, coverage: 0, isAboveFloor })

function ranked(world: World, hits: readonly NamedHit[], nearHits: readonly NearHit[]) {
  const scored = rerank(world.state, command, hitsIn(world.state, hits), WEIGHTS, nearHits)
  return Array.from(scored, (one) => {
    return { id: one.record.memoryId, sources: sourcesOf(one), total: one.total, isWeak: one.isWeak }
  })
}

describe('hits by embedding', () => {
  test('count by how far they stand out, at most a share of the best text, and are told with their share', () => {
    const world = new World()
    const [a = '', b = '', c = ''] = ['one', 'two', 'three'].map((text) =>
      world.write(memoryOf({ text }, { runId: text })),
    )
    const rows = ranked(world, [byText(a, 4), byText(b, 1)], [near(c, 0, true, 60), near(b, 1, true, 3)])
    expect(rows.map(({ id }) => id)).toEqual([a, b, c])
    const semantic = (id: string) =>
      rows.find((row) => row.id === id)?.sources.find(({ kind }) => kind === 'semantic')?.score ?? 0
    // As a text hit of that share would count.
    const alone = ranked(world, [byText(a, 4), byText(c, 4 * NEAR_SHARE)], [])
    const lexical = alone.find((row) => row.id === c)?.sources[0]
    expect(lexical?.kind).toBe('lexical')
    expect(semantic(c)).toBeCloseTo(lexical?.score ?? 0, 2)
    expect(semantic(b)).toBeGreaterThan(0)
    expect(semantic(a)).toBe(0)
    expect(rows.find(({ id }) => id === c)?.sources[0]?.reason).toBe('semantic_match')
  })

  test('of a model that holds everything for alike change little, whatever their order', () => {
    const world = new World()
    const ids = Array.from({ length: 6 }, (_, n) =>
      world.write(memoryOf({ text: `t${n}` }, { runId: `r${n}` })),
    )
    const hits = ids.slice(0, 3).map((id, place) => byText(id, 4 - place))
    const nearest = ids.toReversed().map((id, place) => near(id, place, true, 0.2))
    const order = ranked(world, hits, nearest).map(({ id }) => id)
    expect(order.slice(0, 3)).toEqual(ids.slice(0, 3))
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
    expect(filled.flatMap(({ sources }) => sources)).toContainEqual(
      expect.objectContaining({ kind: 'semantic', reason: 'weak_semantic_match' }),
    )
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
