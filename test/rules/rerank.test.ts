import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Audience } from '../../src/core/model/record.ts'
import { imageOf, stateFrom } from '../../src/core/model/state-image.ts'
import { isVisibleTo } from '../../src/core/model/visibility.ts'
import { FEATURES, WEIGHTS } from '../../src/core/rerank/features.ts'
import type { TextHits } from '../../src/core/rerank/signals.ts'
import { type ScoredCandidate, sourcesOf } from '../../src/core/rerank/signals.ts'
import { anyAudience } from '../arbitraries.ts'
import { guideOf, memoryOf } from '../support/commands.ts'
import { answering, hitsIn } from '../support/named-hit.ts'
import { proofsOf } from '../support/prove.ts'
import { rerank } from '../support/rerank.ts'
import { World } from '../support/world.ts'

const prove = proofsOf('rerank')
const EYES = { agentId: 'ann', teamId: 'red' }
const SHARED: Audience = { lane: 'shared', ownerAgentId: null, ownerTeamId: null }

interface Note {
  readonly audience: Audience
  /** -1: none. */
  readonly run: number
  readonly author: string
  readonly text?: string
  /** Score of its text hit, 0: none. */
  readonly score: number
}

const anyNotes = fc.array(
  fc.record({
    audience: fc.oneof({ weight: 2, arbitrary: fc.constant(SHARED) }, anyAudience),
    run: fc.integer({ min: -1, max: 2 }),
    author: fc.constantFrom('Ann', 'Bob', 'worker-7'),
    text: fc.constantFrom('a note', 'what is it?', 'it was in May'),
    score: fc.nat({ max: 4 }),
  }),
  { minLength: 1, maxLength: 24, size: 'max' },
)
const anyQuery = fc.constantFrom(
  'what now',
  'what did Ann decide',
  'when did they meet',
  'ask bob or WORKER-7',
  'banned annual words',
)

/** Ordinals of young and of very old actors: around each of their bytes, their sign and their end. */
const anyFirstOrdinal = fc.constantFrom(0, 250, 65_530, 2 ** 31 - 4, 2 ** 32 - 30)

function worldOf(
  notes: readonly Note[],
  firstOrdinal = 0,
): { world: World; ids: readonly string[]; hits: TextHits } {
  const world = new World()
  world.state.nextOrdinal = firstOrdinal
  const ids = notes.map(({ audience, run, author, text = 'note' }, n) => {
    const runId = run < 0 ? null : `run-${run}`
    return world.write(memoryOf({ text: `${text} ${n}` }, { audience, runId, actorName: author }))
  })
  const hits = notes.flatMap(({ audience, score }, n) => {
    if (score === 0 || !isVisibleTo(audience, EYES)) return []
    return [
      answering(ids[n] ?? '', { score, coverage: score / 4, matchedTerms: score, isAboveFloor: score > 2 }),
    ]
  })
  // A score of 0 to 4 says which of three terms the hit holds, too.
  const masks = hits.map(({ score }) => score)
  return { world, ids, hits: { ...hitsIn(world.state, hits), masks, termShares: [0.2, 0.3, 0.5] } }
}

function shown(scored: Iterable<ScoredCandidate>, ids: readonly string[]) {
  return Array.from(scored, (one) => [ids.indexOf(one.record.memoryId), one.total.toFixed(9)])
}

