import { HALVES, type Half, halfOf, LABELS, type Label, type Sample } from './samples.ts'

/** Of `of` texts, `count` have something: a share, 0 to 1, with its 95 % interval. */
export interface Share {
  readonly count: number
  readonly of: number
  readonly share: number
  readonly low: number
  readonly high: number
}

export type Shares = Readonly<Record<Half | 'all', Share>>

/** Share and Wilson interval (Wilson 1927), z = 1.96. Of no texts everything is possible. */
export function shareOf(count: number, of: number): Share {
  if (of === 0) return { count, of, share: 0, low: 0, high: 1 }
  const z = 1.96
  const share = count / of
  const scale = 1 + (z * z) / of
  const middle = (share + (z * z) / (2 * of)) / scale
  const reach = (z / scale) * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of))
  return { count, of, share, low: Math.max(0, middle - reach), high: Math.min(1, middle + reach) }
}

/** The share of the texts that `has` something, in all of them and in each half. */
export function sharesOf<One extends { readonly sample: Sample }>(
  texts: readonly One[],
  has: (one: One) => boolean,
): Shares {
  const among = (some: readonly One[]) => shareOf(some.filter(has).length, some.length)
  const [design, check] = HALVES.map((half) => texts.filter(({ sample }) => halfOf(sample.id) === half))
  return { all: among(texts), design: among(design ?? []), check: among(check ?? []) }
}

export interface Family<One> {
  readonly label: Label
  readonly family: string
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

/** `12.3 % [10.1, 15.0]` */
export function shareText({ share, low, high }: Share): string {
  return `${percent(share)} % [${percent(low)}, ${percent(high)}]`
}

function percent(share: number): string {
  return (share * 100).toFixed(1)
}
