import { type DisputeReading, readForDispute } from '../core/similarity/dispute.ts'

/** Texts kept as disputes read them: few are asked for again. Twice as many, and as many characters, are held at most. */
const READINGS_MAX = 32
const READ_CHARS_MAX = 50_000
/** About what such a reading takes, and each character of its text. Bytes. */
const READING_BYTES = 4_000
const READING_CHAR_BYTES = 40

/**
 * The readings of texts that were used last. They stand in two maps from which nothing is taken out: a map that loses
 * entries is copied all the time, and the copies refer to each other, so that one which the collector has called old
 * keeps all later ones alive, and what they held, until it goes through all memory.
 */
export class RecentReadings {
  #newer = generation()
  #older = generation()

  of(text: string): DisputeReading {
    const known = this.#newer.readings.get(text)
    if (known !== undefined) return known
    const reading = this.#older.readings.get(text) ?? readForDispute(text)
    const { readings, chars } = this.#newer
    if (readings.size === READINGS_MAX || chars + text.length > READ_CHARS_MAX) {
      this.#older = this.#newer
      this.#newer = generation()
    }
    this.#newer.readings.set(text, reading)
    this.#newer.chars += text.length
    return reading
  }

  forget(): void {
    this.#newer = generation()
    this.#older = generation()
  }

  /** Estimate of its share of the heap, in bytes. */
  weightBytes(): number {
    const texts = this.#newer.readings.size + this.#older.readings.size
    return texts * READING_BYTES + (this.#newer.chars + this.#older.chars) * READING_CHAR_BYTES
  }
}

function generation() {
  return { readings: new Map<string, DisputeReading>(), chars: 0 }
}
