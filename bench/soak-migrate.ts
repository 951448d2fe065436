import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as elapsed } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { createKey, keyPlaceOf, withdrawKey } from '../src/adapters/keys/key-folder.ts'
import { migrate } from '../src/adapters/postgres/migrate.ts'
import { systemClock, systemEntropy } from '../src/adapters/system/clock-and-entropy.ts'
import { compose } from '../src/app/compose.ts'
import { readConfig } from '../src/app/config/config.ts'
import { actorKeysOf, differenceOf } from '../src/app/store/actor-facts.ts'
import { openFolderReader } from '../src/app/store/folder-reader.ts'
import type { Runtime } from '../src/runtime/runtime.ts'
import { dataFolder, removeDataFolders } from '../test/harness/data-folder.ts'
import { PostgresCluster, SERVING_ROLE } from '../test/harness/postgres.ts'
import { MAIN } from '../test/harness/process.ts'
import { progress, type Row, tableOf } from './soak/table.ts'

// A store of many scopes is moved into a database and back by the command, which is killed at random moments on both ways: every
// state hash, kept turn, exposure set, note and key has to be the same, and guides of before the same when they are asked again.
// `node dist/bench/soak-migrate.js --actors 10000 --kills 6`

const CONTEXT = { requestId: 'soak', operationId: null }
const AT_ONCE = 64
/** Guides that are asked again after the way there and back. */
const GUIDES = 200

interface Way {
  kills: number
  ms: number
  estimatedMs: number
}

interface Asked {
  readonly place: object
  readonly trace: string
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { actors: { type: 'string' }, kills: { type: 'string' } } })
  const actors = Number(values.actors ?? 10_000)
  const kills = Number(values.kills ?? 6)
  const cluster = await PostgresCluster.start()
  try {
    const [from, back] = [dataFolder(), join(dataFolder(), 'back')]
    const asked = await filled(from, actors)
    const askedMs = Date.now()
    const before = await answersIn(from, asked, askedMs)
    const url = await emptyBase(cluster)
    const there = await moved(['--from', from, '--to', url], kills)
    const home = await moved(['--from', url, '--to', back], kills)
    const differences = await differencesBetween(from, back)
    const after = await answersIn(back, asked, askedMs)
    const others = before.filter((answer, at) => answer !== after[at]).length
    progress(null)
    const rows: readonly Row[] = [
      ['actors', String(actors)],
      ['kills on the way there', String(there.kills)],
      ['kills on the way back', String(home.kills)],
      ['there, s, all runs', seconds(there.ms)],
      ['there, s, as a dry run said', seconds(there.estimatedMs)],
      ['back, s, all runs', seconds(home.ms)],
      ['back, s, as a dry run said', seconds(home.estimatedMs)],
      ['actors that differ', String(differences)],
      ['old guides replayed', String(before.length)],
      ['of them otherwise', String(others)],
    ]
    process.stdout.write(`${tableOf(rows)}\n`)
    if (differences + others > 0) process.exitCode = 1
  } finally {
    await cluster.remove()
    removeDataFolders()
  }
}

