// How many files does one request go through? Warm, embedded, counted by the engine: who changes how memgov answers has to know these.
import { Session } from 'node:inspector/promises'
import { isMain } from './measure.ts'
import { type Figure, figureOf, type Outcome } from './result.ts'
import { requestsOf } from './seeded-scope.ts'
import { type Call, withEmbedded } from './suite/embedded.ts'
import { withFolder } from './suite/folder.ts'
import { printOutcome } from './suite/text.ts'

/** As many as a small scope holds, so that a guide has something to choose from. */
const MEMORIES = 20
/** Requests of which the median walk counts. */
const REQUESTS = 9
const GOAL = { bound: 'most', value: 65 } as const
/** Source files of the program, as the engine names the compiled ones. */
const SOURCE = /\/dist\/src\/(?<file>.+)\.js$/

/** Functions entered, by file. */
type Walk = ReadonlyMap<string, number>

export function run(): Promise<Outcome> {
  return withFolder('walk', async (dataDir) => {
    const session = new Session()
    session.connect()
    try {
      return await withEmbedded(dataDir, {}, (call) => walked(session, call))
    } finally {
      session.disconnect()
    }
  })
}

async function walked(session: Session, call: Call): Promise<Outcome> {
  const { observe, guide } = requestsOf(1)
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  for (let made = 0; made < MEMORIES; made += 1) await call('observe', observe())
  await call('guide', guide())
  const walks = {
    guide: await walkOf(session, () => call('guide', guide())),
    observe: await walkOf(session, () => call('observe', observe())),
  }
  const named = Object.entries(walks)
  return {
    settings: { memories: MEMORIES },
    figures: named.flatMap(([name, walk]) => figuresOf(name, walk)),
    notes: named.map(([name, walk]) => `${name}: ${foldersOf(walk)}`),
  }
}

/** What a request enters: the median walk of some, since now and then a timer of the service fires beside one. */
async function walkOf(session: Session, request: () => Promise<unknown>): Promise<Walk> {
  const walks: Walk[] = []
  for (let made = 0; made < REQUESTS; made += 1) walks.push(await onceWalked(session, request))
  const median = walks.sort((a, b) => a.size - b.size)[Math.floor(REQUESTS / 2)]
  if (median === undefined) throw new RangeError('no request was made')
  return median
}

/** The first look takes away what was entered before. */
async function onceWalked(session: Session, request: () => Promise<unknown>): Promise<Walk> {
  await session.post('Profiler.takePreciseCoverage')
  await request()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const walk = new Map<string, number>()
  for (const { url, functions } of result) {
    const file = SOURCE.exec(url)?.groups?.['file']
    const entered = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).length
    if (file !== undefined && entered > 0) walk.set(file, entered)
  }
  return walk
}

function figuresOf(name: string, walk: Walk): Figure[] {
  const functions = [...walk.values()].reduce((sum, count) => sum + count, 0)
  return [
    figureOf(`${name}: files entered`, 'files', [walk.size], { goal: GOAL }),
    figureOf(`${name}: functions entered`, 'functions', [functions]),
  ]
}

/** Files by folder, the most first. */
function foldersOf(walk: Walk): string {
  const counts = new Map<string, number>()
  for (const file of walk.keys()) {
    const folder = file.slice(0, file.lastIndexOf('/'))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  const sorted = [...counts].sort(([, a], [, b]) => b - a)
  return sorted.map(([folder, count]) => `${folder} ${count}`).join(', ')
}

if (isMain(import.meta.url)) printOutcome('walk', await run())
