import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { openJournal } from '../src/adapters/journal/file-journal.ts'
import type { Log } from '../src/ports/log.ts'
import { openBareLog } from './append/bare-log.ts'
import { isMain, type Spread, spreadOf, spreadText, tableText, threadCpuMs } from './measure.ts'

// One question: what does the journal cost over the bare idea of it? Bare: records copied into one buffer, one
// write and one flush per group through the same I/O thread, on a file zero-filled ahead, with the same padding; no
// header, no checksum, no index, no order check, no next segment. Checked: the same with the journal's checksums, one
// a record and one a group. All in turn, in short slices of the same run, so that a busy neighbour hits all alike. The
// processor time of a record says the same on a machine where the rate is a matter of the neighbours.

const RECORD_BYTES = 300
const IN_FLIGHT = [1, 16, 256, 1024]
const GRANT = { shard: 0, epoch: 0 }

export interface AppendRow {
  readonly inFlight: number
  /** Acknowledged records a second. */
  readonly journal: Spread
  readonly bare: Spread
  readonly checked: Spread
  /** Journal to bare and journal to checked, round by round. */
  readonly ratio: Spread
  readonly ratioToChecked: Spread
  /** Processor time of a record in µs. */
  readonly cpu: { readonly journal: CpuUs; readonly bare: CpuUs; readonly checked: CpuUs }
}

export interface CpuUs {
  /** Of the thread that appends; null where the system does not tell it. */
  readonly thread: Spread | null
  /** Of all threads: collector, journal thread and, of the journal, the next segment. */
  readonly process: Spread
}

export interface AppendReport {
  readonly bench: 'append'
  readonly node: string
  readonly recordBytes: number
  readonly rounds: number
  readonly rows: readonly AppendRow[]
}

/** A thing that takes records: each client hands in one after the other. */
interface Subject {
  readonly append: (client: number, seq: number) => Promise<void>
  readonly close: () => Promise<void>
}

const silent: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: (fields, message) => console.error(message, fields),
  error: (fields, message) => console.error(message, fields),
}

const payload = new Uint8Array(RECORD_BYTES).fill(42)

async function startJournal(dir: string): Promise<Subject> {
  const journal = await openJournal({ dir, log: silent })
  const keys = Array.from({ length: 1024 }, (_, i) => `tenant/scope-${i}`)
  return {
    append: (client, seq) =>
      journal.append(GRANT, { actorKey: keys[client] ?? 'tenant/scope', actorSeq: seq, payload }),
    close: () => journal.close(),
  }
}

async function startBare(dir: string, isChecked: boolean): Promise<Subject> {
  const log = await openBareLog(dir, isChecked)
  return { append: () => log.append(payload), close: () => log.close() }
}

type Round = Readonly<Record<'journal' | 'bare' | 'checked', Slice>>

interface Slice {
  /** Acknowledged records a second. */
  readonly rate: number
  /** µs a record. */
  readonly threadUs: number
  readonly processUs: number
}

/** A subject with so many clients, of which each has one record on its way; counts while it is let run. */
class Load {
  readonly #subject: Subject
  readonly #seqs: number[]

  constructor(subject: Subject, inFlight: number) {
    this.#subject = subject
    this.#seqs = new Array<number>(inFlight).fill(0)
  }