/** Scopes with some memories each, guides, feedback, notes, erasures and keys. */
async function filled(dir: string, actors: number): Promise<readonly Asked[]> {
  const asked: Asked[] = []
  const service = await serviceOver(dir)
  const ask = (name: Parameters<Runtime['execute']>[0], body: object) =>
    service.runtime.execute(name, body, CONTEXT)
  let next = 0
  const lane = async (): Promise<void> => {
    for (let at = next++; at < actors; at = next++) {
      const place = { tenant_id: `t${at % 7}`, scope: `scope-${at}` }
      for (let fact = 0; fact < 1 + (at % 5); fact += 1)
        await ask('observe', { ...place, input_text: `Valve ${at} is opened at step ${fact} of the plan.` })
      const answer: unknown = await ask('guide', { ...place, query_text: 'valve', run_id: `run-${at}` })
      const trace = textIn(answer, 'guide_trace_id')
      const used = { run_id: `run-${at}`, outcome: 'neutral', reason: 'seen', used_surface: 'use_now' }
      await ask('feedback', { ...place, ...used, guide_trace_id: trace })
      if (at % 11 === 0) await ask('govern', { ...place, query_text: 'pump', candidates: [CANDIDATE] })
      if (at % 13 === 0) {
        const written: unknown = await ask('observe', { ...place, input_text: `Secret ${at} goes again.` })
        await ask('erase', { ...place, memory_ids: idsIn(written), reason: 'asked for' })
      }
      if (at % Math.ceil(actors / GUIDES) === 0) asked.push({ place, trace })
      if (at % 100 === 0) progress(`${at} of ${actors} scopes written`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  await service.close()
  const grant = {
    name: 'soak',
    tenantId: 't1',
    scopes: [],
    agentId: null,
    teamId: null,
    origins: ['agent'] as const,
    isReadOnly: false,
    isOperator: true,
    readsMetrics: false,
    expiresAtMs: null,
  }
  for (let key = 0; key < 20; key += 1) {
    const { key: made } = await createKey(dir, grant, Date.now())
    if (key % 3 === 0) await withdrawKey(dir, made.keyId)
  }
  return asked
}

const CANDIDATE = {
  external_memory_id: 'x-1',
  source_backend: 'notes',
  text: 'Open the valve first.',
  lifecycle_hint: 'current',
  authority: { source_trust: 'known', evidence_requirement: 'none' },
}

function serviceOver(dataDir: string, clock = systemClock()) {
  const { config } = readConfig({ dataDir }, {})
  const nothing = (): void => undefined
  const log = { debug: nothing, info: nothing, warn: nothing, error: nothing }
  return compose(config, { clock, entropy: systemEntropy(), log })
}

/** What the flight recorder says of old guides, replayed from history, at one moment. */
async function answersIn(dir: string, asked: readonly Asked[], nowMs: number): Promise<readonly string[]> {
  const service = await serviceOver(dir, { nowMs: () => nowMs })
  const answers: string[] = []
  for (const { place, trace } of asked) {
    const body = { ...place, guide_trace_id: trace, replay_source: 'journal' }
    answers.push(JSON.stringify(await service.runtime.execute('flightRecorder', body, CONTEXT)))
  }
  await service.close()
  return answers
}

async function emptyBase(cluster: PostgresCluster): Promise<string> {
  const name = await cluster.database()
  const client = new pg.Client({ connectionString: cluster.url(name) })
  await client.connect()
  await migrate(client, SERVING_ROLE)
  await client.end()
  return cluster.url(name, SERVING_ROLE)
}

/** Runs the command until it ends by itself; so many times it is killed before. */
async function moved(ends: readonly string[], kills: number): Promise<Way> {
  const dry = await run([...ends, '--dry-run', '--json'], null)
  const estimatedMs = Number(Object(JSON.parse(dry.stdout)).estimated_ms)
  const way: Way = { kills: 0, ms: 0, estimatedMs }
  for (;;) {
    const afterMs = way.kills < kills ? randomInt(500, Math.max(1_000, Math.ceil(estimatedMs / kills))) : null
    const startedMs = performance.now()
    const { code, stderr } = await run(ends, afterMs)
    way.ms += performance.now() - startedMs
    if (code === 0) return way
    if (code !== null) {
      // The lease of the one that was killed has to end first.
      if (!stderr.includes('serve from it')) throw new Error(`memgov migrate ended with ${code}: ${stderr}`)
      await elapsed(500)
      continue
    }
    way.kills += 1
    progress(`${ends.join(' ')}: killed ${way.kills} times`)
  }
}

function run(args: readonly string[], killAfterMs: number | null) {
  const child = spawn(process.execPath, [MAIN, 'migrate', ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (part: Buffer) => (said.stdout += part.toString()))
  child.stderr.on('data', (part: Buffer) => (said.stderr += part.toString()))
  const timer = killAfterMs === null ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ code, ...said })
    })
  })
}

async function differencesBetween(from: string, back: string): Promise<number> {
  const [one, other] = [await openFolderReader(from, null), await openFolderReader(back, null)]
  let differences = 0
  for await (const key of one.actors()) {
    const difference = await differenceOf(one, other, key)
    if (difference === null) continue
    differences += 1
    process.stdout.write(`${key}: ${difference}\n`)
  }
  if ((await actorKeysOf(one)).length !== (await actorKeysOf(other)).length) differences += 1
  const keysIn = async (dir: string) => JSON.stringify((await keyPlaceOf(dir).read()).keys)
  if ((await keysIn(from)) !== (await keysIn(back))) differences += 1
  return differences
}

function textIn(answer: unknown, name: string): string {
  return String(Object(answer)[name])
}

function idsIn(answer: unknown): readonly unknown[] {
  const ids: unknown = Object(answer).memory_ids
  return Array.isArray(ids) ? ids : []
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1)
}

await main()
