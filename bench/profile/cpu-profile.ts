/** What the inspector's profiler gives (Chrome DevTools Protocol, Profiler.Profile), as far as it is read here. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[]
  /** The node that each sample was taken in. */
  readonly samples?: readonly number[] | undefined
  /** Microseconds from the sample before. */
  readonly timeDeltas?: readonly number[] | undefined
}

interface ProfileNode {
  readonly id: number
  readonly callFrame: {
    readonly functionName: string
    readonly url: string
    /** From 0. */
    readonly lineNumber: number
  }
  readonly children?: readonly number[] | undefined
}

/** A function as it was called from the functions above it. Times in µs. */
export interface Frame {
  readonly name: string
  /** `src/domain/recall/rank.js:12`, `node:fs:40`, or empty for what the engine does itself. */
  readonly place: string
  readonly selfUs: number
  /** Its own and that of all below it. */
  readonly totalUs: number
  /** What took longest first. */
  readonly children: readonly Frame[]
}

/** Time in which the thread did nothing. */
const IDLE = '(idle)'
/** Starting and stopping the profiler is no part of what is profiled. */
const PROFILER = 'node:inspector'

/**
 * The tree of a profile without idle time: calls of one function from one place are one frame. `placeOf` shortens the
 * address of a file. Frames that no sample fell into are left out.
 */
export function foldProfile(profile: CpuProfile, placeOf: (url: string) => string): Frame {
  const byId = new Map(profile.nodes.map((node) => [node.id, node]))
  const selfUs = new Map<number, number>()
  for (const [at, id] of (profile.samples ?? []).entries()) {
    // The clock of the profiler is not monotonic between threads: a delta may be negative.
    const deltaUs = Math.max(0, profile.timeDeltas?.[at] ?? 0)
    if (byId.get(id)?.callFrame.functionName !== IDLE) selfUs.set(id, (selfUs.get(id) ?? 0) + deltaUs)
  }
  const merged = (name: string, place: string, nodes: readonly ProfileNode[]): Frame => {
    const groups = new Map<string, { name: string; place: string; nodes: ProfileNode[] }>()
    for (const child of nodes.flatMap(({ children = [] }) => children)) {
      const node = byId.get(child)
      if (node === undefined || node.callFrame.url === PROFILER) continue
      const { functionName, url, lineNumber } = node.callFrame
      const own = {
        name: functionName === '' ? '(anonymous)' : functionName,
        place: url === '' ? '' : `${placeOf(url)}:${lineNumber + 1}`,
      }
      const key = `${own.name} ${own.place}`
      const group = groups.get(key) ?? { ...own, nodes: [] }
      group.nodes.push(node)
      groups.set(key, group)
    }
    const children = [...groups.values()]
      .map((group) => merged(group.name, group.place, group.nodes))
      .filter(({ totalUs }) => totalUs > 0)
      .toSorted((a, b) => b.totalUs - a.totalUs)
    const own = nodes.reduce((sum, { id }) => sum + (selfUs.get(id) ?? 0), 0)
    return {
      name,
      place,
      selfUs: own,
      totalUs: children.reduce((sum, each) => sum + each.totalUs, own),
      children,
    }
  }
  const called = new Set(profile.nodes.flatMap(({ children = [] }) => children))
  return merged(
    'all',
    '',
    profile.nodes.filter(({ id }) => !called.has(id)),
  )
}

/** What one function took wherever it was called from. */
export interface FunctionCost {
  readonly name: string
  readonly place: string
  readonly selfUs: number
  /** Time with the function anywhere on the stack; a function that calls itself counts once. */
  readonly inclusiveUs: number
}

/** Every function below the root, in no order. */
export function functionCosts(root: Frame): readonly FunctionCost[] {
  const costs = new Map<string, { name: string; place: string; selfUs: number; inclusiveUs: number }>()
  const visit = (frame: Frame, above: ReadonlySet<string>): void => {
    const key = `${frame.name} ${frame.place}`
    const cost = costs.get(key) ?? { name: frame.name, place: frame.place, selfUs: 0, inclusiveUs: 0 }
    cost.selfUs += frame.selfUs
    if (!above.has(key)) cost.inclusiveUs += frame.totalUs
    costs.set(key, cost)
    const stack = new Set([...above, key])
    for (const child of frame.children) visit(child, stack)
  }
  for (const child of root.children) visit(child, new Set())
  return [...costs.values()]
}
