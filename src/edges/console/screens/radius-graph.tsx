import { Graph as LayoutGraph, layout } from '@dagrejs/dagre'
import { piecesOf } from '../parts/hostile-text.tsx'
import { type Graph, graphOf, LAYERS, NODES_MAX, type Node } from '../parts/radius-nodes.ts'
import { SHAPES } from '../parts/shapes.ts'
import { linkTo } from '../state/place.ts'
import type { Radius } from '../wire/call.ts'

const NODE_WIDTH = 208
const NODE_HEIGHT = 34
const LABEL_CHARS = 26
const TOLD_CHARS = 32
const MARGIN = 16

/** Layers from the left to the right, each node a link; the table below says the same. */
export function RadiusGraph({ radius }: { readonly radius: Radius }) {
  const graph = graphOf(radius)
  const { width, height, at, lines } = placed(graph)
  return (
    <>
      {graph.isFolded && (
        <p class="soft">More than {NODES_MAX} nodes: what came out alike is folded into one.</p>
      )}
      <div
        class="scroll graph"
        tabIndex={0}
        role="group"
        aria-label="Graph of the blast radius, told below as a table"
      >
        <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height}>
          {lines.map((line, place) => (
            <path key={place} class="edge" d={line} />
          ))}
          {graph.nodes.map((node) => {
            const spot = at.get(node.key)
            return spot === undefined ? null : <NodeMark key={node.key} node={node} x={spot.x} y={spot.y} />
          })}
        </svg>
      </div>
    </>
  )
}

function NodeMark({ node, x, y }: { readonly node: Node; readonly x: number; readonly y: number }) {
  const label = piecesOf(node.label)
    .map(({ text }) => text)
    .join('')
  const inside = (
    <g class={`node of-${node.shape}`} transform={`translate(${x - NODE_WIDTH / 2} ${y - NODE_HEIGHT / 2})`}>
      <title>{`${node.layer}: ${label}, ${node.told}`}</title>
      <rect width={NODE_WIDTH} height={NODE_HEIGHT} rx="7" />
      <g transform="translate(10 11) scale(.75)">
        <path d={SHAPES[node.shape] ?? SHAPES['none']} fill-rule="evenodd" />
      </g>
      <text x="29" y="15">
        {cut(label, LABEL_CHARS)}
      </text>
      <text class="told" x="29" y="27">
        {toldOf(node)}
      </text>
    </g>
  )
  return node.target === null ? inside : <a href={linkTo(node.target)}>{inside}</a>
}

/** The layer, which the column tells too, goes first where there is no room for all. */
function toldOf({ layer, told }: Node): string {
  const whole = `${layer}, ${told}`
  return whole.length > TOLD_CHARS ? cut(told, TOLD_CHARS) : whole
}

/** The whole of it stands in the title. */
function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1)}…` : text
}

function placed({ nodes, edges }: Graph) {
  const drawn = new LayoutGraph({ directed: true })
  drawn.setGraph({ rankdir: 'LR', nodesep: 10, ranksep: 24, marginx: MARGIN, marginy: MARGIN })
  drawn.setDefaultEdgeLabel(() => ({}))
  for (const { key } of nodes) drawn.setNode(key, { width: NODE_WIDTH, height: NODE_HEIGHT })
  for (const { from, to } of edges) drawn.setEdge(from, to)
  // A layer without an edge to the next would be drawn over the first one.
  for (const { key, layer } of nodes) {
    const before = nodes.find((other) => LAYERS.indexOf(other.layer) < LAYERS.indexOf(layer))
    const isJoined = edges.some(({ from, to }) => from === key || to === key)
    if (!isJoined && before !== undefined) drawn.setEdge(before.key, key, { isHidden: true })
  }
  layout(drawn)
  const at = new Map(nodes.map(({ key }) => [key, drawn.node(key)]))
  const lines = edges.map(({ from, to }) => curve(drawn.node(from), drawn.node(to)))
  const { width = 0, height = 0 } = drawn.graph()
  return { width, height, at, lines }
}

interface Spot {
  readonly x: number
  readonly y: number
}

/** From the right side of one node to the left side of the other. */
function curve(from: Spot, to: Spot): string {
  const start = from.x + NODE_WIDTH / 2
  const end = to.x - NODE_WIDTH / 2
  const middle = (start + end) / 2
  return `M${start} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${end} ${to.y}`
}
