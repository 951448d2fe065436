import { comparedTexts, disputeOf, isComparable, readForDispute } from '../../src/core/similarity/dispute.ts'
import { GUARDS } from '../../src/core/similarity/dispute-guards.ts'
import { isWeighed, LIKELY, SIGNS } from '../../src/core/similarity/dispute-likely.ts'
import { type Pair, pairOf } from '../../src/core/similarity/dispute-pair.ts'
import { descend } from './descent.ts'
import type { Sample } from './samples.ts'

/** Of the whole loss: the more, the less the ridge of the descent is felt. */
const PAIR_WEIGHT = 0.1
/** Of what another kind notices, so that the signs are of the same sort and yet those of what no other kind does. */
const NOTICED_WEIGHT = 0.5
/** A dispute must be six times as likely as none. */
const ODDS_MIN = Math.log(6)
const COLUMNS = SIGNS.length + 1

export interface FittedSigns {
  /** Logarithm of the odds without a sign, the least that a dispute must have taken off. */
  readonly before: number
  /** By place in `SIGNS`. */
  readonly weights: readonly number[]
}

/** Of the lines of pairs.txt: a logistic regression, of two candidates of which one has no sign and no bias. */
export function fittedSigns(text: string): FittedSigns {
  const samples = linesOf(text).flatMap(sampleOf)
  const [bias = 0, ...weights] = descend(samples, COLUMNS)
  return { before: rounded(bias - ODDS_MIN), weights: weights.map(rounded) }
}

interface Line {
  readonly isDispute: boolean
  readonly earlier: string
  readonly later: string
}

function linesOf(text: string): readonly Line[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [earlier = '', later = ''] = line.slice(2).split(' | ')
      return { isDispute: line.startsWith('+'), earlier, later }
    })
}

function sampleOf({ isDispute, earlier, later }: Line): readonly Sample[] {
  const texts = comparedTexts(readForDispute(earlier), readForDispute(later))
  if (!isComparable(texts.earlier, texts.later)) return []
  const pairs = texts.later.clauses
    .flatMap((b) => texts.earlier.clauses.flatMap((a) => pairOf(a, b, texts) ?? []))
    .filter((pair) => LIKELY.guards.every((guard) => GUARDS[guard].holds(pair)) && isWeighed(pair))
  const kind = disputeOf(texts.earlier, texts.later)?.kind ?? 'likely'
  const weight = PAIR_WEIGHT * (isDispute && kind !== 'likely' ? NOTICED_WEIGHT : 1)
  // Which of several statements disputes, the line does not say: the nearest.
  const told = isDispute ? pairs.sort((a, b) => b.shared.length - a.shared.length).slice(0, 1) : pairs
  return told.map((pair) => ({
    weight,
    rows: rowsOf(pair),
    isEvidence: Uint8Array.of(+isDispute, +!isDispute),
  }))
}

function rowsOf(pair: Pair): Float32Array {
  const rows = new Float32Array(2 * COLUMNS)
  rows[0] = 1
  for (const [at, { holds }] of SIGNS.entries()) rows[at + 1] = holds(pair) ? 1 : 0
  return rows
}

function rounded(weight: number): number {
  return Math.round(weight * 100) / 100
}
