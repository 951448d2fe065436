// How long after a start is the first guide of a large scope answered: after a shutdown in order, which left a
// snapshot with the index behind it or without it, and after kill -9, which left the journal alone? And what is the time
// spent on?
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { jsonClient } from './json-client.ts'
import { isMain, type Spread, spreadOf, spreadText, tableText } from './measure.ts'
import type { RestartParts } from './restart/parts.ts'
import { seedAndKill } from './restart/seed-process.ts'
import { requestsOf } from './seeded-scope.ts'
import { startService } from './service-process.ts'

export interface RestartOptions {
  readonly memories: number
  readonly rounds: number
}

/** Milliseconds. */
export interface RestartRow {
  readonly folder: 'empty' | 'after shutdown' | 'without index file' | 'after kill -9'
  /** From the start of the process to the first guide answered. */
  readonly firstGuide: Spread
  /** From the start of the process to its word that it listens. */
  readonly listening: Spread
  /** Of one load in a process of its own; null for the empty folder. */
  readonly parts: RestartParts | null
}

export interface RestartReport {
  readonly bench: 'restart'
  readonly node: string
  readonly memories: number
  readonly rounds: number
  readonly rows: readonly RestartRow[]
}

/** The goal is that of a scope of this size. */
export const GOAL_MEMORIES = 100_000
const FULL: RestartOptions = { memories: GOAL_MEMORIES, rounds: 3 }
const QUICK: RestartOptions = { memories: 10_000, rounds: 1 }
export const GOAL_MS = 2_000
const PARTS_OF_LOAD = fileURLToPath(new URL('./restart/parts.js', import.meta.url))
/** Made ahead: making it takes longer than answering it. */
const GUIDE = JSON.stringify(requestsOf(2).guide())

/** Seeds, then starts a service over fresh copies of the folders in turn. */
export async function run(options: RestartOptions = FULL): Promise<RestartReport> {
  const folder = await mkdtemp(join(tmpdir(), 'memgov-restart-'))
  const [empty, killed] = [join(folder, 'empty'), join(folder, 'killed')]
  const [stopped, bare] = [join(folder, 'stopped'), join(folder, 'bare')]
  try {
    await seedAndKill(killed, options.memories)
    await cp(killed, stopped, { recursive: true })
    await shutDown(stopped)
    await cp(stopped, bare, { recursive: true })
    await rm(join(bare, 'idx'), { recursive: true })
    const subjects = [
      { name: 'empty', dataDir: empty },
      { name: 'after shutdown', dataDir: stopped },
      { name: 'without index file', dataDir: bare },
      { name: 'after kill -9', dataDir: killed },
    ] as const
    const times = subjects.map(() => ({ firstGuide: Array<number>(), listening: Array<number>() }))
    for (let round = 0; round < options.rounds; round += 1) {
      for (const [place, { dataDir }] of subjects.entries()) {
        const { firstGuideMs, listeningMs } = await onCopy(dataDir, folder, timeStart)
        times[place]?.firstGuide.push(firstGuideMs)
        times[place]?.listening.push(listeningMs)
      }
    }
    const rows: RestartRow[] = []
    for (const [place, { name, dataDir }] of subjects.entries()) {
      const { firstGuide, listening } = times[place] ?? { firstGuide: [], listening: [] }
      const parts = name === 'empty' ? null : await onCopy(dataDir, folder, partsOf)
      rows.push({ folder: name, firstGuide: spreadOf(firstGuide), listening: spreadOf(listening), parts })
    }
    return { bench: 'restart', node: process.version, ...options, rows }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A start changes its folder: each gets a copy. */
async function onCopy<Result>(
  dataDir: string,
  folder: string,
  work: (dataDir: string) => Promise<Result>,
): Promise<Result> {
  const copy = join(folder, 'copy')
  await cp(dataDir, copy, { recursive: true, force: true }).catch(ignoreMissing)
  try {
    return await work(copy)
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}

async function timeStart(dataDir: string) {
  const startedAt = performance.now()
  const service = await startService({ dataDir })
  try {
    await guideOnce(service.url)
    return { firstGuideMs: performance.now() - startedAt, listeningMs: service.startMs }
  } finally {
    await service.kill()
  }
}

/** Loads the scope, so that the shutdown has something to write. */
async function shutDown(dataDir: string): Promise<void> {
  const service = await startService({ dataDir, flags: ['--shutdown-deadline-ms', '60000'] })
  await guideOnce(service.url)
  await service.stop()
}

async function guideOnce(url: string): Promise<void> {
  const client = jsonClient(url)
  try {
    const { status, text } = await client.post('/v1/guide', GUIDE)
    if (status !== 200) throw new Error(`the first guide was answered ${status}: ${text.slice(0, 300)}`)
  } finally {
    await client.close()
  }
}

async function partsOf(dataDir: string): Promise<RestartParts> {
  const child = fork(PARTS_OF_LOAD, [dataDir])
  const [parts] = await Promise.race([once(child, 'message'), once(child, 'exit').then(failed)])
  return parts
}

function failed(): never {
  throw new Error('a process of this bench ended too early')
}

function textOf(report: RestartReport): string {
  const ms = (spread: Spread) => spreadText(spread, 0)
  const times = report.rows.map((row) => [row.folder, ms(row.listening), ms(row.firstGuide), verdictOf(row)])
  const loads = report.rows.flatMap(({ folder, parts }) => (parts === null ? [] : [{ folder, parts }]))
  const parts = PARTS.map(([title, name]) => [
    title,
    ...loads.map(({ parts: laps }) => `${laps[name].wallMs} / ${laps[name].cpuMs}`),
  ])
  return [
    `restart: ${report.memories} memories in one scope, ms, median of ${report.rounds} [spread], Node ${report.node}`,
    tableText([['folder', 'listening', 'first guide', 'goal 2 s'], ...times]),
    '',
    'one load step by step in a process of its own, ms / of them processor time',
    tableText([
      ['', ...loads.map(({ folder }) => folder)],
      ...parts,
      ['turns replayed', ...loads.map(({ parts: { turns } }) => String(turns))],
      ['bytes of the index a memory', ...loads.map(({ parts: load }) => bytesEach(load))],
    ]),
  ].join('\n')
}

const PARTS = [
  ['process and modules', 'process'],
  ['journal scan', 'journalScan'],
  ['snapshot read', 'snapshotRead'],
  ['snapshot digest', 'digest'],
  ['state', 'state'],
  ['replay', 'replay'],
  ['index read', 'indexRead'],
  ['index', 'index'],
  ['first query', 'firstQuery'],
] as const

function bytesEach({ indexBytes, memories }: RestartParts): string {
  return String(Math.round(indexBytes / memories))
}

function verdictOf({ folder, firstGuide }: RestartRow): string {
  if (folder === 'empty') return ''
  return firstGuide.median <= GOAL_MS ? 'met' : 'missed'
}

if (isMain(import.meta.url)) {
  const report = await run(process.argv.includes('--quick') ? QUICK : FULL)
  console.log(process.argv.includes('--json') ? JSON.stringify(report) : textOf(report))
}
