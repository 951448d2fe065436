// Do a scope of a million memories and a node of 100 000 scopes come back in time after a kill, and does the event loop
// stay free while the million are snapshot?
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, existsSync } from 'node:fs'
import { cp, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { jsonClient } from './json-client.ts'
import type { LargeLoops, LoopWhile } from './large/loop.ts'
import type { Block } from './large/loop-watch.ts'
import { isMain, type Spread, spreadOf, spreadText, tableText } from './measure.ts'
import { requestsOf } from './seeded-scope.ts'
import { startService } from './service-process.ts'
import { cpuMsOf } from './soak/process-size.ts'

export interface LargeOptions {
  readonly memories: number
  readonly scopes: number
  readonly rounds: number
}

export interface LargeReport extends LargeOptions {
  readonly bench: 'large'
  readonly node: string
  /** From the start of the process to the first guide answered, milliseconds. */
  readonly oneScopeMs: Spread
  readonly manyScopesMs: Spread
  /** While the large scope is snapshot. */
  readonly loops: LargeLoops
}

export const FULL: LargeOptions = { memories: 1_000_000, scopes: 100_000, rounds: 3 }
const QUICK: LargeOptions = { memories: 20_000, scopes: 1_000, rounds: 1 }
export const ONE_SCOPE_GOAL_MS = 10_000
export const MANY_SCOPES_GOAL_MS = 5_000
export const LOOP_GOAL_MS = 3
export const LOOP_MAX_GOAL_MS = 50
/** The large scope does not fit into the default bound. */
const ROOM = ['--resident-bytes-max', String(16 * 1024 ** 3)]
const GUIDE = requestsOf(2).guide()

/** Seeds both stores, kills, starts, and removes everything. */
export async function run(options: LargeOptions = FULL): Promise<LargeReport> {
  const folder = await mkdtemp(join(tmpdir(), 'memgov-large-'))
  const [one, many] = [join(folder, 'one'), join(folder, 'many')]
  try {
    await child('seed', one, options.memories)
    const { ms: oneScopeMs } = await starts(one, GUIDE, options.rounds)
    const loops: LargeLoops = await child('loop', one, options.memories)
    await child('scopes', many, options.scopes)
    const last = { ...GUIDE, scope: `scope-${options.scopes - 1}` }
    const { ms: manyScopesMs } = await starts(many, last, options.rounds)
    return { bench: 'large', node: process.version, ...options, oneScopeMs, manyScopesMs, loops }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Only the starts with the one scope, over a copy of a folder that is filled once and kept: seconds each, to compare
 * builds by. What the folder holds counts, not `memories`.
 */
async function startsOver(kept: string, { memories, rounds }: LargeOptions): Promise<string> {
  if (!existsSync(kept)) {
    const draft = `${kept}.draft`
    await rm(draft, { recursive: true, force: true })
    await child('seed', draft, memories)
    await rename(draft, kept)
  }
  const folder = await mkdtemp(join(tmpdir(), 'memgov-large-'))
  try {
    const copy = join(folder, 'one')
    await cp(kept, copy, { recursive: true, mode: constants.COPYFILE_FICLONE })
    const { ms: wallMs, processorMs } = await starts(copy, GUIDE, rounds)
    return tableText([
      ['start to first guide', 'ms'],
      ['one scope', spreadText(wallMs, 0)],
      ['processor time of all threads', spreadText(processorMs, 0)],
    ])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Starts {
  readonly ms: Spread
  /** Of all threads, on a busy machine the better figure; 0 where the system does not tell. */
  readonly processorMs: Spread
}

/** Each a start after `kill -9`; the first of them after the folder was left in order. */
async function starts(dataDir: string, guide: object, rounds: number): Promise<Starts> {
  const times: number[] = []
  const processorTimes: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now()
    const service = await startService({ dataDir, flags: ROOM, nodeFlags: HEAP })
    const client = jsonClient(service.url)
    const { status, text } = await client.post('/v1/guide', JSON.stringify(guide))
    times.push(performance.now() - startedAt)
    processorTimes.push(cpuMsOf(service.child.pid ?? 0) ?? 0)
    if (status !== 200) throw new Error(`the guide was answered ${status}: ${text.slice(0, 300)}`)
    await client.close()
    await service.kill()
  }
  return { ms: spreadOf(times), processorMs: spreadOf(processorTimes) }
}

const HEAP = ['--max-old-space-size=12000']

/** What a process of its own does with the folder, and answers. */
async function child<Answer>(task: string, dataDir: string, count: number): Promise<Answer> {
  const file = fileURLToPath(new URL('./large/loop.js', import.meta.url))
  const forked = fork(file, [task, dataDir, String(count)], { execArgv: HEAP, serialization: 'advanced' })
  const [answer] = await Promise.race([
    once(forked, 'message'),
    once(forked, 'exit').then(([code]) => {
      throw new Error(`${task} ended with ${code}`)
    }),
  ])
  if (forked.exitCode === null) await once(forked, 'exit')
  return answer
}

const verdict = (value: number, most: number): string => (value <= most ? 'met' : 'missed')
const ms = (value: number): string => value.toFixed(1)

function textOf(report: LargeReport): string {
  const { memories, scopes, rounds, oneScopeMs, manyScopesMs, loops } = report
  const startRow = (name: string, spread: Spread, goal: number) => {
    return [name, spreadText(spread, 0), String(goal), verdict(spread.median, goal)]
  }
  return [
    `large: ${memories} memories in one scope, ${scopes} scopes of one memory, ${rounds} starts each, Node ${report.node}`,
    tableText([
      ['start to first guide', 'ms', 'goal', ''],
      startRow('one scope', oneScopeMs, ONE_SCOPE_GOAL_MS),
      startRow('many scopes', manyScopesMs, MANY_SCOPES_GOAL_MS),
      ...loopRows('a snapshot of the one scope', loops.shutdown),
      ...loopRows('an erasure in it, with guides', loops.erasure),
    ]),
  ].join('\n')
}

function loopRows(name: string, loop: LoopWhile): readonly (readonly string[])[] {
  const above = loop.busyP99Ms - loop.idleP99Ms
  return [
    [`event loop during ${name}`],
    ['  it took', ms(loop.durationMs)],
    ['  p99 above an idle loop', ms(above), String(LOOP_GOAL_MS), verdict(above, LOOP_GOAL_MS)],
    ['  p99 of the idle loop', ms(loop.idleP99Ms)],
    ['  longest', ms(loop.busyMaxMs), String(LOOP_MAX_GOAL_MS), verdict(loop.busyMaxMs, LOOP_MAX_GOAL_MS)],
    ['  longest of the idle loop', ms(loop.idleMaxMs)],
    ...causeRows('the longest', loop.longest),
    ...causeRows('the one with most processor time', loop.busiest),
  ]
}

/** A block on a busy machine is mostly waiting, and a collection waits too. */
function causeRows(name: string, { ms: whole, processorMs, waitingMs, collectorMs }: Block) {
  const told = (value: number | null): string => (value === null ? 'unknown' : ms(value))
  return [
    [`  ${name}`, ms(whole)],
    ['    on the processor', told(processorMs)],
    ['    waiting for one', told(waitingMs)],
    ['    held by the collector', ms(collectorMs)],
  ]
}

if (isMain(import.meta.url)) {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean' },
      json: { type: 'boolean' },
      memories: text,
      scopes: text,
      rounds: text,
      starts: text,
    },
  })
  const base = values.quick === true ? QUICK : FULL
  const memories = Number(values.memories ?? base.memories)
  const scopes = Number(values.scopes ?? base.scopes)
  const options = { memories, scopes, rounds: Number(values.rounds ?? base.rounds) }
  if (values.starts !== undefined) console.log(await startsOver(values.starts, options))
  else {
    const report = await run(options)
    console.log(values.json === true ? JSON.stringify(report) : textOf(report))
  }
}
