import type { Consumer, MemoryRecord } from '../model/record.ts'
import type { RunLines } from '../model/run-lines.ts'
import { type ActorState, liveRecord } from '../model/state.ts'
import { isVisibleTo } from '../model/visibility.ts'
import { namesAsked } from '../search/names.ts'
import { addCandidate, type CandidateColumns, placeOfSlot, takeColumns } from './candidate-columns.ts'
import {
  addTotals,
  ColumnCandidate,
  isByNamed,
  type Named,
  NOBODY,
  nearScore,
  type Scoring,
  type Shares,
  textScore,
  WEIGHTS,
  type Weights,
} from './candidate-scores.ts'
import type { GuideCommand } from './command.ts'
import type { NearHit } from './entry.ts'
import { numberByAge } from './number-by-age.ts'
import { ScoredCandidates } from './scored-candidates.ts'
import { SlotPlaces } from './slot-places.ts'
import { HIT_ABOVE_FLOOR, type TextHits } from './text-hits.ts'

// What stands beside a hit counts too: the memory before it in its run, others of the run that match, who wrote it,
// the task it belongs to, and whether it helped before. All parts are added up in units of the text score, so each
// signal can be told with its share. How the weights were found: docs/recall.md, Second stage.
//
// Hits and their neighbours are many, and their records lie scattered over the heap. So they are scored as columns of
// numbers, read from columns of the actor.

/** So many of the best memories of a run say whether the run is what is asked about; ``best` has a place for each. */
const RUN_BEST = 3
/** Terms, its author's name among them, with which a memory of a named author passes the relevance floor. */
const AUTHOR_TERMS_MIN = 2

/**
 * Ranks hits by text and by embedding and their neighbours. Empty when no hit passes the relevance floor. Only visible memories take part, so
 * an invisible one changes nothing.
 *
 * The candidates can be read until the next ones are scored.
 */
export function secondStage(
  state: ActorState,
  command: GuideCommand,
  hits: TextHits,
  weights: Weights = WEIGHTS,
  near: readonly NearHit[] = [],
): ScoredCandidates {
  const owner = {}
  const neighbours = weights.after.length + weights.before.length
  const candidates = takeColumns(owner, state, (hits.slots.length + near.length) * (1 + neighbours))
  const classes = classesSeenBy(state, command.consumer)
  const scoring: Scoring = { state, command, weights, hits, near, candidates, classes }
  addHits(scoring)
  const nearScale = addNear(scoring)
  const named = weights.author === 0 ? NOBODY : namedAuthors(scoring)
  if (someoneIsRelevant(scoring, named)) {
    addNeighbours(scoring)
    addRuns(scoring)
    numberByAge(state, candidates)
  } else {
    candidates.size = 0
  }
  const shares: Shares = { nearScale, named, ofTask: ofTask(scoring), ...scoring }
  addTotals(shares)
  return new ScoredCandidates(
    owner,
    state,
    candidates,
    (record, place) => new ColumnCandidate(shares, record, place),
  )
}

function classesSeenBy(state: ActorState, consumer: Consumer): readonly number[] {
  const classes: number[] = []
  for (const group of state.audiences.values()) {
    if (isVisibleTo(group.audience, consumer)) classes.push(group.number)
  }
  return classes
}

function addHits({ state, weights, hits, candidates, classes }: Scoring): void {
  const isSeen = new Uint8Array(state.audiences.size)
  for (const number of classes) isSeen[number] = 1
  const { slots } = hits
  for (let at = 0; at < slots.length; at += 1) {
    const slot = slots[at] ?? -1
    // A class of -1, of an erased memory or of no slot, is nobody's.
    if (isSeen[state.columns.classOf(slot)] !== 1) continue
    const place = addCandidate(candidates, slot)
    candidates.hits[place] = at + 1
    candidates.found[place] = textScore(hits, at, weights)
  }
}

/** Fuses both rankings by reciprocal rank, on the scale of the text scores, which is answered. */
function addNear({ state, command, weights, hits, near, candidates }: Scoring): number {
  if (near.length === 0) return 1
  let best = 0
  for (let place = 0; place < candidates.size; place += 1) best = Math.max(best, candidates.found[place] ?? 0)
  const scale = best === 0 ? 1 : best
  for (const [at, hit] of near.entries()) {
    const record = liveRecord(state, hit.memoryId)
    if (record === undefined || !isVisibleTo(record.audience, command.consumer)) continue
    const place = addCandidate(candidates, record.slot)
    candidates.nears[place] = at + 1
    const text = textScore(hits, (candidates.hits[place] ?? 0) - 1, weights)
    candidates.found[place] = text + nearScore(hit, scale, weights)
  }
  return scale
}

/** Whom the query names; nobody when all hits are by the same author, which then tells nothing. */
function namedAuthors({ state: { columns }, command, candidates }: Scoring): Named {
  const numbers = new Set<number>()
  let last = -1
  for (let place = 0; place < candidates.size; place += 1) {
    const authors = columns.authorsOf(candidates.slots[place] ?? 0)
    if (authors !== last) numbers.add(authors)
    last = authors
  }
  const names = new Set<string>()
  for (const number of numbers) for (const name of columns.authorNames(number)) names.add(name)
  if (names.size < 2) return NOBODY
  const asked = namesAsked(command.queryText, names)
  return asked.size === 0 ? NOBODY : { names: asked, known: new Map() }
}

