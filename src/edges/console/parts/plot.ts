import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

const HEIGHT = 190
/** A series of more values is a line without points. */
const POINTS_MAX = 12
const FONT = '12px system-ui, sans-serif'

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const HOUR = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

function momentOf(seconds: number): string {
  const date = new Date(seconds * 1000)
  return (date.getHours() + date.getMinutes() === 0 ? DAY : HOUR).format(date)
}

export interface Series {
  readonly label: string
  /** The name of a colour of the page. */
  readonly tone: string
  readonly values: readonly (number | null)[]
}

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
  // A custom property is told as it is written; a colour is told as it is drawn.
  const colour = (name: string) => {
    element.style.color = `var(--plot-${name})`
    return getComputedStyle(element).color
  }
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
      axes: [
        { ...axis, size: 28, space: 74, values: (_plot, ticks) => ticks.map(momentOf) },
        { ...axis, size: 48, values: (_plot, ticks) => ticks.map((tick) => format(tick)) },
      ],
      series: [
        {},
        ...series.map(({ label, tone, values }) => ({
          label,
          stroke: colour(tone),
          width: 1.8,
          points: { show: values.filter((value) => value !== null).length <= POINTS_MAX, size: 5 },
          spanGaps: true,
        })),
      ],
    },
    [atMs.map((at) => at / 1000), ...series.map(({ values }) => [...values])],
    element,
  )
}
