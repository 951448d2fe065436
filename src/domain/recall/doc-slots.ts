import { assert } from '../assert.ts'

const ROOM_AT_FIRST = 64

/**
 * Which memory a document stands for, and which document stands for a memory. Both are dense numbers: documents in order
 * of insertion, memories by their slots.
 */
export class DocSlots {
  // Each number + 1, 0: none.
  #slotOfDoc: Int32Array
  #docOfSlot: Int32Array
  #docs: number

  /** Goes on with what `image` gave, and writes into it. */
  constructor(image: Int32Array | null = null) {
    this.#slotOfDoc = image ?? new Int32Array(ROOM_AT_FIRST)
    this.#docs = image?.length ?? 0
    this.#docOfSlot = new Int32Array(Math.max(ROOM_AT_FIRST, this.#docs))
    for (let doc = 0; doc < this.#docs; doc += 1) {
      const slot = this.slotOf(doc)
      if (slot >= 0) this.#place(slot, doc)
    }
  }

  get bytes(): number {
    return this.#slotOfDoc.byteLength + this.#docOfSlot.byteLength
  }

  /** The next document stands for a memory from now on. */
  add(doc: number, slot: number): void {
    assert(doc === this.#docs, 'documents are numbered in order of insertion')
    if (doc >= this.#slotOfDoc.length) this.#slotOfDoc = widened(this.#slotOfDoc, doc + 1)
    this.#slotOfDoc[doc] = slot + 1
    this.#docs = doc + 1
    this.#place(slot, doc)
  }

  /** The document of a memory, which from now on stands for none. */
  remove(slot: number): number {
    const doc = this.docOf(slot)
    assert(doc >= 0, `the memory in slot ${slot} is not indexed`)
    this.#slotOfDoc[doc] = 0
    this.#docOfSlot[slot] = 0
    return doc
  }

  /** -1: it stands for no memory any more. */
  slotOf(doc: number): number {
    return (this.#slotOfDoc[doc] ?? 0) - 1
  }

  /** -1: the memory is not indexed. */
  docOf(slot: number): number {
    return (this.#docOfSlot[slot] ?? 0) - 1
  }

  /** By document, its memory's slot + 1, 0 for none: a copy. */
  image(): Int32Array {
    return this.#slotOfDoc.slice(0, this.#docs)
  }

  #place(slot: number, doc: number): void {
    if (slot >= this.#docOfSlot.length) this.#docOfSlot = widened(this.#docOfSlot, slot + 1)
    this.#docOfSlot[slot] = doc + 1
  }
}

function widened(from: Int32Array, least: number): Int32Array {
  const to = new Int32Array(Math.max(ROOM_AT_FIRST, from.length * 2, least))
  to.set(from)
  return to
}
