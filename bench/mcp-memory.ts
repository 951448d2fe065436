// What do storing and finding cost with the memory server of the Model Context Protocol, which agents' hosts offer by
// default, beside the service over HTTP: the same texts, the same searches, one at a time? It holds a graph in one file of
// JSON lines, reads that file at every call and writes it whole at every change, without a flush; it finds what holds the
// words of a search as they stand.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { histogramOf } from './histogram.ts'
import { jsonClient } from './json-client.ts'
import { type StdioClient, startStdioServer } from './mcp-memory/stdio-client.ts'
import { isMain } from './measure.ts'
import { EngineMissing } from './recall/engines/engine.ts'
import { INSTALL_PEERS, peerFile } from './recall/engines/peer-packages.ts'
import { type Figure, figureOf, type Outcome } from './result.ts'
import { SCOPE } from './seeded-scope.ts'
import { startService } from './service-process.ts'
import { cpuMsOf, sizeOf } from './soak/process-size.ts'
import { inGroups, openEmbedded } from './suite/embedded.ts'
import { printOutcome } from './suite/print-outcome.ts'
import { mulberry32, sentence, zipfWords } from './synthetic-text.ts'

export interface McpMemoryOptions {
  readonly sizes: readonly number[]
  readonly rounds: number
  readonly opsPerRound: number
  /** How long each is asked before the first round: what the engine compiles is not what is measured. */
  readonly warmMs: number
}

const FULL: McpMemoryOptions = { sizes: [100, 1_000, 10_000], rounds: 7, opsPerRound: 40, warmMs: 5_000 }
const QUICK: McpMemoryOptions = { sizes: [100, 1_000], rounds: 2, opsPerRound: 10, warmMs: 400 }

const SERVER = '@modelcontextprotocol/server-memory/dist/index.js'
const WORDS = 34
const ASKED_WORDS = 8
const SEED_AT_ONCE = 200
const WARM_TEXTS = 200
const KINDS = ['observe', 'search, words as they stand', 'search, every other word'] as const
type Kind = (typeof KINDS)[number]

/** Stores a text, or searches and gives everything that it shows. */
interface Subject {
  readonly name: string
  readonly ask: (kind: Kind, text: string) => Promise<string>
  readonly pid: number
  readonly stop: () => Promise<void>
}

interface Cell {
  readonly name: string
  readonly kind: Kind
  readonly memories: number
  readonly timesUs: number[][]
  /** Processor time of the process that answers, over all rounds; not a number where the system does not tell. */
  cpuMs: number
  /** Searches that showed the memory whose words they were. */
  found: number
}

export async function run(options: McpMemoryOptions = FULL): Promise<Outcome> {
  const figures: Figure[] = []
  const cells: Cell[] = []
  let missing: string | null = null
  for (const memories of options.sizes) {
    const folder = await mkdtemp(join(tmpdir(), 'memgov-mcp-'))
    const subjects: Subject[] = []
    try {
      const texts = textsOf(1, memories)
      subjects.push(await ownSubject(join(folder, 'own'), texts))
      try {
        subjects.push(await peerSubject(join(folder, 'graph.jsonl'), texts))
      } catch (error) {
        if (!(error instanceof EngineMissing)) throw error
        missing = error.message
      }
      cells.push(...(await measured(subjects, texts, options)))
      for (const { name, pid } of subjects) {
        const size = sizeOf(pid)
        if (size === null) continue
        const at = `resident memory, ${name}, ${memories} memories`
        figures.push(figureOf(at, 'MiB', [size.rssBytes / 1024 ** 2]))
      }
    } finally {
      for (const subject of subjects) await subject.stop()
      await rm(folder, { recursive: true, force: true })
    }
  }
  return {
    settings: { ...options, sizes: options.sizes.join(' ') },
    figures: [...cells.flatMap(figuresOf), ...figures],
    series: [...linesOf(cells), ...distributionsOf(cells, options)],
    notes: [
      'The service is durable when it answers, screens, decides and records; the peer renames an unflushed file and does none of that.',
      'The peer finds texts that hold a search as one piece, in the order of the file; words in another order, or of which one is missing, find nothing.',
      'Calls come one at a time: two at once would each write a file that lacks what the other one stored.',
      ...(missing === null
        ? []
        : [`The peer was not measured: ${missing}. Install it with ${INSTALL_PEERS}.`]),
    ],
  }
}

/** Kind by kind, the subjects in turn, round by round. */
async function measured(
  subjects: readonly Subject[],
  texts: readonly string[],
  { rounds, opsPerRound, warmMs }: McpMemoryOptions,
): Promise<readonly Cell[]> {
  const cells = KINDS.flatMap((kind) =>
    subjects.map(
      ({ name }): Cell => ({ name, kind, memories: texts.length, timesUs: [], cpuMs: 0, found: 0 }),
    ),
  )
  for (const subject of subjects) await warm(subject, warmMs)
  const fresh = textsOf(2, rounds * opsPerRound)
  const random = mulberry32(texts.length)
  for (let round = 0; round < rounds; round += 1) {
    for (const kind of KINDS) {
      const asked = Array.from({ length: opsPerRound }, (_, at) =>
        kind === 'observe'
          ? (fresh[round * opsPerRound + at] ?? '')
          : (texts[Math.floor(random() * texts.length)] ?? ''),
      )
      for (const subject of subjects) {
        const cell = cells.find((each) => each.name === subject.name && each.kind === kind)
        if (cell === undefined) continue
        const own: number[] = []
        const cpuMs = cpuMsOf(subject.pid)
        for (const text of asked) {
          const words = kind === 'observe' ? text : searchOf(kind, text)
          const startedAt = performance.now()
          const shown = await subject.ask(kind, words)
          own.push((performance.now() - startedAt) * 1_000)
          if (shown.includes(text)) cell.found += 1
        }
        cell.timesUs.push(own)
        cell.cpuMs += (cpuMsOf(subject.pid) ?? Number.NaN) - (cpuMs ?? Number.NaN)
      }
    }
  }
  return cells
}

