import { isVisibleTo } from '../governance/visibility.ts'
import type { MemoryRecord } from '../memory/record.ts'
import type { RunLine } from '../memory/run-line.ts'
import { type ActorState, liveRecord } from '../memory/state.ts'
import { namesAsked } from '../recall/names.ts'
import type { GuideCommand } from './command.ts'
import type { NearHit, RecallSource, TextHit } from './entry.ts'

// What stands beside a hit counts too: the memory before it in its run, others of the run that match, who wrote it,
// the task it belongs to, and whether it helped before. All parts are added up in units of the text score, so each
// signal can be told with its share. How the weights were found: docs/recall.md, Second stage.

/** How much each signal counts. */
export interface Weights {
  /** Of the coverage: a text score counts 1 + this times coverage. */
  readonly coverage: number
  /** Of the nearest memory by embedding, in scores of the best text. */
  readonly semantic: number
  /** Shares of a hit's text score that its neighbours in the run get: those after it, those before it, the next first. */
  readonly after: readonly number[]
  readonly before: readonly number[]
  /** Of the mean of the best memories of the run. */
  readonly run: number
  /** Shares of the score so far: for whom the query names, the asked task, attributed help. */
  readonly author: number
  readonly task: number
  readonly help: number
  /** The newest candidate gets this share of its score more than the oldest; it parts memories that match alike. */
  readonly recency: number
}

export const WEIGHTS: Weights = {
  coverage: 1,
  semantic: 1,
  after: [0.5, 0.2],
  before: [0.3, 0.2],
  run: 1,
  author: 0.5,
  task: 0.2,
  help: 0.1,
  recency: 0.005,
}

/** The nearest memories count (1 + this) / (1 + this + place): their order, since cosines and text scores are unlike. */
const NEAR_DAMPING = 10
/** So many of the best memories of a run say whether the run is what is asked about. */
const RUN_BEST = 3
/** Terms, its author's name among them, with which a memory of a named author passes the relevance floor. */
const AUTHOR_TERMS_MIN = 2

/** A candidate with what raised it, in units of the text score. */
export interface ScoredCandidate {
  readonly record: MemoryRecord
  /** Null: it has no word of the query; what stands beside it brought it here. */
  readonly hit: TextHit | null
  readonly text: number
  /** Null: not found by embedding. */
  near: NearHit | null
  semantic: number
  neighbours: number
  run: number
  author: number
  task: number
  help: number
  recency: number
  total: number
}

/**
 * Ranks hits by text and by embedding and their neighbours. Empty when no hit passes the relevance floor. Only visible memories take part, so
 * an invisible one changes nothing.
 */
export function secondStage(
  state: ActorState,
  command: GuideCommand,
  hits: readonly TextHit[],
  weights: Weights = WEIGHTS,
  near: readonly NearHit[] = [],
): ScoredCandidates {
  const candidates = new Map<number, ScoredCandidate>()
  for (const hit of hits) {
    const record = liveRecord(state, hit.memoryId)
    if (record === undefined || !isVisibleTo(record.audience, command.consumer)) continue
    candidates.set(record.slot, candidateOf(record, hit, weights.coverage))
  }
  addNear(state, command, candidates, near, weights)
  const named =
    weights.author === 0 ? new Set<string>() : namedAuthors(command.queryText, candidates.values())
  if (!someoneIsRelevant(candidates.values(), named)) return new ScoredCandidates(new Map())
  addNeighbours(state, command, candidates, weights)
  addRuns(candidates.values(), weights.run)
  addShares(command, candidates, named, weights)
  return new ScoredCandidates(candidates)
}

/** So many of the best are put in order at once; a guide seldom looks further. */
const ORDERED_AT_ONCE = 128

/** Candidates, best first; at the same score the newer one. Of hundreds a guide reads a few dozen, so the rest waits. */
export class ScoredCandidates implements Iterable<ScoredCandidate> {
  readonly #bySlot: ReadonlyMap<number, ScoredCandidate>

  constructor(bySlot: ReadonlyMap<number, ScoredCandidate>) {
    this.#bySlot = bySlot
  }

  get size(): number {
    return this.#bySlot.size
  }

  of({ slot }: MemoryRecord): ScoredCandidate | undefined {
    return this.#bySlot.get(slot)
  }

