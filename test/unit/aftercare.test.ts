import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Actor } from '../../src/actor/actor.ts'
import { Aftercare } from '../../src/actor/aftercare.ts'

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
  const aftercare = new Aftercare({ debug: quiet, info: quiet, warn: quiet, error })
  const loaded = (key: string, verified: () => Promise<void> = async () => undefined): Actor => {
    const similarReady = async () => {
      served.push(key)
    }
    const actor: Partial<Actor> = { key, verified, similarReady }
    aftercare.add(actor as Actor)
    return actor as Actor
  }
  return { aftercare, loaded, served, error }
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

test('serves an actor that stays although others never cease to come', async () => {
  const { aftercare, loaded, served } = aftercareOf()
  loaded('stays')
  for (let round = 0; round < 110; round += 1) {
    const actor = loaded(`passes ${round}`)
    await vi.advanceTimersByTimeAsync(100)
    aftercare.drop(actor)
  }
  expect(served).toEqual(['stays', expect.stringMatching(/^passes (99|100)$/)])
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
