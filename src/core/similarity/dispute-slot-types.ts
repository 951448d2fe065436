import type { Clause } from './dispute-clause.ts'
import { M } from './dispute-lexicon.ts'
import { isDate, isNumber } from './dispute-pair.ts'
import { isDayAt, isHourAt, isPeriod } from './dispute-slot-dates.ts'
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
  const { tokens, changeAt } = clause
  let types = 0
  let hasCapital = false
  let hasSign = false
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === undefined) break
    if (token.kind === 'sign') hasSign = true
    if (!token.isContent) continue
    if (token.kind === 'name' || token.isQuoted) types |= S.name
    if (token.hasCapital && token.kind === 'word') hasCapital = true
    if (isNumber(token)) types |= S.amount
    if (token.dimension === 'times') types |= S.often
    if (isDate(token) || isPeriod(token) || isHourAt(clause, at) || isDayAt(clause, at)) types |= S.date
  }
  if ((marks & M.often) !== 0) types |= S.often
  if ((marks & (M.state | M.rival)) !== 0) types |= S.state
  if ((marks & M.wish) !== 0 || (classes & W.prefers) !== 0) types |= S.wish
  if ((marks & M.denseSlot) !== 0) types |= S.dense
  if (hasCapital && ((marks & M.holding) !== 0 || (classes & W.role) !== 0)) types |= S.holder
  const isLed = (classes & (W.placing | W.to)) !== 0 || (marks & M.beside) !== 0
  const isPlaced = (marks & M.placed) !== 0 || (classes & (W.located | W.copula)) !== 0
  if (isLed && (isPlaced || hasSign || changeAt >= 0)) types |= S.place
  if ((marks & M.working) !== 0 && (marks & M.byMeans) !== 0) types |= S.means
  return clause.isNegated ? types | S.denied | S.any : types | S.any
}

/** Whether two statements that share so many words may give different values of one type. */
export function maySlotsDiffer(earlier: number, later: number, shared: number): boolean {
  if ((earlier & later & ~(S.denied | S.any)) !== 0) return true
  return ((earlier ^ later) & S.denied) !== 0 && shared >= DENIED_SHARED_MIN
}

/** Words that a denial shares with what it denies, where both are said in other words. */
export const DENIED_SHARED_MIN = 2
