import process from 'node:process'
import { setTimeout as elapsed } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ElasticNodes, type StepResult } from '../test/harness/cluster/elastic-nodes.ts'
import { killProcesses } from '../test/harness/process.ts'
import { tableText } from './measure.ts'
import { progress } from './soak/table.ts'

// Nodes on one database that come and go under load: 2 become 5, one of them is killed and comes back, one is killed in the
// middle of a move, and 3 are left. What was acknowledged has to be there once, and ten seconds after each change no node may
// have more than 1.3 times its share. `node dist/bench/soak-nodes.js --rounds 1`

const LOAD = { scopes: 1_500, workers: 12, pauseMs: 5 }
const LEASE_MS = 5_000
const WAIT_MS = 10_000
const SHARE_MAX = 1.3

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { rounds: { type: 'string' } } })
  const cluster = await ElasticNodes.start(5, 2, LOAD, LEASE_MS)
  const results: StepResult[] = []
  const step = async (name: string, change: () => Promise<void>): Promise<void> => {
    progress(`${results.length} steps, now: ${name}`)
    results.push(await cluster.step(name, change, WAIT_MS))
  }
  try {
    for (let round = 0; round < Number(values.rounds ?? 1); round += 1) await oneRound(cluster, step)
    progress('comparing')
    const faults = await cluster.faults()
    progress(null)
    process.stdout.write(`${tableOf(results)}\n\n`)
    for (const { step: name, refusals } of results)
      for (const [why, count] of refusals) process.stdout.write(`${name}: ${count} times ${why}\n`)
    process.stdout.write(`acknowledged ${cluster.load.acknowledged}, ${JSON.stringify(faults)}\n`)
    const isFair = results.every(({ mostShards }) => mostShards <= SHARE_MAX)
    if (faults.lost + faults.doubled + faults.stale > 0 || !isFair) process.exitCode = 1
  } catch (error) {
    progress(null)
    process.stdout.write(`${tableOf(results)}\nfound: ${String(error)}\n`)
    process.exitCode = 1
  } finally {
    await cluster.close()
    await killProcesses()
  }
}

async function oneRound(
  cluster: ElasticNodes,
  step: (name: string, change: () => Promise<void>) => Promise<void>,
): Promise<void> {
  await step('two nodes', async () => undefined)
  await step('three join', () => cluster.join(3))
  await step('one is killed', () => cluster.kill(cluster.up[0]))
  await step('and comes back', () => cluster.join(1))
  await step('one leaves', () => cluster.leave(cluster.up[1]))
  await step('and another, while one is killed', async () => {
    await Promise.all([cluster.leave(cluster.up[2]), cluster.kill(cluster.up[0])])
  })
  await step('one joins, and a giver is killed meanwhile', async () => {
    const [giver] = cluster.up
    await cluster.join(1)
    await elapsed(3_000)
    await cluster.kill(giver)
  })
  await step('three again', () => cluster.join(1))
  await step('one leaves: two', () => cluster.leave(cluster.up[0]))
}

const COLUMNS = [
  'step',
  'nodes',
  'requests',
  'tries',
  'refused',
  'of tries',
  'unanswered',
  'longest ms',
  'shards',
  'to move',
  'most shards',
  'most requests',
] as const

function tableOf(results: readonly StepResult[]): string {
  const rows = results.map((each) => [
    each.step,
    String(each.nodes),
    String(each.requests),
    String(each.tries),
    String(each.refused),
    `${((100 * each.refused) / Math.max(1, each.tries)).toFixed(2)} %`,
    String(each.unanswered),
    each.longestMs.toFixed(0),
    String(each.shards),
    String(each.leaving),
    `${each.mostShards.toFixed(2)} x`,
    `${each.mostRequests.toFixed(2)} x`,
  ])
  return tableText([COLUMNS, ...rows])
}

await main()
