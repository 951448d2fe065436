import type { MemoryType } from '../../src/core/base/closed-sets.ts'
import type { Finding, ScreeningContext } from '../../src/core/screening/finding.ts'
import { readingOf } from '../../src/core/screening/reading.ts'
import { screen } from '../../src/core/screening/screen.ts'
import {
  addSteered,
  passagesOf,
  signsOf,
  steeringPassage,
  type Tokens,
  tokensOf,
} from '../../src/core/screening/steering.ts'
import { HEAVIEST, packed, QUARTERS } from '../../src/core/screening/steering-weights.ts'
import { ownScopes, ownText } from './own-texts.ts'

// Fits the weights of signs that a passage steers who reads it by machine: logistic loss with a ridge. Which passage of an
// attack is the one that steers, nobody marked: after a first fit on all of them it is the heaviest, and the fit is repeated.

const ROUNDS = 3
const STEPS = 200
const RATE = 0.15
/** The last steps are this small a share of the first. */
const LAST_RATE = 0.03
const RIDGE = 2
/** A sign of fewer texts says more of them than of others. */
const TEXTS_MIN = 8
// Of the running means of the gradient and of its square (Adam).
const MEAN_KEPT = 0.9
const SQUARE_KEPT = 0.99
const TINY = 1e-9
const BIAS_BEFORE = -2

/** A text that was written for the fit. */
export interface WrittenText {
  /** Who wrote it. */
  readonly set: string
  readonly isAttack: boolean
  readonly declaredType: MemoryType | null
  readonly text: string
}

interface Fitted {
  readonly weights: ReadonlyMap<number, number>
  readonly bias: number
}

/** How the file is written is told in its head. */
export function writtenTexts(file: string): readonly WrittenText[] {
  let set = ''
  const texts: WrittenText[] = []
  for (const line of file.split('\n')) {
    const mark = line.charAt(0)
    const text = line.slice(2).replaceAll(/\\(n|\\)/g, (_, escaped) => (escaped === 'n' ? '\n' : '\\'))
    if (mark === '=') set = text
    else if (mark === '!' || mark === '-' || mark === '~')
      texts.push({ set, isAttack: mark === '!', declaredType: mark === '~' ? 'rule' : null, text })
  }
  return texts
}

/** All texts of the fit: those written for it, and as harmless ones what was written for the fit of recall, talk above all. */
export function steeringTexts(): readonly WrittenText[] {
  const { dialogues, chats, articles } = ownScopes()
  const ordinary = [...dialogues, ...chats, articles].flatMap(({ memories }) => memories)
  return [
    ...writtenTexts(ownText('steering.txt')),
    ...ordinary.map(({ text }) => ({ set: 'talk', isAttack: false, declaredType: null, text })),
  ]
}

/** The table that the texts give, as src/core/screening/steering-table.ts holds it. */
export function fittedSteering(texts: readonly WrittenText[]): {
  readonly bias: number
  readonly table: string
} {
  const { weights, bias } = fit(texts)
  return { bias, table: packed(weights) }
}

/** The module that holds the table. */
export function steeringModule({ bias, table }: ReturnType<typeof fittedSteering>): string {
  const lines = table.match(/.{1,100}/g) ?? []
  return [
    '// What `npm run fit -- steering` prints. How the table is packed: steering-weights.ts.',
    '',
    '/** In quarters of the logarithm of the odds. */',
    `export const BIAS = ${bias}`,
    '',
    'export const PACKED: string = [',
    ...lines.map((line) => `  '${line}',`),
    "].join('')",
    '',
  ].join('\n')
}

/** The signs of each passage. */
interface Sample {
  readonly isAttack: boolean
  readonly passages: readonly ReadonlySet<number>[]
}

function tokensIn(text: string): Tokens {
  return tokensOf(readingOf(text, { domain: 'general', declaredType: null, queryText: null }))
}

function sampleOf({ text, isAttack }: WrittenText): Sample {
  const tokens = tokensIn(text)
  return { isAttack, passages: passagesOf(tokens).map((passage) => signsOf(tokens, passage)) }
}

interface Row {
  readonly columns: Int32Array
  readonly isAttack: boolean
  readonly share: number
}

function fit(texts: readonly WrittenText[]): Fitted {
  const samples = texts.map(sampleOf).filter(({ passages }) => passages.length > 0)
  const slots = commonSlots(samples)
  const columnOf = new Map(slots.map((slot, column) => [slot, column]))
  const rowsOf = ({ isAttack, passages }: Sample): readonly Row[] =>
    passages.map((signs) => ({
      isAttack,
      share: isAttack ? 1 / passages.length : 1,
      columns: Int32Array.from([...signs].flatMap((slot) => columnOf.get(slot) ?? [])),
    }))
  const rows = samples.map(rowsOf)
  let found = descended(rows.flat(), slots.length)
  for (let round = 1; round < ROUNDS; round += 1) {
    const told = rows.flatMap((own) => (own[0]?.isAttack === true ? heaviest(own, found) : own))
    found = descended(told, slots.length)
  }
  const quarters = (weight: number): number =>
    Math.max(-HEAVIEST, Math.min(HEAVIEST, Math.round(weight * QUARTERS))) + 0
  return {
    weights: new Map(slots.map((slot, column) => [slot, quarters(found[column] ?? 0)])),
    bias: Math.round((found[slots.length] ?? 0) * QUARTERS),
  }
}

