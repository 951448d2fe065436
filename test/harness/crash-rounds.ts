import { setTimeout as elapsed } from 'node:timers/promises'
import {
  Acknowledgements,
  expectEffects,
  expectGuides,
  expectPairs,
  expectRepeats,
} from './acknowledgements.ts'
import type { Place } from './embedded.ts'
import { HttpClient } from './http-client.ts'
import { type Exit, type ServedProcess, startProcess } from './process.ts'
import { type Pace, Writer } from './writer.ts'

/** Small bounds, so that every round meets eviction, snapshots, compaction and new segments. */
export const BOUNDS = [
  '--resident-actors-max',
  '2',
  '--snapshot-min-bytes',
  '4096',
  '--segment-bytes',
  '65536',
  '--worker-memories-min',
  '100',
  '--log-level',
  'warn',
]

export interface CrashOptions {
  readonly writers: number
  readonly scopes: number
  readonly pace: Pace
}

/** What one life of the service has acknowledged. */
export interface Acknowledged {
  readonly requests: number
  readonly writes: number
  readonly guides: number
  readonly feedbacks: number
  readonly suppressions: number
  readonly erasures: number
  /** Requests that got no answer. */
  readonly unknown: number
}

/** How a life ends. */
export interface End {
  readonly afterMs: number
  /** SIGTERM first, and SIGKILL so long after it: in the middle of its shutdown. Null: SIGKILL only. */
  readonly shutdownMs: number | null
}

/** The service in a process of its own that is killed again and again, with writers who know what was acknowledged. */
export class CrashRounds {
  readonly #dir: string
  readonly #options: CrashOptions
  readonly #kept: Acknowledgements[] = []
  #served: ServedProcess
  #rounds = 0

  private constructor(dir: string, options: CrashOptions, served: ServedProcess) {
    this.#dir = dir
    this.#options = options
    this.#served = served
  }

  static async start(dir: string, options: CrashOptions): Promise<CrashRounds> {
    return new CrashRounds(dir, options, await startProcess(dir, BOUNDS))
  }

  /** Of the process that serves now. */
  get pid(): number {
    return this.#served.pid
  }

  get stderr(): string {
    return this.#served.stderr()
  }

  /** Writers at work until the process is killed, a start on what it left, and a look whether all of it is there. */
  async round(group: string, end: End): Promise<Acknowledged> {
    const known = await this.#work(group, end)
    this.#served = await startProcess(this.#dir, BOUNDS)
    await expectKept(this.#served, known)
    if (this.#kept.length < 3) this.#kept.push(known)
    const { sent, pairs, guides, feedbacks, suppressed, erased } = known
    return {
      requests: sent.length,
      writes: pairs.filter(({ ids }) => ids !== null).length,
      guides: guides.length,
      feedbacks: feedbacks.length,
      suppressions: suppressed.length,
      erasures: erased.length,
      unknown: sent.filter(({ reply }) => reply === null).length,
    }
  }

  /** What the first rounds wrote has lived through all the others. Then a clean end. */
  async finish(): Promise<Exit> {
    for (const known of this.#kept) await expectKept(this.#served, known)
    this.#served.signal('SIGTERM')
    return this.#served.exited
  }

  async #work(group: string, { afterMs, shutdownMs }: End): Promise<Acknowledgements> {
    this.#rounds += 1
    const { known, ended } = writersOn(this.#served, this.#options, group, this.#rounds)
    await elapsed(afterMs)
    if (shutdownMs !== null) {
      this.#served.signal('SIGTERM')
      await elapsed(shutdownMs)
    }
    this.#served.signal('SIGKILL')
    await this.#served.exited
    await ended
    return known
  }
}

/** Writers at work on a service. `known` grows as they are answered; `ended` when the service or their steps are. */
export function writersOn(
  served: Pick<ServedProcess, 'url'>,
  { writers: count, scopes, pace }: CrashOptions,
  group: string,
  round: number,
): { readonly known: Acknowledgements; readonly ended: Promise<void> } {
  const client = new HttpClient(served.url, count)
  const known = new Acknowledgements()
  const writers = Array.from({ length: count }, (_, index) => {
    const place: Place = { tenant_id: 'kill', scope: `${group}-${index % scopes}` }
    return new Writer(client, known, place, `r${round}w${index}`, pace).run()
  })
  return { known, ended: Promise.all(writers).then(() => client.close()) }
}

/** Every acknowledged write, guide and feedback is there; what was not acknowledged is there whole or not at all. */
export async function expectKept(served: Pick<ServedProcess, 'url'>, known: Acknowledgements): Promise<void> {
  const client = new HttpClient(served.url, 16)
  await expectPairs(client, known.pairs)
  await expectEffects(client, known)
  await expectGuides(client, known)
  await expectRepeats(client, known.sent)
  await client.close()
}
