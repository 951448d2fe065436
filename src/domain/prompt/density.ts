import type { GuideView } from '../guide/entry.ts'

/** How much of a memory a line shows. What is shown never depends on the budget, the profile or the role. */
export interface Density {
  readonly isCompact: boolean
  /** A use_now or inspect line takes at most this part of the full line … */
  readonly lineShare: number
  /** … and its text this part of the whole text, but never less than `textCharsMin`. */
  readonly textShare: number
  readonly textCharsMin: number
  readonly reasonCharsMax: number
  readonly warningReasonCharsMax: number
  /** 0: a warning shows no title. */
  readonly titleCharsMax: number
  readonly pointerCharsMax: number
  readonly nextActionCharsMax: number
  readonly filesMax: number
  readonly checksMax: number
}

const FULL: Density = {
  isCompact: false,
  lineShare: 1,
  textShare: 1,
  textCharsMin: 0,
  reasonCharsMax: 90,
  warningReasonCharsMax: 120,
  titleCharsMax: 80,
  pointerCharsMax: 120,
  nextActionCharsMax: 110,
  filesMax: 4,
  checksMax: 3,
}

const COMPACT: Density = {
  isCompact: true,
  lineShare: 0.52,
  textShare: 0.4,
  textCharsMin: 72,
  reasonCharsMax: 36,
  warningReasonCharsMax: 64,
  titleCharsMax: 0,
  pointerCharsMax: 60,
  nextActionCharsMax: 48,
  filesMax: 2,
  checksMax: 1,
}

const COMPACT_AGGRESSIVE: Density = {
  ...COMPACT,
  lineShare: 0.44,
  textShare: 0.3,
  textCharsMin: 56,
  reasonCharsMax: 24,
  warningReasonCharsMax: 48,
  pointerCharsMax: 48,
  nextActionCharsMax: 32,
  filesMax: 1,
}

/** `compact_agent` and `aggressive` shorten; both together shorten more. */
export function densityOf(view: Pick<GuideView, 'contextMode' | 'compaction'>): Density {
  const isCompactMode = view.contextMode === 'compact_agent'
  if (view.compaction === 'aggressive') return isCompactMode ? COMPACT_AGGRESSIVE : COMPACT
  return isCompactMode ? COMPACT : FULL
}
