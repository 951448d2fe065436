import { describe, expect, test } from 'vitest'
import { Cohort } from '../../src/edges/http/cohort.ts'

/** Enters as a request would and tells when it may be carried out. */
async function entering(cohort: Cohort, name: string, told: string[]): Promise<void> {
  const together = cohort.enter()
  if (together !== null) await together
  told.push(name)
}

const microtasks = () => Promise.resolve().then(() => undefined)
const immediate = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('a cohort', () => {
  test('has whoever is alone wait for nothing', () => {
    const cohort = new Cohort()
    expect(cohort.enter()).toBeNull()
    cohort.leave()
    expect(cohort.enter()).toBeNull()
  })

  test('has others wait until all that is there has been read, and go in their order', async () => {
    const cohort = new Cohort()
    const told: string[] = []
    const all = ['first', 'second', 'third', 'fourth'].map((name) => entering(cohort, name, told))
    await microtasks()
    expect(told).toEqual(['first'])
    await Promise.all(all)
    expect(told).toEqual(['first', 'second', 'third', 'fourth'])
  })

  test('lets nobody overtake who waits, when the first has left meanwhile', async () => {
    const cohort = new Cohort()
    const told: string[] = []
    const first = entering(cohort, 'first', told)
    const second = entering(cohort, 'second', told)
    cohort.leave()
    const third = entering(cohort, 'third', told)
    await Promise.all([first, second, third])
    expect(told).toEqual(['first', 'second', 'third'])
  })

  test('has a later request wait for the next round only', async () => {
    const cohort = new Cohort()
    const told: string[] = []
    await Promise.all([entering(cohort, 'first', told), entering(cohort, 'second', told)])
    const third = entering(cohort, 'third', told)
    await microtasks()
    expect(told).toEqual(['first', 'second'])
    await immediate()
    await third
    expect(told).toEqual(['first', 'second', 'third'])
    for (let left = 0; left < 3; left += 1) cohort.leave()
    expect(cohort.enter()).toBeNull()
  })
})
