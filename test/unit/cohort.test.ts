import { describe, expect, test } from 'vitest'
import { Cohort } from '../../src/edges/http/cohort.ts'

/** So many are inside before anybody waits. */
const FEW = 7

/** Enters as a request would and tells when it may be carried out. */
async function entering(cohort: Cohort, name: string, told: string[]): Promise<void> {
  const together = cohort.enter()
  if (together !== null) await together
  told.push(name)
}

function filled(): Cohort {
  const cohort = new Cohort()
  for (let inside = 0; inside < FEW; inside += 1) expect(cohort.enter()).toBeNull()
  return cohort
}

function leaving(cohort: Cohort, count: number): void {
  for (let left = 0; left < count; left += 1) cohort.leave()
}

const microtasks = () => Promise.resolve().then(() => undefined)
const immediate = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('a cohort', () => {
  test('has a few wait for nothing, however many there were before', async () => {
    const cohort = filled()
    await cohort.enter()
    leaving(cohort, FEW + 1)
    for (let inside = 0; inside < FEW; inside += 1) expect(cohort.enter()).toBeNull()
    expect(cohort.enter()).not.toBeNull()
  })

  test('has others wait until all that is there has been read, and go in their order', async () => {
    const cohort = filled()
    const told: string[] = []
    const all = ['first', 'second', 'third'].map((name) => entering(cohort, name, told))
    await microtasks()
    expect(told).toEqual([])
    await Promise.all(all)
    expect(told).toEqual(['first', 'second', 'third'])
  })

  test('lets nobody overtake who waits, when others have left meanwhile', async () => {
    const cohort = filled()
    const told: string[] = []
    const first = entering(cohort, 'first', told)
    leaving(cohort, FEW)
    const second = entering(cohort, 'second', told)
    await Promise.all([first, second])
    expect(told).toEqual(['first', 'second'])
  })

  test('has who comes later wait for the next round', async () => {
    const cohort = filled()
    const told: string[] = []
    await entering(cohort, 'first', told)
    const second = entering(cohort, 'second', told)
    await microtasks()
    expect(told).toEqual(['first'])
    await immediate()
    await second
    expect(told).toEqual(['first', 'second'])
  })
})
