import type { FindingKind, ScreeningContext } from '../../src/core/screening/finding.ts'
import { screen } from '../../src/core/screening/screen.ts'

/** A fact of no run, and a query that names nothing. */
export const FACT: ScreeningContext = { domain: 'general', declaredType: 'fact', queryText: null }
export const RULE: ScreeningContext = { ...FACT, declaredType: 'rule' }

/** What is found, as `kind: the very text of the span`. */
export function shown(text: string, context: ScreeningContext = FACT): readonly string[] {
  return screen(text, context).map(({ kind, start, end }) => `${kind}: ${text.slice(start, end)}`)
}

/** The texts of the spans of one kind. */
export function spansOf(
  kind: FindingKind,
  text: string,
  context: ScreeningContext = FACT,
): readonly string[] {
  return screen(text, context)
    .filter((finding) => finding.kind === kind)
    .map(({ start, end }) => text.slice(start, end))
}
