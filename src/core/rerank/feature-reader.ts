import type { MemoryColumns } from '../model/columns.ts'
import { type CandidateColumns, DATED, FIRST, OF_TASK } from './candidate-columns.ts'
import { FEATURES, logOfShare } from './features.ts'
import type { NamedSpeakers } from './named-speakers.ts'
import type { RunEvidence } from './run-evidence.ts'
import { HIT_EXACT, type TextHits } from './signals.ts'

/** What the features of candidates are read from. */
export interface FeatureSources {
  readonly memory: MemoryColumns
  readonly candidates: CandidateColumns
  readonly hits: TextHits
  readonly evidence: RunEvidence
  readonly speakers: NamedSpeakers
  /** The best text score. */
  readonly scale: number
  /** Candidates. */
  readonly size: number
}

/** Reads the features of the candidate in a place, in the order of FEATURES; each call writes into the same array. */
export function featureReader(sources: FeatureSources): (place: number) => Float64Array {
  // A function that is made for its arrays: of hundreds of candidates a guide reads every one.
  const { memory, evidence, speakers, hits, scale, size } = sources
  const { found, neighbours, answered, marks, runAt, slots, age, hits: hitAt } = sources.candidates
  const { coverage, flags } = hits
  const features = new Float64Array(FEATURES.length)
  return (place) => {
    const slot = slots[place] ?? 0
    const mark = marks[place] ?? 0
    const run = runAt[place] ?? -1
    const hit = (hitAt[place] ?? 0) - 1
    const score = (found[place] ?? 0) / scale
    const help = memory.helpOf(slot)
    features[0] = logOfShare(score + (neighbours[place] ?? 0) / scale)
    features[1] = score
    features[2] = hit < 0 ? 0 : (coverage[hit] ?? 0)
    features[3] = hit >= 0 && ((flags[hit] ?? 0) & HIT_EXACT) !== 0 ? 1 : 0
    features[4] = speakers.of(slot)
    features[5] = memory.asks(slot) ? 1 : 0
    features[6] = (answered[place] ?? 0) / scale
    features[7] = (mark & DATED) === 0 ? 0 : 1
    features[8] = (mark & FIRST) === 0 ? 0 : 1
    features[9] = (age[place] ?? 0) / size
    features[10] = run < 0 ? 0 : evidence.bestBeside(run, score)
    features[11] = run < 0 ? 0 : evidence.meanBeside(run, score)
    features[12] = run < 0 ? 0 : evidence.longness(run)
    features[13] = (mark & OF_TASK) === 0 ? 0 : 1
    features[14] = help > 0 ? help / (help + 1) : 0
    return features
  }
}
