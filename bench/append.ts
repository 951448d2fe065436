import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openJournal } from '../src/adapters/journal/open-journal.ts'
import type { Log } from '../src/ports/log.ts'
import { openBareLog } from './append/bare-log.ts'
import { isMain, type Spread, spreadOf, spreadText, tableText } from './measure.ts'

// One question: what does the journal cost over the bare idea of it? Bare: records copied into one buffer, one
// write and one flush per group through the same I/O thread, on a file zero-filled ahead, with the same padding; no
// header, no checksum, no index, no order check, no next segment. Checked: the same with the journal's checksums, one
// a record and one a group. All in turn, in short slices of the same run, so that a busy neighbour hits all alike.

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

/** A subject with so many clients, of which each has one record on its way; counts while it is let run. */
class Load {
  readonly #subject: Subject
  readonly #seqs: number[]

  constructor(subject: Subject, inFlight: number) {
    this.#subject = subject
    this.#seqs = new Array<number>(inFlight).fill(0)
  }

  /** Acknowledged records a second over about `ms`. */
  async slice(ms: number): Promise<number> {
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
    const startedAt = performance.now()
    const clients = this.#seqs.map((_, number) => client(number))
    await pause(ms)
    isOver = true
    await Promise.all(clients)
    return (acknowledged * 1000) / (performance.now() - startedAt)
  }

  close(): Promise<void> {
    return this.#subject.close()
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** One round at one number of records in flight: mean rates of journal, bare, checked over the same slices. */
async function round(inFlight: number, slices: number, sliceMs: number): Promise<readonly number[]> {
  const dir = await mkdtemp(join(tmpdir(), 'memgov-append-'))
  const folders = ['bare', 'checked'].map((name) => join(dir, name))
  for (const folder of folders) await mkdir(folder)
  const subjects = [
    await startJournal(join(dir, 'journal')),
    await startBare(folders[0] ?? dir, false),
    await startBare(folders[1] ?? dir, true),
  ]
  const loads = subjects.map((subject) => new Load(subject, inFlight))
  const sums = loads.map(() => 0)
  // The first slice warms up and is not counted.
  for (let slice = 0; slice <= slices; slice += 1) {
    for (const [i, load] of loads.entries()) {
      const rate = await load.slice(sliceMs)
      if (slice > 0) sums[i] = (sums[i] ?? 0) + rate
    }
  }
  for (const load of loads) await load.close()
  await rm(dir, { recursive: true, force: true })
  return sums.map((sum) => sum / slices)
}

/** Journal, bare and checked log in turn, at every number of records in flight, `rounds` times. */
export async function run(rounds = 5, slices = 5, sliceMs = 80): Promise<AppendReport> {
  const rows: AppendRow[] = []
  for (const inFlight of IN_FLIGHT) {
    const rates: (readonly number[])[] = []
    for (let i = 0; i < rounds; i += 1) rates.push(await round(inFlight, slices, sliceMs))
    const column = (i: number): readonly number[] => rates.map((rate) => rate[i] ?? 0)
    const ratioTo = (i: number): readonly number[] => rates.map((rate) => (rate[0] ?? 0) / (rate[i] ?? 1))
    rows.push({
      inFlight,
      journal: spreadOf(column(0)),
      bare: spreadOf(column(1)),
      checked: spreadOf(column(2)),
      ratio: spreadOf(ratioTo(1)),
      ratioToChecked: spreadOf(ratioTo(2)),
    })
  }
  return { bench: 'append', node: process.version, recordBytes: RECORD_BYTES, rounds, rows }
}

function tableOf({ rows, node, rounds, recordBytes }: AppendReport): string {
  const rate = (spread: Spread) => spreadText(spread, 0)
  const share = (spread: Spread) => spreadText(spread, 2)
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
  ].join('\n')
}

if (isMain(import.meta.url)) {
  const report = await (process.argv.includes('--quick') ? run(2, 2, 40) : run())
  console.log(process.argv.includes('--json') ? JSON.stringify(report) : tableOf(report))
}
