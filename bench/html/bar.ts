import type { Figure } from '../result.ts'

/** From which ratio of greatest to least value the bars of a table are logarithmic: shorter ones would not be seen. */
const LOG_FROM = 200

/** A share of the width, 0 to 1, for a value. */
export type Scale = (value: number) => number

/** One scale for all figures of a table, with their spreads and goals. */
export function barScale(figures: readonly Figure[]): Scale {
  const values = figures.flatMap(({ median, greatest, goal }) => [
    median,
    greatest,
    ...(goal === null ? [] : [goal.value]),
  ])
  const top = Math.max(...values)
  if (top <= 0) return () => 0
  const least = Math.min(...values.filter((value) => value > 0))
  if (top / least < LOG_FROM) return (value) => clamped(value / top)
  // A tenth of the least value is the beginning of the axis, so that the shortest bar is still seen.
  const low = Math.log(least / 10)
  return (value) => (value <= 0 ? 0 : clamped((Math.log(value) - low) / (Math.log(top) - low)))
}

/** A bar to the median, a thin line from least to greatest, a mark at the goal. */
export function bar({ median, least, greatest, goal }: Figure, scale: Scale): string {
  const percent = (value: number) => `${(scale(value) * 100).toFixed(1)}%`
  const spread = `left:${percent(least)};right:calc(100% - ${percent(greatest)})`
  const mark = goal === null ? '' : `<span class="mark" style="left:${percent(goal.value)}"></span>`
  const verdict = goal === null ? '' : ` ${goal.verdict}`
  return `<span class="track"><span class="fill${verdict}" style="width:${percent(median)}"></span><span class="spread" style="${spread}"></span>${mark}</span>`
}

function clamped(share: number): number {
  return Math.min(1, Math.max(0, share))
}
