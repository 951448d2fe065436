import { DONE_REST_MAX } from './dispute-changed.ts'
import { leastShared } from './dispute-likely.ts'
import { SHARE_MIN, VALUES_MAX } from './dispute-news.ts'
import {
  ANY,
  COUNT_MAX,
  DATES_SHIFT,
  MEANS_SHIFT,
  O,
  type Outline,
  VALUES,
  WHEN_SHIFT,
} from './dispute-outline.ts'
import { NAMED_REST_MAX, NUMBERED_REST_MAX, REWORDED_REST_MAX, SHARED_MIN } from './dispute-sameness.ts'

// Which statements may be in dispute, by their outlines alone.

const MEANS_MAX = 7
const COMPARED = O.number | O.date | O.rival | O.switch | O.value | O.holder | O.place | O.means
/** May differ in one value of statements that are put in other words. */
const REWORDED = O.date | O.rival | O.holder
/** Words that one of two statements may have alone, by kind. */
const RIVAL_REST = 1
/** Of the earlier, where the later says that it is otherwise now, or names the thing and its state alone. */
const RIVAL_REST_BEFORE = 3
const SWITCH_REST = { earlier: 3, later: 1 } as const
const NUMBER_REST = 3
/** Of two bounds: the numbers, and three words. */
const NUMBER_REST_OF_BOUNDS = 5
const NUMBER_REST_WITH_CUE = { earlier: 2, later: 3 } as const
const VALUE_REST = 4

/**
 * Most words that the later of two statements in dispute may have alone: it shares the others. -1: it disputes nothing.
 */
export function restMax({ keys, marks, taken, news, isShort }: Outline): number {
  if ((marks & O.isRecord) !== 0 || news !== 0) return keys.length - 1
  let most = taken === 0 ? -1 : keys.length - taken
  if (!isHeld(marks)) return most
  let rest = REWORDED_REST_MAX
  if (isShort) rest = Math.max(rest, keys.length - leastShared(keys.length))
  if ((marks & O.number) !== 0)
    rest = Math.max((marks & O.isBound) === 0 ? NUMBER_REST : NUMBER_REST_OF_BOUNDS, keys.length - SHARED_MIN)
  if ((marks & O.named) !== 0) rest = Math.max(rest, Math.min(NAMED_REST_MAX, keys.length - SHARED_MIN))
  if ((marks & O.date) !== 0) rest = Math.max(rest, datesOf(marks))
  if ((marks & O.means) !== 0) rest = Math.max(rest, meansOf(marks))
  most = Math.max(most, rest + whenOf(marks))
  return Math.min(most, keys.length - 1)
}

/** Whether the later says something of now. */
function isHeld(later: number): boolean {
  return (later & O.differs) !== 0 && ((later & O.isPast) === 0 || (later & O.hasCue) !== 0)
}

/** Whether two statements may be in dispute as far as their marks tell, however many words they share. */
export function mayConcern(earlier: number, { marks, taken, news }: Outline): boolean {
  if (((earlier | marks) & O.isRecord) !== 0) return (earlier & marks & O.isRecord) !== 0
  if (taken > 0 && (earlier & O.isStanding) !== 0) return true
  if ((earlier & O.isPast) !== 0) return false
  return (earlier & (news | (isHeld(marks) ? O.differs : 0))) !== 0 || news === ANY
}

/** Whether anything later may be in dispute with a statement. */
export function mayBeDisputed({ marks }: Outline): boolean {
  return (marks & (O.isRecord | O.isStanding)) !== 0 || (marks & O.isPast) === 0
}

/** Whether two statements that share so many words may be in dispute whatever else their texts say. */
export function mayAlwaysDispute(earlier: number, { marks, taken }: Outline, shared: number): boolean {
  if ((earlier & marks & O.isRecord) !== 0) return true
  return taken > 0 && shared >= taken && (earlier & O.isStanding) !== 0
}

/** Whether two statements are the only ones of their texts, so that these need not share anything else. */
export function areWhole(earlier: number, { marks }: Outline): boolean {
  return (earlier & marks & O.isWhole) !== 0
}

/**
 * Whether two statements that share so many words may be in dispute where their texts speak of the same, by their
 * outlines: false is right (where no two different words have one hash), true a guess.
 * @param alone words of the earlier that the later has not
 */
