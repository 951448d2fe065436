import type { Surface } from '../base/closed-sets.ts'

/** The sections of a prompt in reading order. */
export const SECTIONS: readonly { readonly surface: Surface; readonly heading: string }[] = [
  { surface: 'use_now', heading: '## USE NOW: may guide the next action' },
  { surface: 'do_not_use', heading: '## DO NOT USE: warnings, never act on these' },
  { surface: 'inspect_before_use', heading: '## INSPECT BEFORE USE: verify first' },
  { surface: 'rehydrate', heading: '## REHYDRATE: fetch the evidence first' },
]

/** What was printed, given in rank order, in the order of its lines in the prompt. */
export function inPrintingOrder<Printed extends { readonly surface: Surface }>(
  printed: readonly Printed[],
): readonly Printed[] {
  return SECTIONS.flatMap(({ surface }) => printed.filter((each) => each.surface === surface))
}
