import type { Radius } from '../wire/call.ts'
import { outcomeShape } from './shapes.ts'
import { recordedWord, SURFACE_ORDER, shortId, stateOf, stateWord, surfaceWord } from './words.ts'

// The nodes and edges of a blast radius, in five layers. Above the bound what is in one layer and came out alike is one node.

export const NODES_MAX = 200
export const LAYERS = ['source', 'memory', 'derived', 'guide', 'run'] as const
export type Layer = (typeof LAYERS)[number]

export interface Node {
  readonly key: string
  readonly layer: Layer
  /** A text of somebody else. */
  readonly label: string
  /** The name of a shape, which tells the outcome or the surface. */
  readonly shape: string
  /** In words what the shape says. */
  readonly told: string
  readonly target: { readonly screen: 'memories' | 'guides'; readonly id: string } | null
  /** How many it stands for. */
  readonly count: number
}

export interface Edge {
  readonly from: string
  readonly to: string
}

export interface Graph {
  readonly nodes: readonly Node[]
  readonly edges: readonly Edge[]
  readonly isFolded: boolean
}

const STATE_SHAPES: Readonly<Record<string, string>> = {
  active: 'use_now',
  archived: 'rehydrate',
  candidate: 'inspect_before_use',
  demoted: 'inspect_before_use',
  contested: 'inspect_before_use',
}

export function graphOf(radius: Radius): Graph {
  const nodes = new Map<string, Node>()
  const edges = new Map<string, Edge>()
  const add = (node: Omit<Node, 'count'>) => nodes.set(node.key, { ...node, count: 1 })
  const join = (from: string, to: string) => {
    if (nodes.has(from) && nodes.has(to)) edges.set(`${from} ${to}`, { from, to })
  }
  addMemories(radius, add)
  for (const guide of radius.guides.entries) {
    const shown = new Set(guide.exposed.map(({ surface }) => surface))
    const best = SURFACE_ORDER.find((surface) => shown.has(surface)) ?? 'do_not_use'
    const id = guide.guide_trace_id
    add({
      key: `g ${id}`,
      layer: 'guide',
      label: guide.consumer_agent_id,
      shape: best,
      told: surfaceWord(best),
      target: { screen: 'guides', id },
    })
  }
  for (const { run_id: id, ended } of radius.runs.entries) {
    add({
      key: `r ${id}`,
      layer: 'run',
      label: shortId(id),
      shape: outcomeShape(ended),
      told: ended ?? 'no outcome',
      target: null,
    })
  }
  joinAll(radius, join)
  const graph = { nodes: [...nodes.values()], edges: [...edges.values()], isFolded: false }
  return graph.nodes.length > NODES_MAX ? folded(graph) : graph
}

function addMemories(radius: Radius, add: (node: Omit<Node, 'count'>) => void): void {
  const rows = [
    ...radius.memories.map((memory) => ({ ...memory, layer: 'memory' as const })),
    ...radius.derivatives.map((memory) => ({ ...memory, layer: 'derived' as const })),
  ]
  for (const { written } of radius.memories) {
    const name = written.producer_agent_id ?? written.actor ?? written.origin
    add({ key: `s ${name}`, layer: 'source', label: name, shape: 'none', told: written.origin, target: null })
  }
  for (const memory of rows) {
    const { memory_id: id, title, layer, outcome } = memory
    const state = stateOf(memory)
    // A failed run is in force as a warning: its state alone would paint it green.
    const shape = outcome === null ? (STATE_SHAPES[state] ?? 'do_not_use') : outcomeShape(outcome)
    add({
      key: `m ${id}`,
      layer,
      label: title ?? shortId(id),
      shape,
      told: outcome === null ? stateWord(state) : `${recordedWord(outcome)}, ${stateWord(state)}`,
      target: { screen: 'memories', id },
    })
  }
}

function joinAll(radius: Radius, join: (from: string, to: string) => void): void {
  for (const { memory_id: id, written } of radius.memories) {
    join(`s ${written.producer_agent_id ?? written.actor ?? written.origin}`, `m ${id}`)
  }
  for (const { memory_id: id, derived_from: sources } of radius.derivatives) {
    for (const source of sources) join(`m ${source}`, `m ${id}`)
  }
  for (const guide of radius.guides.entries) {
    for (const { memory_id: id } of guide.exposed) join(`m ${id}`, `g ${guide.guide_trace_id}`)
    if (guide.run_id !== null) join(`g ${guide.guide_trace_id}`, `r ${guide.run_id}`)
  }
}

/** Nodes of one layer that were told alike become one, which says how many. */
function folded({ nodes, edges }: Graph): Graph {
  const groupOf = new Map<string, string>()
  const groups = new Map<string, Node>()
  for (const node of nodes) {
    const key = `${node.layer} ${node.shape} ${node.told}`
    groupOf.set(node.key, key)
    const before = groups.get(key)
    groups.set(
      key,
      before === undefined
        ? { ...node, key }
        : { ...before, label: `${before.count + 1} ${node.told}`, target: null, count: before.count + 1 },
    )
  }
  const joined = new Map<string, Edge>()
  for (const { from, to } of edges) {
    const edge = { from: groupOf.get(from) ?? '', to: groupOf.get(to) ?? '' }
    if (edge.from !== edge.to) joined.set(`${edge.from} > ${edge.to}`, edge)
  }
  return { nodes: [...groups.values()], edges: [...joined.values()], isFolded: true }
}
