/** The clock of a simulation: what is due, in its order. */
export class Timeline {
  nowMs = 0
  readonly #due = new Heap<() => void>()

  after(ms: number, action: () => void): void {
    this.#due.push(this.nowMs + ms, action)
  }

  /** Runs what is due until so late, or until nothing is. */
  runUntil(endMs: number): void {
    for (let next = this.#due.least; next !== null && next <= endMs; next = this.#due.least) {
      this.nowMs = next
      this.#due.pop()?.()
    }
  }
}

/** Values by number, the least first; of equal ones the one that came first. */
class Heap<Value> {
  readonly #keys: number[] = []
  readonly #places: number[] = []
  readonly #values: Value[] = []
  #pushed = 0

  get size(): number {
    return this.#keys.length
  }

  get least(): number | null {
    return this.#keys[0] ?? null
  }

  push(key: number, value: Value): void {
    this.#keys.push(key)
    this.#values.push(value)
    this.#places.push((this.#pushed += 1))
    for (let at = this.#keys.length - 1; at > 0; ) {
      const above = (at - 1) >> 1
      if (!this.#isBefore(at, above)) return
      this.#swap(at, above)
      at = above
    }
  }

  pop(): Value | undefined {
    const last = this.#keys.length - 1
    this.#swap(0, last)
    this.#keys.pop()
    this.#places.pop()
    const value = this.#values.pop()
    for (let at = 0; ; ) {
      const left = 2 * at + 1
      if (left >= last) return value
      const below = left + 1 < last && this.#isBefore(left + 1, left) ? left + 1 : left
      if (!this.#isBefore(below, at)) return value
      this.#swap(at, below)
      at = below
    }
  }

  #isBefore(one: number, other: number): boolean {
    const [a = 0, b = 0] = [this.#keys[one], this.#keys[other]]
    return a < b || (a === b && (this.#places[one] ?? 0) < (this.#places[other] ?? 0))
  }

  #swap(one: number, other: number): void {
    for (const list of [this.#keys, this.#places]) {
      const [a = 0, b = 0] = [list[one], list[other]]
      list[one] = b
      list[other] = a
    }
    const [a, b] = [this.#values[one], this.#values[other]]
    if (a === undefined || b === undefined) return
    this.#values[one] = b
    this.#values[other] = a
  }
}

/** Some cores that whoever has work shares, each at most one of them. */
export class Machine {
  readonly #timeline: Timeline
  readonly #cores: number
  readonly #running = new Heap<() => void>()
  /** Work that each one that runs has been given so far. */
  #givenMs = 0
  #sinceMs = 0
  #next = 0
  /** Time of cores that was used. */
  busyMs = 0

  constructor(timeline: Timeline, cores: number) {
    this.#timeline = timeline
    this.#cores = cores
  }

  run(ms: number, done: () => void): void {
    this.#advance()
    this.#running.push(this.#givenMs + ms, done)
    this.#plan()
  }

  #advance(): void {
    const { nowMs } = this.#timeline
    const { size } = this.#running
    const passedMs = nowMs - this.#sinceMs
    this.#sinceMs = nowMs
    if (size === 0) return
    this.#givenMs += passedMs * Math.min(1, this.#cores / size)
    this.busyMs += passedMs * Math.min(size, this.#cores)
  }

  #plan(): void {
    const { least, size } = this.#running
    const planned = (this.#next += 1)
    if (least === null) return
    const leftMs = Math.max(0, least - this.#givenMs) / Math.min(1, this.#cores / size)
    this.#timeline.after(leftMs, () => {
      if (planned !== this.#next) return
      this.#advance()
      // What rounding has left of it counts as done.
      this.#givenMs = Math.max(this.#givenMs, least)
      const done = this.#running.pop()
      this.#plan()
      done?.()
    })
  }
}

/** One thread of a machine: one piece of work after the other. */
export class Thread {
  readonly #machine: Machine
  readonly #waiting: { readonly ms: number; readonly done: () => void }[] = []
  #head = 0
  #isBusy = false
  /** Processor time that it has used. */
  usedMs = 0
  readonly #wakeMs: number

  /** Work that finds it asleep takes so much longer: it has to be woken, and its caches are cold. */
  constructor(machine: Machine, wakeMs = 0) {
    this.#machine = machine
    this.#wakeMs = wakeMs
  }

  run(ms: number, done: () => void): void {
    const isAwake = this.#isBusy
    this.#waiting.push({ ms: isAwake ? ms : ms + this.#wakeMs, done })
    if (!isAwake) this.#take()
  }

  #take(): void {
    const work = this.#waiting[this.#head]
    if (work === undefined) {
      this.#waiting.length = 0
      this.#head = 0
      this.#isBusy = false
      return
    }
    this.#head += 1
    this.#isBusy = true
    this.usedMs += work.ms
    this.#machine.run(work.ms, () => {
      work.done()
      this.#take()
    })
  }
}