/** Stores little beside what is stored, and asks again and again. */
async function warm({ ask }: Subject, ms: number): Promise<void> {
  const texts = textsOf(3, WARM_TEXTS)
  const endMs = performance.now() + ms
  for (let asked = 0; performance.now() < endMs; asked += 1) {
    const text = texts[asked % texts.length] ?? ''
    await ask('search, words as they stand', searchOf('search, words as they stand', text))
    if (asked < texts.length) await ask('observe', text)
  }
}

function searchOf(kind: Kind, text: string): string {
  const words = text.split(' ').slice(4, 4 + ASKED_WORDS * 2)
  const asked = kind === 'search, every other word' ? words.filter((_, at) => at % 2 === 0) : words
  return asked.slice(0, ASKED_WORDS).join(' ')
}

function textsOf(seed: number, count: number): readonly string[] {
  const random = mulberry32(seed)
  const word = zipfWords(random)
  return Array.from({ length: count }, () => sentence(random, word, WORDS))
}

async function ownSubject(dataDir: string, texts: readonly string[]): Promise<Subject> {
  const seeding = await openEmbedded(dataDir)
  await inGroups(texts.length, SEED_AT_ONCE, (at) =>
    seeding.call('observe', { scope: SCOPE, input_text: texts[at] }),
  )
  await seeding.close()
  const service = await startService({ dataDir })
  const client = jsonClient(service.url)
  return {
    name: 'memgov over HTTP',
    pid: service.child.pid ?? 0,
    async ask(kind, text) {
      const [operation, body] =
        kind === 'observe' ? ['observe', { input_text: text }] : ['guide', { query_text: text }]
      const answer = await client.post(
        `/v1/${String(operation)}`,
        JSON.stringify({ scope: SCOPE, ...Object(body) }),
      )
      if (answer.status !== 200)
        throw new Error(`it was answered ${answer.status}: ${answer.text.slice(0, 300)}`)
      return answer.text
    },
    async stop() {
      await client.close()
      await service.stop()
    },
  }
}

/** Throws EngineMissing where the package is not installed. */
async function peerSubject(path: string, texts: readonly string[]): Promise<Subject> {
  const file = peerFile(SERVER)
  // In its own format: stored by calls, this would take the square of the number.
  const lines = texts.map((text, at) => JSON.stringify(entityOf(`memory-${at}`, text)))
  await writeFile(path, lines.join('\n'))
  const server: StdioClient = await startStdioServer(file, { MEMORY_FILE_PATH: path })
  let made = texts.length
  return {
    name: 'MCP memory server',
    pid: server.child.pid ?? 0,
    async ask(kind, text) {
      if (kind !== 'observe') return server.call('search_nodes', { query: text })
      const { type: _, ...entity } = entityOf(`memory-${made++}`, text)
      return server.call('create_entities', { entities: [entity] })
    },
    stop: () => server.stop(),
  }
}

function entityOf(name: string, text: string) {
  return { type: 'entity', name, entityType: 'memory', observations: [text] }
}

function nameOf({ kind, name, memories }: Cell): string {
  return `${kind}, ${name}, ${memories} memories`
}

function figuresOf(cell: Cell): readonly Figure[] {
  const all = histogramOf(cell.timesUs.flat())
  return [
    figureOf(
      nameOf(cell),
      'µs',
      cell.timesUs.map((own) => histogramOf(own).quantile(0.5)),
      { percentiles: all.percentiles(), samples: all.count },
    ),
    ...(Number.isFinite(cell.cpuMs)
      ? [
          figureOf(`processor time, ${nameOf(cell)}`, 'µs', [(cell.cpuMs * 1_000) / all.count], {
            samples: all.count,
          }),
        ]
      : []),
    ...(cell.kind === 'observe'
      ? []
      : [
          figureOf(`found, ${nameOf(cell)}`, 'share', [cell.found / all.count], {
            better: 'higher',
            samples: all.count,
          }),
        ]),
  ]
}

function linesOf(cells: readonly Cell[]): Outcome['series'] {
  const names = new Set(cells.map(({ name, kind }) => `${kind}, ${name}`))
  return [...names].map((line) => ({
    name: line,
    kind: 'cost over size',
    xLabel: 'memories',
    yLabel: 'µs',
    points: cells
      .filter(({ name, kind }) => `${kind}, ${name}` === line)
      .map(({ memories, timesUs }) => [memories, histogramOf(timesUs.flat()).quantile(0.5)]),
  }))
}

/** At the largest size. */
function distributionsOf(cells: readonly Cell[], { sizes }: McpMemoryOptions): Outcome['series'] {
  return cells
    .filter(({ memories }) => memories === Math.max(...sizes))
    .map((cell) => ({
      name: nameOf(cell),
      kind: 'cdf',
      xLabel: 'µs',
      yLabel: 'share of calls',
      points: histogramOf(cell.timesUs.flat()).cdf(),
    }))
}

if (isMain(import.meta.url)) {
  printOutcome('mcp-memory', await run(process.argv.includes('--quick') ? QUICK : FULL))
}
