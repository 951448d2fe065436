import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MemoryWrite } from '../../src/core/model/commands.ts'
import { isLess } from '../../src/core/model/principal.ts'
import { disputeBetween } from '../../src/core/similarity/dispute.ts'
import { maySayAnew } from '../../src/core/similarity/dispute-anew.ts'
import { readForDispute } from '../../src/core/similarity/dispute-reading.ts'
import { guideOf, lifecycleOf, privateTo } from '../support/commands.ts'
import { proofsOf } from '../support/prove.ts'
import { anyOrigin, anyType, say } from '../support/statements.ts'
import { World } from '../support/world.ts'

const prove = proofsOf('said-anew')

const OLDER = 'The choir rehearses in the parish hall.'
const NEWER = 'Parish hall being too cold, the choir has moved its rehearsals into the school.'
const OTHERS = [
  'Petra keeps the kayaks of the lower jetty.',
  'Bread for the ferry is baked on Wednesdays.',
  'Six bees were counted at the garden gate.',
  'Library cards are printed in green.',
  'The museum lends its ladder to nobody.',
]

interface Told {
  readonly others?: readonly string[]
  readonly older?: Partial<MemoryWrite>
  readonly newer?: Partial<MemoryWrite>
  readonly newerText?: string
  readonly isNewerWeak?: boolean
  readonly isNewerBefore?: boolean
  readonly after?: (world: World, newerId: string) => void
}

/** The rules that decide on both texts in a guide that finds all of them. */
function rulesOf(told: Told) {
  const {
    others = OTHERS,
    older = {},
    newer = {},
    newerText = NEWER,
    isNewerBefore = false,
    after,
    isNewerWeak = false,
  } = told
  const world = new World()
  const before = isNewerBefore ? say(world, newerText, newer) : null
  const olderId = say(world, OLDER, older)
  // What was told next to a match lends from it.
  const between = isNewerWeak
    ? Array.from({ length: 30 }, (_, at) => say(world, `Shelf ${at} holds jars.`))
    : []
  const newerId = before ?? say(world, newerText, newer)
  const ids = [olderId, ...between, newerId, ...others.map((text) => say(world, text))]
  after?.(world, newerId)
  const hit = { coverage: 1, matchedTerms: 1, isExact: false, isAboveFloor: true }
  const hits = ids.map((memoryId) => ({
    ...hit,
    memoryId,
    isAboveFloor: !isNewerWeak || memoryId === olderId,
    score: [olderId, newerId].includes(memoryId) ? 9 : 1,
  }))
  const { decision_summaries } = world.compiled(guideOf({ limit: 20 }), hits).answer.memory_use_receipt
  const decisionOn = (id: string) => decision_summaries.find(({ memory_id }) => memory_id === id)
  const reasons = decisionOn(newerId)?.recall_sources.map(({ reason }) => reason) ?? []
  return { older: decisionOn(olderId)?.rule_id, newer: decisionOn(newerId)?.rule_id, reasons }
}

const ruleOf = (told: Told) => rulesOf(told).older

