import { roomFor, widened } from './columns.ts'

/** The memories of a run that have one audience, in order of first writing. */
interface Line {
  readonly runId: string
  readonly audienceClass: number
  readonly slots: number[]
  /** The memories of the same run that have another audience. */
  next: Line | null
}

/**
 * The memories of each run, in order of first writing, by audience: who stands beside whom can be asked for any set of
 * audiences, and those that are not asked for change no answer. Each memory is in the run that its record names now, or in
 * none. The memories of nearly every run have one audience.
 */
export class RunLines {
  readonly #numbers = new Map<string, number>()
  /** The first line of each run, by its number. */
  readonly #runs: Line[] = []
  /** By slot: the number of its run plus one, 0 for none. */
  #runOfSlot = new Int32Array(0)

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
    const slots: number[] = []
    for (let line = this.#runs[this.#numbers.get(runId) ?? -1] ?? null; line !== null; line = line.next)
      slots.push(...line.slots)
    return slots.sort((a, b) => a - b)
  }

  /** Number of the run that a memory belongs to; -1: none. */
  runOf(slot: number): number {
    return (this.#runOfSlot[slot] ?? 0) - 1
  }

  /** Puts a memory into a run, and takes it out of the one where it was. */
  join(runId: string, audienceClass: number, slot: number): void {
    const before = this.runOf(slot)
    if (before >= 0 && this.#runs[before]?.runId === runId) return
    this.leave(audienceClass, slot)
    if (slot >= this.#runOfSlot.length)
      this.#runOfSlot = widened(this.#runOfSlot, roomFor(slot + 1, this.#runOfSlot.length))
    let number = this.#numbers.get(runId)
    if (number === undefined) {
      number = this.#runs.push({ runId, audienceClass, slots: [slot], next: null }) - 1
      this.#numbers.set(runId, number)
    } else this.#insert(number, audienceClass, slot)
    this.#runOfSlot[slot] = number + 1
  }

  /** Takes a memory out of its run; one that is in none changes nothing. */
  leave(audienceClass: number, slot: number): void {
    const first = this.#runs[this.runOf(slot)]
    if (first === undefined) return
    this.#runOfSlot[slot] = 0
    let isEmpty = true
    for (let line: Line | null = first; line !== null; line = line.next) {
      if (line.audienceClass === audienceClass) line.slots.splice(placeOf(line.slots, slot), 1)
      isEmpty &&= line.slots.length === 0
    }
    if (isEmpty) this.#numbers.delete(first.runId)
  }

  /**
   * The memories of a run, by its number, that have an audience which is seen, in order of first writing. Not a copy, and not
   * to be kept. `isSeen`: 1 for each such audience class.
   */
  seenIn(run: number, isSeen: Uint8Array): readonly number[] {
    const first = this.#runs[run]
    if (first === undefined) return []
    if (first.next === null) return isSeen[first.audienceClass] === 1 ? first.slots : []
    const slots: number[] = []
    for (let line: Line | null = first; line !== null; line = line.next)
      if (isSeen[line.audienceClass] === 1) slots.push(...line.slots)
    return slots.sort((a, b) => a - b)
  }

  #insert(number: number, audienceClass: number, slot: number): void {
    let line = this.#runs[number] ?? null
    while (line !== null && line.audienceClass !== audienceClass) {
      if (line.next === null) {
        line.next = { runId: line.runId, audienceClass, slots: [slot], next: null }
        return
      }
      line = line.next
    }
    if (line === null) return
    // Only a revision that names another run comes in anywhere but behind the last.
    if (slot > (line.slots.at(-1) ?? -1)) line.slots.push(slot)
    else line.slots.splice(placeOf(line.slots, slot), 0, slot)
  }
}

/** Place of the first element that is not below `slot`. */
export function placeOf(slots: readonly number[], slot: number): number {
  let low = 0
  let high = slots.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((slots[middle] ?? 0) < slot) low = middle + 1
    else high = middle
  }
  return low
}
