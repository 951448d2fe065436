import { LABELS, type Label, type Sample } from './samples.ts'

/** A share in percent with its Wilson interval (Wilson 1927), z = 1.96: `12.3 % [10.1, 15.0]`. */
export function shareText(count: number, of: number): string {
  const z = 1.96
  const share = count / of
  const scale = 1 + (z * z) / of
  const middle = (share + (z * z) / (2 * of)) / scale
  const reach = (z / scale) * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of))
  const percent = (value: number) => (value * 100).toFixed(1)
  return `${percent(share)} % [${percent(Math.max(0, middle - reach))}, ${percent(Math.min(1, middle + reach))}]`
}

export interface Family<One> {
  readonly label: Label
  readonly family: string
  /** At least one. */
  readonly texts: readonly One[]
}

/** Texts by label, then by family name. */
export function familiesOf<One extends { readonly sample: Sample }>(texts: readonly One[]): Family<One>[] {
  return LABELS.flatMap((label) => {
    const labelled = texts.filter(({ sample }) => sample.label === label)
    const names = [...new Set(labelled.map(({ sample }) => sample.family))].sort()
    return names.map((family) => ({
      label,
      family,
      texts: labelled.filter(({ sample }) => sample.family === family),
    }))
  })
}