export function mayDispute(earlier: number, alone: number, later: Outline, shared: number): boolean {
  const { keys, marks, isShort } = later
  if (((earlier | marks) & O.isRecord) !== 0) return false
  if (!isHeld(marks) || (earlier & O.differs) === 0 || (earlier & O.isPast) !== 0) return false
  if (isShort && (earlier & O.isWhole) !== 0 && shared >= leastShared(Math.max(keys.length, alone + shared)))
    return true
  const rest = keys.length - shared - whenOf(marks)
  const hasCue = (marks & O.hasCue) !== 0
  const isNear = shared >= SHARED_MIN && Math.max(rest, alone) <= REWORDED_REST_MAX
  if (((earlier ^ marks) & O.isNegated) !== 0) return isNear
  const isLacking =
    ((earlier & O.lacks) !== 0 && (marks & O.has) !== 0) ||
    ((earlier & O.has) !== 0 && (marks & O.lacks) !== 0)
  if (isLacking && isNear) return true
  if ((earlier & marks & O.named) !== 0 && shared >= SHARED_MIN && Math.max(rest, alone) <= NAMED_REST_MAX)
    return true
  const both = earlier & marks & COMPARED
  const areDoing = ((earlier | marks) & O.isDoing) !== 0
  if (areDoing && isNear) return true
  if ((earlier & marks & O.isDoing) !== 0 && Math.max(rest, alone) <= REWORDED_REST_MAX) return true
  if (both === 0) return false
  if (isNear && (both & REWORDED) !== 0) return true
  if ((both & O.switch) !== 0 && rest <= SWITCH_REST.later && alone <= SWITCH_REST.earlier) return true
  if (
    (both & O.rival) !== 0 &&
    rest <= RIVAL_REST &&
    alone <= (hasCue || keys.length <= 2 ? RIVAL_REST_BEFORE : RIVAL_REST)
  )
    return true
  // In all else each has a word that the other has not.
  if (shared === keys.length || alone === 0) return false
  if ((both & O.number) !== 0 && isNearNumber(rest, alone, hasCue)) return true
  if ((both & O.number) !== 0 && shared >= SHARED_MIN && Math.max(rest, alone) <= NUMBERED_REST_MAX)
    return true
  const areBounds = (earlier & marks & O.isBound) !== 0
  if ((both & O.number) !== 0 && areBounds && rest + alone <= NUMBER_REST_OF_BOUNDS) return true
  if ((both & O.date) !== 0 && rest <= datesOf(marks) && alone <= countOf(earlier, DATES_SHIFT)) return true
  if ((marks & O.isNegated) !== 0) return false
  if ((both & VALUES) !== 0 && rest <= VALUE_REST && alone <= VALUE_REST) return true
  const isMeans = (both & O.means) !== 0
  return isMeans && rest <= meansOf(marks) && alone <= meansOf(earlier)
}

/**
 * Whether a later text may tell news of an earlier statement of so many words.
 * @param told words of the statement that the later text has
 * @param shared those that the later statement has
 */
export function mayBeTold(
  earlier: number,
  words: number,
  { keys, news }: Outline,
  told: number,
  shared: number,
): boolean {
  if (
    (earlier & (O.isPast | O.isRecord)) !== 0 ||
    (news !== ANY && ((earlier & news) === 0 || keys.length - shared > DONE_REST_MAX))
  )
    return false
  return told >= SHARE_MIN * (words - VALUES_MAX)
}

/** Words of a date, and one that something moved has of its own. */
function datesOf(later: number): number {
  return countOf(later, DATES_SHIFT) + ((later & O.hasCue) === 0 ? 0 : 1)
}

function isNearNumber(rest: number, alone: number, hasCue: boolean): boolean {
  if (rest + alone <= NUMBER_REST) return true
  return hasCue && rest <= NUMBER_REST_WITH_CUE.later && alone <= NUMBER_REST_WITH_CUE.earlier
}

/** Words that do not count beside a word that something is otherwise now. */
function whenOf(marks: number): number {
  return (marks & O.hasCue) === 0 ? 0 : countOf(marks, WHEN_SHIFT)
}

function meansOf(marks: number): number {
  return (marks >>> MEANS_SHIFT) & MEANS_MAX
}

function countOf(marks: number, shift: number): number {
  const count = (marks >>> shift) & COUNT_MAX
  return count === COUNT_MAX ? Number.POSITIVE_INFINITY : count
}
