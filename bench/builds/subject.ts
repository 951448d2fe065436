// One build in a process of its own, driven over the channel to the process that compares. What it asks of a build is the
// public interface, and the modules of the recall index by their file names, so that builds of different layouts compare.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { languages } from '../../src/adapters/language/languages.ts'
import type { createIndex } from '../../src/core/search/index.ts'
import type { parseQuery } from '../../src/core/search/query.ts'
import type { rank } from '../../src/core/search/rank.ts'
import type { rankJob } from '../../src/core/search/rank-job.ts'
import type { createRuntime } from '../../src/index.ts'
import { timesUs } from '../measure.ts'
import { requestsOf, SCOPE } from '../seeded-scope.ts'
import { inGroups } from '../suite/embedded.ts'

export const SUBJECTS = ['guide', 'observe', 'rank'] as const
/** Does something so many times one after the other. */
export interface Order {
  readonly subject: (typeof SUBJECTS)[number]
  readonly count: number
}

/** µs of each; null: this build has no such modules. */
export type Answer = readonly number[] | null

export interface HeldBytes {
  readonly held: number
  readonly resident: number
}

const AT_ONCE = 200
const WARM_MEMORIES = 500
const HITS = 200
const RANKED_SEED = 5

async function runtimeOf(build: string, dataDir: string, durability: 'sync' | 'none') {
  const module: { readonly createRuntime: typeof createRuntime } = await import(
    pathToFileURL(join(build, 'dist/src/index.js')).href
  )
  return module.createRuntime({ dataDir, durability, logLevel: 'error' })
}

async function seed(build: string, dataDir: string, memories: number): Promise<void> {
  const runtime = await runtimeOf(build, dataDir, 'sync')
  const { observe } = requestsOf(1)
  await inGroups(memories, AT_ONCE, () => runtime.observe(observe()))
  await runtime.close()
}

/** What so many memories of one scope add to a process, garbage left out: it is started with --expose-gc. */
async function bytes(build: string, dataDir: string, memories: number): Promise<HeldBytes> {
  const runtime = await runtimeOf(build, dataDir, 'none')
  const { observe } = requestsOf(1)
  await inGroups(WARM_MEMORIES, AT_ONCE, () => runtime.observe({ ...observe(), scope: 'warm' }))
  const before = await settled()
  await inGroups(memories, AT_ONCE, () => runtime.observe(observe()))
  const after = await settled()
  await runtime.close()
  return {
    held: (after.held - before.held) / memories,
    resident: (after.resident - before.resident) / memories,
  }
}

async function settled(): Promise<HeldBytes> {
  for (let time = 0; time < 3; time += 1) {
    globalThis.gc?.()
    await pause(100)
  }
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage()
  return { held: heapUsed + arrayBuffers, resident: rss }
}

/** Answers orders until the channel closes. */
async function serve(build: string, dataDir: string, memories: number): Promise<void> {
  const runtime = await runtimeOf(build, dataDir, 'none')
  const requests = requestsOf(2)
  const ranking = await rankingOf(build, memories)
  const answered = async ({ subject, count }: Order): Promise<Answer> => {
    const times = Array.from({ length: count }, () => requests.guide())
    if (subject === 'guide') return timesUs(times, (body) => runtime.guide(body))
    if (subject === 'rank') return ranking === null ? null : timesUs(times, ranking)
    const bodies = times.map(() => requests.observe())
    return timesUs(bodies, (body) => runtime.observe(body))
  }
  process.on('message', (order: Order) => void answered(order).then((answer) => process.send?.(answer)))
  process.send?.('ready')
}

/** Text to ranked hits in an index of so many memories; null where a build keeps these modules in no folder together. */
async function rankingOf(build: string, memories: number) {
  const root = join(build, 'dist/src')
  const files = await readdir(root, { recursive: true })
  const job = files.find((file) => file.endsWith('/rank-job.js'))
  const tongues = files.find((file) => file.endsWith('language/languages.js'))
  if (job === undefined || tongues === undefined) return null
  const beside = (name: string) => pathToFileURL(join(root, job, '..', name)).href
  const siblings = ['index.js', 'query.js', 'rank.js'].map((name) => join(job, '..', name))
  if (!siblings.every((file) => files.includes(file))) return null
  const indexes: { readonly createIndex: typeof createIndex } = await import(beside('index.js'))
  const queries: { readonly parseQuery: typeof parseQuery } = await import(beside('query.js'))
  const ranks: { readonly rank: typeof rank } = await import(beside('rank.js'))
  const jobs: { readonly rankJob: typeof rankJob } = await import(beside('rank-job.js'))
  const spoken: { readonly languages: typeof languages } = await import(
    pathToFileURL(join(root, tongues)).href
  )
  const index = indexes.createIndex(spoken.languages)
  const { observe } = requestsOf(RANKED_SEED)
  for (let doc = 0; doc < memories; doc += 1) {
    const body: object = observe()
    index.add({ fields: [{ text: String(Reflect.get(body, 'input_text')), weight: 1 }], visibilityClass: 0 })
  }
  return ({ query_text }: { readonly query_text: string }) => {
    const query = queries.parseQuery(query_text, spoken.languages)
    return ranks.rank(jobs.rankJob(index, query, { allowed: null, limit: HITS }))
  }
}

const [task = '', build = '', dataDir = '', memories = '0'] = process.argv.slice(2)
if (task === 'serve') await serve(build, dataDir, Number(memories))
else if (task === 'bytes') process.send?.(await bytes(build, dataDir, Number(memories)))
else {
  await seed(build, dataDir, Number(memories))
  process.send?.(SCOPE)
}