  /** Lets it run for about `ms`. */
  async slice(ms: number): Promise<Slice> {
    let acknowledged = 0
    let isOver = false
    const client = async (number: number): Promise<void> => {
      while (!isOver) {
        const seq = (this.#seqs[number] ?? 0) + 1
        this.#seqs[number] = seq
        await this.#subject.append(number, seq)
        acknowledged += 1
      }
    }
    const [startedAt, threadMs, cpu] = [performance.now(), threadCpuMs(), process.cpuUsage()]
    const clients = this.#seqs.map((_, number) => client(number))
    await pause(ms)
    isOver = true
    await Promise.all(clients)
    const { user, system } = process.cpuUsage(cpu)
    return {
      rate: (acknowledged * 1000) / (performance.now() - startedAt),
      threadUs: ((threadCpuMs() - threadMs) * 1000) / acknowledged,
      processUs: (user + system) / acknowledged,
    }
  }

  close(): Promise<void> {
    return this.#subject.close()
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** One round at one number of records in flight: means of journal, bare, checked over the same slices. */
async function round(inFlight: number, slices: number, sliceMs: number): Promise<Round> {
  const dir = await mkdtemp(join(tmpdir(), 'memgov-append-'))
  const folders = ['bare', 'checked'].map((name) => join(dir, name))
  for (const folder of folders) await mkdir(folder)
  const subjects = [
    await startJournal(join(dir, 'journal')),
    await startBare(folders[0] ?? dir, false),
    await startBare(folders[1] ?? dir, true),
  ]
  const loads = subjects.map((subject) => new Load(subject, inFlight))
  const kept = loads.map((): Slice[] => [])
  // The first slice warms up and is not counted.
  for (let slice = 0; slice <= slices; slice += 1) {
    for (const [i, load] of loads.entries()) {
      const measured = await load.slice(sliceMs)
      if (slice > 0) kept[i]?.push(measured)
    }
  }
  for (const load of loads) await load.close()
  await rm(dir, { recursive: true, force: true })
  const [journal = [], bare = [], checked = []] = kept
  return { journal: meanOf(journal), bare: meanOf(bare), checked: meanOf(checked) }
}

function meanOf(slices: readonly Slice[]): Slice {
  const mean = (value: (slice: Slice) => number): number =>
    slices.reduce((sum, slice) => sum + value(slice), 0) / slices.length
  return {
    rate: mean(({ rate }) => rate),
    threadUs: mean(({ threadUs }) => threadUs),
    processUs: mean(({ processUs }) => processUs),
  }
}

function cpuOf(slices: readonly Slice[]): CpuUs {
  const thread = slices.map(({ threadUs }) => threadUs)
  return {
    thread: thread.every(Number.isNaN) ? null : spreadOf(thread),
    process: spreadOf(slices.map(({ processUs }) => processUs)),
  }
}

/** Journal, bare and checked log in turn, at every number of records in flight, `rounds` times. */
export async function run(rounds = 5, slices = 5, sliceMs = 80): Promise<AppendReport> {
  const rows: AppendRow[] = []
  for (const inFlight of IN_FLIGHT) {
    const all: Round[] = []
    for (let i = 0; i < rounds; i += 1) all.push(await round(inFlight, slices, sliceMs))
    const rates = (name: keyof Round) => spreadOf(all.map((means) => means[name].rate))
    const ratioTo = (name: keyof Round) => spreadOf(all.map((means) => means.journal.rate / means[name].rate))
    const cpu = (name: keyof Round) => cpuOf(all.map((means) => means[name]))
    rows.push({
      inFlight,
      journal: rates('journal'),
      bare: rates('bare'),
      checked: rates('checked'),
      ratio: ratioTo('bare'),
      ratioToChecked: ratioTo('checked'),
      cpu: { journal: cpu('journal'), bare: cpu('bare'), checked: cpu('checked') },
    })
  }
  return { bench: 'append', node: process.version, recordBytes: RECORD_BYTES, rounds, rows }
}

function tableOf({ rows, node, rounds, recordBytes }: AppendReport): string {
  const rate = (spread: Spread) => spreadText(spread, 0)
  const share = (spread: Spread) => spreadText(spread, 2)
  const cpu = ({ thread, process: all }: CpuUs) =>
    `${thread === null ? '-' : spreadText(thread, 2)} of ${spreadText(all, 2)}`
  return [
    `append: acknowledged records/s, ${recordBytes} bytes each, median of ${rounds} rounds [spread], Node ${node}`,
    tableText([
      ['in flight', 'journal', 'bare', 'bare with checksums', 'to bare', 'to checked'],
      ...rows.map(({ inFlight, journal, bare, checked, ratio, ratioToChecked }) => [
        String(inFlight),
        ...[journal, bare, checked].map(rate),
        share(ratio),
        share(ratioToChecked),
      ]),
    ]),
    'processor time of a record, µs: the thread that appends, of all threads',
    tableText([
      ['in flight', 'journal', 'bare', 'bare with checksums'],
      ...rows.map(({ inFlight, cpu: { journal, bare, checked } }) => [
        String(inFlight),
        ...[journal, bare, checked].map(cpu),
      ]),
    ]),
  ].join('\n')
}

if (isMain(import.meta.url)) {
  const report = await (process.argv.includes('--quick') ? run(2, 2, 40) : run())
  console.log(process.argv.includes('--json') ? JSON.stringify(report) : tableOf(report))
}
