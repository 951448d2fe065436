import type { DamageKind } from '../files/damage.ts'
import type { JournalDamage } from './survey-report.ts'

/** What a survey has found to be wrong so far, in the order of the journal. */
export class DamageList {
  readonly #damages: JournalDamage[] = []

  get all(): readonly JournalDamage[] {
    return this.#damages
  }

  get last(): JournalDamage | undefined {
    return this.#damages.at(-1)
  }

  /** @param lostRecords null: nobody knows yet */
  add(
    kind: DamageKind,
    path: string,
    segmentSeq: number,
    offset: number | null,
    what: string,
    actorKeys: readonly string[],
    lostRecords: number | null = null,
  ): void {
    this.#damages.push({ kind, path, offset, what, segmentSeq, lostRecords, actorKeys })
  }

  /** What lies between two whole segments tells together how many records it had: the last damage says so for all. */
  countLost(lost: number): void {
    const last = this.#damages.length - 1
    for (const [at, damage] of this.#damages.entries()) {
      if (damage.lostRecords === null) this.#damages[at] = { ...damage, lostRecords: at === last ? lost : 0 }
    }
  }
}
