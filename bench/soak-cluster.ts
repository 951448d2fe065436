import process from 'node:process'
import { parseArgs } from 'node:util'
import { FAULT_NAMES, REPLICATED_FAULT_NAMES } from '../test/harness/cluster/faults.ts'
import { PLANTED_NAMES, plantedImport } from '../test/harness/cluster/planted.ts'
import { ClusterRounds, type RoundResult } from '../test/harness/cluster/rounds.ts'
import { killProcesses } from '../test/harness/process.ts'
import { progress, tableOf } from './soak/table.ts'

// Two nodes on one database, which are killed, stopped, cut off and restarted in turn, one of them with a clock that is an
// hour ahead: what was acknowledged has to be there once, whoever is asked, and no scope may stay refused.
// `node dist/bench/soak-cluster.js --rounds 200`; `--planted NAME` runs nodes with a fault that has to be found; with
// `--replicated` the database has a synchronous standby, which takes over again and again.

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { rounds: { type: 'string' }, planted: { type: 'string' }, replicated: { type: 'boolean' } },
  })
  const isReplicated = values.replicated === true
  const faults = isReplicated ? REPLICATED_FAULT_NAMES : FAULT_NAMES
  const rounds = Number(values.rounds ?? 200)
  const name = PLANTED_NAMES.find((each) => each === values.planted) ?? null
  if (values.planted !== undefined && name === null)
    throw new Error(`planted are ${PLANTED_NAMES.join(', ')}`)
  const imports = name === null ? [] : [plantedImport(name)]
  const results: RoundResult[] = []
  const service = await ClusterRounds.start({ writers: 8, scopes: 4, workMs: 500 }, [
    { imports, isReplicated },
    { imports, isReplicated, isClockAhead: true },
  ])
  try {
    for (let done = 0; done < rounds; done += 1) {
      const fault = faults[done % faults.length] ?? 'kill'
      results.push(await service.round(fault))
      progress(`${done + 1} of ${rounds} rounds, nothing lost, nothing twice, nothing stale`)
    }
    await service.finish()
    progress(null)
    process.stdout.write(`${tableOf(rowsOf(results))}\n`)
  } catch (error) {
    progress(null)
    process.stdout.write(`found after ${results.length} rounds: ${String(error)}\n`)
    process.exitCode = 1
  } finally {
    await service.nodes.close()
    await killProcesses()
  }
}

function rowsOf(results: readonly RoundResult[]): readonly (readonly [string, string])[] {
  const sum = (of: (result: RoundResult) => number) =>
    String(results.reduce((all, each) => all + of(each), 0))
  const gaps = [...new Set(results.map(({ fault }) => fault))].map((fault) => {
    const all = results.filter((result) => result.fault === fault).map(({ gapMs }) => gapMs)
    return [`longest gap, ${fault}, ms`, Math.max(0, ...all).toFixed(0)] as const
  })
  return [
    ['rounds', String(results.length)],
    ['requests with an operation id', sum(({ requests }) => requests)],
    ['acknowledged observes, both memories there once', sum(({ writes }) => writes)],
    ['acknowledged guides, all take feedback', sum(({ guides }) => guides)],
    ['reads by any node, none stale', sum(({ reads }) => reads)],
    ['commits whose answer was cut off', sum(({ cuts }) => cuts)],
    ['tries', sum(({ tries }) => tries)],
    ['of them refused or unanswered, and repeated', sum(({ refusedTries }) => refusedTries)],
    ...gaps,
  ]
}

await main()