function someoneIsRelevant({ state, hits, near, candidates }: Scoring, named: Named): boolean {
  for (let place = 0; place < candidates.size; place += 1) {
    const number = candidates.nears[place] ?? 0
    if (number > 0 && near[number - 1]?.isAboveFloor === true) return true
    const at = (candidates.hits[place] ?? 0) - 1
    if (at < 0) continue
    if (((hits.flags[at] ?? 0) & HIT_ABOVE_FLOOR) !== 0) return true
    const isSeconded = (hits.matchedTerms[at] ?? 0) >= AUTHOR_TERMS_MIN
    if (isSeconded && isByNamed(state, candidates.slots[place] ?? 0, named)) return true
  }
  return false
}

/** Each hit lends to what stands beside it in its run, also to memories that are no hits themselves. */
function addNeighbours({ state: { runLines }, weights, candidates, classes }: Scoring): void {
  const hits = candidates.size
  numberRuns(runLines, candidates)
  // Without an iterator, which of numbers would make an object for each.
  const { after, before } = weights
  for (let place = 0; place < hits; place += 1) {
    const found = candidates.found[place] ?? 0
    const run = candidates.runAt[place] ?? -1
    if (run < 0) continue
    let slot = candidates.slots[place] ?? 0
    for (let step = 0; step < after.length; step += 1) {
      slot = runLines.after(slot, classes)
      if (slot < 0) break
      lend(candidates, slot, run, (after[step] ?? 0) * found)
    }
    slot = candidates.slots[place] ?? 0
    for (let step = 0; step < before.length; step += 1) {
      slot = runLines.before(slot, classes)
      if (slot < 0) break
      lend(candidates, slot, run, (before[step] ?? 0) * found)
    }
  }
}

function lend(candidates: CandidateColumns, slot: number, run: number, lent: number): void {
  const place = addCandidate(candidates, slot)
  candidates.runAt[place] = run
  candidates.neighbours[place] = (candidates.neighbours[place] ?? 0) + lent
}

// Scratch of the thread, as the columns.
const placesOfRuns = new SlotPlaces()

/** Numbers the runs of the hits; what stands beside a hit belongs to the same run. */
function numberRuns(runLines: RunLines, { size, slots, runAt }: CandidateColumns): void {
  placesOfRuns.begin(runLines.runCount, size)
  let runs = 0
  for (let place = 0; place < size; place += 1) {
    const number = runLines.runOf(slots[place] ?? 0)
    let at = number < 0 ? -1 : placesOfRuns.of(number)
    if (number >= 0 && at < 0) {
      at = runs
      runs += 1
      placesOfRuns.set(number, at)
    }
    runAt[place] = at
  }
}

// Scratch of the thread, as the columns: for each run its candidates and the best of them.
let members = new Int32Array(0)
let best = new Float64Array(0)

/** A run with several matches raises all of its memories by the mean of its best three. */
function addRuns({ weights, candidates }: Scoring): void {
  const { size, slots, found, neighbours, run, runAt } = candidates
  if (size > members.length) {
    members = new Int32Array(slots.length)
    best = new Float64Array(slots.length * RUN_BEST)
  }
  // Bound here: a variable of the module is read again at every step of a loop.
  const counts = members
  const bests = best
  counts.fill(0, 0, size)
  bests.fill(0, 0, size * RUN_BEST)
  for (let place = 0; place < size; place += 1) {
    const at = runAt[place] ?? -1
    if (at < 0) continue
    counts[at] = (counts[at] ?? 0) + 1
    keepBest(bests, at * RUN_BEST, (found[place] ?? 0) + (neighbours[place] ?? 0))
  }
  for (let place = 0; place < size; place += 1) {
    const at = runAt[place] ?? -1
    // A run of one match says nothing beyond that match.
    if (at < 0 || (counts[at] ?? 0) < 2) continue
    const first = at * RUN_BEST
    const mean = ((bests[first] ?? 0) + (bests[first + 1] ?? 0) + (bests[first + 2] ?? 0)) / RUN_BEST
    run[place] = weights.run * mean
  }
}

/** The best few of a run from `first` on, in falling order. */
function keepBest(bests: Float64Array, first: number, score: number): void {
  if (score <= (bests[first + RUN_BEST - 1] ?? 0)) return
  let at = first + RUN_BEST - 1
  for (; at > first && (bests[at - 1] ?? 0) < score; at -= 1) bests[at] = bests[at - 1] ?? 0
  bests[at] = score
}

/** Looks through the task or through the candidates, whichever are fewer. */
function ofTask({ state, command, candidates }: Scoring): Uint8Array | null {
  const { taskSignature } = command
  const ids = taskSignature === null ? undefined : state.bySignature.get(taskSignature)
  if (ids === undefined) return null
  const isOfTask = new Uint8Array(candidates.size)
  const look = (record: MemoryRecord | undefined, place: number): void => {
    if (place >= 0 && record?.taskSignature === taskSignature) isOfTask[place] = 1
  }
  if (ids.size > candidates.size) {
    for (let place = 0; place < candidates.size; place += 1) {
      look(state.records[candidates.slots[place] ?? 0], place)
    }
  } else {
    for (const id of ids) {
      const record = state.memories.get(id)
      look(record, placeOfSlot(record?.slot ?? -1))
    }
  }
  return isOfTask
}