describe('the ranking of candidates', () => {
  test('V4: an invisible memory changes no score and no place', () => {
    prove(
      fc.tuple(anyNotes, anyQuery),
      ([notes, queryText]) => {
        const command = guideOf({ queryText, consumer: EYES })
        const whole = worldOf(notes)
        const seen = notes.filter(({ audience }) => isVisibleTo(audience, EYES))
        const part = worldOf(seen)
        const numbers = notes.flatMap((note, n) => (seen.includes(note) ? [n] : []))
        const alone = shown(rerank(part.world.state, command, part.hits), part.ids)
        expect(shown(rerank(whole.world.state, command, whole.hits), whole.ids)).toEqual(
          alone.map(([at, total]) => [numbers[Number(at)], total]),
        )
      },
      200,
    )
  })

  test('the signals of a candidate add up to its score, and scores fall along the list', () => {
    prove(fc.tuple(anyNotes, anyQuery), ([notes, queryText]) => {
      const { world, hits } = worldOf(notes)
      const scored = [...rerank(world.state, guideOf({ queryText, consumer: EYES }), hits)]
      for (const [place, candidate] of scored.entries()) {
        const sum = sourcesOf(candidate).reduce((total, { score }) => total + score, 0)
        expect(sum).toBeCloseTo(candidate.total, 2)
        expect(candidate.total).toBeLessThanOrEqual(scored[place - 1]?.total ?? Number.POSITIVE_INFINITY)
      }
    })
  })

  test('a score is the sum of the features by their weights, in their order', () => {
    prove(fc.tuple(anyNotes, anyQuery), ([notes, queryText]) => {
      const { world, hits } = worldOf(notes)
      const ranking = rerank(world.state, guideOf({ queryText, consumer: EYES }), hits)
      for (const { record, total } of ranking) {
        const place = Array.from(notes, (_, at) => at).find((at) => ranking.slotAt(at) === record.slot) ?? -1
        const features = ranking.featuresAt(place)
        expect(total).toBe(FEATURES.reduce((sum, name, at) => sum + (features[at] ?? 0) * WEIGHTS[name], 0))
      }
    })
  })

  test('of two with the same score the newer one comes first, and recency falls with age', () => {
    prove(fc.tuple(anyNotes, anyQuery, anyFirstOrdinal), ([notes, queryText, firstOrdinal]) => {
      const { world, hits } = worldOf(notes, firstOrdinal)
      const scored = [...rerank(world.state, guideOf({ queryText, consumer: EYES }), hits)]
      const ordered = scored.toSorted((a, b) => b.total - a.total || b.record.ordinal - a.record.ordinal)
      expect(scored).toEqual(ordered)
      const oldestFirst = scored.toSorted((a, b) => a.record.ordinal - b.record.ordinal)
      for (const [at, { recency }] of oldestFirst.entries())
        expect(recency).toBeCloseTo((WEIGHTS.recency * (at + 1)) / scored.length, 9)
    })
  })

  test('a reload changes no score and no place', () => {
    prove(fc.tuple(anyNotes, anyQuery), ([notes, queryText]) => {
      const { world, hits, ids } = worldOf(notes)
      const command = guideOf({ queryText, consumer: EYES })
      const before = shown(rerank(world.state, command, hits), ids)
      expect(shown(rerank(stateFrom(imageOf(world.state)), command, hits), ids)).toEqual(before)
    })
  })

  test('candidates can be read again, by several readers and after others were ranked', () => {
    const notes = [1, 2, 3].map((score) => ({ audience: SHARED, run: 0, author: 'Ann', score }))
    const { world, hits } = worldOf(notes)
    const command = guideOf({ queryText: 'what now', consumer: EYES })
    const scored = rerank(world.state, command, hits)
    const reader = scored[Symbol.iterator]()
    const first = reader.next().value
    const all = Array.from(scored)
    rerank(world.state, command, worldOf(notes.toReversed()).hits)
    expect(all).toHaveLength(3)
    expect([first, ...reader]).toEqual(all)
    expect(Array.from(scored)).toEqual(all)
  })

  test('what stands beside a match in its run comes with it, and nothing else does', () => {
    const note = (run: number, score: number): Note => ({ audience: SHARED, run, author: 'Ann', score })
    const { world, ids, hits } = worldOf([
      note(0, 0),
      note(0, 4),
      note(1, 0),
      note(0, 0),
      note(0, 0),
      note(0, 0),
    ])
    const scored = [...rerank(world.state, guideOf(), hits)]
    expect(scored.map(({ record }) => ids.indexOf(record.memoryId))).toEqual([1, 3, 0, 4])
    expect(scored.map((one) => sourcesOf(one).map(({ reason }) => reason)[0])).toEqual([
      'text_match',
      'neighbour_of_match',
      'neighbour_of_match',
      'neighbour_of_match',
    ])
    // A match says of its run what is asked there; of itself it has said so already.
    const [match = 0, ...beside] = scored.map(({ run }) => run)
    for (const run of beside) expect(run).toBeGreaterThan(match)
  })

  test('a word of the query that stands elsewhere in its run raises a match, in a long run less', () => {
    const raised = (others: number): number => {
      const note = (score: number): Note => ({ audience: SHARED, run: 0, author: 'Ann', score })
      const neighboursWith = (score: number): number => {
        const notes = [note(score), ...Array.from({ length: others }, () => note(0)), note(4)]
        const { world, ids, hits } = worldOf(notes)
        const alike = [1, 1]
        const ranking = rerank(world.state, guideOf(), { ...hits, scores: alike, coverage: alike })
        return ranking.of(world.record(ids.at(-1) ?? ''))?.neighbours ?? 0
      }
      return neighboursWith(1) - neighboursWith(4)
    }
    expect(raised(4)).toBeGreaterThan(0)
    expect(raised(200)).toBeGreaterThan(0)
    expect(raised(200)).toBeLessThan(raised(4) / 2)
  })

  test('without runs, matches that were written one after the other raise each other; a memory of a run ends the row', () => {
    const note = (run: number, score: number): Note => ({ audience: SHARED, run, author: 'Ann', score })
    const neighboursOf = (notes: readonly Note[]) => {
      const { world, ids, hits } = worldOf(notes)
      const ranking = rerank(world.state, guideOf(), hits)
      return ids.map((id) => ranking.of(world.record(id))?.neighbours)
    }
    // What shares no word with the query is no candidate for where it stands.
    const [beside = 0, match = 0] = neighboursOf([note(-1, 1), note(-1, 4)])
    expect(neighboursOf([note(-1, 4), note(-1, 0)])[1]).toBeUndefined()
    expect(Math.min(beside, match)).toBeGreaterThan(0)
    const [inRun = 0] = neighboursOf([note(1, 1), note(1, 4)])
    expect(beside).toBeLessThan(inRun)
    expect(neighboursOf([note(-1, 1), note(0, 0), note(-1, 4)])).toEqual([0, undefined, 0])
  })

  test('a long run gets nothing for its length: as many matches say less in it', () => {
    const run = (number: number, matches: number, others: number): Note[] =>
      Array.from({ length: matches + others }, (_, at) => {
        return { audience: SHARED, run: number, author: 'Ann', score: at < matches ? 4 : 0 }
      })
    const { world, ids, hits } = worldOf([...run(0, 2, 0), ...run(1, 2, 12)])
    const scored = [...rerank(world.state, guideOf(), hits)]
    const runOf = (at: number) => scored.find(({ record }) => record.memoryId === ids[at])?.run ?? 0
    expect(runOf(2)).toBeLessThan(runOf(0))
  })

  test('what follows a question that matches is raised, the question itself lowered', () => {
    const note = (text: string, score: number): Note => ({
      audience: SHARED,
      run: 0,
      author: 'Ann',
      text,
      score,
    })
    const asked = worldOf([note('where is it？', 4), note('over there', 0)])
    const told = worldOf([note('it is here', 4), note('over there', 0)])
    const of = ({ world, ids, hits }: typeof asked) => {
      const ranking = rerank(world.state, guideOf(), hits)
      return ids.map((id) => ranking.of(world.record(id)))
    }
    const [question, answer] = of(asked)
    const [statement, next] = of(told)
    expect(question?.question).toBeLessThan(0)
    expect(answer?.answer).toBeGreaterThan(0)
    for (const part of [statement?.question, next?.answer]) expect(part).toBeCloseTo(0, 12)
    expect(answer?.total).toBeGreaterThan(next?.total ?? 0)
  })

  test('a memory that tells a time is raised when the query asks when, and only then', () => {
    const note = (text: string): Note => ({ audience: SHARED, run: -1, author: 'Ann', text, score: 4 })
    const { world, ids, hits } = worldOf([note('it rained'), note('it rained last Tuesday')])
    const dates = (queryText: string) => {
      const ranking = rerank(world.state, guideOf({ queryText }), hits)
      return ids.map((id) => ranking.of(world.record(id))?.date)
    }
    expect(dates('when did it rain')).toEqual([0, WEIGHTS.date])
    expect(dates('did it rain')).toEqual([0, 0])
  })

  test('a memory of the author whom the query names is a strong match with one more word, and ranks before its like', () => {
    const weak = (author: string): Note => ({ audience: SHARED, run: author.length, author, score: 2 })
    const { world, ids, hits } = worldOf([weak('Ann'), weak('worker-7')])
    const strong = (queryText: string) =>
      [...rerank(world.state, guideOf({ queryText }), hits)].flatMap((one) =>
        one.isWeak ? [] : one.record.memoryId,
      )
    expect(strong('what now')).toEqual([])
    const scored = [...rerank(world.state, guideOf({ queryText: "what is Ann's plan" }), hits)]
    expect(scored.map(({ record }) => record.memoryId)).toEqual(ids)
    expect(scored[0]?.author).toBeGreaterThan(0)
    expect(strong("what is Ann's plan")).toEqual(ids.slice(0, 1))
    expect(strong('banned annual words')).toEqual([])
    expect(scored[1]?.author).toBeLessThan(0)
    expect(sourcesOf(scored[1] ?? expect.fail()).map(({ reason }) => reason)).toContain('other_author_named')
  })
})
