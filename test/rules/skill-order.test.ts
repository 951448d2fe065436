import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commonOrder, type Place } from '../../src/core/measure/common-order.ts'
import type { RunFacts } from '../../src/core/measure/recorded-runs.ts'
import { skillFrom } from '../../src/core/measure/skill.ts'
import { enough } from '../harness/scale.ts'
import { RUN, STEP, TASK } from '../support/measure-samples.ts'
import { proofsOf } from '../support/prove.ts'

const prove = proofsOf('skill-order')
const WORDS = ['look', 'ask', 'change', 'check', 'write', 'tell', 'wait', 'sign']
const anyWay = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 })
/** Runs that mostly go one way: some leave steps out, some take others. */
const anyWays = fc
  .tuple(
    anyWay,
    fc.array(fc.tuple(fc.array(fc.nat(7), { maxLength: 2 }), fc.nat(9), anyWay), {
      minLength: 1,
      maxLength: 9,
    }),
  )
  .map(([way, turns]) =>
    turns.map(([left, kind, other]) => {
      const mine = way.filter((_, at) => !left.includes(at))
      if (kind === 0) return other
      return kind < 3 ? [...mine, ...other.slice(0, 2)] : mine
    }),
  )
/** Runs in any order, every word once a run, so that a word is one step. */
const anyShortWays = fc.array(fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }), {
  minLength: 1,
  maxLength: 9,
})

/** By trying every selection. */
function longestRiseOf(places: readonly number[]): number {
  let longest = 0
  for (let chosen = 0; chosen < 2 ** places.length; chosen += 1) {
    const own = places.filter((_, at) => Math.floor(chosen / 2 ** at) % 2 === 1)
    const isRise = own.every((place, at) => at === 0 || (own[at - 1] ?? place) < place)
    if (isRise) longest = Math.max(longest, own.length)
  }
  return longest
}

const textsOf = (place: Place) => place.map(({ text }) => text)
const supportOf = (place: Place) => place.reduce((sum, { support }) => sum + support, 0)

