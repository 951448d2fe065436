import { isVisibleTo } from '../governance/visibility.ts'
import type { MemoryRecord } from '../memory/record.ts'
import { type ActorState, liveRecord } from '../memory/state.ts'
import { namesAsked } from '../recall/names.ts'
import type { GuideCommand } from './command.ts'
import type { RecallSource, TextHit } from './entry.ts'

// What stands beside a hit counts too: the memory before it in its run, others of the run that match, who wrote it,
// the task it belongs to, and whether it helped before. All parts are added up in units of the text score, so each
// signal can be told with its share. How the weights were found: docs/recall.md, Second stage.

/** How much each signal counts. */
export interface Weights {
  /** Of the coverage: a text score counts 1 + this times coverage. */
  readonly coverage: number
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
  after: [0.5, 0.2],
  before: [0.3, 0.2],
  run: 1,
  author: 0.5,
  task: 0.2,
  help: 0.1,
  recency: 0.005,
}

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
  neighbours: number
  run: number
  author: number
  task: number
  help: number
  recency: number
  total: number
}

/**
 * Ranks hits and their neighbours. Empty when no hit passes the relevance floor. Only visible memories take part, so
 * an invisible one changes nothing.
 */
export function secondStage(
  state: ActorState,
  command: GuideCommand,
  hits: readonly TextHit[],
  weights: Weights = WEIGHTS,
): readonly ScoredCandidate[] {
  const candidates = new Map<number, ScoredCandidate>()
  for (const hit of hits) {
    const record = liveRecord(state, hit.memoryId)
    if (record === undefined || !isVisibleTo(record.audience, command.consumer)) continue
    candidates.set(record.slot, candidateOf(record, hit, weights.coverage))
  }
  const named =
    weights.author === 0 ? new Set<string>() : namedAuthors(command.queryText, candidates.values())
  if (!someoneIsRelevant(candidates.values(), named)) return []
  addNeighbours(state, command, candidates, weights)
  addRuns(candidates.values(), weights.run)
  addShares(command, candidates.values(), named, weights)
  return [...candidates.values()].sort((a, b) => b.total - a.total || b.record.ordinal - a.record.ordinal)
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
  return { record, hit, text, neighbours: 0, run: 0, author: 0, task: 0, help: 0, recency: 0, total: 0 }
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
  for (const { hit, record } of candidates) {
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
  for (const { record, text } of hits) {
    const { runId } = record
    if (runId === null) continue
    lend(state, candidates, record.slot, text, weights.after, (slot) =>
      beside(state, runId, slot, classes, 'after'),
    )
    lend(state, candidates, record.slot, text, weights.before, (slot) =>
      beside(state, runId, slot, classes, 'before'),
    )
  }
}

function lend(
  state: ActorState,
  candidates: Map<number, ScoredCandidate>,
  from: number,
  text: number,
  shares: readonly number[],
  next: (slot: number) => number,
): void {
  let slot = from
  for (const share of shares) {
    slot = next(slot)
    if (slot < 0) return
    let candidate = candidates.get(slot)
    if (candidate === undefined) {
      const record = liveRecord(state, state.memoryIds[slot] ?? '')
      if (record === undefined) return
      candidate = candidateOf(record, null, 0)
      candidates.set(slot, candidate)
    }
    candidate.neighbours += share * text
  }
}

/** A revision may have left its earlier run behind in the line: such a place is passed over. */
function beside(
  state: ActorState,
  runId: string,
  from: number,
  classes: readonly number[],
  side: 'after' | 'before',
): number {
  const line = state.runLines.get(runId)
  let slot = from
  do {
    slot = line === undefined ? -1 : line[side](slot, classes)
  } while (slot >= 0 && state.memories.get(state.memoryIds[slot] ?? '')?.runId !== runId)
  return slot
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
    keepBest(run.best, candidate.text + candidate.neighbours)
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
  candidates: Iterable<ScoredCandidate>,
  named: ReadonlySet<string>,
  weights: Weights,
): void {
  const all = [...candidates].sort((a, b) => a.record.ordinal - b.record.ordinal)
  for (const [place, candidate] of all.entries()) {
    const { record } = candidate
    const found = candidate.text + candidate.neighbours + candidate.run
    if (isByNamed(record, named)) candidate.author = weights.author * found
    if (command.taskSignature !== null && record.taskSignature === command.taskSignature)
      candidate.task = weights.task * found
    const { positive, negativeWeak, negativeStrong } = record.counters
    const balance = positive - negativeWeak - negativeStrong
    if (balance > 0) candidate.help = weights.help * (balance / (balance + 1)) * found
    candidate.recency = weights.recency * ((place + 1) / all.length) * found
    candidate.total = found + candidate.author + candidate.task + candidate.help + candidate.recency
  }
}

/** Three decimals are enough to see what counted. */
function rounded(score: number): number {
  return Math.round(score * 1000) / 1000
}
