import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { gatherCandidates } from '../../src/core/guide/candidates.ts'
import { EVERYONE, guideOf, lifecycleOf, memoryOf, observeOf } from '../support/commands.ts'
import { hitsIn } from '../support/named-hit.ts'
import { proofsOf } from '../support/prove.ts'
import {
  anyOrigin,
  anyStatement,
  anyType,
  NEWER,
  OLDER,
  SUBJECT_COUNT,
  say,
  textOf,
  UNRELATED,
  yieldings,
} from '../support/statements.ts'
import { World } from '../support/world.ts'

const prove = proofsOf('dispute-bounds')

describe('bounds', () => {
  test('C10: one text disputes at most three others; with more it disputes none, and the response says so', () => {
    prove(fc.integer({ min: 1, max: 6 }), (count) => {
      const world = new World()
      for (let n = 0; n < count; n += 1) {
        // Each of another team's service, so that they do not dispute each other.
        say(world, textOf({ subject: 0, value: 30 + n }), { declared: ['suppressed'] })
      }
      for (const id of world.memoryIds)
        world.lifecycle(lifecycleOf({ operation: 'unsuppress', memoryIds: [id] }))
      const known = world.state.disputes.size
      const { warnings } = world.observe(
        observeOf({ memories: [memoryOf({ text: textOf({ subject: 0, value: 90 }) })] }),
      )
      expect(world.state.disputes.size - known).toBe(count <= 3 ? count : 0)
      expect(warnings.join()).toMatch(count <= 3 ? /^$/ : /too many to be a correction/)
    })
  })

  test('C10: equal texts count once', () => {
    prove(fc.integer({ min: 1, max: 8 }), (count) => {
      const world = new World()
      for (let n = 0; n < count; n += 1) say(world, OLDER, { clientId: `c${n}` })
      const { warnings, memoryIds } = world.observe(observeOf({ memories: [memoryOf({ text: NEWER })] }))
      expect(warnings).toEqual([])
      expect(yieldings(world)).toHaveLength(count)
      expect(yieldings(world).every((line) => line.endsWith(memoryIds[0] ?? '-'))).toBe(true)
    })
  })

  test('C11: nothing disputes itself, its equal or its own revision', () => {
    prove(fc.tuple(anyStatement, anyOrigin, fc.boolean()), ([statement, origin, isLoud]) => {
      const world = new World()
      const text = textOf(statement)
      say(world, text, { origin, clientId: 'c' })
      say(world, isLoud ? text.toUpperCase() : text, { origin, clientId: 'd' })
      say(world, textOf({ ...statement, value: 90 }), { origin, clientId: 'c' })
      for (const { earlierId, laterId } of world.state.disputes.values()) expect(earlierId).not.toBe(laterId)
      expect(world.record(world.memoryIds[0] ?? '').revision).toBe(2)
      // The revision says otherwise than the equal text, and is the later one.
      expect(yieldings(world)).toEqual([`${world.memoryIds[1]} to ${world.memoryIds[0]}`])
    })
  })

  test('C11: a revision that says something else ends the disputes of its memory; new files or confidence do not', () => {
    prove(fc.tuple(fc.boolean(), fc.boolean()), ([isNewText, isStanding]) => {
      const world = new World()
      const older = say(world, OLDER, { clientId: 'older' })
      const newer = say(world, NEWER, { clientId: 'newer' })
      expect(yieldings(world)).toEqual([`${older} to ${newer}`])
      const [clientId, text] = isStanding ? ['newer', NEWER] : ['older', OLDER]
      world.write(memoryOf({ text: isNewText ? UNRELATED : text, confidence: 0.9 }, { clientId }))
      expect(yieldings(world)).toEqual(isNewText ? [] : [`${older} to ${newer}`])
    })
  })
})