function shuffled<Item>(items: readonly Item[], keys: readonly number[]): readonly Item[] {
  return items
    .map((item, at) => ({ item, key: keys[at] ?? 0 }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)
}

describe('the order that runs have in common', () => {
  test('M21: every place is taken by half of the runs, and never counted more often than it was done', () => {
    let alternatives = 0
    prove(anyWays, (runs) => {
      for (const place of commonOrder(runs)) {
        expect(supportOf(place) * 2).toBeGreaterThanOrEqual(runs.length)
        for (const { text, support } of place) {
          expect(support).toBeGreaterThan(0)
          expect(support).toBeLessThanOrEqual(runs.filter((run) => run.includes(text)).length)
        }
        if (place.length > 1) alternatives += 1
      }
    })
    expect(alternatives).toBeGreaterThanOrEqual(enough(1))
  })

  test('M21: no run took two alternatives of one place', () => {
    prove(anyShortWays, (runs) => {
      for (const place of commonOrder(runs)) {
        const texts = textsOf(place)
        for (const run of runs)
          expect(run.filter((step) => texts.includes(step)).length).toBeLessThanOrEqual(1)
      }
    })
  })

  test('M21: some run goes through two neighbouring places in their order, where more than half take them', () => {
    prove(anyShortWays, (runs) => {
      const places = commonOrder(runs)
      for (const [at, second] of places.entries()) {
        const first = places[at - 1]
        if (first === undefined || supportOf(first) + supportOf(second) <= runs.length) continue
        const goes = runs.some((run) => {
          const from = run.findIndex((step) => textsOf(first).includes(step))
          const to = run.findIndex((step) => textsOf(second).includes(step))
          return from >= 0 && from < to
        })
        expect(goes).toBe(true)
      }
    })
  })

  test('M21: a run counts for the most of its steps that stand in the common order, and for no more', () => {
    let outOfOrder = 0
    prove(anyShortWays, (runs) => {
      const places = commonOrder(runs)
      const placeOf = new Map(
        places.flatMap((place, at) => textsOf(place).map((text) => [text, at] as const)),
      )
      const laid = runs.map((run) => run.flatMap((step) => placeOf.get(step) ?? []))
      const counted = laid.reduce((sum, run) => sum + longestRiseOf(run), 0)
      expect(places.reduce((sum, place) => sum + supportOf(place), 0)).toBe(counted)
      if (laid.some((run) => longestRiseOf(run) < run.length)) outOfOrder += 1
    })
    expect(outOfOrder).toBeGreaterThanOrEqual(enough(7))
  })

  test('a step that most runs take later stands later, and a run that takes it earlier does not count for it', () => {
    const runs = [
      ['look', 'change', 'check'],
      ['look', 'change', 'check'],
      ['look', 'check', 'change'],
    ]
    expect(commonOrder(runs)).toEqual([
      [{ text: 'look', support: 3 }],
      [{ text: 'change', support: 2 }],
      [{ text: 'check', support: 3 }],
    ])
  })

  test('M21: runs that all go one way give that way, every step by all of them', () => {
    prove(fc.tuple(anyWay, fc.integer({ min: 1, max: 6 })), ([way, count]) => {
      const once = way.filter((step, at) => step !== way[at - 1])
      const places = commonOrder(Array.from({ length: count }, () => way))
      expect(places).toEqual(once.map((text) => [{ text, support: count }]))
    })
  })

  test('M21: the order of the runs changes nothing', () => {
    prove(fc.tuple(anyWays, fc.array(fc.double({ noNaN: true }), { maxLength: 9 })), ([runs, keys]) => {
      expect(commonOrder(shuffled(runs, keys))).toEqual(commonOrder(runs))
    })
  })

  test('M21: a step that fewer than half of the runs take is left out, wherever they take it', () => {
    prove(fc.tuple(anyWay, fc.nat(8), fc.integer({ min: 3, max: 7 })), ([way, at, count]) => {
      const odd = way.toSpliced(Math.min(at, way.length), 0, 'detour')
      const runs = [odd, ...Array.from({ length: count - 1 }, () => way)]
      expect(commonOrder(runs).flatMap(textsOf)).not.toContain('detour')
    })
  })

  test('alternatives stand at their place, although neither is taken by half of the runs', () => {
    const by = (how: string) => [how, 'read the order', 'exchange the items']
    const runs = [
      ...Array.from({ length: 3 }, () => by('find by e-mail')),
      ...Array.from({ length: 3 }, () => by('find by name')),
    ]
    const third = [...runs, by('find by id'), by('find by id')]
    expect(commonOrder(third)).toEqual([
      [
        { text: 'find by e-mail', support: 3 },
        { text: 'find by name', support: 3 },
        { text: 'find by id', support: 2 },
      ],
      [{ text: 'read the order', support: 8 }],
      [{ text: 'exchange the items', support: 8 }],
    ])
  })

  test('a step that is taken twice stands twice, and in other letters it is the same', () => {
    const runs = [
      ['Run the tests', 'change the line', 'run the tests.'],
      ['run the tests', 'Change the line', 'run the tests'],
    ]
    expect(commonOrder(runs).map(textsOf)).toEqual([
      ['Run the tests'],
      ['change the line'],
      ['Run the tests'],
    ])
  })
})

describe('what speaks against a skill', () => {
  const run = (runId: string, workflowSteps: readonly string[], outcome: RunFacts['outcome']): RunFacts => ({
    ...RUN,
    runId,
    outcome,
    steps: [{ ...STEP, memoryId: runId, workflowSteps, summary: `why ${runId}` }],
  })

  test('M22: what only failed runs did is named with its count and their reasons, and nothing that a good run did', () => {
    let named = 0
    prove(
      fc.tuple(fc.array(anyWay, { minLength: 2, maxLength: 4 }), fc.array(anyWay, { maxLength: 4 })),
      ([good, bad]) => {
        const runs = [
          ...good.map((steps, at) => run(`good-${at}`, steps, 'succeeded')),
          ...bad.map((steps, at) => run(`bad-${at}`, steps, 'failed')),
        ]
        const { skill } = skillFrom({ task: TASK, score: null, isExportReady: false, evidenceIds: [] }, runs)
        if (skill === null) return
        const only = [...new Set(bad.flat())].filter((step) => !good.flat().includes(step))
        const told = skill.does_not_apply_when.filter((line) => line.startsWith('Only failed runs: '))
        const expected = only.map((step) => {
          const count = bad.filter((steps) => steps.includes(step)).length
          return `Only failed runs: ${step} (${count} of ${bad.length})`
        })
        expect(told.toSorted()).toEqual(expected.toSorted())
        for (const at of bad.keys())
          expect(skill.does_not_apply_when).toContain(`Run bad-${at} failed: why bad-${at}`)
        named += told.length
      },
    )
    expect(named).toBeGreaterThanOrEqual(enough(13))
  })

  test('SC12: neither a step, a check, a precondition nor a reason of a skill holds the value of a secret', () => {
    const value = ['gh', 'p_', 'Ab3dE5gH1jK'.repeat(3)].join('')
    const text = `export TOKEN=${value}`
    const steps = [
      { ...STEP, workflowSteps: ['build', text], acceptanceChecks: [text], preconditions: [text] },
    ]
    const runs = [
      ...['a', 'b'].map((runId) => ({ ...run(runId, [], 'succeeded'), steps })),
      { ...run('c', [], 'failed'), steps: [{ ...STEP, workflowSteps: [`skip ${value}`], summary: text }] },
    ]
    const { skill } = skillFrom({ task: TASK, score: null, isExportReady: false, evidenceIds: [] }, runs)
    expect(skill?.procedure_steps.length).toBe(2)
    expect(skill?.does_not_apply_when.length).toBe(2)
    expect(JSON.stringify(skill)).not.toContain(value)
  })
})
