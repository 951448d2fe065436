import { assert } from '../base/assert.ts'

const ROOM_AT_FIRST = 64

/**
 * Which memory a document stands for, and which document stands for a memory. Both are dense numbers: documents in order
 * of insertion, memories by their slots.
 */
export class DocSlots {
  // Each number + 1, 0: none.
  #slotOfDoc: Int32Array
  /** Null until a memory is taken out: a load that only asks needs none of it. */
  #docOfSlot: Int32Array | null = null
  #docs: number

  /** Goes on with what `image` gave, and writes into it. */
  constructor(image: Int32Array | null = null) {
    this.#slotOfDoc = image ?? new Int32Array(ROOM_AT_FIRST)
    this.#docs = image?.length ?? 0
  }

  /** With what it holds once a memory was taken out. */
  get bytes(): number {
    return this.#slotOfDoc.byteLength + (this.#docOfSlot ?? this.#slotOfDoc).byteLength
  }

  /** The next document stands for a memory from now on. */
  add(doc: number, slot: number): void {
    assert(doc === this.#docs, 'documents are numbered in order of insertion')
    if (doc >= this.#slotOfDoc.length) this.#slotOfDoc = widened(this.#slotOfDoc, doc + 1)
    this.#slotOfDoc[doc] = slot + 1
    this.#docs = doc + 1
    if (this.#docOfSlot !== null) this.#docOfSlot = placed(this.#docOfSlot, slot, doc)
  }

  /** The document of a memory, which from now on stands for none. */
  remove(slot: number): number {
    const docOfSlot = this.#bySlot()
    const doc = (docOfSlot[slot] ?? 0) - 1
    assert(doc >= 0, `the memory in slot ${slot} is not indexed`)
    this.#slotOfDoc[doc] = 0
    docOfSlot[slot] = 0
    return doc
  }

  /** -1: it stands for no memory any more. */
  slotOf(doc: number): number {
    return (this.#slotOfDoc[doc] ?? 0) - 1
  }

  /** By document, its memory's slot + 1, 0 for none: a copy. */
  image(): Int32Array {
    return this.#slotOfDoc.slice(0, this.#docs)
  }

  #bySlot(): Int32Array {
    if (this.#docOfSlot !== null) return this.#docOfSlot
    const slotOfDoc = this.#slotOfDoc
    // Two plain loops: a million documents take a few milliseconds.
    let room = Math.max(ROOM_AT_FIRST, this.#docs)
    for (let doc = 0; doc < this.#docs; doc += 1) room = Math.max(room, slotOfDoc[doc] ?? 0)
    const bySlot = new Int32Array(room)
    for (let doc = 0; doc < this.#docs; doc += 1) {
      const slot = (slotOfDoc[doc] ?? 0) - 1
      if (slot >= 0) bySlot[slot] = doc + 1
    }
    this.#docOfSlot = bySlot
    return bySlot
  }
}

/** `bySlot` with the document of one more slot: wider where it has to be. */
function placed(bySlot: Int32Array, slot: number, doc: number): Int32Array {
  const roomy = slot < bySlot.length ? bySlot : widened(bySlot, slot + 1)
  roomy[slot] = doc + 1
  return roomy
}

function widened(from: Int32Array, least: number): Int32Array {
  const to = new Int32Array(Math.max(ROOM_AT_FIRST, from.length * 2, least))
  to.set(from)
  return to
}
