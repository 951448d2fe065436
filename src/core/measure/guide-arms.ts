import type { ExposureRecord } from '../model/events.ts'

/** Guides that are looked through to learn which runs had memory. */
export const GUIDES_MAX = 10_000

/** Whether the guides of a run gave it memory for direct use, withheld memory, or neither. */
type RunArm = 'guided' | 'withheld' | 'neither'

/** Which runs had memory, by the guides that were looked through. */
export interface GuideArms {
  readonly ofRun: ReadonlyMap<string, RunArm>
  /** Guides that name no run, by agent: the sequence of the first one. A run of that agent may be theirs. */
  readonly runlessSince: ReadonlyMap<string, number>
  /** Guides before this sequence were not looked at; 0: all were. */
  readonly fromSeq: number
  /** There are more guides than are looked through. */
  readonly isCut: boolean
}

/** Adds up guides, each once, in any order. */
export class GuideArmsSum {
  readonly #ofRun = new Map<string, RunArm>()
  readonly #runlessSince = new Map<string, number>()
  #oldestSeq = Number.MAX_SAFE_INTEGER
  #count = 0

  get count(): number {
    return this.#count
  }

  add({ runId, heldOut, surfaces, consumerAgentId, seq }: ExposureRecord): void {
    this.#count += 1
    this.#oldestSeq = Math.min(this.#oldestSeq, seq)
    if (runId !== null) {
      const own: RunArm = surfaces.includes('use_now') ? 'guided' : heldOut ? 'withheld' : 'neither'
      this.#ofRun.set(runId, together(this.#ofRun.get(runId) ?? own, own))
    } else if (!heldOut) {
      const since = this.#runlessSince.get(consumerAgentId) ?? seq
      this.#runlessSince.set(consumerAgentId, Math.min(since, seq))
    }
  }

  /** @param known how many guides the actor has made; those that are kept no longer were not added */
  arms(known: number): GuideArms {
    const isWhole = this.#count >= known
    return {
      ofRun: this.#ofRun,
      runlessSince: this.#runlessSince,
      fromSeq: isWhole ? 0 : this.#oldestSeq,
      isCut: this.#count >= GUIDES_MAX && !isWhole,
    }
  }
}

/** One guide with memory makes a run guided; without one, all of them must have withheld it. */
function together(one: RunArm, other: RunArm): RunArm {
  if (one === other) return one
  return one === 'guided' || other === 'guided' ? 'guided' : 'neither'
}
