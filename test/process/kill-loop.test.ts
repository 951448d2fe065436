import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { tellCounts } from '../harness/counts.ts'
import { CrashRounds } from '../harness/crash-rounds.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { enough, scaled } from '../harness/scale.ts'

const ROUNDS = scaled(50)

test('what was acknowledged survives kill -9 at any moment, and nothing is there by half', {
  timeout: Math.max(600_000, ROUNDS * 10_000),
}, async () => {
  const pace = { pauseMs: 0, eraseEvery: 0, stepsMax: null }
  const rounds = await CrashRounds.start(dataFolder(), { writers: 8, scopes: 4, pace })
  let answered = 0
  let kills = 0
  // A busy machine answers little before a kill: there are more of them then.
  for (; kills < ROUNDS || answered < enough(50); kills += 1) {
    const shutdownMs = kills % 4 === 3 ? randomInt(0, 40) : null
    const { requests, unknown } = await rounds.round('scope', { afterMs: randomInt(5, 120), shutdownMs })
    answered += requests - unknown
  }
  tellCounts('kill loop', { kills, 'answered requests': answered })
  expect(await rounds.finish()).toEqual({ code: 0, signal: null })
  expect(rounds.stderr).toBe('')
})
