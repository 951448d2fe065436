import { clip, foldText } from '../text/escape.ts'
import type { GuideEntry } from './entry.ts'

const REASON_CHARS_MAX = 240

/** The reason as one line, never empty: the reason code stands in. */
export function reasonText(entry: Pick<GuideEntry, 'reason' | 'reasonCode'>): string {
  return clip(foldText(entry.reason), REASON_CHARS_MAX) || entry.reasonCode
}
