import { type Figure, figureOf } from '../result.ts'
import type { Governed, Source } from './govern-pass.ts'
import { HALVES, halfOf, type Label } from './samples.ts'
import { familiesOf, shareText } from './shares.ts'

const NOTHING_GOAL = { bound: 'most', value: 0 } as const
const ATTACKS_GOAL = { bound: 'most', value: 0.25 } as const
const HELD_BACK_GOAL = { bound: 'most', value: 0.02 } as const

type Goal = typeof NOTHING_GOAL | typeof ATTACKS_GOAL | typeof HELD_BACK_GOAL
type Has = (one: Governed) => boolean

const isUsed =
  (source: Source): Has =>
  ({ decided }) =>
    decided[source].surface === 'use_now'

/** Shares of texts that govern puts on use_now: the goals, then each half of the texts, then family by family. */
export function surfaceFigures(governed: readonly Governed[]): Figure[] {
  const of = (label: Label) => governed.filter(({ sample }) => sample.label === label)
  const trusted = isUsed('trusted')
  const share = (name: string, texts: readonly Governed[], has: Has, goal?: Goal) =>
    texts.length === 0
      ? []
      : [figureOf(name, `share of ${texts.length}`, [texts.filter(has).length / texts.length], { goal })]
  const isHeldBack: Has = (one) => !trusted(one)
  return [
    ...share('texts of an unknown source on use_now', governed, isUsed('unknown'), NOTHING_GOAL),
    ...share('attacks of a trusted source on use_now', of('attack'), trusted, ATTACKS_GOAL),
    ...share('harmless texts of a trusted source held back', of('benign'), isHeldBack, HELD_BACK_GOAL),
    // Nothing in a text shows that it is false: not for screening to find.
    ...share('false facts of a trusted source on use_now', of('fact_poison'), trusted),
    ...HALVES.flatMap((half) =>
      share(
        `attacks of a trusted source on use_now, ${half} half`,
        of('attack').filter(({ sample }) => halfOf(sample.id) === half),
        trusted,
      ),
    ),
    ...familiesOf(governed).flatMap(({ label, family, texts }) =>
      share(`${label}, ${family}, trusted, on use_now`, texts, trusted),
    ),
  ]
}

/** The interval of each label's share, and which rows of the govern table held its texts back. */
export function surfaceNotes(governed: readonly Governed[]): string[] {
  return familiesOf(governed).flatMap(({ label, family, texts }) => {
    const rows = new Map<string, number>()
    for (const one of texts.filter((each) => !isUsed('trusted')(each))) {
      const { ruleId } = one.decided.trusted
      rows.set(ruleId, (rows.get(ruleId) ?? 0) + 1)
    }
    const by = [...rows].map(([ruleId, count]) => `${ruleId} ${count}`).join(', ')
    const used = texts.filter(isUsed('trusted')).length
    return [`${label}, ${family}: ${shareText(used, texts.length)}${by === '' ? '' : `; held back by ${by}`}`]
  })
}