describe('order', () => {
  test('C12: the order of observes without a common subject changes no surface', () => {
    const anyLine = fc.record({ statement: anyStatement, origin: anyOrigin, memoryType: anyType })
    let disputing = 0
    let cases = 0
    prove(
      fc.tuple(
        fc.array(anyLine, { minLength: 3, maxLength: 8 }),
        fc.infiniteStream(fc.nat({ max: SUBJECT_COUNT - 1 })),
      ),
      ([lines, picks]) => {
        const surfaces = (order: readonly (typeof lines)[number][]): ReadonlyMap<string, string> => {
          const world = new World()
          const told = order.map(({ statement, ...rest }) => {
            const id = say(world, textOf(statement), rest)
            return {
              id,
              key: JSON.stringify([statement, rest, lines.findIndex((line) => line.statement === statement)]),
            }
          })
          cases += 1
          if (world.state.disputes.size > 0) disputing += 1
          return new Map(told.map(({ id, key }) => [key, world.surface(id)]))
        }
        // Another merging of the subjects: of each its own order stays.
        const queues = Array.from({ length: SUBJECT_COUNT }, (_queue, subject) =>
          lines.filter(({ statement }) => statement.subject === subject),
        )
        const merged: (typeof lines)[number][] = []
        while (merged.length < lines.length) {
          const next = queues[picks.next().value ?? 0]?.shift()
          if (next !== undefined) merged.push(next)
        }
        expect(surfaces(merged)).toEqual(surfaces(lines))
      },
      60,
    )
    expect(disputing).toBeGreaterThan(cases / 2)
  })

  test('C13: in a guide what stands is ranked before what yields to it, whatever their scores and the limit', () => {
    prove(
      fc.record({
        said: fc.array(fc.record({ statement: anyStatement, origin: anyOrigin }), {
          minLength: 2,
          maxLength: 8,
        }),
        scores: fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 8, maxLength: 8 }),
        limit: fc.integer({ min: 1, max: 30 }),
      }),
      ({ said, scores, limit }) => {
        const world = new World()
        for (const { statement, origin } of said)
          say(world, textOf(statement), { origin, audience: EVERYONE })
        const hits = world.memoryIds.map((memoryId, at) => {
          const score = scores[at] ?? 1
          return { memoryId, score, coverage: 1, matchedTerms: 1, isExact: false, isAboveFloor: true }
        })
        hits.sort((a, b) => b.score - a.score)
        const { agent_context: context, memory_use_receipt: receipt } = world.compiled(
          guideOf({ limit }),
          hits,
        ).answer
        // An equal text that is printed stands for it.
        const lineOf = new Map(receipt.omitted.map((row) => [row.memory_id, row.into ?? row.memory_id]))
        for (const line of yieldings(world)) {
          const [one = '', other = ''] = line.split(' to ')
          const place = context.memory_ids.indexOf(one)
          const before = context.memory_ids.indexOf(lineOf.get(other) ?? other)
          const isCircle = yieldings(world).includes(`${other} to ${one}`)
          if (place !== -1 && !isCircle) expect(before).toBeLessThan(place)
          if (place !== -1) expect(before).not.toBe(-1)
        }
      },
      150,
    )
  })

  test('C13: what a strong match yields to is found with it, and is not weak, whatever words it has', () => {
    prove(fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()), ([isStrong, isFound, isSettled]) => {
      const world = new World()
      // A scope that is not shown whole.
      for (let n = 0; n < 13; n += 1) say(world, `Note ${n}.`)
      const older = say(world, OLDER)
      const newer = say(world, NEWER)
      if (isSettled) world.settle([older, newer], 'both')
      const hitOf = (memoryId: string, isAboveFloor: boolean) => {
        return { memoryId, score: 9, coverage: 1, matchedTerms: 1, isExact: false, isAboveFloor }
      }
      const hits = hitsIn(world.state, [hitOf(older, isStrong), ...(isFound ? [hitOf(newer, false)] : [])])
      const told = [...gatherCandidates(world.state, guideOf(), hits, world.nowMs)].find(
        ({ record }) => record.memoryId === newer,
      )
      const stands = isStrong && !isSettled
      expect(told?.recallSources.some(({ reason }) => reason === 'stands_instead') ?? false).toBe(stands)
      if (stands) expect(told?.isWeak).toBe(false)
    })
  })

  test('C13: of two usable texts of one subject without a dispute the newer is first, when its score is four fifths of the other’s', () => {
    prove(fc.tuple(fc.integer({ min: 1, max: 100 }), fc.boolean()), ([percent, isOlderFirst]) => {
      const world = new World()
      const texts = [
        'The billing gateway has a request timeout.',
        'A request timeout has the billing gateway.',
      ]
      const [older = '', newer = ''] = texts.map((text) => say(world, text))
      expect(world.state.disputes.size).toBe(0)
      const hit = { coverage: 0, matchedTerms: 1, isExact: false, isAboveFloor: true }
      const [first, second] = isOlderFirst ? [older, newer] : [newer, older]
      const hits = [
        { ...hit, memoryId: first, score: 100 },
        { ...hit, memoryId: second, score: percent },
      ]
      const { agent_context: context } = world.compiled(guideOf(), hits).answer
      const sources = world.compiled(guideOf(), hits).answer.memory_use_receipt.decision_summaries
      const scoreOf = (id: string): number =>
        sources
          .find((row) => row.memory_id === id)
          ?.recall_sources.reduce((sum, { score }) => sum + score, 0) ?? 0
      const isNewerFirst = !isOlderFirst || scoreOf(newer) >= 0.8 * scoreOf(older)
      expect(context.memory_ids).toEqual(isNewerFirst ? [newer, older] : [older, newer])
    })
  })

  test('C13: other forms of the words of a subject are the same words; in talk and of other ids the better found stays first', () => {
    const pairs = [
      ['Marta runs the pastry station.', 'The pastry stations run on gas.', true],
      ['Route plans are drawn on paper.', 'Routes are planned in the office tool.', true],
      ['The shop delivers bread to the school.', 'Bread delivery starts at the bakery door.', true],
      ['The staging database listens on port 5433.', 'The staging database is backed up at night.', true],
      ['The kiosk sells stamps.', 'Ines sells stamps at the kiosk in the hall of the museum.', true],
      ['The VPN is run by Ana.', 'The VPN has two exits.', true],
      ['我们的码头仓库很大', '李娜负责码头仓库的钥匙', true],
      ['배포 창은 금요일이다', '새 배포 창은 지수가 관리한다', true],
      ['倉庫の鍵は田中さんが持っている', '鈴木さんは倉庫の鍵を点検する', true],
      ['码头仓库每天开门', '李娜周五去北京', false],
      ['The kiosk sells stamps.', 'Ines met Oskar at the hall of the museum.', false],
      ['MR-412 cleans up the oven timer.', 'MR-440 cleans up the oven timer code.', false],
      ['Marta: I love the pastry station!', 'Marta: I saw the pastry station today!', false],
    ] as const
    prove(fc.constantFrom(...pairs), ([before, after, isSubject]) => {
      const world = new World()
      const [older = '', newer = ''] = [before, after].map((text) => say(world, text))
      expect(world.state.disputes.size).toBe(0)
      const hit = { coverage: 0, matchedTerms: 1, isExact: false, isAboveFloor: true }
      const hits = [
        { ...hit, memoryId: older, score: 100 },
        { ...hit, memoryId: newer, score: 50 },
      ]
      const { memory_ids } = world.compiled(guideOf(), hits).answer.agent_context
      expect(memory_ids).toEqual(isSubject ? [newer, older] : [older, newer])
    })
  })

  test('C13: words that more than three of the found texts have are no subject: they are made after one pattern', () => {
    prove(fc.integer({ min: 0, max: 4 }), (count) => {
      const world = new World()
      const others = Array.from({ length: count }, (_, at) =>
        say(world, `The pastry station has drawer ${at}.`),
      )
      const older = say(world, 'Marta runs the pastry station.')
      const newer = say(world, 'The pastry stations run on gas.')
      const hit = { coverage: 0, matchedTerms: 1, isExact: false, isAboveFloor: true }
      const hits = [older, newer, ...others].map((memoryId, at) => ({
        ...hit,
        memoryId,
        score: 100 - 20 * at,
      }))
      const { memory_ids } = world.compiled(guideOf(), hits).answer.agent_context
      const [one, other] = memory_ids.filter((id) => id === older || id === newer)
      expect([one, other]).toEqual(count < 2 ? [newer, older] : [older, newer])
    })
  })
})
