import { describe, expect, test } from 'vitest'
import { SURFACES } from '../../src/core/base/closed-sets.ts'
import { creditOf, creditSeenBy } from '../../src/core/report/credit.ts'
import { anyHistory } from '../arbitraries.ts'
import { enough } from '../harness/scale.ts'
import { play, worldAfter } from '../support/history.ts'
import { proofsOf } from '../support/prove.ts'
import { reloaded } from '../support/reload.ts'
import { World } from '../support/world.ts'

const prove = proofsOf('credit')

function creditsIn(world: World) {
  return new Map(world.records().map((record) => [record.memoryId, creditOf(world.state, record)]))
}

describe('credit', () => {
  test('A15: an outcome changes the credit of the memory that it names, and of no other', () => {
    let namedCount = 0
    prove(
      anyHistory,
      (history) => {
        const world = new World()
        for (const step of history) {
          const before = creditsIn(world)
          if (play(world, step) !== null) continue
          const after = creditsIn(world)
          const events = world.lastEvents()
          const named = new Set(
            events.flatMap((event) => (event.type === 'feedback_recorded' ? [event.memoryId] : [])),
          )
          if (step.kind !== 'feedback') continue
          namedCount += named.size
          for (const [id, credit] of before) {
            if (!named.has(id)) expect(after.get(id)).toEqual(credit)
          }
        }
      },
      40,
    )
    expect(namedCount).toBeGreaterThanOrEqual(enough(100))
  })

  test('A16: surfaces are what guides exposed, outcomes what was attributed, unknown within what was shown', () => {
    prove(
      anyHistory,
      (history) => {
        const world = worldAfter(history)
        for (const record of world.records()) {
          const credit = creditOf(world.state, record)
          for (const surface of SURFACES) {
            const shown = world.guides.filter(
              ({ memoryIds, surfaces }) => surfaces[memoryIds.indexOf(record.memoryId)] === surface,
            )
            expect(credit.exposed[surface]).toBe(shown.length)
          }
          expect(SURFACES.reduce((sum, surface) => sum + credit.exposed[surface], 0)).toBe(
            credit.exposedTotal,
          )
          const { helped, hurtWeak, hurtStrong, observed, neutral, used, unknown } = credit
          expect(helped + hurtWeak + hurtStrong + observed + neutral).toBe(used)
          // A run counts once. Blame that a later success took away does not count; only weak blame is shared.
          const runs = new Set(record.marks.map((mark) => mark.runId)).size
          const blames = record.marks.filter((mark) => mark.outcome === 'negative' && !mark.strong)
          const marks = record.marks.filter((mark) => mark.outcome === 'positive' && mark.direct)
          expect(used).toBeLessThanOrEqual(runs)
          expect(used).toBeGreaterThanOrEqual(runs - new Set(blames.map((mark) => mark.runId)).size)
          expect(helped).toBeLessThanOrEqual(marks.length)
          if (blames.length === 0) expect(used).toBe(runs)
          // One run may answer several guides.
          expect(unknown).toBeGreaterThanOrEqual(Math.max(0, credit.exposedTotal - record.marks.length))
          expect(unknown).toBeLessThanOrEqual(credit.exposedTotal)
          if (used === 0) expect(unknown).toBe(credit.exposedTotal)
          expect(credit.runs).toEqual(creditOf(world.state, record, 256).runs.slice(-8))
        }
      },
      40,
    )
  })

  test('A14: a credit is the same before and after a reload', () => {
    prove(
      anyHistory,
      (history) => {
        const world = worldAfter(history)
        expect(creditsIn(reloaded(world))).toEqual(creditsIn(world))
      },
      40,
    )
  })

  test('A17: a consumer gets the counts, and the runs of its own guides only', () => {
    prove(
      anyHistory,
      (history) => {
        const world = worldAfter(history)
        const own = new Set(
          world.guides.filter((_guide, at) => at % 2 === 0).map((each) => each.guideTraceId),
        )
        for (const credit of creditsIn(world).values()) {
          const seen = creditSeenBy(credit, own)
          const { exposed: _shown, exposedTotal: _total, unknown: _open, ...outcomes } = credit
          expect({ ...seen, runs: [] }).toEqual({ ...outcomes, runs: [] })
          expect(seen.runs).toEqual(credit.runs.filter(({ guideTraceId }) => own.has(guideTraceId ?? '')))
        }
      },
      20,
    )
  })
})
