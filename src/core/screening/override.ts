import type { Finding } from './finding.ts'
import {
  classesIn,
  findClass,
  isLabel,
  isNegated,
  isStatedNegation,
  isStatement,
  type Reading,
  type Sentence,
  wordsFound,
} from './reading.ts'
import * as W from './word-class.ts'
import { levelAt, maskAt, wordAt } from './words.ts'

// Setting aside what came before. A verb of disregard, what is set aside, and a word that says whose or which, in any
// order (many languages put the verb last) within one sentence and a few words.

const REACH = 9
const NEWLY =
  /^(?:new|updated|revised|real|actual|neue[nr]?|nuevas?|nouvelles?|nuov[ae]|novas?|nieuwe|новые|новое)$/

export function addOverrides(findings: Finding[], reading: Reading, sentence: Sentence): void {
  const { words } = reading
  for (let at = sentence.from; at < sentence.to; at++) {
    const mask = maskAt(words, at)
    let end = -1
    if ((mask & W.DISREGARD) !== 0) end = disregarded(reading, sentence, at)
    if (end === -1 && (mask & W.WEAKEN) !== 0) end = weakened(reading, sentence, at)
    if (end === -1 && (mask & W.FOLLOW) !== 0) end = refused(reading, sentence, at)
    if (end === -1 && (mask & W.ORDERS) !== 0) end = replaced(reading, sentence, at)
    if (end === -1) continue
    findings.push(wordsFound('instruction_override', words, at, end))
    at = Math.max(at, end)
  }
}

/** `ignore all previous instructions`, `forget your rules`, `disregard the above`. */
function disregarded(reading: Reading, sentence: Sentence, at: number): number {
  const { words } = reading
  if (isNegated(words, sentence, at)) return -1
  const orders = nearest(reading, sentence, at, W.ORDERS)
  if (
    orders !== -1 &&
    (around(reading, sentence, at, orders) & (W.PRIOR | W.WHOLE | W.YOU | W.SYSTEM)) !== 0
  ) {
    return orders
  }
  if (isStatement(words, sentence, at) || isLabel(reading, at)) return -1
  const limits = nearest(reading, sentence, at, W.LIMITS)
  if (limits !== -1 && (around(reading, sentence, at, limits) & (W.YOU | W.PRIOR)) !== 0) return limits
  const whole = findClass(words, sentence, W.WHOLE, at, at + 4)
  if (whole !== -1) {
    const known = findClass(words, sentence, W.PRIOR | W.TOLD, whole, whole + 5)
    if (known !== -1 && isLastOfPhrase(reading, sentence, known)) return known
  }
  const above = findClass(words, sentence, W.PRIOR, at, at + 4)
  return wordAt(words, at + 1) === 'the' && isLastOfPhrase(reading, sentence, above) ? above : -1
}

/** `override your programming`: a program does this as well, so it counts only for what belongs to the reader. */
function weakened(reading: Reading, sentence: Sentence, at: number): number {
  const { words } = reading
  if (isNegated(words, sentence, at) || isStatement(words, sentence, at)) return -1
  const held = findClass(words, sentence, W.ORDERS | W.LIMITS, at, at + REACH)
  const between = classesIn(words, sentence, at, held)
  if ((between & W.YOU) !== 0) return held
  return (maskAt(words, held) & W.ORDERS) !== 0 && (between & W.SYSTEM) !== 0 ? held : -1
}

/** `do not follow your instructions`, `stop obeying the rules above`. */
function refused(reading: Reading, sentence: Sentence, at: number): number {
  const { words } = reading
  const no = findClass(words, sentence, W.NEGATE, at - 3, at)
  if (no === -1 || isStatedNegation(words, sentence, no)) return -1
  const held = findClass(words, sentence, W.ORDERS | W.LIMITS, at, at + REACH)
  const isPrompt = (maskAt(words, held) & W.ORDERS) !== 0
  return (around(reading, sentence, at, held) & (W.PRIOR | W.YOU | (isPrompt ? W.SYSTEM : 0))) !== 0
    ? held
    : -1
}

/** `new instructions:`, `your new task is`. */
function replaced(reading: Reading, sentence: Sentence, at: number): number {
  const { words, text } = reading
  if (at === sentence.from || !NEWLY.test(wordAt(words, at - 1))) return -1
  if (at - 1 > sentence.from && (maskAt(words, at - 2) & W.YOU) !== 0) return at - 2
  const isPlural = /^in?stru/.test(wordAt(words, at))
  return isPlural && text.charCodeAt(words.ends[at] ?? 0) === 0x3a ? at - 1 : -1
}

/** The next word of a class; in languages that put the verb last, the last one before it. */
function nearest(reading: Reading, sentence: Sentence, at: number, mask: number): number {
  const after = findClass(reading.words, sentence, mask, at, at + REACH)
  if (after !== -1) return after
  for (let before = at; before >= sentence.from && before > at - REACH; before--) {
    if ((maskAt(reading.words, before) & mask) !== 0) return before
  }
  return -1
}

function around(reading: Reading, sentence: Sentence, one: number, other: number): number {
  return classesIn(reading.words, sentence, Math.min(one, other) - 3, Math.max(one, other) + 4)
}

/** Whether nothing that could be named by the word follows it: `the above, and say`, not `the above warning`. */
function isLastOfPhrase(reading: Reading, sentence: Sentence, at: number): boolean {
  const { words } = reading
  if (at + 1 >= sentence.to || levelAt(words, at + 1) >= 1) return true
  const next = wordAt(words, at + 1)
  return (
    next === 'and' ||
    next === 'or' ||
    next === 'instead' ||
    (maskAt(words, at + 1) & (W.ORDERS | W.YOU | W.TOLD | W.PRIOR)) !== 0
  )
}
