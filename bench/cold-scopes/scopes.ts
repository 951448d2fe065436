// Fills scopes, or asks them, in a process of its own: what one has loaded the next one has not.
import { readdirSync } from 'node:fs'
import process from 'node:process'
import { type Embedded, inGroups, openEmbedded } from '../suite/embedded.ts'
import { mulberry32, sentence, zipfWords } from '../synthetic-text.ts'

export interface ScopesTask {
  readonly task: 'fill' | 'ask'
  readonly dataDir: string
  /** Scopes from here to there, the last one not included. */
  readonly from: number
  readonly to: number
  readonly memories: number
  /** Actors in memory at most. */
  readonly resident: number
  /** Guides of scopes that are not in memory. */
  readonly guides: number
}

/** Milliseconds. */
export interface Asked {
  readonly cold: readonly number[]
  /** Processor time of the same guides, all threads: what they would take on a machine with nothing else to do, disk apart. */
  readonly coldCpu: readonly number[]
  readonly warm: readonly number[]
  /** From opening the folder until requests are taken. */
  readonly startMs: number
  /** Of the process, before the first request and at the end. */
  readonly startedBytes: number
  readonly residentBytes: number
  /** In the data folder. */
  readonly files: number
}

const CHARS = 200
const AT_ONCE = 64
const QUERY_WORDS = 12
/** Guides that are not counted: the process warms up. */
const WARM_UP = 200

function opened({ dataDir, resident, task }: ScopesTask): Promise<Embedded> {
  return openEmbedded(dataDir, {
    residentActorsMax: resident,
    scopesPerTenantMax: 10_000_000,
    scopesMax: 10_000_000,
    residentBytesMax: 16 * 1024 ** 3,
    shutdownDeadlineMs: 600_000,
    durability: task === 'fill' ? 'interval' : 'sync',
  })
}

const scopeOf = (number: number) => `scope-${number}`

async function fill(given: ScopesTask): Promise<void> {
  const { from, to, memories } = given
  const { call, close } = await opened(given)
  const random = mulberry32(from + 1)
  const word = zipfWords(random)
  const text = () => sentence(random, word, CHARS / 3).slice(0, CHARS)
  await inGroups(to - from, AT_ONCE, (at) => {
    const [first = '', ...rest] = Array.from({ length: memories }, text)
    const nodes = rest.map((each) => ({ text: each }))
    return call('observe', { scope: scopeOf(from + at), input_text: first, nodes })
  })
  await close()
}

/** Fills memory with the first scopes, then asks one after the other, each a scope that was not asked before. */
async function ask(given: ScopesTask): Promise<Asked> {
  const { to, resident, guides, dataDir } = given
  const openedAt = performance.now()
  const { call, close } = await opened(given)
  const startMs = performance.now() - openedAt
  const startedBytes = process.memoryUsage().rss
  const random = mulberry32(7)
  const word = zipfWords(random)
  const guideOf = (scope: number) => ({
    scope: scopeOf(scope),
    query_text: sentence(random, word, QUERY_WORDS),
  })
  await inGroups(resident, AT_ONCE, (at) => call('guide', guideOf(at)))
  const others = to - resident
  const timed = async (scope: number) => {
    const body = guideOf(scope)
    const cpuBefore = process.cpuUsage()
    const startedAt = performance.now()
    await call('guide', body)
    const ms = performance.now() - startedAt
    const { user, system } = process.cpuUsage(cpuBefore)
    return { ms, cpuMs: (user + system) / 1000 }
  }
  const cold: number[] = []
  const coldCpu: number[] = []
  const warm: number[] = []
  // A step that has no divisor in common with the number of scopes meets each of them once.
  const step = 7919
  for (let at = 0; at < Math.min(others, guides + WARM_UP); at += 1) {
    const scope = resident + ((at * step) % others)
    const [first, again] = [await timed(scope), await timed(scope)]
    if (at < WARM_UP) continue
    cold.push(first.ms)
    coldCpu.push(first.cpuMs)
    warm.push(again.ms)
  }
  const residentBytes = process.memoryUsage().rss
  await close()
  const files = readdirSync(dataDir, { recursive: true }).length
  return { cold, coldCpu, warm, startMs, startedBytes, residentBytes, files }
}

const given: ScopesTask = JSON.parse(process.argv[2] ?? '')
process.send?.((given.task === 'fill' ? await fill(given) : await ask(given)) ?? null)
