import { type Clause, isDate, isNumber } from './dispute-clause.ts'
import { M } from './dispute-lexicon.ts'
import { isDayAt, isHourAt, isPeriod } from './dispute-slot-dates.ts'
import { isBetween, isSwitcher, OUT } from './dispute-slot-values.ts'
import { W } from './dispute-words.ts'

/** What a statement may give a value of, a bit each; two statements that give different values have one in common. */
export const S = {
  amount: 1 << 0,
  date: 1 << 1,
  often: 1 << 2,
  name: 1 << 3,
  state: 1 << 4,
  wish: 1 << 5,
  dense: 1 << 6,
  holder: 1 << 7,
  place: 1 << 8,
  means: 1 << 9,
  /** Denies something; two of which one does may be in dispute. */
  denied: 1 << 10,
  /** Any word may be the value where a later statement says that it is otherwise now. */
  any: 1 << 11,
} as const

/** Bits of `S`; `classes` and `marks` are those of all its words, also of quoted ones. */
export function slotTypesOf(clause: Clause, classes: number, marks: number): number {
  const { tokens, content } = clause
  if (content.size > SLOT_WORDS_MAX) return 0
  let types = 0
  let hasCapital = false
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === undefined) break
    types |= switchAndPlaceAt(clause, at)
    if (token.text === 'twice') types |= S.often
    if (!token.isContent) continue
    if (token.kind === 'name' || token.isQuoted) types |= S.name
    if (token.hasCapital && token.kind === 'word') hasCapital = true
    if (isNumber(token)) types |= S.amount
    if (token.dimension === 'times') types |= S.often
    if (isDate(token) || isPeriod(token)) types |= S.date
    if (token.kind === 'number' && (isHourAt(clause, at) || isDayAt(clause, at))) types |= S.date
  }
  if ((marks & M.often) !== 0) types |= S.often
  if ((marks & (M.state | M.rival)) !== 0) types |= S.state
  if ((marks & M.wish) !== 0 || (classes & W.prefers) !== 0) types |= S.wish
  if ((marks & M.denseSlot) !== 0) types |= S.dense
  if (hasCapital && ((marks & M.holding) !== 0 || (classes & W.role) !== 0)) types |= S.holder
  if ((marks & M.working) !== 0 && (marks & M.byMeans) !== 0) types |= S.means
  return clause.isNegated ? types | S.denied | S.any : types | S.any
}

/** `turned off`, `out of order`; a word that leads to a place behind one that says that something is in one. */
function switchAndPlaceAt({ tokens, changeAt }: Clause, at: number): number {
  const token = tokens[at]
  if (token === undefined || at === 0) return 0
  const { text, classes, marks } = token
  const before = tokens[at - 1]
  const isSwitch = text === 'off' || (text === 'on' && before !== undefined && isSwitcher(before))
  const isState =
    isSwitch ||
    (before?.text === 'of' && tokens[at - 2]?.text === 'out') ||
    OUT.get(before?.text ?? '') === text
  const types = isState ? S.state : 0
  if ((classes & (W.placing | W.to)) === 0 && (marks & M.beside) === 0) return types
  if (changeAt >= 0) return types | S.place
  let from = at - 1
  while (from > 0 && isBetween(tokens[from])) from -= 1
  const verb = tokens[from]
  if (verb === undefined) return types
  const isPlaced = (verb.marks & M.placed) !== 0 || (verb.classes & (W.located | W.copula)) !== 0
  return isPlaced || verb.kind === 'sign' ? types | S.place : types
}

/** Whether two statements that share so many words may give different values of one type. */
export function maySlotsDiffer(earlier: number, later: number, shared: number, isCued: boolean): boolean {
  if ((earlier & later & ~(S.denied | S.any)) !== 0) return true
  if (isCued && shared >= CUED_SHARED_MIN) return true
  return ((earlier ^ later) & S.denied) !== 0 && shared >= DENIED_SHARED_MIN
}

/** Words that a statement shares with a later one that says `now` and gives any other word for value. */
export const CUED_SHARED_MIN = 2

/** A note says less in one statement. */
export const SLOT_WORDS_MAX = 16

/** Words that a denial shares with what it denies, where both are said in other words. */
export const DENIED_SHARED_MIN = 2

/** Whether statements share words enough to be about the same, where nothing is said to be otherwise now. */
export function mayShare(shared: number, words: number): boolean {
  return shared > 1 || words <= FEW_WORDS
}

const FEW_WORDS = 3
