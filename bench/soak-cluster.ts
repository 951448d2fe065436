import { resolve } from 'node:path'
import process from 'node:process'
import { setTimeout as elapsed } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { FAULT_NAMES, FAULTS, type Fault, REPLICATED_FAULT_NAMES } from '../test/harness/cluster/faults.ts'
import type { ClusterNode, Nodes } from '../test/harness/cluster/nodes.ts'
import { PLANTED_NAMES, plantedImport } from '../test/harness/cluster/planted.ts'
import { ClusterRounds, type RoundResult } from '../test/harness/cluster/rounds.ts'
import { killProcesses } from '../test/harness/process.ts'
import { progress, tableOf } from './soak/table.ts'

// Two nodes on one database, which are killed, stopped, cut off and restarted in turn, one of them with a clock that is an
// hour ahead: what was acknowledged has to be there once, whoever is asked, and no scope may stay refused.
// `node dist/bench/soak-cluster.js --rounds 200`; `--fault NAME` has the same happen in every round, `--planted NAME` runs
// nodes with a mistake that has to be found, `--other DIR` replaces nodes of another build one by one by nodes of this one, and
// back. With `--replicated` the database has a synchronous standby, which takes over again and again.

const SETUP_PAUSE_MS = 2_000

async function main(): Promise<void> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    options: { rounds: text, fault: text, planted: text, other: text, replicated: { type: 'boolean' } },
  })
  if (values.other !== undefined) return soakUpgrade(values.other, Number(values.rounds ?? 5))
  const isReplicated = values.replicated === true
  const possible = isReplicated ? REPLICATED_FAULT_NAMES : FAULT_NAMES
  const faults = values.fault === undefined ? possible : possible.filter((each) => each === values.fault)
  if (faults.length === 0) throw new Error(`faults are ${possible.join(', ')}`)
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

/** The rolling upgrade from another build, under load: each node in turn, back again, with a node killed between, and its end. */
async function soakUpgrade(other: string, rounds: number): Promise<void> {
  const results: RoundResult[] = []
  const [own, build] = [null, resolve(other)]
  const service = await ClusterRounds.start({ writers: 8, scopes: 4, workMs: 500 }, [
    { build },
    { build, isClockAhead: true },
  ])
  const { nodes } = service
  const during = async (name: string, happens: Fault): Promise<void> => {
    results.push(await service.during(name, happens))
    progress(`${results.length} rounds, nothing lost, nothing twice, nothing stale`)
  }
  const first = (to: string | null) => () => replaced(nodes.all.slice(0, 1), to)
  const second = (to: string | null) => () => replaced(nodes.all.slice(1), to)
  try {
    const said = [await nodes.setUp()]
    for (let done = 0; done < rounds; done += 1) {
      await during('one node replaced', first(own))
      await during('kill, two builds', (at, owner) => FAULTS.kill(at, owner))
      await during('the other node replaced', second(own))
      if (done + 1 === rounds) break
      await during('one node put back', first(build))
      await during('stop, two builds', (...given) => FAULTS.stop(...given))
      await during('the other node put back', second(build))
    }
    await during('end of the upgrade', async () => void said.push(await finished(nodes)))
    await service.finish()
    said.push(await refusalOf(nodes.all, build))
    progress(null)
    process.stdout.write(`${tableOf(rowsOf(results))}\n${said.join('')}\n`)
  } catch (error) {
    progress(null)
    process.stdout.write(`found after ${results.length} rounds: ${String(error)}\n`)
    process.exitCode = 1
  } finally {
    await nodes.close()
    await killProcesses()
  }
}

/** A node that was killed counts as alive for a while. */
async function finished(nodes: Nodes): Promise<string> {
  for (;;) {
    const said = await nodes.setUp()
    if (!said.includes('serve on')) return said
    await elapsed(SETUP_PAUSE_MS)
  }
}

async function replaced(nodes: readonly ClusterNode[], build: string | null): Promise<void> {
  for (const node of nodes) {
    await node.end('SIGTERM')
    node.becomes(build)
    await node.start()
  }
}

/** What a node of the other build says that may not start any more. @throws Error when it starts */
async function refusalOf([node]: readonly ClusterNode[], build: string): Promise<string> {
  await node?.end('SIGTERM')
  node?.becomes(build)
  const refused = await node?.start().then(() => null, String)
  if (typeof refused !== 'string') throw new Error('a node of the other build started after the upgrade')
  return refused
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
    ['commits and grants whose answer was cut off', sum(({ cuts }) => cuts)],
    ['tries', sum(({ tries }) => tries)],
    ['of them refused or unanswered, and repeated', sum(({ refusedTries }) => refusedTries)],
    ...gaps,
  ]
}

await main()
