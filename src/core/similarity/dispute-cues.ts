import { isRise } from './dispute-events.ts'
import { M, type WordInfo } from './dispute-lexicon.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// Words that say of a statement that something is otherwise now, each by its place: -1 where there is none.

interface Told extends WordInfo {
  readonly text: string
  readonly kind: string
  readonly dimension: string
  readonly hasCapital: boolean
  readonly isQuoted: boolean
}

/** A word that says that something changed, or `went up`. */
export function changeIn(tokens: readonly Told[], classes: number): number {
  const at = onceOnly(tokens, placeOf(tokens, classes, W.change))
  if (at < 0 && (classes & W.past) !== 0) {
    const set = tokens.findIndex(
      (_, place) => isSetAt(tokens, place) && ((tokens[place - 1]?.classes ?? 0) & W.past) !== 0,
    )
    if (set > 0) return set
  }
  return at >= 0 || (classes & W.event) === 0 ? at : tokens.findIndex((_, place) => isRise(tokens, place))
}

/** `is changed every week`, `is deleted after a month` and `how to change it` tell of no change, and `boats that have moved` of none of what is said. */
function onceOnly(tokens: readonly Told[], at: number): number {
  if (at < 0 || EACH_TIME.has(tokens[at + 1]?.text ?? '')) return -1
  if (tokens.some(({ text }, place) => place < at && HOW.has(text))) return -1
  if (
    IS.has(tokens[at - 1]?.text ?? '') &&
    AFTER.has(tokens[at + 1]?.text ?? '') &&
    tokens[at + 2]?.kind === 'number'
  )
    return -1
  return [at - 1, at - 2].some((place) => place > 0 && WHICH.has(tokens[place]?.text ?? '')) ? -1 : at
}

const IS = wordSet('is are')
const AFTER = wordSet('after within')
const HOW = wordSet('how whether')
/** From such a word to the last of `are no longer`. */
const WHICH_REACH = 4
const WHICH = wordSet('that which who qui que che welche')
const EACH_TIME = wordSet(
  'every each daily weekly monthly yearly jede jeden jedes alle chaque cada ogni elke каждый каждую',
)

/** `set to 5`, `lifted to 5` */
function isSetAt(tokens: readonly Told[], at: number): boolean {
  return SETS.has(tokens[at]?.text ?? '') && tokens[at + 1]?.text === 'to'
}

const SETS = wordSet('set lifted')

/** A word that says that something is no longer there, but not `lifted to 5`. */
export function goneIn(tokens: readonly Told[], classes: number): number {
  const at = onceOnly(tokens, placeOf(tokens, classes, W.gone))
  return isSetAt(tokens, at) || isAttributeAt(tokens, at) ? -1 : at
}

/** `a template for obsolete pages`: which pages, and not that they are gone. */
function isAttributeAt(tokens: readonly Told[], at: number): boolean {
  const next = tokens[at + 1]
  if (next?.isContent !== true || next.kind !== 'word') return false
  const before = tokens[at - 1]
  return FOR.has(before?.text ?? '') || (before?.isContent === true && OF_SORT.has(tokens[at]?.text ?? ''))
}

const OF_SORT = wordSet('deprecated obsolete outdated stale expired')
const FOR = wordSet('for of with from für mit von pour de avec para con di per met voor van')

/** Place of the first word of a class that is not quoted, -1 when there is none. */
function placeOf(tokens: readonly Told[], classes: number, mask: number): number {
  return (classes & mask) === 0
    ? -1
    : tokens.findIndex((token) => !token.isQuoted && (token.classes & mask) !== 0)
}

/** Where a phrase ends that says `no longer`, -1 where none does. */
export function noLongerIn(tokens: readonly Told[]): number {
  const at = tokens.findIndex((token, place) => !token.isQuoted && isNoLongerAt(tokens, place))
  // `a list of boats that are no longer in use`
  const isOfOthers = tokens.some(
    ({ text }, place) =>
      place > 0 &&
      place < at &&
      place >= at - WHICH_REACH &&
      WHICH.has(text) &&
      IS.has(tokens[place + 1]?.text ?? ''),
  )
  return isOfOthers || isWhichWithout(tokens, at) ? -1 : at
}

/** `things they no longer need`: which things. */
function isWhichWithout(tokens: readonly Told[], at: number): boolean {
  return ANYBODY.has(tokens[at - 2]?.text ?? '') && tokens[at - 3]?.isContent === true
}

const ANYBODY = wordSet('they you we i')

/** `not more than five`, but not `ne veut plus de thé`. */
function isThanAt(tokens: readonly Told[], at: number): boolean {
  if (!THAN.has(tokens[at + 1]?.text ?? '')) return false
  return tokens[at]?.text !== 'plus' || tokens[at + 2]?.kind === 'number'
}

/** `not more than five` says how many. */
export const THAN: ReadonlySet<string> = new Set(['than', 'als', 'de', 'que', 'di', 'do', 'dan', 'чем'])
/** First and second word. */
const PAIRS: ReadonlyMap<string, string> = new Map([
  ['ya', 'no'],
  ['plus', 'aucun'],
  ['já', 'não'],
  ['больше', 'не'],
  ['уже', 'не'],
  ['już', 'nie'],
  ['لم', 'يعد'],
  ['لم', 'تعد'],
])
const REACH = 10

/** Whether the word at `at` ends a phrase that says `no longer`. */
function isNoLongerAt(tokens: readonly Told[], at: number): boolean {
  const word = tokens[at]?.text ?? ''
  const marks = tokens[at]?.marks ?? 0
  if ((marks & M.noLonger) !== 0) return true
  // `stopped using`, `stopped squash-merging`
  if ((marks & M.stops) !== 0)
    return [tokens[at + 1], tokens[at + 2]].some((next) => next?.text.endsWith('ing'))
  const before = tokens[at - 1]?.text ?? ''
  if (PAIRS.get(before) === word) return true
  if ((marks & M.more) === 0 || isThanAt(tokens, at)) return false
  for (let back = at - 1; back >= 0 && back >= at - REACH; back -= 1) {
    if (((tokens[back]?.marks ?? 0) & (M.negation | M.concord)) !== 0) return true
  }
  return word === 'anymore'
}
