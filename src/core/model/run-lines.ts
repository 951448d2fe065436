import { roomFor, widened } from './columns.ts'
import { RunLine } from './run-line.ts'

/**
 * Int32 numbers of a slot, each plus one, 0 for none: its run, the memories before and after it there. The run is
 * negative when it has a `line`, so that nothing else is read of one that has none.
 */
const WIDTH = 3
const RUN = 0
const BEFORE = 1
const AFTER = 2

interface Run {
  readonly id: string
  /** That all of its memories have, as long as there is no `line`. */
  readonly audienceClass: number
  /** Slot of its last memory, -1: it has none. Not kept once there is a `line`. */
  last: number
  /** Once its memories have several audiences. */
  line: RunLine | null
}

/**
 * Who stands beside whom within a run, in order of first writing. The memories of nearly every run have one audience:
 * these are linked by columns over slots, which a ranking reads many times faster than a list for each run. Where
 * audiences mix, a `RunLine` answers. Each memory is in the run that its record names now, or in none.
 */
export class RunLines {
  readonly #numbers = new Map<string, number>()
  readonly #runs: Run[] = []
  #links = new Int32Array(0)
  /** Number of the run that a memory joined last, mostly that of the next one; -1: it is gone. */
  #last = -1

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
    const run = this.#runs[this.#numbers.get(runId) ?? -1]
    if (run === undefined) return []
    const slots = run.line === null ? this.#linked(run) : [...run.line.slots()]
    return slots.sort((a, b) => a - b)
  }

  /** Numbers given so far. */
  get runCount(): number {
    return this.#runs.length
  }

  /** Number of the run that a memory belongs to; -1: none. */
  runOf(slot: number): number {
    return Math.abs(this.#links[slot * WIDTH + RUN] ?? 0) - 1
  }

  /** Puts a memory into a run, and takes it out of the one where it was. */
  join(runId: string, audienceClass: number, slot: number): void {
    const before = this.runOf(slot)
    if (before >= 0 && this.#runs[before]?.id === runId) return
    this.leave(audienceClass, slot)
    const end = (slot + 1) * WIDTH
    if (end > this.#links.length) {
      this.#links = widened(this.#links, roomFor(slot + 1, this.#links.length / WIDTH) * WIDTH)
    }
    const run = this.#runAt(runId, audienceClass)
    const number = this.#last + 1
    if (run.line === null && run.audienceClass !== audienceClass) run.line = this.#lineOf(run)
    if (run.line === null) {
      this.#links[slot * WIDTH + RUN] = number
      this.#link(run, slot)
    } else {
      this.#links[slot * WIDTH + RUN] = -number
      run.line.add(audienceClass, slot)
    }
  }

  /** Takes a memory out of its run; one that is in none changes nothing. */
  leave(audienceClass: number, slot: number): void {
    const run = this.#runs[this.runOf(slot)]
    if (run === undefined) return
    if (run.line === null) this.#unlink(run, slot)
    else run.line.remove(audienceClass, slot)
    this.#links.fill(0, slot * WIDTH, (slot + 1) * WIDTH)
    const isEmpty = run.line === null ? run.last < 0 : run.line.isEmpty
    if (!isEmpty) return
    this.#numbers.delete(run.id)
    this.#last = -1
  }

  /** The next slot of the run among the classes, of which that of `slot` is one; -1 when there is none. */
  after(slot: number, classes: readonly number[]): number {
    const line = this.#lineAt(slot)
    return line === null ? (this.#links[slot * WIDTH + AFTER] ?? 0) - 1 : line.after(slot, classes)
  }

  /** The slot before, as `after`. */
  before(slot: number, classes: readonly number[]): number {
    const line = this.#lineAt(slot)
    return line === null ? (this.#links[slot * WIDTH + BEFORE] ?? 0) - 1 : line.before(slot, classes)
  }

  #lineAt(slot: number): RunLine | null {
    const run = this.#links[slot * WIDTH + RUN] ?? 0
    return run >= 0 ? null : (this.#runs[-run - 1]?.line ?? null)
  }

  /** The run, which from here on is the last. */
  #runAt(id: string, audienceClass: number): Run {
    const last = this.#runs[this.#last]
    if (last?.id === id) return last
    const number = this.#numbers.get(id) ?? this.#runs.length
    this.#last = number
    const known = this.#runs[number]
    if (known !== undefined) return known
    const run: Run = { id, audienceClass, last: -1, line: null }
    this.#numbers.set(id, number)
    this.#runs.push(run)
    return run
  }

  /** Only a revision that names another run comes in anywhere but behind the last. */
  #link(run: Run, slot: number): void {
    let before = run.last
    let after = -1
    while (before > slot) {
      after = before
      before = (this.#links[before * WIDTH + BEFORE] ?? 0) - 1
    }
    this.#join(before, slot)
    this.#join(slot, after)
    if (after < 0) run.last = slot
  }

  #unlink(run: Run, slot: number): void {
    const before = (this.#links[slot * WIDTH + BEFORE] ?? 0) - 1
    const after = (this.#links[slot * WIDTH + AFTER] ?? 0) - 1
    this.#join(before, after)
    if (after < 0) run.last = before
  }

  /** Makes neighbours of two slots, of which one may be -1: an end of the run. */
  #join(before: number, after: number): void {
    if (before >= 0) this.#links[before * WIDTH + AFTER] = after + 1
    if (after >= 0) this.#links[after * WIDTH + BEFORE] = before + 1
  }

  /** The slots of a run without a line, the last one first. */
  #linked(run: Run): number[] {
    const slots: number[] = []
    for (let slot = run.last; slot >= 0; slot = (this.#links[slot * WIDTH + BEFORE] ?? 0) - 1)
      slots.push(slot)
    return slots
  }

  #lineOf(run: Run): RunLine {
    const line = new RunLine()
    for (const slot of this.#linked(run)) {
      line.add(run.audienceClass, slot)
      this.#links[slot * WIDTH + RUN] = -(this.#links[slot * WIDTH + RUN] ?? 0)
    }
    return line
  }
}
