import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { openJournal } from '../src/adapters/journal/file-journal.ts'
import type { Log } from '../src/ports/system.ts'
import { openBareLog } from './append/bare-log.ts'
import { isMain, threadCpuMs } from './measure.ts'
import { type Figure, figureOf, type Outcome } from './result.ts'
import { withFolder } from './suite/folder.ts'
import { printOutcome } from './suite/text.ts'

// One question: what does the journal cost over the bare idea of it? Bare: records copied into one buffer, one
// write and one flush per group through the same I/O thread, on a file zero-filled ahead, with the same padding; no
// header, no checksum, no index, no order check, no next segment. Checked: the same with the journal's checksums, one
// a record and one a group. All in turn, in short slices of the same run, so that a busy neighbour hits all alike. The
// processor time of a record says the same on a machine where the rate is a matter of the neighbours.

const RECORD_BYTES = 300
const IN_FLIGHT = [1, 16, 256, 1024]
const GRANT = { shard: 0, epoch: 0 }
const GOAL = { bound: 'least', value: 0.8 } as const

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
function round(inFlight: number, slices: number, sliceMs: number): Promise<Round> {
  return withFolder('append', async (dir) => {
    const [bareDir, checkedDir] = [join(dir, 'bare'), join(dir, 'checked')]
    await mkdir(bareDir)
    await mkdir(checkedDir)
    const loads = {
      journal: new Load(await startJournal(join(dir, 'journal')), inFlight),
      bare: new Load(await startBare(bareDir, false), inFlight),
      checked: new Load(await startBare(checkedDir, true), inFlight),
    }
    const rounds: Round[] = []
    // The first slices warm up and are not counted.
    for (let slice = 0; slice <= slices; slice += 1) {
      const measured = {
        journal: await loads.journal.slice(sliceMs),
        bare: await loads.bare.slice(sliceMs),
        checked: await loads.checked.slice(sliceMs),
      }
      if (slice > 0) rounds.push(measured)
    }
    for (const load of Object.values(loads)) await load.close()
    const mean = (name: keyof Round) => meanOf(rounds.map((each) => each[name]))
    return { journal: mean('journal'), bare: mean('bare'), checked: mean('checked') }
  })
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

/** Journal, bare and checked log in turn, at every number of records in flight, `rounds` times. */
export async function run(rounds = 5, slices = 5, sliceMs = 80): Promise<Outcome> {
  const figures: Figure[] = []
  for (const inFlight of IN_FLIGHT) {
    const all: Round[] = []
    for (let i = 0; i < rounds; i += 1) all.push(await round(inFlight, slices, sliceMs))
    figures.push(...figuresOf(inFlight, all))
  }
  return { settings: { recordBytes: RECORD_BYTES, rounds }, figures, notes: [] }
}

const NAMES = {
  journal: 'journal',
  bare: 'bare group commit',
  checked: 'bare group commit with checksums',
} as const

function figuresOf(inFlight: number, rounds: readonly Round[]): Figure[] {
  const figure = (name: string, unit: string, of: (round: Round) => number, goal?: typeof GOAL) =>
    figureOf(`${name}, ${inFlight} in flight`, unit, rounds.map(of), {
      goal,
      isYardstick: name.startsWith('bare'),
    })
  const subjects = ['journal', 'bare', 'checked'] as const
  return [
    ...subjects.map((name) => figure(NAMES[name], 'records/s', (round) => round[name].rate)),
    figure(
      'journal, share of the bare group commit',
      '×',
      ({ journal, bare }) => journal.rate / bare.rate,
      GOAL,
    ),
    figure(
      'journal, share of that with checksums',
      '×',
      ({ journal, checked }) => journal.rate / checked.rate,
    ),
    ...subjects.flatMap((name) => [
      figure(`processor time, ${NAMES[name]}`, 'µs', (round) => round[name].processUs),
      // A system that does not tell the time of a thread has no such figure.
      ...(rounds.some((round) => Number.isNaN(round[name].threadUs))
        ? []
        : [figure(`processor time of the thread, ${NAMES[name]}`, 'µs', (round) => round[name].threadUs)]),
    ]),
  ]
}

if (isMain(import.meta.url)) {
  printOutcome('append', await (process.argv.includes('--quick') ? run(2, 2, 40) : run()))
}
