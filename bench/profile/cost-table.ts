import { tableText } from '../measure.ts'
import { type Frame, type FunctionCost, functionCosts } from './cpu-profile.ts'

/** The costliest functions, by themselves and with all that they call, in µs of an operation and as a share. */
export function costTable(root: Frame, operations: number, rows: number): string {
  const costs = functionCosts(root)
  const part = (title: string, usOf: (cost: FunctionCost) => number) => [
    title,
    tableText([
      ['µs an operation', 'share', 'function', ''],
      ...costs
        .toSorted((a, b) => usOf(b) - usOf(a))
        .slice(0, rows)
        .map((cost) => [
          (usOf(cost) / operations).toFixed(1),
          `${((usOf(cost) / root.totalUs) * 100).toFixed(1)} %`,
          cost.name,
          cost.place,
        ]),
    ]),
  ]
  return [
    ...part('By themselves', ({ selfUs }) => selfUs),
    '',
    ...part('With what they call', ({ inclusiveUs }) => inclusiveUs),
    '',
  ].join('\n')
}
