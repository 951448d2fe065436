import {
  classesIn,
  clauseStart,
  findClass,
  isInstructing,
  isOrder,
  mayBeOrder,
  type Reading,
  type Sentence,
  wordIn,
} from './reading.ts'
import * as W from './word-class.ts'
import { levelAt, maskAt, type Words, wordAt } from './word-columns.ts'

// Orders about what the assistant gives back: its answer, its code.

const FAR = 24
const ANSWER_MANNER = /^(?:only|with|in|as|like|using|exclusively|always|solely|every)$/

/** `modify your answer to …`, `in your response, …`, `your reply must …`: the order is about what the reader gives back. */
export function answerShaped(reading: Reading, sentence: Sentence, at: number): number {
  const { words } = reading
  if (isInstructing(reading.context) || !/^(?:your|ur)$/.test(wordAt(words, at))) return -1
  const reply = findClass(words, sentence, W.REPLY, at, at + 3)
  if (reply === -1) return codePlaced(reading, sentence, at)
  const start = clauseStart(words, sentence, at, FAR)
  const isFirst = start === at
  if (isFirst) return (classesIn(words, sentence, reply, reply + 3) & W.MUST) !== 0 ? reply : -1
  if (start === at - 1 && /^(?:in|within|throughout|to|at)$/.test(wordAt(words, start))) {
    const next = reply + 1
    if (next < sentence.to) return levelAt(words, next) >= 1 && mayBeOrder(words, next) ? next : -1
    return quoteAdded(reading, sentence, start) ? reply : -1
  }
  return mayBeOrder(words, afterCourtesy(reading, afterPurpose(words, start, at))) ? reply : -1
}

/** The word after `please` or `could you`. */
function afterCourtesy({ words }: Reading, start: number): number {
  if ((maskAt(words, start) & W.POLITE) !== 0) return start + 1
  const isAsked =
    /^(?:can|could|will|would)$/.test(wordAt(words, start)) && wordAt(words, start + 1) === 'you'
  return isAsked ? start + 2 : start
}

/** `add "…" to your response`: the words before the place are quoted, and the sentence begins with an order. */
function quoteAdded({ words, text }: Reading, sentence: Sentence, place: number): boolean {
  if ((maskAt(words, sentence.from) & (W.ALTER | W.SEND)) === 0) return false
  const quote = text.slice(words.ends[place - 1] ?? 0, words.starts[place] ?? 0)
  return /^[.,!?]?["'\u201d\u2019\u00bb] $/.test(quote) && mayBeOrder(words, sentence.from)
}

/** `merge the following code snippet into your solution`, `your code must contain the following code block`. */
function codePlaced({ words }: Reading, sentence: Sentence, at: number): number {
  const code = findClass(words, sentence, W.CODE, at, at + 3)
  if (code === -1) return -1
  const start = clauseStart(words, sentence, at, FAR)
  const given = findClass(words, sentence, W.FRESH, start, at + FAR)
  const isNamed =
    /^(?:following|subsequent|below|next)$/.test(wordAt(words, given)) &&
    wordIn(words, sentence, given + 1) === 'code' &&
    /^(?:block|snippet|excerpt|segment|fragment|piece)$/.test(wordIn(words, sentence, given + 2))
  if (!isNamed) return -1
  if (start === at) return (classesIn(words, sentence, code, code + 3) & W.MUST) !== 0 ? code : -1
  return mayBeOrder(words, afterPurpose(words, start, at)) ? code : -1
}

/** `to proceed, …`: the word after the comma that ends a purpose. */
function afterPurpose(words: Words, start: number, to: number): number {
  if (wordAt(words, start) !== 'to') return start
  for (let at = start; at < to; at++) if (levelAt(words, at) === 1) return at
  return start
}

/** `respond only in …`, `answer with …`. */
export function answerOrdered(reading: Reading, sentence: Sentence, at: number): number {
  const { words } = reading
  if (isInstructing(reading.context) || !/^(?:answer|reply|respond)$/.test(wordAt(words, at))) return -1
  const isAsked = afterCourtesy(reading, Math.max(sentence.from, at - 2)) === at
  if ((!isOrder(words, sentence, at) && !isAsked) || at + 1 >= sentence.to) return -1
  return ANSWER_MANNER.test(wordAt(words, at + 1)) ? at + 1 : -1
}
