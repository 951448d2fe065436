import type { Series } from '../result.ts'
import { numberText } from '../suite/text.ts'
import { escaped } from './escape.ts'

const WIDTH = 640
const HEIGHT = 300
const LEFT = 64
const RIGHT = 16
const TOP = 14
const BOTTOM = 44
/** Classes of lines that the style sheet colours. */
export const COLOURS = 8
/** From which ratio of greatest to least on an axis is logarithmic. */
const LOG_FROM = 20
const TICKS = 5

interface Axis {
  readonly place: (value: number) => number
  readonly ticks: readonly number[]
}

/** Lines over the same axes as inline SVG, with a legend. Points outside of a logarithmic axis are left out. */
export function plotSvg(title: string, series: readonly Series[]): string {
  const points = series.flatMap(({ points: own }) => own)
  const [first] = series
  if (first === undefined || points.length === 0) return ''
  const isShare = first.kind === 'cdf'
  const x = axisOf(
    points.map(([value]) => value),
    LEFT,
    WIDTH - RIGHT,
  )
  const heights = points.map(([, value]) => value)
  const y = axisOf(isShare ? [0, 1, ...heights] : heights, HEIGHT - BOTTOM, TOP)
  const lines = series.map((each, at) => lineOf(each, x, y, at % COLOURS))
  const legend = series.map(
    ({ name }, at) => `<li><span class="dot c${at % COLOURS}"></span>${escaped(name)}</li>`,
  )
  return [
    `<figure><figcaption>${escaped(title)}</figcaption>`,
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(title)}">`,
    ...x.ticks.map((value) => xTick(value, x.place(value))),
    ...y.ticks.map((value) => yTick(value, y.place(value))),
    `<text class="label" x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 6}">${escaped(first.xLabel)}</text>`,
    `<text class="label" transform="translate(12 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)">${escaped(first.yLabel)}</text>`,
    ...lines,
    `</svg><ul class="legend">${legend.join('')}</ul></figure>`,
  ].join('\n')
}

function axisOf(values: readonly number[], from: number, to: number): Axis {
  const usable = values.filter(Number.isFinite)
  const [least, greatest] = [Math.min(...usable), Math.max(...usable)]
  const isLog = least > 0 && greatest / least >= LOG_FROM
  if (isLog) {
    const [low, high] = [Math.log10(least), Math.log10(greatest)]
    return {
      place: (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from),
      ticks: powersBetween(least, greatest),
    }
  }
  const low = Math.min(0, least)
  const step = niceStep((greatest - low || 1) / TICKS)
  const high = Math.max(greatest, low + step)
  return {
    place: (value) => from + ((value - low) / (high - low)) * (to - from),
    ticks: Array.from({ length: Math.floor((high - low) / step + 1e-9) + 1 }, (_, at) => low + at * step),
  }
}

/** 1, 2 and 5 times a power of ten; powers alone where that would be many. */
function powersBetween(least: number, greatest: number): readonly number[] {
  const factors = greatest / least > 1_000 ? [1] : [1, 2, 5]
  const ticks: number[] = []
  for (let power = Math.floor(Math.log10(least)); power <= Math.log10(greatest); power += 1) {
    ticks.push(...factors.map((factor) => factor * 10 ** power))
  }
  return ticks.filter((tick) => tick >= least && tick <= greatest)
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough))
  return ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power
}

function lineOf({ name, points }: Series, x: Axis, y: Axis, colour: number): string {
  const places = points
    .map(([px, py]) => [x.place(px), y.place(py)] as const)
    .filter(([px, py]) => Number.isFinite(px) && Number.isFinite(py))
  const path = places.map(([px, py]) => `${px.toFixed(1)},${py.toFixed(1)}`).join(' ')
  const marks = places.map(([px, py], at) => {
    const [vx = 0, vy = 0] = points[at] ?? []
    return `<circle class="c${colour}" cx="${px.toFixed(1)}" cy="${py.toFixed(1)}" r="2.5"><title>${escaped(`${name}: ${numberText(vx)}, ${numberText(vy)}`)}</title></circle>`
  })
  return `<polyline class="c${colour}" points="${path}"/>${marks.join('')}`
}

function xTick(value: number, place: number): string {
  const at = place.toFixed(1)
  const foot = HEIGHT - BOTTOM
  return `<line class="grid" x1="${at}" x2="${at}" y1="${TOP}" y2="${foot}"/><text class="tick middle" x="${at}" y="${foot + 16}">${shortText(value)}</text>`
}

function yTick(value: number, place: number): string {
  const at = place.toFixed(1)
  return `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}"/><text class="tick end" x="${LEFT - 6}" y="${(place + 4).toFixed(1)}">${shortText(value)}</text>`
}

function shortText(value: number): string {
  return Math.abs(value) >= 1_000 ? `${value / 1_000}k` : String(Number(value.toPrecision(4)))
}
