import type { Turn } from '../core/model/events.ts'

/** Explanations of guides that history keeps for each actor at least; older ones may go before their time is over. */
export const EXPLANATIONS_MAX = 10_000
/** Guides between two noted sequences: so many more than the bound may be kept. */
const STEP_GUIDES = 1_000

/** From which turn on the explanations of an actor are kept. Counted since the actor was loaded, so it only ever lags. */
export class ExplainedGuides {
  readonly #stepsMax: number
  readonly #stepGuides: number
  #guides = 0
  /** Sequences of every so many guides, the newest last. */
  readonly #noted: number[] = []

  constructor(explanationsMax = EXPLANATIONS_MAX, stepGuides = STEP_GUIDES) {
    this.#stepGuides = stepGuides
    this.#stepsMax = Math.ceil(explanationsMax / stepGuides)
  }

  apply({ seq, events }: Turn): void {
    for (const { type } of events) {
      if (type !== 'guide_decided') continue
      this.#guides += 1
      if (this.#guides % this.#stepGuides !== 0) continue
      this.#noted.push(seq)
      if (this.#noted.length > this.#stepsMax + 1) this.#noted.shift()
    }
  }

  /** Turns before this one may lose their explanations; 0: none may. */
  get keptFromSeq(): number {
    return this.#noted.length > this.#stepsMax ? (this.#noted[0] ?? 0) : 0
  }
}