/** Signs of enough texts, ascending. */
function commonSlots(samples: readonly Sample[]): readonly number[] {
  const counts = new Map<number, number>()
  for (const { passages } of samples)
    for (const slot of new Set(passages.flatMap((signs) => [...signs])))
      counts.set(slot, (counts.get(slot) ?? 0) + 1)
  return [...counts]
    .filter(([, count]) => count >= TEXTS_MIN)
    .map(([slot]) => slot)
    .sort((a, b) => a - b)
}

function heaviest(rows: readonly Row[], weights: Float64Array): readonly Row[] {
  const [first, ...others] = rows
  if (first === undefined) return []
  const best = others.reduce((a, b) => (weightOf(b, weights) > weightOf(a, weights) ? b : a), first)
  return [{ ...best, share: 1 }]
}

/** The bias stands behind the weights. */
function weightOf({ columns }: Row, weights: Float64Array): number {
  let sum = weights[weights.length - 1] ?? 0
  for (const column of columns) sum += weights[column] ?? 0
  return sum
}

/** Full batch from zero, so the same rows give the same weights. */
function descended(rows: readonly Row[], size: number): Float64Array {
  const weights = new Float64Array(size + 1)
  weights[size] = BIAS_BEFORE
  const mean = new Float64Array(size + 1)
  const square = new Float64Array(size + 1)
  const gradient = new Float64Array(size + 1)
  for (let step = 1; step <= STEPS; step += 1) {
    for (let at = 0; at < size; at += 1) gradient[at] = RIDGE * (weights[at] ?? 0)
    gradient[size] = 0
    for (const row of rows) {
      const odds = 1 / (1 + Math.exp(-weightOf(row, weights)))
      const push = (odds - (row.isAttack ? 1 : 0)) * row.share
      for (const column of row.columns) gradient[column] = (gradient[column] ?? 0) + push
      gradient[size] = (gradient[size] ?? 0) + push
    }
    const rate = RATE * LAST_RATE ** (step / STEPS)
    for (let at = 0; at <= size; at += 1) {
      const slope = gradient[at] ?? 0
      mean[at] = MEAN_KEPT * (mean[at] ?? 0) + (1 - MEAN_KEPT) * slope
      square[at] = SQUARE_KEPT * (square[at] ?? 0) + (1 - SQUARE_KEPT) * slope * slope
      const unbiased = (mean[at] ?? 0) / (1 - MEAN_KEPT ** step)
      const spread = Math.sqrt((square[at] ?? 0) / (1 - SQUARE_KEPT ** step))
      weights[at] = (weights[at] ?? 0) - (rate * unbiased) / (spread + TINY)
    }
  }
  return weights
}

/** What is held of a set, by all the rest of screening and together with the fit of all other sets. */
export interface HeldApart {
  readonly set: string
  readonly attacks: number
  readonly attacksBefore: number
  readonly attacksHeld: number
  readonly harmless: number
  readonly harmlessBefore: number
  readonly harmlessHeld: number
}

export function heldApart(texts: readonly WrittenText[]): readonly HeldApart[] {
  return [...new Set(texts.map(({ set }) => set))].map((set) => {
    const fitted = fit(texts.filter((each) => each.set !== set))
    const told = texts
      .filter((each) => each.set === set)
      .map((each) => {
        const isBefore = isHeldBefore(each)
        return {
          ...each,
          isBefore,
          isHeld: isBefore || (each.declaredType === null && steers(each.text, fitted)),
        }
      })
    const count = (isAttack: boolean, holds: (each: (typeof told)[number]) => boolean): number =>
      told.filter((each) => each.isAttack === isAttack && holds(each)).length
    return {
      set,
      attacks: count(true, () => true),
      attacksBefore: count(true, ({ isBefore }) => isBefore),
      attacksHeld: count(true, ({ isHeld }) => isHeld),
      harmless: count(false, () => true),
      harmlessBefore: count(false, ({ isBefore }) => isBefore),
      harmlessHeld: count(false, ({ isHeld }) => isHeld),
    }
  })
}

/** Whether anything else of screening finds something. Steering is only asked where nothing else does. */
function isHeldBefore({ text, declaredType }: WrittenText): boolean {
  const context: ScreeningContext = { domain: 'general', declaredType, queryText: null }
  const steered: Finding[] = []
  addSteered(steered, readingOf(text, context))
  const [last] = steered
  return screen(text, context).some(({ start, end }) => start !== last?.start || end !== last.end)
}

function steers(text: string, { weights, bias }: Fitted): boolean {
  return steeringPassage(tokensIn(text), bias, (slot) => weights.get(slot) ?? 0) !== null
}
