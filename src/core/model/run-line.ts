/**
 * The memories of one run by audience class, each list in order of first writing: who stands beside whom can be asked
 * for any set of audiences, and those that are not asked for change no answer. Numbers are slots of memories.
 */
export class RunLine {
  readonly #slotsOfClass = new Map<number, number[]>()

  /** Adds a memory; one that is known already stays. */
  add(audienceClass: number, slot: number): void {
    const slots = this.#slotsOfClass.get(audienceClass)
    if (slots === undefined) {
      this.#slotsOfClass.set(audienceClass, [slot])
      return
    }
    if (slot > (slots.at(-1) ?? -1)) {
      slots.push(slot)
      return
    }
    const at = placeOf(slots, slot)
    if (slots[at] !== slot) slots.splice(at, 0, slot)
  }

  /** Takes a memory out; one that is not in the line changes nothing. */
  remove(audienceClass: number, slot: number): void {
    const slots = this.#slotsOfClass.get(audienceClass) ?? []
    const at = placeOf(slots, slot)
    if (slots[at] === slot) slots.splice(at, 1)
    if (slots.length === 0) this.#slotsOfClass.delete(audienceClass)
  }

  /** All of its memories, in no order. */
  slots(): readonly number[] {
    return [...this.#slotsOfClass.values()].flat()
  }

  get isEmpty(): boolean {
    return this.#slotsOfClass.size === 0
  }

  /** The nearest slot after `slot` among the classes, -1 when there is none. */
  after(slot: number, classes: readonly number[]): number {
    let nearest = -1
    for (const each of classes) {
      const slots = this.#slotsOfClass.get(each)
      if (slots === undefined) continue
      const found = slots[placeOf(slots, slot + 1)] ?? -1
      if (found >= 0 && (nearest < 0 || found < nearest)) nearest = found
    }
    return nearest
  }

  /** The nearest slot before `slot` among the classes, -1 when there is none. */
  before(slot: number, classes: readonly number[]): number {
    let nearest = -1
    for (const each of classes) {
      const slots = this.#slotsOfClass.get(each)
      if (slots === undefined) continue
      const found = slots[placeOf(slots, slot) - 1] ?? -1
      if (found > nearest) nearest = found
    }
    return nearest
  }
}

/** Place of the first element that is not below `slot`. */
function placeOf(slots: readonly number[], slot: number): number {
  let low = 0
  let high = slots.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((slots[middle] ?? 0) < slot) low = middle + 1
    else high = middle
  }
  return low
}
