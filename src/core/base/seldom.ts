const AGAIN_MS = 60_000

/** What meets many at once, or again and again, is told once a minute: the others are counted until then. */
export class Seldom {
  #what: string | null = null
  #toldMs = 0
  #untold = 0

  /**
   * Whether it may be told now, with the fields that say how often it was left untold; null: the same was told less than a minute ago.
   * @param nowMs of a clock that may be set
   */
  fields(what: string, nowMs: number): { readonly untold?: number } | null {
    const agoMs = nowMs - this.#toldMs
    if (what === this.#what && agoMs >= 0 && agoMs < AGAIN_MS) {
      this.#untold += 1
      return null
    }
    const fields = this.#untold === 0 ? {} : { untold: this.#untold }
    this.#what = what
    this.#toldMs = nowMs
    this.#untold = 0
    return fields
  }

  /** It is over: should it come again, that is news. */
  end(): void {
    this.#what = null
    this.#untold = 0
  }
}
