import { expect, test } from 'vitest'
import { noteOfNow } from '../../src/core/external/govern-record.ts'
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

test('a note of govern looks at no erasure, however many there are, unless one came since its turn', () => {
  const known = new ExternalMemories()
  const { erasures } = known
  known.readErasures([{ ref: refOf('old'), reason: '', by: null, atMs: NOW_MS, seq: 7 }])
  const note = { atMs: NOW_MS, body: { kind: 'govern', candidates: [], seq: 7 } }
  const looked: number[] = []
  const watched = (seq: number) => ({
    key: 'key',
    erasedSeq: known.erasedSeq,
    get erasures() {
      looked.push(seq)
      return erasures
    },
  })
  const noteAt = (seq: number) =>
    noteOfNow({ ...note, body: { ...note.body, seq } }, watched(seq), { keyedHash: (_key, text) => text })
  for (const seq of [6, 7, 8]) noteAt(seq)
  known.apply(
    { type: 'external_erased', refs: [refOf('new')], reason: '', actorName: null },
    { atMs: NOW_MS, seq: 9 },
  )
  for (const seq of [8, 9]) noteAt(seq)
  expect(looked).toEqual([6, 8])
})
