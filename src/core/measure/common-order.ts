import { longestRise } from '../base/collections.ts'

/** One step at its place in the common order, and how many runs took it there. */
export interface Choice {
  readonly text: string
  readonly support: number
}

/** What the runs did at one place, the most common first: several choices are alternatives, no run took two of them. */
export type Place = readonly [Choice, ...Choice[]]

/** A place needs this share of the runs. */
const SHARE_MIN = 0.5
/** Below that share a step counts as an alternative from two runs and this share of them on: a single run is chance. */
const CHOICE_SHARE_MIN = 0.1
const CHOICE_RUNS_MIN = 2
/** Distinct steps that are looked at, the most common first: twice as many as a skill has. */
const CONSIDERED_MAX = 32
/** Steps of one run that are looked at: the work grows with all of them. */
const RUN_STEPS_MAX = 64

/** A distinct step; one that a run takes twice is two. */
interface Step {
  readonly key: string
  readonly text: string
  /** Its position in each run that took it. */
  readonly positions: ReadonlyMap<number, number>
  /** The mean of its positions as shares of the runs' lengths. */
  readonly meanPosition: number
}

/**
 * The longest order of steps that the runs have in common, as far as most of them agree. Steps are equal whose words are;
 * what fewer than half of the runs did at its place is left out. The order of the runs decides on spelling alone.
 */
export function commonOrder(whole: readonly (readonly string[])[]): readonly Place[] {
  const runs = whole.map((run) => run.slice(0, RUN_STEPS_MAX))
  const keyed = runs.map(keysOf)
  const steps = consideredSteps(runs, keyed)
  let places = placesOf(ordered(steps), runs.length)
  for (;;) {
    const supports = supportsOf(places, keyed)
    const kept = places
      .map((place) => place.filter(({ key }) => isChoice(supports.get(key) ?? 0, runs.length)))
      .filter((place) => isKept(sumOf(place, supports), runs.length))
    const isStable =
      kept.length === places.length && kept.every((place, at) => place.length === places[at]?.length)
    if (isStable) return kept.flatMap((place) => choicesOf(place, supports))
    places = kept
  }
}

/** The steps of a run; the same step again at once is none, later on it is another one. */
function keysOf(run: readonly string[]): readonly string[] {
  const words = run.map(sameWords)
  const taken = new Map<string, number>()
  return words
    .filter((word, at) => word !== words[at - 1])
    .map((word) => {
      const times = (taken.get(word) ?? 0) + 1
      taken.set(word, times)
      return `${times} ${word}`
    })
}

/** Equal for texts that differ in case or in a full stop at the end. */
export function sameWords(text: string): string {
  return text.toLowerCase().replace(/[\s.;]+$/u, '')
}

function consideredSteps(
  runs: readonly (readonly string[])[],
  keyed: readonly (readonly string[])[],
): readonly Step[] {
  const texts = new Map(
    runs.flatMap((run) => run.map((text) => [sameWords(text), text] as const)).toReversed(),
  )
  const positions = new Map<string, Map<number, number>>()
  for (const [run, keys] of keyed.entries()) {
    for (const [at, key] of keys.entries()) {
      const own = positions.get(key) ?? new Map<number, number>()
      positions.set(key, own.set(run, at))
    }
  }
  const steps = Array.from(positions, ([key, own]): Step => {
    const shares = Array.from(own, ([run, at]) => (at + 0.5) / (keyed[run]?.length ?? 1))
    const text = texts.get(key.slice(key.indexOf(' ') + 1)) ?? key
    return { key, text, positions: own, meanPosition: shares.reduce((sum, each) => sum + each, 0) / own.size }
  })
  return steps
    .filter(({ positions: own }) => isChoice(own.size, runs.length))
    .sort((a, b) => b.positions.size - a.positions.size || byPosition(a, b))
    .slice(0, CONSIDERED_MAX)
}

/** By how many steps each precedes in most runs that took both; then neighbours that most runs took the other way round change places. */
function ordered(steps: readonly Step[]): readonly Step[] {
  const wins = new Map(
    steps.map((one) => [one.key, steps.filter((other) => one !== other && leads(one, other) > 0).length]),
  )
  const order = steps.toSorted((a, b) => (wins.get(b.key) ?? 0) - (wins.get(a.key) ?? 0) || byPosition(a, b))
  for (let at = 1; at < order.length; ) {
    const [first, second] = [order[at - 1], order[at]]
    if (first === undefined || second === undefined || margin(first, second) >= 0) at += 1
    else {
      // Each change lowers the number of pairs that stand against most runs: it ends.
      order.splice(at - 1, 2, second, first)
      at = Math.max(1, at - 1)
    }
  }
  return order
}

/** Above 0: the first precedes, by most runs that took both or, where none did, by where they stand. */
function leads(one: Step, other: Step): number {
  return isExclusive(one, other) ? byPosition(other, one) : margin(one, other)
}

/** Runs in which the first precedes the second, less those the other way round. */
function margin(one: Step, other: Step): number {
  let sum = 0
  for (const [run, at] of one.positions) {
    const otherAt = other.positions.get(run)
    if (otherAt !== undefined) sum += at < otherAt ? 1 : -1
  }
  return sum
}

function isExclusive(one: Step, other: Step): boolean {
  for (const run of one.positions.keys()) if (other.positions.has(run)) return false
  return true
}

function byPosition(a: Step, b: Step): number {
  return a.meanPosition - b.meanPosition || (a.key < b.key ? -1 : 1)
}

/** Steps that no run took both of stand at one place, unless a common step of another place lies between them. */
function placesOf(order: readonly Step[], runCount: number): readonly (readonly Step[])[] {
  const places: Step[][] = []
  for (const step of order) {
    let home: Step[] | null = null
    for (const place of places.toReversed()) {
      if (place.every((other) => isExclusive(other, step))) home = place
      const support = place.reduce((sum, { positions }) => sum + positions.size, 0)
      if (home !== null || isKept(support, runCount)) break
    }
    if (home === null) places.push([step])
    else home.push(step)
  }
  return places
}

/** How many runs take each step at its place: each run is laid along the places so that most of it fits. */
function supportsOf(
  places: readonly (readonly Step[])[],
  keyed: readonly (readonly string[])[],
): ReadonlyMap<string, number> {
  const supports = new Map<string, number>()
  const placeOf = new Map(places.flatMap((place, at) => place.map(({ key }) => [key, at] as const)))
  for (const keys of keyed) {
    const own = keys.flatMap((key) => {
      const place = placeOf.get(key)
      return place === undefined ? [] : [{ key, place }]
    })
    const rise = longestRise(own.map(({ place }) => place))
    for (const [at, { key }] of own.entries())
      if (rise.has(at)) supports.set(key, (supports.get(key) ?? 0) + 1)
  }
  return supports
}

function isKept(support: number, runCount: number): boolean {
  return support >= runCount * SHARE_MIN
}

function isChoice(support: number, runCount: number): boolean {
  return isKept(support, runCount) || support >= Math.max(CHOICE_RUNS_MIN, runCount * CHOICE_SHARE_MIN)
}

function sumOf(place: readonly Step[], supports: ReadonlyMap<string, number>): number {
  return place.reduce((sum, { key }) => sum + (supports.get(key) ?? 0), 0)
}

function choicesOf(place: readonly Step[], supports: ReadonlyMap<string, number>): readonly Place[] {
  const [first, ...others] = place
    .map(({ key, text }) => ({ text, support: supports.get(key) ?? 0 }))
    .sort((a, b) => b.support - a.support)
  return first === undefined ? [] : [[first, ...others]]
}
