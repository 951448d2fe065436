import type { GuideView } from './entry.ts'

/** How much of a memory a line shows. What is shown never depends on the budget, the profile or the role. */
export interface Density {
  readonly isCompact: boolean
  readonly lineCharsMax: number
  /** A text of at most so many characters is shown whole … */
  readonly wholeCharsMax: number
  /** … with a longer one the line takes this part of the full line, but its text never less than `textCharsMin`. */
  readonly lineShare: number
  readonly textCharsMin: number
  readonly reasonCharsMax: number
  readonly warningReasonCharsMax: number
  readonly titleCharsMax: number
  /** Of the sentence by which a failed run without a title is told. */
  readonly sentenceCharsMax: number
  readonly workedCharsMax: number
  readonly pointerCharsMax: number
  readonly nextActionCharsMax: number
  /** For each name of a handoff's addressee. */
  readonly addresseeCharsMax: number
  /** Files and checks together. */
  readonly detailCharsMax: number
  readonly filesMax: number
  readonly checksMax: number
}

/** Nothing is shortened but what does not fit. */
export const FULL: Density = {
  isCompact: false,
  lineCharsMax: 400,
  wholeCharsMax: Number.POSITIVE_INFINITY,
  lineShare: 1,
  textCharsMin: 0,
  reasonCharsMax: 90,
  warningReasonCharsMax: 120,
  titleCharsMax: 80,
  sentenceCharsMax: 120,
  workedCharsMax: 80,
  pointerCharsMax: 120,
  nextActionCharsMax: 110,
  addresseeCharsMax: 40,
  detailCharsMax: 400,
  filesMax: 4,
  checksMax: 3,
}

const COMPACT: Density = {
  isCompact: true,
  lineCharsMax: 400,
  wholeCharsMax: 110,
  lineShare: 0.52,
  textCharsMin: 72,
  reasonCharsMax: 56,
  warningReasonCharsMax: 64,
  titleCharsMax: 40,
  sentenceCharsMax: 60,
  workedCharsMax: 40,
  pointerCharsMax: 60,
  nextActionCharsMax: 56,
  addresseeCharsMax: 24,
  detailCharsMax: 64,
  filesMax: 1,
  checksMax: 1,
}

const COMPACT_AGGRESSIVE: Density = {
  ...COMPACT,
  wholeCharsMax: 60,
  lineShare: 0.42,
  textCharsMin: 56,
  reasonCharsMax: 24,
  warningReasonCharsMax: 48,
  titleCharsMax: 24,
  sentenceCharsMax: 40,
  workedCharsMax: 24,
  pointerCharsMax: 48,
  nextActionCharsMax: 40,
  addresseeCharsMax: 16,
  detailCharsMax: 40,
}

/** A line for what only resembles the question: enough to ask for more. It is the same in every form of the prompt. */
export const WEAK: Density = {
  ...FULL,
  lineCharsMax: 120,
  reasonCharsMax: 24,
  warningReasonCharsMax: 32,
  titleCharsMax: 24,
  sentenceCharsMax: 24,
  workedCharsMax: 16,
  pointerCharsMax: 40,
  nextActionCharsMax: 0,
  addresseeCharsMax: 0,
  detailCharsMax: 0,
  filesMax: 0,
  checksMax: 0,
}

/** `compact_agent` and `aggressive` shorten; both together shorten more. */
export function densityOf(view: Pick<GuideView, 'contextMode' | 'compaction'>): Density {
  const isCompactMode = view.contextMode === 'compact_agent'
  if (view.compaction === 'aggressive') return isCompactMode ? COMPACT_AGGRESSIVE : COMPACT
  return isCompactMode ? COMPACT : FULL
}
