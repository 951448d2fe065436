import { describe, expect, test } from 'vitest'
import { RequestBatcher } from '../../src/edges/http/request-batcher.ts'

/** So many are inside before anybody waits. */
const FEW = 7

/** Enters as a request would and tells when it may be carried out. */
async function entering(batcher: RequestBatcher, name: string, told: string[]): Promise<void> {
  const together = batcher.enter()
  if (together !== null) await together
  told.push(name)
}

function filled(): RequestBatcher {
  const batcher = new RequestBatcher()
  for (let inside = 0; inside < FEW; inside += 1) expect(batcher.enter()).toBeNull()
  return batcher
}

function leaving(batcher: RequestBatcher, count: number): void {
  for (let left = 0; left < count; left += 1) batcher.leave()
}

const microtasks = () => Promise.resolve().then(() => undefined)
const immediate = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('a request batcher', () => {
  test('has a few wait for nothing, however many there were before', async () => {
    const batcher = filled()
    await batcher.enter()
    leaving(batcher, FEW + 1)
    for (let inside = 0; inside < FEW; inside += 1) expect(batcher.enter()).toBeNull()
    expect(batcher.enter()).not.toBeNull()
  })

  test('has others wait until all that is there has been read, and go in their order', async () => {
    const batcher = filled()
    const told: string[] = []
    const all = ['first', 'second', 'third'].map((name) => entering(batcher, name, told))
    await microtasks()
    expect(told).toEqual([])
    await Promise.all(all)
    expect(told).toEqual(['first', 'second', 'third'])
  })

  test('lets nobody overtake who waits, when others have left meanwhile', async () => {
    const batcher = filled()
    const told: string[] = []
    const first = entering(batcher, 'first', told)
    leaving(batcher, FEW)
    const second = entering(batcher, 'second', told)
    await Promise.all([first, second])
    expect(told).toEqual(['first', 'second'])
  })

  test('has who comes later wait for the next round', async () => {
    const batcher = filled()
    const told: string[] = []
    await entering(batcher, 'first', told)
    const second = entering(batcher, 'second', told)
    await microtasks()
    expect(told).toEqual(['first'])
    await immediate()
    await second
    expect(told).toEqual(['first', 'second'])
  })
})
