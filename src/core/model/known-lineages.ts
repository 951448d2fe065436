import type { Consumer } from './record.ts'

/** What was found of lineages for the one who asked last, as long as no turn comes. */
export class KnownLineages {
  #seq = -1
  #eyes: Consumer | null = null
  readonly #isTrusted = new Map<string, boolean>()

  /** By memory id whether a memory and all that it was made from is trusted. Written by who finds it out. */
  of(seq: number, eyes: Consumer | null): Map<string, boolean> {
    const isSame = this.#eyes?.agentId === eyes?.agentId && this.#eyes?.teamId === eyes?.teamId
    if (seq !== this.#seq || !isSame) this.#isTrusted.clear()
    this.#seq = seq
    this.#eyes = eyes
    return this.#isTrusted
  }
}
