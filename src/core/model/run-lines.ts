import { roomFor, widened } from './columns.ts'

/** Int32 numbers of a slot, each plus one, 0 for none: its run, and the memories of the run before and after it. */
const SLOT_WIDTH = 3
const RUN = 0
const BEFORE = 1
const AFTER = 2

/**
 * Int32 numbers of a share, which is what a run has of one audience: the number of the audience class, how many memories, and
 * the next share of the run plus one (0: there is none). The first share of a run has the last memory of all of it, too.
 */
const SHARE_WIDTH = 4
const CLASS = 0
const COUNT = 1
const NEXT_SHARE = 2
const LAST = 3

/**
 * The memories of each run, in order of first writing, and how many of them each audience sees. Each memory is in the run that
 * its record names now, or in none. A ranking asks who stands beside hundreds of them: plain numbers by slot, since the
 * memories of a run mostly have slots that are near to each other.
 */
export class RunLines {
  /** The number of a run is that of its first share. */
  readonly #numbers = new Map<string, number>()
  /** By share: the run, of a first one. */
  readonly #runIds: string[] = []
  #shares = new Int32Array(0)
  #slots = new Int32Array(0)

  /** Ids of the runs that have memories, in order of their first ones. */
  keys(): Iterable<string> {
    return this.#numbers.keys()
  }

  /** How many runs have memories. */
  get size(): number {
    return this.#numbers.size
  }

  /** The memories of a run, in order of first writing. */
  slotsOf(runId: string): readonly number[] {
    const run = this.#numbers.get(runId)
    const slots: number[] = []
    for (let at = run === undefined ? -1 : this.#lastOf(run); at >= 0; at = this.before(at)) slots.push(at)
    return slots.reverse()
  }

  /** Number of the run that a memory belongs to; -1: none. */
  runOf(slot: number): number {
    return (this.#slots[slot * SLOT_WIDTH + RUN] ?? 0) - 1
  }

  /** The memory of the same run that was first written before it; -1: it is the first one. */
  before(slot: number): number {
    return (this.#slots[slot * SLOT_WIDTH + BEFORE] ?? 0) - 1
  }

  /** The memory of the same run that was first written after it; -1: it is the last one. */
  after(slot: number): number {
    return (this.#slots[slot * SLOT_WIDTH + AFTER] ?? 0) - 1
  }

  /** How many memories of a run, by its number, have an audience that is seen. `isSeen`: 1 for each such audience class. */
  countSeen(run: number, isSeen: Uint8Array): number {
    let count = 0
    for (let share = run; share >= 0; share = this.#nextShare(share))
      if (isSeen[this.#share(share, CLASS)] === 1) count += this.#share(share, COUNT)
    return count
  }

  /** Puts a memory into a run, and takes it out of the one where it was. */
  join(runId: string, audienceClass: number, slot: number): void {
    const before = this.runOf(slot)
    if (before >= 0 && this.#runIds[before] === runId) return
    this.leave(audienceClass, slot)
    if ((slot + 1) * SLOT_WIDTH > this.#slots.length) {
      const room = roomFor(slot + 1, this.#slots.length / SLOT_WIDTH)
      this.#slots = widened(this.#slots, room * SLOT_WIDTH)
    }
    const known = this.#numbers.get(runId)
    const run = known ?? this.#newShare(runId, audienceClass)
    this.#numbers.set(runId, run)
    this.#slots[slot * SLOT_WIDTH + RUN] = run + 1
    // Only a revision that names another run comes in anywhere but behind the last.
    let last = this.#lastOf(run)
    let next = -1
    for (; last > slot; last = this.before(last)) next = last
    this.#link(run, last, slot)
    this.#link(run, slot, next)
    const share = this.#shareOf(run, audienceClass)
    this.#shares[share * SHARE_WIDTH + COUNT] = this.#share(share, COUNT) + 1
  }

  /** Takes a memory out of its run; one that is in none changes nothing. */
  leave(audienceClass: number, slot: number): void {
    const run = this.runOf(slot)
    if (run < 0) return
    this.#link(run, this.before(slot), this.after(slot))
    this.#slots.fill(0, slot * SLOT_WIDTH, (slot + 1) * SLOT_WIDTH)
    const share = this.#shareOf(run, audienceClass)
    this.#shares[share * SHARE_WIDTH + COUNT] = this.#share(share, COUNT) - 1
    if (this.#lastOf(run) >= 0) return
    this.#numbers.delete(this.#runIds[run] ?? '')
    this.#runIds[run] = ''
  }

  /** Puts two memories of a run beside each other; -1 stands for its begin and its end. */
  #link(run: number, before: number, after: number): void {
    if (before >= 0) this.#slots[before * SLOT_WIDTH + AFTER] = after + 1
    if (after >= 0) this.#slots[after * SLOT_WIDTH + BEFORE] = before + 1
    else this.#shares[run * SHARE_WIDTH + LAST] = before + 1
  }

  #lastOf(run: number): number {
    return this.#share(run, LAST) - 1
  }

  #share(share: number, field: number): number {
    return this.#shares[share * SHARE_WIDTH + field] ?? 0
  }

  #nextShare(share: number): number {
    return this.#share(share, NEXT_SHARE) - 1
  }

  /** The share of an audience in a run, from now on if there was none. */
  #shareOf(run: number, audienceClass: number): number {
    let share = run
    while (this.#share(share, CLASS) !== audienceClass) {
      const next = this.#nextShare(share)
      if (next < 0) {
        const added = this.#newShare('', audienceClass)
        this.#shares[share * SHARE_WIDTH + NEXT_SHARE] = added + 1
        return added
      }
      share = next
    }
    return share
  }

  #newShare(runId: string, audienceClass: number): number {
    const share = this.#runIds.push(runId) - 1
    if ((share + 1) * SHARE_WIDTH > this.#shares.length) {
      const room = roomFor(share + 1, this.#shares.length / SHARE_WIDTH)
      this.#shares = widened(this.#shares, room * SHARE_WIDTH)
    }
    this.#shares[share * SHARE_WIDTH + CLASS] = audienceClass
    return share
  }
}
