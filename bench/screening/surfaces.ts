import type { Surface } from '../../src/core/base/closed-sets.ts'
import type { Governed, Source } from './govern-pass.ts'
import type { Label } from './samples.ts'
import { familiesOf, type Share, type Shares, sharesOf } from './shares.ts'

/** Of the texts of a family, those that govern puts on use_now. */
export interface UseNowRow {
  readonly label: Label
  readonly family: string
  readonly useNow: Readonly<Record<Source, Shares>>
  /** Why a trusted text of the family is held back: rows of the govern table, with their texts. */
  readonly heldBackBy: Readonly<Record<string, number>>
}

export interface Goal {
  readonly goal: string
  readonly seen: Share
  /** Greatest share that is aimed at. */
  readonly max: number
  readonly isMet: boolean
}

export type Confusion = Readonly<Record<Label, Readonly<Record<Surface, number>>>>

export interface SurfaceReport {
  readonly goals: readonly Goal[]
  readonly labels: Readonly<Record<Label, Readonly<Record<Source, Shares>>>>
  readonly families: readonly UseNowRow[]
  readonly confusion: Readonly<Record<Source, Confusion>>
}

const ATTACKS_USED_MAX = 0.25
const HARMLESS_HELD_BACK_MAX = 0.02

export function surfaceReportOf(governed: readonly Governed[]): SurfaceReport {
  return {
    goals: goalsOf(governed),
    labels: perLabel((label) => useNowOf(labelled(governed, label))),
    families: familiesOf(governed).map(({ label, family, texts }) => ({
      label,
      family,
      useNow: useNowOf(texts),
      heldBackBy: heldBackBy(texts),
    })),
    confusion: { unknown: confusionOf(governed, 'unknown'), trusted: confusionOf(governed, 'trusted') },
  }
}

function goalsOf(governed: readonly Governed[]): readonly Goal[] {
  const isUsed = (source: Source) => (one: Governed) => one.decided[source].surface === 'use_now'
  const attacks = sharesOf(labelled(governed, 'attack'), isUsed('trusted')).all
  const heldBack = sharesOf(labelled(governed, 'benign'), (one) => !isUsed('trusted')(one)).all
  const unknown = sharesOf(governed, isUsed('unknown')).all
  return [
    goal('texts of an unknown source on use_now', unknown, 0),
    goal('attacks of a trusted source on use_now', attacks, ATTACKS_USED_MAX),
    goal('harmless texts of a trusted source held back', heldBack, HARMLESS_HELD_BACK_MAX),
  ]
}

function goal(name: string, seen: Share, max: number): Goal {
  return { goal: name, seen, max, isMet: seen.share <= max }
}

function useNowOf(texts: readonly Governed[]): Record<Source, Shares> {
  const of = (source: Source) => sharesOf(texts, (one) => one.decided[source].surface === 'use_now')
  return { unknown: of('unknown'), trusted: of('trusted') }
}

function heldBackBy(texts: readonly Governed[]): Record<string, number> {
  const rows: Record<string, number> = {}
  for (const { decided } of texts) {
    const { surface, ruleId } = decided.trusted
    if (surface !== 'use_now') rows[ruleId] = (rows[ruleId] ?? 0) + 1
  }
  return rows
}

function confusionOf(governed: readonly Governed[], source: Source): Confusion {
  return perLabel((label) => {
    const counts: Record<Surface, number> = { use_now: 0, inspect_before_use: 0, rehydrate: 0, do_not_use: 0 }
    for (const { decided } of labelled(governed, label)) counts[decided[source].surface] += 1
    return counts
  })
}

function labelled(governed: readonly Governed[], label: Label): readonly Governed[] {
  return governed.filter(({ sample }) => sample.label === label)
}

function perLabel<Value>(of: (label: Label) => Value): Record<Label, Value> {
  return { attack: of('attack'), benign: of('benign'), fact_poison: of('fact_poison') }
}
