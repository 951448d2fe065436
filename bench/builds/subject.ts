// One build in a process of its own, driven over the channel to the process that compares. What it asks of a build is the
// public interface, and the modules of the recall index by their file names, so that builds of different layouts compare.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { createRuntime } from '../../src/index.ts'
import { isMain, timesUs } from '../measure.ts'
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

/** An index as both layouts of the modules give it. */
interface Ranking {
  add(text: string): void
  ask(text: string): unknown
}

/** Text to ranked hits in an index of so many memories; null where a build has neither layout of the search modules. */
async function rankingOf(build: string, memories: number) {
  const ranking = await openRanking(join(build, 'dist/src'))
  if (ranking === null) return null
  const { observe } = requestsOf(RANKED_SEED)
  for (let doc = 0; doc < memories; doc += 1) {
    const body: object = observe()
    ranking.add(String(Reflect.get(body, 'input_text')))
  }
  return ({ query_text }: { readonly query_text: string }) => ranking.ask(query_text)
}

async function openRanking(root: string): Promise<Ranking | null> {
  const files = await readdir(root, { recursive: true })
  const found = (ending: string) => files.find((file) => file.endsWith(ending))
  const load = async (file: string) => import(pathToFileURL(join(root, file)).href)
  const [job, tongues] = [found('/rank-job.js'), found('language/languages.js')]
  if (job === undefined || tongues === undefined) return null
  const beside = (name: string) => load(join(job, '..', name))
  const { languages: spoken }: Languages = await load(tongues)
  const options = { allowed: null, limit: HITS }
  const doc = (text: string) => ({ fields: [{ text, weight: 1 }], visibilityClass: 0 })
  if (files.includes(join(job, '..', 'search-index.js'))) {
    const indexes: Pick<typeof import('../../src/core/search/search-index.ts'), 'SearchIndex'> =
      await beside('search-index.js')
    const workspaces: Pick<typeof import('../../src/core/search/workspace.ts'), 'SearchWorkspace'> =
      await beside('workspace.js')
    const index = new indexes.SearchIndex(new workspaces.SearchWorkspace(spoken))
    return {
      add: (text) => void index.add(doc(text)),
      ask: (text) => index.rank(index.job(index.query(text), options)),
    }
  }
  const { createIndex }: FunctionModules = await beside('index.js')
  const { parseQuery }: FunctionModules = await beside('query.js')
  const { rank }: FunctionModules = await beside('rank.js')
  const { rankJob }: FunctionModules = await beside('rank-job.js')
  if (!createIndex || !parseQuery || !rank || !rankJob) return null
  const index = Object(createIndex(spoken))
  return {
    add: (text) => index.add(doc(text)),
    ask: (text) => rank(rankJob(index, parseQuery(text, spoken), options)),
  }
}

type Languages = Pick<typeof import('../../src/adapters/language/languages.ts'), 'languages'>
/** The layout before the search index was one class. */
type FunctionModules = Readonly<Record<string, (...values: readonly unknown[]) => unknown>>

// Its tables are imported, too.
if (isMain(import.meta.url)) {
  const [task = '', build = '', dataDir = '', memories = '0'] = process.argv.slice(2)
  if (task === 'serve') await serve(build, dataDir, Number(memories))
  else if (task === 'bytes') process.send?.(await bytes(build, dataDir, Number(memories)))
  else {
    await seed(build, dataDir, Number(memories))
    process.send?.(SCOPE)
  }
}
