import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lruResidency } from '../../src/adapters/residency/lru-residency.ts'
import type { Residency } from '../../src/ports/residency.ts'
import { prove, proving } from '../support/prove.ts'

interface ModelEntry {
  readonly key: string
  readonly value: number
  readonly weight: number
}

/** The law in the plainest form: a list from least to most recently used. */
class Model {
  entries: ModelEntry[] = []
  /** Held and never used: they stand first. */
  readonly cold = new Set<string>()

  find(key: string): ModelEntry | undefined {
    return this.entries.find((entry) => entry.key === key)
  }

  use(entry: ModelEntry): void {
    this.cold.delete(entry.key)
    this.entries = [...this.entries.filter((other) => other.key !== entry.key), entry]
  }

  keep(entry: ModelEntry): void {
    const known = this.find(entry.key)
    if (known !== undefined) this.entries = this.entries.map((other) => (other === known ? entry : other))
    else {
      // Behind those that came the same way, before all that were used.
      this.entries.splice(this.cold.size, 0, entry)
      this.cold.add(entry.key)
    }
  }

  overflow(countMax: number, weightMax: number, pinned: ReadonlySet<string>): string[] {
    let staying = this.entries
    const leaving: string[] = []
    for (const entry of this.entries) {
      const weight = staying.reduce((sum, other) => sum + other.weight, 0)
      if (staying.length <= countMax && weight <= weightMax) break
      if (pinned.has(entry.key)) continue
      leaving.push(entry.key)
      staying = staying.filter((other) => other !== entry)
    }
    return leaving
  }
}

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
const weight = fc.nat({ max: 50 })
const step = fc.oneof(
  fc.record({ kind: fc.constantFrom('set' as const, 'setColdest' as const), key, value: fc.nat(), weight }),
  fc.record({ kind: fc.constantFrom('get' as const, 'peek' as const, 'delete' as const), key }),
  fc.record({ kind: fc.constant('touch' as const), key, weight: fc.option(weight, { nil: undefined }) }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

function apply(real: Residency<number>, model: Model, taken: Step): void {
  const known = model.find(taken.key)
  switch (taken.kind) {
    case 'set':
      real.set(taken.key, taken.value, taken.weight)
      model.use({ key: taken.key, value: taken.value, weight: taken.weight })
      return
    case 'setColdest':
      real.setColdest(taken.key, taken.value, taken.weight)
      model.keep({ key: taken.key, value: taken.value, weight: taken.weight })
      return
    case 'get':
      expect(real.get(taken.key)).toBe(known?.value)
      if (known !== undefined) model.use(known)
      return
    case 'peek':
      expect(real.peek(taken.key)).toBe(known?.value)
      return
    case 'touch':
      expect(real.touch(taken.key, taken.weight)).toBe(known !== undefined)
      if (known !== undefined) model.use({ ...known, weight: taken.weight ?? known.weight })
      return
    case 'delete':
      expect(real.delete(taken.key)).toBe(known !== undefined)
      model.cold.delete(taken.key)
      model.entries = model.entries.filter((entry) => entry.key !== taken.key)
  }
}

test('order, weights and overflow are those of a plain list, after every step', () => {
  proving(300)(
    fc.integer({ min: 1, max: 5 }),
    fc.integer({ min: 1, max: 150 }),
    fc.array(step, { maxLength: 60 }),
    fc.uniqueArray(key, { maxLength: 3 }),
    (countMax, weightMax, steps, pinnedKeys) => {
      const real = lruResidency<number>({ countMax, weightBytesMax: weightMax })
      const model = new Model()
      const pinned = new Set<string>(pinnedKeys)
      for (const taken of steps) {
        apply(real, model, taken)
        expect([...real.keys()]).toEqual(model.entries.map((entry) => entry.key))
        expect(real.count()).toBe(model.entries.length)
        expect(real.weightBytes()).toBe(model.entries.reduce((sum, entry) => sum + entry.weight, 0))
        expect(real.overflow()).toEqual(model.overflow(countMax, weightMax, new Set()))
        expect(real.overflow((name) => pinned.has(name))).toEqual(model.overflow(countMax, weightMax, pinned))
      }
    },
  )
})

test('nothing leaves before its owner deletes it, however far over the bounds', () => {
  const residency = lruResidency<number>({ countMax: 1, weightBytesMax: 1 })
  for (let at = 0; at < 1000; at += 1) residency.set(`key-${at}`, at, 1000)
  expect(residency.count()).toBe(1000)
  expect(residency.get('key-0')).toBe(0)
  const leaving = residency.overflow()
  expect(leaving).toHaveLength(1000)
  expect([leaving[0], leaving.at(-1)]).toEqual(['key-1', 'key-0'])
})

test('after the named keys are deleted nothing overflows any more', () => {
  prove(fc.array(fc.tuple(key, weight)), fc.nat({ max: 5 }), fc.nat({ max: 100 }), (sets, countMax, max) => {
    const residency = lruResidency<null>({ countMax, weightBytesMax: max })
    for (const [name, bytes] of sets) residency.set(name, null, bytes)
    for (const name of residency.overflow()) residency.delete(name)
    expect(residency.overflow()).toEqual([])
    expect(residency.count()).toBeLessThanOrEqual(countMax)
    expect(residency.weightBytes()).toBeLessThanOrEqual(max)
  })
})