  *[Symbol.iterator](): Generator<ScoredCandidate> {
    const all = [...this.#bySlot.values()]
    if (all.length <= ORDERED_AT_ONCE) {
      yield* all.sort(byTotal)
      return
    }
    const totals = new Float64Array(all.length)
    for (let place = 0; place < all.length; place += 1) totals[place] = all[place]?.total ?? 0
    const least = totals.sort()[totals.length - ORDERED_AT_ONCE] ?? 0
    yield* all.filter(({ total }) => total >= least).sort(byTotal)
    yield* all.filter(({ total }) => total < least).sort(byTotal)
  }
}

function byTotal(a: ScoredCandidate, b: ScoredCandidate): number {
  return b.total - a.total || b.record.ordinal - a.record.ordinal
}

/** Every signal of a candidate with its part of the score, the text first. */
export function sourcesOf(candidate: ScoredCandidate): readonly RecallSource[] {
  const { hit } = candidate
  const sources: RecallSource[] = []
  if (hit !== null) {
    const reason = hit.isExact ? 'exact_identifier' : hit.isAboveFloor ? 'text_match' : 'weak_text_match'
    sources.push({ kind: hit.isExact ? 'exact_recovery' : 'lexical', score: rounded(candidate.text), reason })
  }
  const add = (kind: string, score: number, reason: string): void => {
    if (score > 0) sources.push({ kind, score: rounded(score), reason })
  }
  const { near } = candidate
  add('semantic', candidate.semantic, near?.isAboveFloor === true ? 'semantic_match' : 'weak_semantic_match')
  add('graph', candidate.neighbours, 'neighbour_of_match')
  add('execution_native', candidate.run, 'run_of_matches')
  add('structured', candidate.author, 'author_named')
  add('structured', candidate.task, 'asked_task')
  add('structured', candidate.help, 'helped_before')
  add('recent', candidate.recency, 'recency')
  return sources
}

function candidateOf(record: MemoryRecord, hit: TextHit | null, coverage: number): ScoredCandidate {
  const text = hit === null ? 0 : hit.score * (1 + coverage * hit.coverage)
  return {
    record,
    hit,
    text,
    near: null,
    semantic: 0,
    neighbours: 0,
    run: 0,
    author: 0,
    task: 0,
    help: 0,
    recency: 0,
    total: 0,
  }
}

/** Text and embedding together, before anything beside them counts. */
function foundIn({ text, semantic }: ScoredCandidate): number {
  return text + semantic
}

/** Fuses both rankings by reciprocal rank, on the scale of the text scores. */
function addNear(
  state: ActorState,
  command: GuideCommand,
  candidates: Map<number, ScoredCandidate>,
  near: readonly NearHit[],
  weights: Weights,
): void {
  if (near.length === 0) return
  let best = 0
  for (const { text } of candidates.values()) best = Math.max(best, text)
  for (const hit of near) {
    const record = liveRecord(state, hit.memoryId)
    if (record === undefined || !isVisibleTo(record.audience, command.consumer)) continue
    const candidate = candidates.get(record.slot) ?? candidateOf(record, null, 0)
    candidates.set(record.slot, candidate)
    candidate.near = hit
    const share = (1 + NEAR_DAMPING) / (1 + NEAR_DAMPING + hit.place)
    candidate.semantic = weights.semantic * share * (best === 0 ? 1 : best)
  }
}

/** Authors that the query names; none when all candidates have the same one, which then tells nothing. */
function namedAuthors(queryText: string, candidates: Iterable<ScoredCandidate>): ReadonlySet<string> {
  const authors = new Set<string>()
  for (const { record } of candidates) for (const name of authorsOf(record)) authors.add(name)
  return authors.size < 2 ? new Set() : namesAsked(queryText, authors)
}

function authorsOf(record: MemoryRecord): readonly string[] {
  const { actorName, producerAgentId } = record
  if (actorName === null) return producerAgentId === null ? [] : [producerAgentId]
  return producerAgentId === null ? [actorName] : [actorName, producerAgentId]
}

function isByNamed(record: MemoryRecord, named: ReadonlySet<string>): boolean {
  if (named.size === 0) return false
  const { actorName, producerAgentId } = record
  return (
    (actorName !== null && named.has(actorName)) || (producerAgentId !== null && named.has(producerAgentId))
  )
}

function someoneIsRelevant(candidates: Iterable<ScoredCandidate>, named: ReadonlySet<string>): boolean {
  for (const { hit, near, record } of candidates) {
    if (near?.isAboveFloor === true) return true
    if (hit === null) continue
    if (hit.isAboveFloor) return true
    if (hit.matchedTerms >= AUTHOR_TERMS_MIN && isByNamed(record, named)) return true
  }
  return false
}

/** Each hit lends to what stands beside it in its run, also to memories that are no hits themselves. */
function addNeighbours(
  state: ActorState,
  command: GuideCommand,
  candidates: Map<number, ScoredCandidate>,
  weights: Weights,
): void {
  const classes: number[] = []
  for (const group of state.audiences.values()) {
    if (isVisibleTo(group.audience, command.consumer)) classes.push(group.number)
  }
  const hits = [...candidates.values()]
  for (const hit of hits) {
    const { runId } = hit.record
    const line = runId === null ? undefined : state.runLines.get(runId)
    if (runId === null || line === undefined) continue
    const run = { state, candidates, classes, runId, line }
    lend(run, hit, 'after', weights.after)
    lend(run, hit, 'before', weights.before)
  }
}

interface RunAround {
  readonly state: ActorState
  readonly candidates: Map<number, ScoredCandidate>
  /** Audience classes that the consumer sees. */
  readonly classes: readonly number[]
  readonly runId: string
  readonly line: RunLine
}

function lend(run: RunAround, hit: ScoredCandidate, side: 'after' | 'before', shares: readonly number[]) {
  let slot = hit.record.slot
  for (const share of shares) {
    const neighbour = besideIn(run, slot, side)
    if (neighbour === null) return
    neighbour.neighbours += share * foundIn(hit)
    slot = neighbour.record.slot
  }
}

/** A revision may have left its earlier run behind in the line: such a place is passed over. */
function besideIn(run: RunAround, from: number, side: 'after' | 'before'): ScoredCandidate | null {
  const { state, candidates, classes, runId, line } = run
  for (let slot = line[side](from, classes); slot >= 0; slot = line[side](slot, classes)) {
    const known = candidates.get(slot)
    if (known !== undefined && known.record.runId === runId) return known
    const record = known === undefined ? liveRecord(state, state.memoryIds[slot] ?? '') : undefined
    if (record === undefined || record.runId !== runId) continue
    const added = candidateOf(record, null, 0)
    candidates.set(slot, added)
    return added
  }
  return null
}

/** A run with several matches raises all of its memories by the mean of its best three. */
function addRuns(candidates: Iterable<ScoredCandidate>, weight: number): void {
  const ofRun = new Map<string, { readonly members: ScoredCandidate[]; readonly best: number[] }>()
  for (const candidate of candidates) {
    const { runId } = candidate.record
    if (runId === null) continue
    let run = ofRun.get(runId)
    if (run === undefined) {
      run = { members: [], best: [] }
      ofRun.set(runId, run)
    }
    run.members.push(candidate)
    keepBest(run.best, foundIn(candidate) + candidate.neighbours)
  }
  for (const { members, best } of ofRun.values()) {
    const mean = best.reduce((sum, score) => sum + score, 0) / RUN_BEST
    // A run of one match says nothing beyond that match.
    if (members.length > 1) for (const member of members) member.run = weight * mean
  }
}

/** The best few, in falling order. */
function keepBest(best: number[], score: number): void {
  let at = best.length
  while (at > 0 && (best[at - 1] ?? 0) < score) at -= 1
  if (at >= RUN_BEST) return
  best.splice(at, 0, score)
  if (best.length > RUN_BEST) best.pop()
}

function addShares(
  command: GuideCommand,
  candidates: ReadonlyMap<number, ScoredCandidate>,
  named: ReadonlySet<string>,
  weights: Weights,
): void {
  const { size } = candidates
  let place = 0
  for (const candidate of oldestFirst(candidates)) {
    place += 1
    const { record } = candidate
    const found = foundIn(candidate) + candidate.neighbours + candidate.run
    if (isByNamed(record, named)) candidate.author = weights.author * found
    if (command.taskSignature !== null && record.taskSignature === command.taskSignature)
      candidate.task = weights.task * found
    const { positive, negativeWeak, negativeStrong } = record.counters
    const balance = positive - negativeWeak - negativeStrong
    if (balance > 0) candidate.help = weights.help * (balance / (balance + 1)) * found
    candidate.recency = weights.recency * (place / size) * found
    candidate.total = found + candidate.author + candidate.task + candidate.help + candidate.recency
  }
}

/** By ordinal. Sorted as numbers of ordinal and place, which is many times faster than comparing records. */
function oldestFirst(candidates: ReadonlyMap<number, ScoredCandidate>): readonly ScoredCandidate[] {
  const all = [...candidates.values()]
  const keys = new Float64Array(all.length)
  for (let place = 0; place < all.length; place += 1) {
    keys[place] = (all[place]?.record.ordinal ?? 0) * PLACES + place
  }
  keys.sort()
  const sorted: ScoredCandidate[] = []
  for (const key of keys) {
    const one = all[key % PLACES]
    if (one !== undefined) sorted.push(one)
  }
  return sorted
}

/** More than a ranking has hits and neighbours; an ordinal times this stays a whole number in a double. */
const PLACES = 2 ** 16

/** Three decimals are enough to see what counted. */
function rounded(score: number): number {
  return Math.round(score * 1000) / 1000
}
