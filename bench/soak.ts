import { randomInt } from 'node:crypto'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { CrashRounds } from '../test/harness/crash-rounds.ts'
import { dataFolder, removeDataFolders } from '../test/harness/data-folder.ts'
import { killProcesses } from '../test/harness/process.ts'
import { filesRows, growthRows, Sampler } from './soak/sampler.ts'
import { addTo, progress, type Row, rowsOf, tableOf, zeroTotals } from './soak/table.ts'

// Mixed load for a long time: writes, guides, feedback, suppressions, erasures, with evictions and snapshots forced by
// small bounds and a kill -9 now and then. Nothing acknowledged may be lost, no answer may be 500, memory, open files and the
// files in the folder have to stay flat.
// `node dist/bench/soak.js --minutes 30`

/** Lives of the service in a run, about: the longer the run, the longer each. */
const LIVES = 16
const LIFE_MIN_MS = 5_000
const LIFE_MAX_MIN_MS = 20_000
/** After so many kills other scopes are written. */
const KILLS_OF_GROUP = 5

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { minutes: { type: 'string' } } })
  const minutes = Number(values.minutes ?? 30)
  const lifeMaxMs = Math.max(LIFE_MAX_MIN_MS, Math.round((2 * minutes * 60_000) / LIVES))
  const dir = dataFolder()
  const totals = zeroTotals()
  const endAt = performance.now() + minutes * 60_000
  let kills = 0
  let sampler: Sampler | null = null
  try {
    const pace = { pauseMs: 40, eraseEvery: 25, stepsMax: null }
    const service = await CrashRounds.start(dir, { writers: 8, scopes: 6, pace })
    const groupOf = () => Math.floor(kills / KILLS_OF_GROUP)
    sampler = new Sampler(
      () => service.pid,
      dir,
      () => 1 + groupOf(),
    )
    while (performance.now() < endAt) {
      const left = Math.max(1000, endAt - performance.now())
      const afterMs = Math.min(randomInt(LIFE_MIN_MS, lifeMaxMs), left)
      const shutdownMs = kills % 4 === 3 ? randomInt(0, 40) : null
      // New scopes after every fifth kill: a long run has many actors, none without bounds.
      addTo(totals, await service.round(`g${groupOf()}`, { afterMs, shutdownMs }))
      kills += 1
      const minutesLeft = Math.max(0, (endAt - performance.now()) / 60_000).toFixed(1)
      progress(`${kills} kills, ${totals.requests} requests, nothing lost, ${minutesLeft} min left`)
    }
    const { code } = await service.finish()
    if (code !== 0) throw new Error(`the last life ended with ${code}: ${service.stderr}`)
    progress(null)
    const growth = [
      ...growthRows('the run', sampler.samples),
      ...growthRows('the longest life', sampler.longest),
    ]
    const rows: readonly Row[] = [
      ['kills', String(kills)],
      ...rowsOf(totals),
      // Any answer but those of a shutdown ends the run as lost.
      ['answers of 500', '0'],
      ...growth,
      ...filesRows(sampler),
    ]
    process.stdout.write(`${tableOf(rows)}\n`)
    if (rows.some(([, value]) => value === 'GROWING')) process.exitCode = 1
    removeDataFolders()
  } catch (error) {
    progress(null)
    process.stdout.write(`lost after ${kills} kills; the data folder is ${dir}\n${String(error)}\n`)
    process.exitCode = 1
  } finally {
    sampler?.stop()
    await killProcesses()
  }
}

await main()
