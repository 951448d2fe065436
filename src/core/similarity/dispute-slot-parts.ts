import type { Clause, Token } from './dispute-clause.ts'
import type { Pair } from './dispute-pair.ts'
import { isRival, rivalry } from './dispute-rivals.ts'
import type { SlotKind } from './dispute-rows.ts'
import { holderOf, isOneRun, meansOf, placeOf } from './dispute-slot-values.ts'
import { DECLINED, DENSE_SLOTS, HOLDING, NEUTRAL, ROLES, WISHES } from './dispute-slot-words.ts'
import { type Hole, holeOf, isAkin, isAlike, isCued, isSameSubject } from './dispute-subject.ts'
import { W } from './dispute-words.ts'

/** Another taste, channel or language of one person. */
export function preferenceKind(pair: Pair): SlotKind | null {
  const { earlier, later } = pair
  if (earlier.isNegated !== later.isNegated && !hasDeclined(later) && !hasDeclined(earlier)) return null
  if (!isWish(earlier) || !isWish(later)) return null
  const found = tastesIn(earlier, later)
  if (found === null) return null
  const hole = (clause: Clause, at: number): Hole => ({
    at: new Set([at, ...declinedIn(clause)]),
    end: clause.tokens.length,
  })
  return isSameSubject(pair, hole(earlier, found[0]), hole(later, found[1]), 1, isCued(pair))
    ? 'preference'
    : null
}

const TASTES: ReadonlySet<string> = new Set(['taste', 'channel', 'language'])

function isWish({ tokens, classes }: Clause): boolean {
  return (classes & W.prefers) !== 0 || tokens.some(({ text }) => WISHES.has(text))
}

function hasDeclined({ tokens }: Clause): boolean {
  return tokens.some(({ text }) => DECLINED.has(text))
}

/** Where what is wanted stands in both: values of one row that exclude each other, which no `over` or `not` leads to. */
function tastesIn(earlier: Clause, later: Clause): readonly [number, number] | null {
  const [left, right] = [wantedIn(earlier), wantedIn(later)]
  for (const [a, one] of left)
    for (const [b, other] of right) if (TASTES.has(rivalry(one, other) ?? '')) return [a, b]
  return null
}

function wantedIn(clause: Clause): readonly (readonly [number, string])[] {
  const declined = declinedIn(clause)
  return [...clause.tokens.entries()].flatMap(([at, token]) => {
    // `German customers` are no language.
    const isModifier = token.hasCapital && clause.tokens[at + 1]?.isContent === true
    const text = declined.includes(at) || isModifier ? null : rivalText(token)
    return text === null ? [] : [[at, text] as const]
  })
}

/** Values behind `over`, `not`, `instead of`. */
function declinedIn({ tokens }: Clause): readonly number[] {
  const from = tokens.findIndex(({ text }, at) => at > 1 && DECLINED.has(text))
  if (from < 0) return []
  return [...tokens.keys()].filter((at) => at > from)
}

/** In the form that the table of values has. */
function rivalText({ text, key }: Token): string | null {
  if (isRival(text)) return text
  if (isRival(key)) return key
  const stem = text.replace(/(?:e?s|ly|en|er|e|n)$/, '')
  return stem.length > 3 && isRival(stem) ? stem : null
}

/** Scripts without spaces: one run of signs in the place where the one who does it, the place or the means stands. */
export function denseKind(pair: Pair): SlotKind | null {
  const { earlier, later } = pair
  if (earlier.isNegated || later.isNegated || earlier.isEvent || later.isEvent) return null
  const [a, b] = [denseRunIn(earlier, pair.earlierRest), denseRunIn(later, pair.laterRest)]
  if (a === null || b === null) return null
  for (const [kind, marks] of DENSE_SLOTS)
    if (isMarked(earlier, a, marks) && isMarked(later, b, marks))
      return isSameSubject(pair, holeOf(earlier, a), holeOf(later, b)) ? kind : null
  return null
}

const DENSE_FROM = 0x2e7f
const DENSE_RUN_MAX = 8

function denseRunIn({ tokens }: Clause, rest: readonly Token[]): readonly number[] | null {
  const run = rest
    .filter(
      ({ text, classes, marks }) =>
        !NEUTRAL.has(text) && (classes & (W.now | W.change | W.located)) === 0 && marks === 0,
    )
    .map((token) => tokens.indexOf(token))
  const [first = -1] = run
  if (first < 0 || !tokens.some(({ text }) => text.charCodeAt(0) > DENSE_FROM)) return null
  return isOneRun(run) && run.length <= DENSE_RUN_MAX ? run : null
}

/** A word of the slot stands beside the run, but for particles. */
function isMarked({ tokens }: Clause, run: readonly number[], marks: ReadonlySet<string>): boolean {
  const [first = 0] = run
  const last = run.at(-1) ?? 0
  // `Tanaka san`, and what he does for it stands further on.
  if (tokens[last + 1]?.text === 'さ' && tokens[last + 2]?.text === 'ん')
    return tokens.some(({ text }) => marks.has(text) && HOLDING.has(text))
  return [tokens[first - 1], tokens[first - 2], tokens[last + 1]].some(
    (token) => token !== undefined && marks.has(token.text),
  )
}

export function holderKind(pair: Pair): SlotKind | null {
  const { earlier, later } = pair
  if (earlier.isNegated || later.isNegated || earlier.isEvent || earlier.isList) return null
  const [a, b] = [holderOf(earlier, pair.earlierRest), holderOf(later, pair.laterRest)]
  if (a === null || b === null) return null
  if (isOtherRole(earlier, later)) return null
  // `our dentist is`: a role that both name is what is spoken of.
  const roles = ({ tokens }: Clause): readonly number[] =>
    [...tokens.keys()].filter(
      (at) => HOLDING.has(tokens[at]?.text ?? '') && !pair.shared.includes(tokens[at]?.key ?? ''),
    )
  return isAlike(pair, holeOf(earlier, a, roles(earlier)), holeOf(later, b, roles(later))) ? 'owner' : null
}

/** The treasurer is not the secretary. */
function isOtherRole(earlier: Clause, later: Clause): boolean {
  const rolesOf = ({ tokens }: Clause): readonly string[] =>
    tokens.filter(({ text }) => ROLES.has(text)).map(({ key }) => key)
  const [one, other] = [rolesOf(earlier), rolesOf(later)]
  return one.length > 0 && other.length > 0 && !one.some((role) => other.some((known) => isAkin(role, known)))
}

export function placeKind(pair: Pair): SlotKind | null {
  const { earlier, later } = pair
  if (earlier.isNegated || later.isNegated || earlier.isEvent || later.isEvent) return null
  const [a, b] = [placeOf(earlier, pair.earlierRest, false), placeOf(later, pair.laterRest, pair.hasCue)]
  if (a === null || b === null) return null
  return isAlike(pair, holeOf(earlier, a), holeOf(later, b)) ? 'place' : null
}

/** With one noun in common the one may be about what the work is for, the other about what it is. */
const MEANS_SHARED_MIN = 1.5

export function meansKind(pair: Pair): SlotKind | null {
  const { earlier, later } = pair
  if (earlier.isNegated || later.isNegated || earlier.isEvent || later.isEvent) return null
  const [a, b] = [meansOf(earlier, pair.earlierRest), meansOf(later, pair.laterRest)]
  if (a === null || b === null) return null
  const least = isCued(pair) ? 1 : MEANS_SHARED_MIN
  return isSameSubject(pair, holeOf(earlier, a), holeOf(later, b), least) ? 'command' : null
}
