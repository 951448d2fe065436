import { useEffect, useRef } from 'preact/hooks'
import { Headings } from './common.tsx'
import type { Series } from './plot.ts'
import { clockOf, dayOf, numeral } from './words.ts'

interface Chart {
  readonly title: string
  readonly atMs: readonly number[]
  readonly series: readonly Series[]
  readonly format?: (value: number) => string
}

/** Lines over time, and the same numbers as a table. What draws them is loaded when the first is shown. */
export function TimeChart({ title, atMs, series, format = numeral }: Chart) {
  const place = useRef<HTMLDivElement>(null)
  const key = JSON.stringify([atMs, series])
  useEffect(() => {
    const element = place.current
    if (element === null) return
    let end: (() => void) | null = null
    let isGone = false
    void import('./plot.ts').then(({ drawPlot }) => {
      if (!isGone) end = drawPlot(element, { atMs, series, format })
    })
    return () => {
      isGone = true
      end?.()
    }
  }, [key])
  const told = atMs
    .map((at, row) => ({ at, values: series.map(({ values }) => values[row] ?? null) }))
    .filter(({ values }) => values.some((value) => value !== null && value !== 0))
  return (
    <figure class="chart">
      <figcaption class="sr-only">{title}</figcaption>
      <div ref={place} class="plot" aria-hidden="true" />
      <ul class="legend">
        {series.map(({ label, tone }) => (
          <li key={label} class={`tone-line ${tone}`}>
            {label}
          </li>
        ))}
      </ul>
      <details>
        <summary>As a table</summary>
        <div class="scroll">
          <table>
            <caption class="sr-only">{title}</caption>
            <Headings of={['Hour from', ...series.map(({ label }) => [label, 'number'] as const)]} />
            <tbody>
              {told.map(({ at, values }) => (
                <tr key={at}>
                  <th scope="row">
                    {dayOf(new Date(at).toISOString())} {clockOf(new Date(at).toISOString())}
                  </th>
                  {values.map((value, place) => (
                    <td key={place} class="number">
                      {value === null ? '–' : format(value)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          {told.length === 0 && <p class="empty">Nothing in these hours.</p>}
        </div>
      </details>
    </figure>
  )
}
