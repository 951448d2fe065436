import { type Figure, figureOf } from '../result.ts'

/** What one part found. */
export interface Findings {
  readonly figures: readonly Figure[]
  /** What the shares among the figures are of. */
  readonly counts: ReadonlyMap<string, Count>
}

interface Count {
  readonly having: number
  readonly of: number
}

export interface ShareGoal {
  readonly bound: 'most' | 'least'
  readonly value: number
}

export const atLeast = (value: number): ShareGoal => ({ bound: 'least', value })
export const atMost = (value: number): ShareGoal => ({ bound: 'most', value })

/**
 * How many of the cases hold something: the share as figure, `12 of 84` as its unit. Of no cases there is no figure.
 */
export function shareOf<Case>(
  name: string,
  cases: readonly Case[],
  holds: (one: Case) => boolean,
  goal?: ShareGoal,
): Findings {
  if (cases.length === 0) return joined([])
  const having = cases.filter(holds).length
  return {
    counts: new Map([[name, { having, of: cases.length }]]),
    figures: [figureOf(name, `${having} of ${cases.length}`, [having / cases.length], { goal })],
  }
}

/** A mean with its goal; no figure for no values. */
export function meanOf(name: string, unit: string, values: readonly number[], goal?: ShareGoal): Findings {
  if (values.length === 0) return joined([])
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return { ...joined([]), figures: [figureOf(name, `${unit}, of ${values.length}`, [mean], { goal })] }
}

/** The share of several of one meaning, each of cases of its own; none when one of them was not counted. */
export function shareOfAll(
  name: string,
  names: readonly string[],
  { counts }: Findings,
  goal: ShareGoal,
): Findings {
  const all = names.flatMap((each) => counts.get(each) ?? [])
  if (all.length < names.length) return joined([])
  const having = all.reduce((sum, count) => sum + count.having, 0)
  const of = all.reduce((sum, count) => sum + count.of, 0)
  return { ...joined([]), figures: [figureOf(name, `${having} of ${of}`, [having / of], { goal })] }
}

export function joined(findings: readonly Findings[]): Findings {
  return {
    counts: new Map(findings.flatMap(({ counts }) => [...counts])),
    figures: findings.flatMap(({ figures }) => figures),
  }
}

/** Two statements with a decision on each. */
export interface JudgedPair {
  readonly id: string
  readonly group: string
  readonly family: string
  /** True for two statements of which the newer replaces the older; false where both hold. */
  readonly isConflict: boolean
  readonly older: Standing
  readonly newer: Standing
}

export interface Standing {
  readonly isUsed: boolean
  /** Place among everything that was shown, from 0 on; null when that has no order. */
  readonly place: number | null
}

const NOTICED_GOAL = atLeast(0.6)
const PRECISION_GOAL = atLeast(0.95)
const NEWER_FIRST_GOAL = atLeast(0.9)

/**
 * Recall and precision over pairs. `held` says what is right of a conflict: the older leaves use_now and the newer stays, or
 * both leave, where nothing tells which is the newer. A pair of which something leaves use_now otherwise is a false one.
 */
export function pairFindings(way: string, pairs: readonly JudgedPair[], held: 'older' | 'both'): Findings {
  const isTouched = ({ older, newer }: JudgedPair) => !(older.isUsed && newer.isUsed)
  const isNoticed = ({ older, newer }: JudgedPair) => !older.isUsed && newer.isUsed === (held === 'older')
  const conflicts = pairs.filter(({ isConflict }) => isConflict)
  const unnoticed = conflicts.filter((pair) => !isTouched(pair))
  const isNewerFirst = ({ older, newer }: JudgedPair) =>
    older.place !== null && newer.place !== null && newer.place < older.place
  return joined([
    shareOf(`${way}: noticed`, conflicts, isNoticed, NOTICED_GOAL),
    shareOf(
      `${way}: precision`,
      pairs.filter(isTouched),
      (pair) => pair.isConflict && isNoticed(pair),
      PRECISION_GOAL,
    ),
    ...(pairs.some(({ newer }) => newer.place !== null)
      ? [shareOf(`${way}: newer first where both stand`, unnoticed, isNewerFirst, NEWER_FIRST_GOAL)]
      : []),
    ...byGroup(pairs, ({ group }) => group).map(([group, of]) =>
      shareOf(`${way}, ${group}: right`, of, (pair) =>
        pair.isConflict ? isNoticed(pair) : !isTouched(pair),
      ),
    ),
    ...byGroup(conflicts, ({ family }) => family).map(([family, of]) =>
      shareOf(`${way}, family ${family}: noticed`, of, isNoticed),
    ),
  ])
}

/** The cases by a name of theirs, in alphabetical order of the names. */
export function byGroup<Case>(
  cases: readonly Case[],
  nameOf: (one: Case) => string,
): readonly (readonly [string, readonly Case[]])[] {
  const names = [...new Set(cases.map(nameOf))].sort()
  return names.map((name) => [name, cases.filter((one) => nameOf(one) === name)] as const)
}
