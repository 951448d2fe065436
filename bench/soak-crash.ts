import { randomInt } from 'node:crypto'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { CrashRounds } from '../test/harness/crash-rounds.ts'
import { dataFolder, removeDataFolders } from '../test/harness/data-folder.ts'
import { killProcesses } from '../test/harness/process.ts'
import { addTo, progress, rowsOf, tableOf, zeroTotals } from './soak/table.ts'

// kill -9 at a random moment, over and over: what was acknowledged has to be there after every start.
// `node dist/bench/soak-crash.js --rounds 1000`

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { rounds: { type: 'string' } } })
  const rounds = Number(values.rounds ?? 200)
  const dir = dataFolder()
  const totals = zeroTotals()
  let done = 0
  try {
    const pace = { pauseMs: 0, eraseEvery: 3, stepsMax: null }
    const service = await CrashRounds.start(dir, { writers: 16, scopes: 4, pace })
    for (; done < rounds; done += 1) {
      // Scopes change now and then, so that a late round is no slower than an early one.
      const group = `g${Math.floor(done / 20)}`
      const shutdownMs = done % 4 === 3 ? randomInt(0, 40) : null
      // An erasure takes many flushes: now and then there is time for one to end.
      const afterMs = done % 5 === 4 ? randomInt(500, 2000) : randomInt(5, 300)
      addTo(totals, await service.round(group, { afterMs, shutdownMs }))
      progress(`${done + 1} of ${rounds} kills, ${totals.requests} requests, nothing lost`)
    }
    const { code } = await service.finish()
    if (code !== 0) throw new Error(`the last life ended with ${code}: ${service.stderr}`)
    progress(null)
    process.stdout.write(`${tableOf([['kills', String(done)], ...rowsOf(totals)])}\n`)
    removeDataFolders()
  } catch (error) {
    progress(null)
    process.stdout.write(`lost after ${done} kills; the data folder is ${dir}\n${String(error)}\n`)
    process.exitCode = 1
  } finally {
    await killProcesses()
  }
}

await main()
