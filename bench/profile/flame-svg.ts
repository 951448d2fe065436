import { escaped } from '../html/escape.ts'
import type { Frame } from './cpu-profile.ts'

export interface FlameOptions {
  readonly title: string
  /** Frames with a smaller share are one frame beside their siblings; more are when the picture grows too large. */
  readonly leastShare: number
  readonly bytesMax: number
}

interface Box {
  readonly frame: Frame
  readonly depth: number
  /** Share of the whole to the left of it. */
  readonly from: number
  readonly share: number
}

const WIDTH = 1_200
const ROW = 16
const HEAD = 28
const CHAR_WIDTH = 6.3
/** Narrower frames carry no text, only a title to hover over. */
const TEXT_MIN_PX = 28
const COARSER = 1.3

/** Colour by where a function lives. */
const LAYERS: readonly (readonly [string, RegExp, string])[] = [
  ['domain', /^(dist\/)?src\/domain\//, '#f4b183'],
  ['actor', /^(dist\/)?src\/actor\//, '#f6d55c'],
  ['adapters', /^(dist\/)?src\/adapters\//, '#a5d6a7'],
  ['runtime', /^(dist\/)?src\/(runtime|app|contract)\//, '#ef9a9a'],
  ['edges', /^(dist\/)?src\/edges\//, '#ce93d8'],
  ['packages', /node_modules\//, '#90caf9'],
  ['Node', /^node:/, '#b0bec5'],
]
const ENGINE = ['engine, generator', '#d7ccc8'] as const

/** A flame graph that needs no script: the root below, width is time, titles tell the rest. At most `bytesMax` bytes. */
export function flameSvg(root: Frame, options: FlameOptions): string {
  for (let least = options.leastShare; least < 1; least *= COARSER) {
    const svg = drawn(boxesOf(root, least), options.title, root)
    if (Buffer.byteLength(svg) <= options.bytesMax) return svg
  }
  return drawn([{ frame: root, depth: 0, from: 0, share: 1 }], options.title, root)
}

/** Every frame of at least this share; what is smaller together with its siblings, where that is enough. */
function boxesOf(root: Frame, leastShare: number): readonly Box[] {
  const boxes: Box[] = []
  const place = (frame: Frame, depth: number, from: number): void => {
    boxes.push({ frame, depth, from, share: frame.totalUs / root.totalUs })
    let at = from
    const isLarge = ({ totalUs }: Frame) => totalUs / root.totalUs >= leastShare
    for (const child of frame.children.filter(isLarge)) {
      place(child, depth + 1, at)
      at += child.totalUs / root.totalUs
    }
    const small = frame.children.filter((child) => !isLarge(child))
    const totalUs = small.reduce((sum, child) => sum + child.totalUs, 0)
    const rest: Frame = { name: `${small.length} more`, place: '', selfUs: totalUs, totalUs, children: [] }
    if (isLarge(rest)) boxes.push({ frame: rest, depth: depth + 1, from: at, share: totalUs / root.totalUs })
  }
  if (root.totalUs > 0) place(root, 0, 0)
  return boxes
}

function drawn(boxes: readonly Box[], title: string, root: Frame): string {
  const rows = boxes.reduce((most, { depth }) => Math.max(most, depth + 1), 1)
  const height = HEAD + rows * ROW + ROW + 8
  const legend = [...LAYERS.map(([name]) => name), ENGINE[0]]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}">`,
    `<style>text{font:10.5px monospace;fill:#1c1e21}rect{stroke:#fff;stroke-width:.5}${colours()}</style>`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="8" y="18" style="font-size:14px">${escaped(title)}</text>`,
    ...boxes.map((box) => boxSvg(box, HEAD + (rows - 1 - box.depth) * ROW, root)),
    ...legend.map(
      (name, at) =>
        `<rect class="l${at}" x="${8 + at * 145}" y="${height - ROW}" width="10" height="10"/><text x="${22 + at * 145}" y="${height - ROW + 9}">${name}</text>`,
    ),
    '</svg>',
    '',
  ].join('\n')
}

function boxSvg({ frame, from, share }: Box, top: number, root: Frame): string {
  const [x, width] = [from * WIDTH, share * WIDTH]
  const percent = (us: number) => `${((us / root.totalUs) * 100).toFixed(1)} %`
  const said = `${frame.name} ${frame.place}: ${percent(frame.totalUs)}, itself ${percent(frame.selfUs)}`
  const room = Math.floor((width - 4) / CHAR_WIDTH)
  const name = frame.name.length <= room ? frame.name : `${frame.name.slice(0, Math.max(1, room - 1))}…`
  const text =
    width < TEXT_MIN_PX ? '' : `<text x="${(x + 2).toFixed(1)}" y="${top + 11.5}">${escaped(name)}</text>`
  return `<g><title>${escaped(said)}</title><rect class="l${layerOf(frame)}" x="${x.toFixed(1)}" y="${top}" width="${Math.max(0.1, width).toFixed(1)}" height="${ROW}"/>${text}</g>`
}

function layerOf({ place }: Frame): number {
  const at = LAYERS.findIndex(([, pattern]) => pattern.test(place))
  return at === -1 ? LAYERS.length : at
}

function colours(): string {
  return [...LAYERS.map(([, , colour]) => colour), ENGINE[1]]
    .map((colour, at) => `.l${at}{fill:${colour}}`)
    .join('')
}
