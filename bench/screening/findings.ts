import { FINDING_KINDS, type FindingKind } from '../../src/core/screening/finding.ts'
import { screen } from '../../src/core/screening/screen.ts'
import type { Label, Sample } from './samples.ts'
import { familiesOf, type Shares, sharesOf } from './shares.ts'

/** Of the texts of a family, those with a finding. */
export interface FindingsRow {
  readonly label: Label
  readonly family: string
  readonly found: Shares
  /** Texts of the family in which each kind was found. */
  readonly kinds: Readonly<Partial<Record<FindingKind, number>>>
}

export const KINDS = Object.keys(FINDING_KINDS).filter((kind): kind is FindingKind => kind in FINDING_KINDS)

/** A fact, asked for by nobody: the context that excuses least. */
const CONTEXT = { domain: 'general', declaredType: 'fact', queryText: null } as const

/** What screening finds, family by family, before any rule of use is asked. */
export function findingsByFamily(samples: readonly Sample[]): readonly FindingsRow[] {
  const screened = samples.map((sample) => ({
    sample,
    kinds: new Set(screen(sample.text, CONTEXT).map((finding) => finding.kind)),
  }))
  return familiesOf(screened).map(({ label, family, texts }) => {
    const kinds: Partial<Record<FindingKind, number>> = {}
    for (const text of texts) for (const kind of text.kinds) kinds[kind] = (kinds[kind] ?? 0) + 1
    return { label, family, found: sharesOf(texts, (text) => text.kinds.size > 0), kinds }
  })
}
