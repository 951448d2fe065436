import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// From when on something is so.

interface Spoken {
  readonly text: string
  readonly classes: number
  readonly dimension: string
  readonly isContent: boolean
}

/** `since yesterday` speaks of now. */
export function isSinceAt(tokens: readonly Spoken[], at: number): boolean {
  const text = tokens[at]?.text ?? ''
  const isSince =
    SINCE.has(text) ||
    (text === 'of' && tokens[at - 1]?.text === 'as') ||
    (text === 'from' && tokens[at + 1]?.text === 'this')
  if (isFromOnAt(tokens, at)) return true
  const next = THIS.has(tokens[at + 1]?.text ?? '') ? at + 2 : at + 1
  if (isSince && tokens[next]?.text === 'been') return true
  return isSince && ((tokens[next]?.classes ?? 0) & (W.when | W.date)) !== 0
}

/** `From October …`, `… à partir du 3 mai`, without an end: it is so from then on. Hours are those of every day. */
export function isFromOnAt(tokens: readonly Spoken[], at: number): boolean {
  if (!FROM_ON.has(tokens[at]?.text ?? '')) return false
  const day = tokens.findIndex(
    ({ isContent, classes }, place) => place > at && (isContent || (classes & W.when) !== 0),
  )
  const { classes = 0, dimension = '' } = tokens[day] ?? {}
  if ((classes & (W.when | W.date)) === 0 || dimension === 'clock') return false
  // `Notes from Monday are …`: which notes.
  if (at > 1 && tokens.slice(day).some((token) => token.isContent && (token.classes & W.date) === 0))
    return false
  return !tokens.some(({ text }) => ENDS.has(text))
}

const FROM_ON = wordSet('from vanaf partir dal da с')
const ENDS = wordSet("to until till through and bis jusqu jusqu'à jusqu'au hasta até fino al tot до по")

const THIS = wordSet('this diesem dieser diesen ce cette este esta questo questa dit deze')
export const SINCE = wordSet('since seit depuis desde sinds ab')

/** `will be collected on Fridays from now on`: what is so from a day on is more than a promise. */
export function isSettled(tokens: readonly Spoken[]): boolean {
  return (
    tokens.every(({ classes, text }) => (classes & W.promise) === 0 || WILL.has(text)) &&
    tokens.some(
      ({ text }, at) =>
        HENCE.has(text) || (text === 'now' && tokens[at - 1]?.text === 'from') || isFromOnAt(tokens, at),
    )
  )
}

const WILL = wordSet("will shall zal zullen буду будем we'll they'll he'll she'll")
const HENCE = wordSet('henceforth voortaan désormais dorénavant künftig fortan doravante отныне')
