import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Series } from './time-chart.tsx'

const HEIGHT = 190
const FONT = '12px system-ui, sans-serif'

interface Plotted {
  readonly atMs: readonly number[]
  readonly series: readonly Series[]
  readonly format: (value: number) => string
}

/** Draws into an element, and again when its width or the colours change. @returns what takes it away */
export function drawPlot(element: HTMLElement, plotted: Plotted): () => void {
  let plot = made(element, plotted)
  const again = () => {
    plot.destroy()
    plot = made(element, plotted)
  }
  const sizes = new ResizeObserver(() => {
    if (element.clientWidth > 0 && element.clientWidth !== plot.width) {
      plot.setSize({ width: element.clientWidth, height: HEIGHT })
    }
  })
  sizes.observe(element)
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  scheme.addEventListener('change', again)
  document.addEventListener('themechange', again)
  return () => {
    sizes.disconnect()
    scheme.removeEventListener('change', again)
    document.removeEventListener('themechange', again)
    plot.destroy()
  }
}

function made(element: HTMLElement, { atMs, series, format }: Plotted): uPlot {
  const colour = (name: string) => getComputedStyle(element).getPropertyValue(`--plot-${name}`).trim()
  const axis = {
    stroke: colour('soft'),
    font: FONT,
    grid: { stroke: colour('line'), width: 1 },
    ticks: { show: false },
  }
  return new uPlot(
    {
      width: Math.max(240, element.clientWidth),
      height: HEIGHT,
      legend: { show: false },
      cursor: { y: false, points: { size: 7 }, drag: { x: true, y: false } },
      scales: { y: { range: (_plot, _low, high) => [0, high > 0 ? high * 1.1 : 1] } },
      axes: [axis, { ...axis, size: 48, values: (_plot, ticks) => ticks.map((tick) => format(tick)) }],
      series: [
        {},
        ...series.map(({ label, tone }) => ({
          label,
          stroke: colour(tone),
          width: 1.8,
          points: { show: false },
          spanGaps: true,
        })),
      ],
    },
    [atMs.map((at) => at / 1000), ...series.map(({ values }) => [...values])],
    element,
  )
}
