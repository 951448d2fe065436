import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RunLines } from '../../src/core/model/columns.ts'
import { proofsOf } from '../support/prove.ts'

const prove = proofsOf('run lines')
const SLOTS = 12
const RUNS = ['a', 'b', 'c']
const CLASSES = 3

const anyStep = fc.record({
  slot: fc.nat({ max: SLOTS - 1 }),
  /** Null: the memory leaves its run. */
  run: fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...RUNS) }, fc.constant(null)),
})
const anyLife = fc.record({
  steps: fc.array(anyStep, { maxLength: 40, size: 'max' }),
  /** Of each slot; most runs have one. */
  classes: fc.oneof(
    fc.constant(Array.from({ length: SLOTS }, () => 0)),
    fc.array(fc.nat({ max: CLASSES - 1 }), { minLength: SLOTS, maxLength: SLOTS }),
  ),
  seen: fc.subarray([0, 1, 2]),
})

test('of a run each memory knows those beside it in order of first writing, and those that are seen are counted, whatever came and went', () => {
  prove(
    anyLife,
    ({ steps, classes, seen }) => {
      const lines = new RunLines()
      const runOf = new Map<number, string>()
      for (const { slot, run } of steps) {
        if (run === null) {
          lines.leave(classes[slot] ?? 0, slot)
          runOf.delete(slot)
        } else {
          lines.join(run, classes[slot] ?? 0, slot)
          runOf.set(slot, run)
        }
      }
      expect([...lines.keys()].toSorted()).toEqual([...new Set(runOf.values())].toSorted())
      expect(lines.size).toBe(new Set(runOf.values()).size)
      for (const run of RUNS) {
        const slots = [...runOf].flatMap(([slot, its]) => (its === run ? [slot] : []))
        expect(lines.slotsOf(run)).toEqual(slots.toSorted((a, b) => a - b))
      }
      const flags = Uint8Array.from({ length: CLASSES }, (_, each) => (seen.includes(each) ? 1 : 0))
      const isSeen = (slot: number): boolean => seen.includes(classes[slot] ?? 0)
      for (const [slot, run] of runOf) {
        const line = lines.slotsOf(run)
        const at = line.indexOf(slot)
        for (const [other, its] of runOf) {
          expect(lines.runOf(other) === lines.runOf(slot)).toBe(its === run)
        }
        expect([lines.before(slot), lines.after(slot)]).toEqual([line[at - 1] ?? -1, line[at + 1] ?? -1])
        expect(lines.countSeen(lines.runOf(slot), flags)).toBe(line.filter(isSeen).length)
      }
    },
    400,
  )
})
