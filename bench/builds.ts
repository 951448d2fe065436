// Is this build faster than another one? Both are measured in turns in one run, so that a noisy moment hits both: guide and
// observe, embedded and over HTTP, ranking, the first guide after a start, and the bytes of a memory.
// `node dist/bench/builds.js --other DIR [--quick]`
import { type ChildProcess, fork } from 'node:child_process'
import { cp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Answer, type HeldBytes, type Order, SUBJECTS } from './builds/subject.ts'
import { type JsonClient, jsonClient } from './json-client.ts'
import { isMain, quantile, timesUs } from './measure.ts'
import { type Figure, figureOf, type Outcome } from './result.ts'
import { requestsOf } from './seeded-scope.ts'
import { startService } from './service-process.ts'
import { askApart } from './suite/apart.ts'
import { firstGuide } from './suite/first-guide.ts'
import { withFolder } from './suite/folder.ts'
import { printOutcome } from './suite/text.ts'

export interface BuildsOptions {
  /** Of the scope in which requests are asked. */
  readonly memories: number
  /** Of the scope whose first guide is waited for, and of the process that is weighed. */
  readonly loadedMemories: number
  readonly rounds: number
  readonly opsPerRound: number
  readonly warmOps: number
  /** Starts and weighings of each build. */
  readonly starts: number
}

const FULL: BuildsOptions = {
  memories: 10_000,
  loadedMemories: 100_000,
  rounds: 21,
  opsPerRound: 100,
  warmOps: 2_000,
  starts: 3,
}
const QUICK: BuildsOptions = {
  memories: 1_000,
  loadedMemories: 5_000,
  rounds: 4,
  opsPerRound: 30,
  warmOps: 200,
  starts: 1,
}

const SUBJECT = './builds/subject.js'
const OWN = fileURLToPath(new URL('../../', import.meta.url))
const HTTP = ['guide', 'observe'] as const
const ROOM = ['--resident-bytes-max', String(16 * 1024 ** 3)]

/** One value of each build. */
type Pair = readonly [own: number, other: number]

/** Values of both builds by what was measured, in the order of the rounds. */
class Pairs {
  readonly #pairs = new Map<string, { readonly unit: string; readonly rounds: Pair[] }>()

  add(what: string, unit: string, pair: Pair): void {
    const known = this.#pairs.get(what)
    if (known === undefined) this.#pairs.set(what, { unit, rounds: [pair] })
    else known.rounds.push(pair)
  }

  figures(): Figure[] {
    return [...this.#pairs].flatMap(([what, { unit, rounds }]) => [
      figureOf(
        `${what}: this over other`,
        'ratio',
        rounds.map(([own, other]) => own / other),
      ),
      figureOf(
        `${what}: this`,
        unit,
        rounds.map(([own]) => own),
      ),
      figureOf(
        `${what}: other`,
        unit,
        rounds.map(([, other]) => other),
      ),
    ])
  }
}

export function run(other: string, options: BuildsOptions): Promise<Outcome> {
  return withFolder('builds', async (folder) => {
    const builds = [
      { build: OWN, folder: join(folder, 'own') },
      { build: resolve(other), folder: join(folder, 'other') },
    ] as const
    const pairs = new Pairs()
    const notes = await requestsInTurns(builds, options, pairs)
    await startsInTurns(builds, options, pairs)
    return { settings: { other, ...options }, figures: pairs.figures(), notes }
  })
}

interface Build {
  readonly build: string
  readonly folder: string
}

type Builds = readonly [own: Build, other: Build]

/** The value of each build, the one first that was second the last time. */
async function inTurn(
  round: number,
  builds: Builds,
  measure: (build: Build) => Promise<number>,
): Promise<Pair> {
  const [own, other] = builds
  if (round % 2 === 0) return [await measure(own), await measure(other)]
  const last = await measure(other)
  return [await measure(own), last]
}

async function requestsInTurns(builds: Builds, options: BuildsOptions, pairs: Pairs): Promise<string[]> {
  const running = new Map<Build, Running>()
  try {
    for (const build of builds) running.set(build, await started(build, options.memories))
    const of = (build: Build): Running => {
      const found = running.get(build)
      if (found === undefined) throw new RangeError(`${build.build} does not run`)
      return found
    }
    const hasRanking = [...running.values()].every((each) => each.hasRanking)
    const embedded = SUBJECTS.filter((subject) => subject !== 'rank' || hasRanking)
    for (const build of builds) {
      for (const subject of embedded) await of(build).embedded({ subject, count: options.warmOps })
      for (const subject of HTTP) await of(build).http(subject, options.warmOps)
    }
    for (let round = 0; round < options.rounds; round += 1) {
      for (const subject of embedded) {
        const order = { subject, count: options.opsPerRound }
        const name = subject === 'rank' ? 'ranking' : `${subject} embedded`
        pairs.add(name, 'µs', await inTurn(round, builds, (build) => of(build).embedded(order)))
      }
      for (const subject of HTTP) {
        const pair = await inTurn(round, builds, (build) => of(build).http(subject, options.opsPerRound))
        pairs.add(`${subject} over HTTP`, 'µs', pair)
      }
    }
    return hasRanking
      ? []
      : ['Ranking is not compared: one of the builds keeps its recall index in other modules.']
  } finally {
    for (const each of running.values()) await each.stop()
  }
}

