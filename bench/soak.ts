import { randomInt } from 'node:crypto'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { CrashRounds } from '../test/harness/crash-rounds.ts'
import { dataFolder, removeDataFolders } from '../test/harness/data-folder.ts'
import { killProcesses } from '../test/harness/process.ts'
import { growthOf, type ProcessSize, sizeOf } from './soak/process-size.ts'
import { addTo, progress, type Row, rowsOf, tableOf, zeroTotals } from './soak/table.ts'

// Mixed load for a long time: writes, guides, feedback, suppressions, erasures, with evictions and snapshots forced by
// small bounds and a kill -9 now and then. Nothing acknowledged may be lost, memory and open files have to stay flat.
// `node dist/bench/soak.js --minutes 30`

const SAMPLE_EVERY_MS = 500
/** A process that has just started is smaller than it will be. */
const WARMING_MS = 10_000

/** Lives of the service in a run, about: the longer the run, the longer each. */
const LIVES = 16
const LIFE_MIN_MS = 5_000
const LIFE_MAX_MIN_MS = 20_000

/** Samples of whichever process serves, once it is warm. */
class Sampler {
  readonly samples: ProcessSize[] = []
  /** Those of the longest life. */
  longest: ProcessSize[] = []
  #life: ProcessSize[] = []
  readonly #timer: NodeJS.Timeout
  #pid = 0
  #sinceMs = 0

  constructor(pidOf: () => number) {
    this.#timer = setInterval(() => this.#sample(pidOf()), SAMPLE_EVERY_MS)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #sample(pid: number): void {
    if (pid !== this.#pid) {
      this.#pid = pid
      this.#life = []
      this.#sinceMs = performance.now()
    }
    if (performance.now() - this.#sinceMs < WARMING_MS) return
    const size = sizeOf(pid)
    if (size === null) return
    this.samples.push(size)
    this.#life.push(size)
    if (this.#life.length > this.longest.length) this.longest = this.#life
  }
}

function growthRows(of: string, samples: readonly ProcessSize[]): readonly Row[] {
  const growth = growthOf(samples)
  if (growth === null) return [[`memory and open files, ${of}`, 'too few samples']]
  const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MiB`
  const { early, late, isFlat } = growth
  return [
    [`resident memory, first quarter of ${of}`, mib(early.rssBytes)],
    [`resident memory, last quarter of ${of}`, mib(late.rssBytes)],
    [`open files, first quarter of ${of}`, String(early.openFiles)],
    [`open files, last quarter of ${of}`, String(late.openFiles)],
    [`memory and open files, ${of}`, isFlat ? 'flat' : 'GROWING'],
  ]
}

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
    sampler = new Sampler(() => service.pid)
    while (performance.now() < endAt) {
      const left = Math.max(1000, endAt - performance.now())
      const afterMs = Math.min(randomInt(LIFE_MIN_MS, lifeMaxMs), left)
      const shutdownMs = kills % 4 === 3 ? randomInt(0, 40) : null
      // New scopes after every fifth kill: a long run has many actors, none without bounds.
      addTo(totals, await service.round(`g${Math.floor(kills / 5)}`, { afterMs, shutdownMs }))
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
    const rows: readonly Row[] = [['kills', String(kills)], ...rowsOf(totals), ...growth]
    process.stdout.write(`${tableOf(rows)}\n`)
    if (growth.some(([, value]) => value === 'GROWING')) process.exitCode = 1
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
