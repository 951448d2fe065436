import type { ComponentChildren } from 'preact'
import { Shape } from './marks.tsx'
import { numeral, percent } from './words.ts'

export interface Part {
  readonly name: string
  readonly word: string
  readonly count: number
  readonly href?: string
}

/** Shares of a whole as one bar, with a row for each: the row says what the bar draws. */
export function Shares({ label, parts }: { readonly label: string; readonly parts: readonly Part[] }) {
  const all = parts.reduce((sum, { count }) => sum + count, 0)
  return (
    <div class="shares">
      <div class="bar" aria-hidden="true">
        {parts.map(
          ({ name, count }) =>
            count > 0 && <span key={name} class={`of-${name}`} style={{ flexGrow: count }} />,
        )}
      </div>
      <table class="plain" aria-label={label}>
        <tbody>
          {parts.map(({ name, word, count, href }) => (
            <tr key={name}>
              <th scope="row">
                <span class={`mark of-${name}`}>
                  <Shape of={name} />
                  {href === undefined ? word : <a href={href}>{word}</a>}
                </span>
              </th>
              <td class="number">{numeral(count)}</td>
              <td class="number soft">{all === 0 ? '' : percent(count / all)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export function Figure(props: {
  readonly label: string
  readonly children: ComponentChildren
  readonly note?: string
  readonly href?: string
}) {
  const inside = (
    <>
      <span class="figure-label">{props.label}</span>
      <span class="figure-value">{props.children}</span>
      <span class="figure-note">{props.note}</span>
    </>
  )
  return props.href === undefined ? (
    <div class="figure">{inside}</div>
  ) : (
    <a class="figure" href={props.href}>
      {inside}
    </a>
  )
}

const SPARK_WIDTH = 132
const SPARK_HEIGHT = 26

/** A week of hours in a row of a table. The numbers stand beside it, so that it is not read out. */
export function Spark({ values }: { readonly values: readonly number[] }) {
  const top = Math.max(1, ...values)
  const step = SPARK_WIDTH / Math.max(1, values.length - 1)
  const line = values.map((value, at) => {
    const y = SPARK_HEIGHT - 2 - (value / top) * (SPARK_HEIGHT - 4)
    return `${at === 0 ? 'M' : 'L'}${(at * step).toFixed(1)} ${y.toFixed(1)}`
  })
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`}
      width={SPARK_WIDTH}
      height={SPARK_HEIGHT}
      aria-hidden="true"
    >
      <path d={line.join('')} />
    </svg>
  )
}

const HOUR_MS = 3_600_000

/** One value an hour, up to this hour: an hour in which nothing happened is told as zero. */
export function byHour<Value>(
  hours: readonly { readonly from: string }[],
  count: number,
  valueAt: (at: number) => Value,
  none: Value,
): readonly { readonly atMs: number; readonly value: Value }[] {
  const places = new Map(hours.map(({ from }, at) => [Date.parse(from), at]))
  const lastMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
  return Array.from({ length: count }, (_, at) => {
    const atMs = lastMs - (count - 1 - at) * HOUR_MS
    const place = places.get(atMs)
    return { atMs, value: place === undefined ? none : valueAt(place) }
  })
}