describe('a text that a newer one may say anew', () => {
  test('S16: it is inspect_before_use when the newer one has no less authority and is of its kind, and six texts were found', () => {
    expect(disputeBetween(OLDER, NEWER)).toBeNull()
    const anySide = fc.record({ origin: anyOrigin, memoryType: anyType })
    prove(fc.tuple(anySide, anySide, fc.integer({ min: 0, max: OTHERS.length })), ([older, newer, count]) => {
      const isLower = isLess(
        { authority: newer.origin, memoryType: newer.memoryType },
        { authority: older.origin, memoryType: older.memoryType },
      )
      const isHeld = !isLower && older.memoryType === newer.memoryType && count + 2 >= 6
      const alone = ruleOf({ older, newer, newerText: 'Boats are for rent.' })
      const rule = ruleOf({ others: OTHERS.slice(0, count), older, newer })
      expect(rule).toBe(isHeld && alone === 'S10' ? 'S16' : alone)
    })
  })

  test('S16: what was said or seen before it, what its reader does not see, and what is not in use holds nothing back', () => {
    expect(ruleOf({})).toBe('S16')
    expect(ruleOf({ isNewerBefore: true })).toBe('S10')
    expect(ruleOf({ older: { observedAtMs: 2000 }, newer: { observedAtMs: 1000 } })).toBe('S10')
    expect(ruleOf({ newer: { audience: privateTo('ann') } })).toBe('S10')
    const suppress = (world: World, newerId: string) =>
      world.lifecycle(lifecycleOf({ operation: 'suppress', memoryIds: [newerId] }))
    expect(ruleOf({ after: suppress })).toBe('S10')
    const unsuppress = (world: World, newerId: string) => {
      suppress(world, newerId)
      world.lifecycle(lifecycleOf({ operation: 'unsuppress', memoryIds: [newerId] }))
    }
    expect(ruleOf({ after: unsuppress })).toBe('S16')
  })

  test('S16: two texts of which an operator decided that both stand are not held apart again', () => {
    const newerText = 'The choir no longer rehearses in the parish hall.'
    expect(disputeBetween(OLDER, newerText)).not.toBeNull()
    expect(maySayAnew(readForDispute(OLDER), readForDispute(newerText))).toBe(true)
    expect(ruleOf({ newerText })).toBe('S12')
    const settle = (world: World, newerId: string) => {
      const [dispute] = world.state.disputesByMemory.get(newerId) ?? []
      world.settle([dispute?.earlierId ?? '', newerId], 'both')
    }
    expect(ruleOf({ newerText, after: settle })).toBe('S10')
  })

  test('S16: the newer one may share few words with what is asked, and is no weak match where it stands instead', () => {
    const { older, newer, reasons } = rulesOf({ isNewerWeak: true })
    expect([older, newer]).toEqual(['S16', 'S10'])
    expect(reasons).toContain('stands_instead')
    const other = rulesOf({ isNewerWeak: true, newerText: 'Parish hall keys hang at the school.' })
    expect([other.older, other.newer]).toEqual(['S10', 'S13'])
  })

  test('S16: words that many of the texts have say nothing', () => {
    const long = `The parish hall, and when a choir rehearses there. ${'Much else is told of it. '.repeat(10)}`
    const many = [...OTHERS, long, `${long}Again.`]
    expect(ruleOf({ others: many })).toBe('S10')
    expect(ruleOf({ others: many.slice(0, -1) })).toBe('S16')
  })

  test.each([
    ['The bakery oven is heated with birch wood.', 'The bakery has switched its oven to gas.', true],
    ['Visitors of the lighthouse pay 6 euros at the door.', 'The door asks 9 euros of whoever visits.', true],
    ['The bakery oven is heated with birch wood.', 'The bakery is closed on Mondays now.', false],
    [
      'Visitors of the lighthouse pay 6 euros at the door.',
      'The lighthouse door is now 2 metres high.',
      false,
    ],
    ['The ferry desk answers letters in 9 days.', 'The ferry desk also answers calls in 3 days.', false],
    ['Lighthouse stairs have 212 steps; dogs stay below.', 'Lighthouse stairs: 230 steps now.', true],
    ['Lighthouse stairs: 212 steps; dogs stay below; boots off.', 'Lighthouse stairs: 230 steps now.', false],
    [
      'Oak hulls are sealed with tar.',
      'Since the ban the yard has switched its hulls from tar to wax.',
      true,
    ],
    ['Oak hulls are sealed with tar.', 'The yard keeps hulls and tar in wax paper.', false],
    ['[PAGE] lighthouse stairs: 3 visitors', '[PAGE] lighthouse stairs: 5 visitors', false],
    ['The lift must not run before the crane.', 'The belt must not run before the crane.', false],
    ['The organ of St. Anna is tuned by Voss.', 'For the tuning of the St. Anna organ call Brandt.', true],
    ['Piano keys are glued with hide glue.', 'Piano keys dry for two days under weight.', false],
    ['Label templates belong to Declan; ask him first.', 'Ayumi has taken over the label templates.', true],
    ['The boat house is used for storage.', 'The boat house has become a café.', true],
    ['Our letters are franked by Bluepost.', 'Stamp them by hand: the Bluepost contract ended.', true],
    ['Alarms are raised by Nightbell.', 'Nightbell is turned off; Owl rings instead.', true],
    ['Kayaks are rented out at the jetty.', 'Whoever comes to the jetty signs the book.', false],
  ])('S16: %s | %s | %s', (older, newer, isSaidAnew) => {
    expect(maySayAnew(readForDispute(older), readForDispute(newer))).toBe(isSaidAnew)
  })
})
