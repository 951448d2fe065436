import type { MemoryRecord } from '../model/record.ts'
import type { ActorState } from '../model/state.ts'
import type { CandidateColumns } from './candidate-columns.ts'
import type { GuideCommand } from './command.ts'
import type { NearHit } from './entry.ts'
import type { ScoredCandidate } from './scored-candidates.ts'
import { hitAt, type TextHit, type TextHits } from './text-hits.ts'

// The score of a candidate and the share of each signal in it, all in units of the text score.

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
/** What a scoring works with. */
export interface Scoring {
  readonly state: ActorState
  readonly command: GuideCommand
  readonly weights: Weights
  readonly hits: TextHits
  readonly near: readonly NearHit[]
  readonly candidates: CandidateColumns
  /** Audience classes that the consumer sees. */
  readonly classes: readonly number[]
}

export interface Named {
  readonly names: ReadonlySet<string>
  /** Whether a number of authors stands for one of the names, as far as it was asked. */
  readonly known: Map<number, boolean>
}

export const NOBODY: Named = { names: new Set(), known: new Map() }

/** 0 for a place of -1: there is no hit. */
export function textScore({ scores, coverage }: TextHits, at: number, weights: Weights): number {
  return at < 0 ? 0 : (scores[at] ?? 0) * (1 + weights.coverage * (coverage[at] ?? 0))
}

export function nearScore(hit: NearHit | null, scale: number, { semantic }: Weights): number {
  if (hit === null) return 0
  const share = (1 + NEAR_DAMPING) / (1 + NEAR_DAMPING + hit.place)
  return semantic * share * scale
}

export function isByNamed({ columns }: ActorState, slot: number, named: Named): boolean {
  if (named === NOBODY) return false
  const authors = columns.authorsOf(slot)
  let isNamed = named.known.get(authors)
  if (isNamed === undefined) {
    isNamed = columns.authorNames(authors).some((name) => named.names.has(name))
    named.known.set(authors, isNamed)
  }
  return isNamed
}

/** What the shares of a candidate's score depend on. */
export interface Shares extends Scoring {
  readonly nearScale: number
  readonly named: Named
  /** By place, 1: the memory belongs to the asked task. Null: none is asked, or nothing belongs to it. */
  readonly ofTask: Uint8Array | null
}

function foundAt({ found, neighbours, run }: CandidateColumns, place: number): number {
  return (found[place] ?? 0) + (neighbours[place] ?? 0) + (run[place] ?? 0)
}

function authorShare({ state, weights, candidates, named }: Shares, place: number): number {
  return isByNamed(state, candidates.slots[place] ?? 0, named) ? weights.author : 0
}

function taskShare({ weights, ofTask }: Shares, place: number): number {
  return ofTask !== null && ofTask[place] === 1 ? weights.task : 0
}

function helpShare({ state, weights, candidates }: Shares, place: number): number {
  const balance = state.columns.helpOf(candidates.slots[place] ?? 0)
  return balance > 0 ? weights.help * (balance / (balance + 1)) : 0
}

function recencyShare({ weights, candidates }: Shares, place: number): number {
  return weights.recency * ((candidates.age[place] ?? 0) / candidates.size)
}

export function addTotals(shares: Shares): void {
  const { state, weights, candidates, named, ofTask } = shares
  const { size, slots, total, age, found, neighbours, run } = candidates
  const isPlain = named === NOBODY && ofTask === null
  for (let place = 0; place < size; place += 1) {
    const score = (found[place] ?? 0) + (neighbours[place] ?? 0) + (run[place] ?? 0)
    const balance = state.columns.helpOf(slots[place] ?? 0)
    const help = balance > 0 ? weights.help * (balance / (balance + 1)) : 0
    const recency = weights.recency * ((age[place] ?? 0) / size)
    if (isPlain) {
      total[place] = score + help * score + recency * score
      continue
    }
    const author = authorShare(shares, place) * score
    const task = taskShare(shares, place) * score
    total[place] = score + author + task + help * score + recency * score
  }
}

/** Reads the columns when it is asked, so that nothing is made of a signal that nobody reads. */
export class ColumnCandidate implements ScoredCandidate {
  readonly record: MemoryRecord
  readonly #shares: Shares
  readonly #place: number

  constructor(shares: Shares, record: MemoryRecord, place: number) {
    this.record = record
    this.#shares = shares
    this.#place = place
  }

  get hit(): TextHit | null {
    const at = this.#hitPlace
    return at < 0 ? null : hitAt(this.#shares.hits, at)
  }
  get text(): number {
    return textScore(this.#shares.hits, this.#hitPlace, this.#shares.weights)
  }
  get near(): NearHit | null {
    const number = this.#shares.candidates.nears[this.#place] ?? 0
    // Of a list the engine looks a place of -1 up as a name.
    return number === 0 ? null : (this.#shares.near[number - 1] ?? null)
  }
  get semantic(): number {
    return nearScore(this.near, this.#shares.nearScale, this.#shares.weights)
  }
  get neighbours(): number {
    return this.#shares.candidates.neighbours[this.#place] ?? 0
  }
  get run(): number {
    return this.#shares.candidates.run[this.#place] ?? 0
  }
  get author(): number {
    return authorShare(this.#shares, this.#place) * this.#found
  }
  get task(): number {
    return taskShare(this.#shares, this.#place) * this.#found
  }
  get help(): number {
    return helpShare(this.#shares, this.#place) * this.#found
  }
  get recency(): number {
    return recencyShare(this.#shares, this.#place) * this.#found
  }
  get total(): number {
    return this.#shares.candidates.total[this.#place] ?? 0
  }

  get #found(): number {
    return foundAt(this.#shares.candidates, this.#place)
  }
  get #hitPlace(): number {
    return (this.#shares.candidates.hits[this.#place] ?? 0) - 1
  }
}
