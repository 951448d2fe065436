import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Actor } from '../../src/actor/actor.ts'
import { PostLoadChecks } from '../../src/actor/post-load-checks.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function aftercareOf() {
  const served: string[] = []
  const error = vi.fn()
  const quiet = (): void => undefined
  const loads = { underWay: 0 }
  const log = { debug: quiet, info: quiet, warn: quiet, error }
  const aftercare = new PostLoadChecks(log, () => loads.underWay > 0)
  const loaded = (key: string, verified: () => Promise<void> = async () => undefined): Actor => {
    const similarReady = async () => {
      served.push(key)
    }
    const actor: Partial<Actor> = { key, verified, similarReady }
    aftercare.add(actor as Actor)
    return actor as Actor
  }
  return { aftercare, loads, loaded, served, error }
}

test('waits until nothing was loaded for a while, then serves one after the other', async () => {
  const { loaded, served } = aftercareOf()
  loaded('a')
  await vi.advanceTimersByTimeAsync(150)
  loaded('b')
  await vi.advanceTimersByTimeAsync(150)
  expect(served).toEqual([])
  await vi.advanceTimersByTimeAsync(50)
  expect(served).toEqual(['a', 'b'])
  loaded('c')
  await vi.advanceTimersByTimeAsync(200)
  expect(served).toEqual(['a', 'b', 'c'])
})

test('waits for a load that takes long', async () => {
  const { loads, loaded, served } = aftercareOf()
  loaded('a')
  loads.underWay = 1
  await vi.advanceTimersByTimeAsync(1_000)
  expect(served).toEqual([])
  loads.underWay = 0
  await vi.advanceTimersByTimeAsync(200)
  expect(served).toEqual(['a'])
})

test('serves an actor that stays although others never cease to come', async () => {
  const { aftercare, loaded, served } = aftercareOf()
  loaded('stays')
  for (let round = 0; round < 110; round += 1) {
    const actor = loaded(`passes ${round}`)
    await vi.advanceTimersByTimeAsync(100)
    aftercare.drop(actor)
  }
  expect(served).toEqual(['stays'])
})

test('does nothing for an actor that has left', async () => {
  const { aftercare, loaded, served } = aftercareOf()
  let verify = (): void => undefined
  loaded(
    'slow',
    () =>
      new Promise((resolve) => {
        verify = resolve
      }),
  )
  const [early, late] = [loaded('early'), loaded('late')]
  aftercare.drop(early)
  await vi.advanceTimersByTimeAsync(200)
  aftercare.drop(late)
  verify()
  await vi.advanceTimersByTimeAsync(0)
  expect(served).toEqual(['slow'])
})

test('tells of a snapshot with another digest, and goes on', async () => {
  const { loaded, served, error } = aftercareOf()
  loaded('wrong', () => Promise.reject(new Error('another digest')))
  loaded('right')
  await vi.advanceTimersByTimeAsync(200)
  expect(served).toEqual(['right'])
  expect(error.mock.calls).toEqual([
    [{ actor: 'wrong', cause: 'another digest' }, 'actor is not what its snapshot says'],
  ])
})

test('begins nothing once it is stopped', async () => {
  const { aftercare, loaded, served } = aftercareOf()
  loaded('a')
  aftercare.stop()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(served).toEqual([])
})
