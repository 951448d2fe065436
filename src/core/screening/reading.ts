import { type Finding, type FindingKind, findingOf, type ScreeningContext } from './finding.ts'
import { CODE, FRESH, MINE, NEGATE, OPENER, POLITE, SUBJECT, TOLD, YOU } from './word-class.ts'
import { levelAt, maskAt, readWords, type Words, wordAt } from './words.ts'

/** A text with its words, as the rules see it. */
export interface Reading {
  readonly text: string
  readonly words: Words
  readonly context: ScreeningContext
}

/** Words from `from` up to but not including `to`, between two sentence ends. */
export interface Sentence {
  readonly from: number
  readonly to: number
}

export function readingOf(text: string, context: ScreeningContext): Reading {
  return { text, words: readWords(text), context }
}

export function sentencesOf(words: Words): Sentence[] {
  const sentences: Sentence[] = []
  const count = words.starts.length
  for (let from = 0; from < count; ) {
    let to = from + 1
    while (to < count && levelAt(words, to) !== 3) to += 1
    sentences.push({ from, to })
    from = to
  }
  return sentences
}

/** What was found from one word to another one, in whatever order the two are given. */
export function wordsFound(kind: FindingKind, words: Words, one: number, other: number): Finding {
  const start = words.starts[Math.min(one, other)] ?? 0
  return findingOf(kind, start, words.ends[Math.max(one, other)] ?? 0)
}

/** The folded word, empty beyond the sentence. */
export function wordIn(words: Words, sentence: Sentence, at: number): string {
  return at < sentence.to ? wordAt(words, at) : ''
}

/** All classes that occur from `from` up to but not including `to`, as far as the sentence reaches. */
export function classesIn(words: Words, sentence: Sentence, from: number, to: number): number {
  let mask = 0
  const end = Math.min(to, sentence.to)
  for (let at = Math.max(from, sentence.from); at < end; at++) mask |= maskAt(words, at)
  return mask
}

/** The first word of a class from `from` up to but not including `to`, as far as the sentence reaches; else -1. */
export function findClass(words: Words, sentence: Sentence, mask: number, from: number, to: number): number {
  const end = Math.min(to, sentence.to)
  for (let at = Math.max(from, sentence.from); at < end; at++) if ((maskAt(words, at) & mask) !== 0) return at
  return -1
}

/** The first word that matches from `from` up to but not including `to`; else -1. */
export function findWord(words: Words, from: number, to: number, pattern: RegExp): number {
  for (let at = from; at < to; at++) if (pattern.test(wordAt(words, at))) return at
  return -1
}

/** First word of the clause that holds `at`: after a sentence end, a quote, a colon or a line start, `reach` words back. */
export function clauseStart(words: Words, sentence: Sentence, at: number, reach: number): number {
  const first = Math.max(sentence.from, at - reach)
  let start = at
  while (start > first && levelAt(words, start) < 2) start -= 1
  return start
}

const LINKS: ReadonlySet<string> = new Set(
  'and then also now just first finally immediately instead next so'.split(' '),
)

/** Whether the word is a label (`email:`, `email_from`), not a verb. */
export function isLabel({ text, words }: Reading, at: number): boolean {
  const next = text.charCodeAt(words.ends[at] ?? 0)
  return (
    next === 0x3a || next === 0x5f || next === 0x3d || text.charCodeAt((words.starts[at] ?? 0) - 1) === 0x5f
  )
}

/** Whether the word stands where an order stands: first in its clause, or after a courtesy or a linking word. */
export function isOrder(words: Words, sentence: Sentence, at: number): boolean {
  for (let before = at; before > at - 4; before--) {
    if (before === sentence.from || levelAt(words, before) >= 2) return true
    const mask = maskAt(words, before - 1)
    if ((mask & POLITE) !== 0) return true
    if (!LINKS.has(wordAt(words, before - 1))) return false
  }
  return false
}

/** Whether the word before makes the verb at `at` a statement about someone (`they ignore`), not an order. */
export function isStatement(words: Words, sentence: Sentence, at: number): boolean {
  if (at === sentence.from || (maskAt(words, at - 1) & SUBJECT) === 0) return false
  return (classesIn(words, sentence, at - 4, at) & YOU) === 0
}

/** Whether the negation at `at` is part of a statement (`we do not`), not of an order (`do not`). */
export function isStatedNegation(words: Words, sentence: Sentence, at: number): boolean {
  const isDoNot = at > sentence.from && wordAt(words, at - 1) === 'do'
  return isStatement(words, sentence, isDoNot ? at - 1 : at)
}

/** Whether a `not` or `never` stands right before the verb. */
export function isNegated(words: Words, sentence: Sentence, at: number): boolean {
  return at > sentence.from && (maskAt(words, at - 1) & NEGATE) !== 0
}

/** Whether the clause that begins at `start` can begin with an order: its first word is neither grammar nor a subject. */
export function mayBeOrder(words: Words, start: number): boolean {
  const first = wordAt(words, start)
  if (first === '' || first.endsWith('ing') || (first.endsWith('ed') && first !== 'embed')) return false
  return (maskAt(words, start) & (OPENER | SUBJECT | YOU | MINE | TOLD | FRESH | CODE)) === 0
}

/** Preferences, rules, procedures and project context may say how to work and how to answer: that is what they are. */
export function isInstructing(context: ScreeningContext): boolean {
  const type = context.declaredType
  return type === 'preference' || type === 'rule' || type === 'procedure' || type === 'project_context'
}
