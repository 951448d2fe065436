import { expect, test } from 'vitest'
import { ExternalMemories } from '../../src/core/model/external-memories.ts'
import { refOf, shownOf } from '../support/external-shown.ts'

const NOW_MS = 1_000

test('an erasure looks through the lists of runs in steps, and whoever asks meanwhile sees none of it', () => {
  const erasedOf = (steps: number) => {
    const known = new ExternalMemories()
    for (let run = 0; run < 200; run += 1) {
      const ids = Array.from({ length: 200 }, (_, at) => `<${(run * 7 + at) % 1000}>`)
      known.show(shownOf(ids), `run ${run}`, { atMs: NOW_MS, seq: run })
    }
    const erasure = {
      type: 'external_erased',
      refs: [refOf('<500>')],
      reason: '',
      actorName: null,
    } as const
    known.apply(erasure, { atMs: NOW_MS, seq: 200 })
    const settling = known.settleSteps()
    for (let at = 0; at < steps; at += 1) settling.next()
    const rows = JSON.stringify([known.rows(), known.runs.rows()])
    expect(settling.next().done).toBe(true)
    return { rows, shownCount: known.shownCount, stepsLeft: [...known.settleSteps()].length }
  }
  const atOnce = erasedOf(0)
  expect(atOnce.rows).not.toContain('<500>')
  for (const steps of [1, 3, 100]) expect(erasedOf(steps)).toEqual(atOnce)
  const known = new ExternalMemories()
  const ids = Array.from({ length: 4_000 }, (_, at) => `${at}`)
  for (let run = 0; run < 40; run += 1) known.show(shownOf(ids), `run ${run}`, { atMs: NOW_MS, seq: run })
  known.apply(
    { type: 'external_erased', refs: [refOf('7')], reason: '', actorName: null },
    { atMs: NOW_MS, seq: 40 },
  )
  // No step looks through more than two lists.
  expect([...known.settleSteps()].length).toBeGreaterThanOrEqual(20)
})