interface Running {
  readonly hasRanking: boolean
  /** The median of so many, µs. */
  embedded(order: Order): Promise<number>
  http(subject: (typeof HTTP)[number], count: number): Promise<number>
  stop(): Promise<void>
}

/** The build inside a process of its own, and as a service, over copies of one scope that it filled itself. */
async function started({ build, folder }: Build, memories: number): Promise<Running> {
  const [served, held] = [join(folder, 'served'), join(folder, 'held')]
  await askApart(import.meta.url, SUBJECT, ['seed', build, served, memories])
  await cp(served, held, { recursive: true })
  const child = fork(fileURLToPath(new URL(SUBJECT, import.meta.url)), [
    'serve',
    build,
    held,
    String(memories),
  ])
  await answerOf(child)
  const service = await startService({ dataDir: served, main: join(build, 'dist/service/main.js') })
  const client = jsonClient(service.url)
  const requests = requestsOf(2)
  const ask = (order: Order) => {
    const answer = answerOf(child)
    child.send(order)
    return answer
  }
  return {
    hasRanking: (await ask({ subject: 'rank', count: 1 })) !== null,
    embedded: async (order) => quantile((await ask(order)) ?? [], 0.5),
    http: (subject, count) => httpMedian(client, subject, () => requests[subject](), count),
    async stop() {
      await client.close()
      await service.kill()
      child.kill('SIGKILL')
    },
  }
}

/** What the process says next. Rejects when it ends without a word. */
function answerOf(child: ChildProcess): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const onMessage = (answer: Answer): void => {
      child.off('exit', onExit)
      resolve(answer)
    }
    const onExit = (): void => {
      child.off('message', onMessage)
      reject(new Error('a build ended before it answered'))
    }
    child.once('message', onMessage)
    child.once('exit', onExit)
  })
}

async function httpMedian(
  client: JsonClient,
  subject: (typeof HTTP)[number],
  request: () => object,
  count: number,
): Promise<number> {
  const bodies = Array.from({ length: count }, () => JSON.stringify(request()))
  return quantile(await timesUs(bodies, (body) => client.answer(`/v1/${subject}`, body)), 0.5)
}

async function startsInTurns(builds: Builds, options: BuildsOptions, pairs: Pairs): Promise<void> {
  const { loadedMemories: memories, starts } = options
  for (const { build, folder } of builds) {
    await askApart(import.meta.url, SUBJECT, ['seed', build, join(folder, 'large'), memories])
  }
  const guide = requestsOf(2).guide()
  for (let round = 0; round < starts; round += 1) {
    const first = await inTurn(round, builds, async ({ build, folder }) => {
      const copy = join(folder, 'copy')
      await cp(join(folder, 'large'), copy, { recursive: true })
      const main = join(build, 'dist/service/main.js')
      const { ms } = await firstGuide({ dataDir: copy, main, flags: ROOM }, guide)
      await rm(copy, { recursive: true, force: true })
      return ms
    })
    pairs.add(`first guide of ${memories} memories`, 'ms', first)
    const weighed = new Map<Build, HeldBytes>()
    const held = await inTurn(round, builds, async (each) => {
      const dataDir = join(each.folder, `weighed-${round}`)
      const args = ['bytes', each.build, dataDir, memories]
      const bytes = await askApart<HeldBytes>(import.meta.url, SUBJECT, args, { execArgv: ['--expose-gc'] })
      await rm(dataDir, { recursive: true, force: true })
      weighed.set(each, bytes)
      return bytes.held
    })
    pairs.add('bytes a memory, in memory', 'bytes', held)
    const residentOf = (build: Build) => weighed.get(build)?.resident ?? Number.NaN
    pairs.add('bytes a memory, resident', 'bytes', [residentOf(builds[0]), residentOf(builds[1])])
  }
}

if (isMain(import.meta.url)) {
  const flag = { type: 'boolean' } as const
  const { values } = parseArgs({
    options: { other: { type: 'string' }, quick: flag, json: flag },
  })
  if (values.other === undefined) throw new Error('--other DIR names another checkout, built')
  printOutcome('builds', await run(values.other, values.quick === true ? QUICK : FULL))
}
