import { DENSE_PHRASES } from './dense-phrases.ts'
import { type Finding, type FindingKind, findingOf } from './finding.ts'
import { foldWord } from './folding.ts'
import { isLetter } from './orders.ts'
import { matchesIn } from './patterns.ts'
import { PHRASE_WEIGHTS, type PhraseRow, type PhraseWeight } from './phrase-row.ts'
import { PHRASES } from './phrase-table.ts'
import { isInstructing, isStatedNegation, isStatement, type Reading, type Sentence } from './reading.ts'
import { HOST, NEGATE, POLITE, YOU } from './word-class.ts'
import { levelAt, maskAt, type Words, wordAt } from './words.ts'

// Phrases of the table, and signs that tell something only together.

interface Form extends Pick<PhraseRow, 'weight' | 'isOrder' | 'unless'> {
  readonly kind: FindingKind
  readonly pattern: RegExp
  /** A bit for each letter that the word behind may begin with. */
  readonly next: number
}

interface Head {
  readonly forms: readonly Form[]
  readonly next: number
}

/** A phrase that was seen. */
export interface Sign {
  readonly finding: Finding
  readonly weight: PhraseWeight
}

/** Units of a sentence that are looked at on each side of a phrase. */
const AROUND = 160
/** Two signs further apart belong to two matters. Units. */
const NEAR = 400

/** No class of Unicode: a pattern is compiled when it is first asked, and again when it has long not been. */
const WORD = '[^\\s.,;:!?"()<>[\\]{}]'

const ANY_LETTER = -1
const HEADS: ReadonlyMap<string, Head> = formsByHead()

function formsByHead(): ReadonlyMap<string, Head> {
  const found = new Map<string, Head>()
  for (const { kind = 'assistant_directive', heads, behind, next: letters, ...row } of PHRASES) {
    const next = letters === undefined ? ANY_LETTER : lettersOf(letters)
    const source = behind
      .replaceAll(/%(\d)/g, (_, count) => `(?:${WORD}+ ){0,${count}}`)
      .replaceAll(/~(\d)/g, (_, count) => `(?: ${WORD}+){0,${count}}`)
      .replaceAll(' ?', '\\s{0,3}')
      .replaceAll(' ', '\\s{1,3}')
    const pattern = new RegExp(source, 'iuy')
    for (const head of heads.split(' ')) {
      const word = foldWord(head)
      const known = found.get(word)
      const forms = [...(known?.forms ?? []), { ...row, kind, pattern, next }]
      found.set(word, { forms, next: next | (known?.next ?? 0) })
    }
  }
  return found
}

function lettersOf(letters: string): number {
  return Array.from(letters, letterBit).reduce((all, bit) => all | bit, 0)
}

function letterBit(letter: string): number {
  return 1 << letter.charCodeAt(0)
}

/** The phrase that begins with the word at `at`. */
export function addSigns(signs: Sign[], reading: Reading, sentence: Sentence, at: number): void {
  const { words } = reading
  const head = HEADS.get(wordAt(words, at))
  if (head === undefined) return
  // Letters share a bit with others 32 units apart, so that case makes no difference.
  const next = 1 << words.text.charCodeAt((words.ends[at] ?? 0) + 1)
  if ((head.next & next) === 0) return
  let isOrder: boolean | null = null
  for (const form of head.forms) {
    if ((form.next & next) === 0) continue
    if (form.isOrder === true) {
      isOrder ??= isOrdered(words, sentence, at)
      if (!isOrder) continue
    }
    const end = phraseEnd(reading, sentence, at, form)
    if (end === -1) continue
    signs.push({ finding: findingOf(form.kind, words.starts[at] ?? 0, end), weight: form.weight })
    return
  }
}

/** Where the phrase that begins with the word at `at` ends; -1 for none. Units. */
function phraseEnd(reading: Reading, sentence: Sentence, at: number, form: Form): number {
  const { text, words } = reading
  form.pattern.lastIndex = words.ends[at] ?? 0
  if (!form.pattern.test(text)) return -1
  const end = form.pattern.lastIndex
  if (isInstructing(reading.context) && (form.weight !== 'alone' || form.kind !== 'assistant_directive'))
    return -1
  const isNo = (maskAt(words, at) & NEGATE) !== 0 && form.weight !== 'guard'
  if (isNo && isStatedNegation(words, sentence, at)) return -1
  const { unless } = form
  if (unless === undefined) return end
  const start = words.starts[at] ?? 0
  const first = Math.max(words.starts[sentence.from] ?? 0, start - AROUND)
  const last = Math.min(words.ends[sentence.to - 1] ?? 0, end + AROUND)
  return unless.test(`${text.slice(first, start)} ${text.slice(end, last)}`) ? -1 : end
}

/** The phrases of scripts without spaces. Linear: every look is bounded. */
export function addDenseSigns(signs: Sign[], { text, words, context }: Reading): void {
  if (isInstructing(context) || !words.heads.some((at) => wordAt(words, at) === '')) return
  for (const { index, 0: phrase, groups = {} } of matchesIn(text, DENSE_PHRASES)) {
    const finding = findingOf('assistant_directive', index, index + phrase.length)
    for (const weight of PHRASE_WEIGHTS) if (groups[weight] !== undefined) signs.push({ finding, weight })
  }
}

const LINKS: ReadonlySet<string> = new Set(
  'and then also now just please immediately so or simply must should shall to but quietly secretly silently always never'.split(
    ' ',
  ),
)

/** Whether an order can stand here: first in its clause, after a comma, a courtesy or a linking word. */
function isOrdered(words: Words, sentence: Sentence, at: number): boolean {
  if (at === sentence.from || levelAt(words, at) >= 1) return true
  const before = wordAt(words, at - 1)
  if (before === 'to')
    return (
      (maskAt(words, at - 2) & (YOU | HOST)) !== 0 ||
      (/^(?:has|have|needs?)$/.test(wordAt(words, at - 2)) && (maskAt(words, at - 3) & (YOU | HOST)) !== 0)
    )
  if (/^(?:must|should|shall)$/.test(before)) return (maskAt(words, at - 2) & (YOU | HOST)) !== 0
  if ((maskAt(words, at - 1) & POLITE) !== 0) return true
  return LINKS.has(before) && !isStatement(words, sentence, at - 1)
}

/** What the signs of a text tell: each that tells it alone, and those with a sign of another name close by. */
export function addTold(findings: Finding[], { text }: Reading, signs: readonly Sign[]): void {
  const isOfPeople = isLetter(text)
  const inOrder = [...signs].sort((a, b) => a.finding.start - b.finding.start)
  for (const [at, { finding, weight }] of inOrder.entries()) {
    if (
      weight === 'alone' ||
      weight === 'manner' ||
      (!isOfPeople && (hasOther(inOrder, at, -1) || hasOther(inOrder, at, 1)))
    )
      findings.push(finding)
  }
}

/** What an assistant does is told of, too: it is an order only where something is hidden, switched off or taken. */
const TAKEN: readonly PhraseWeight[] = ['hush', 'guard', 'account']

function tellTogether(one: PhraseWeight, other: PhraseWeight): boolean {
  return (one !== 'norm' || TAKEN.includes(other)) && (other !== 'norm' || TAKEN.includes(one))
}

/** Whether a sign of another name is near, in one direction. There are few within reach: a sign is as long as a word. */
function hasOther(signs: readonly Sign[], at: number, step: 1 | -1): boolean {
  const { weight, finding } = signs[at] ?? { weight: 'alone', finding: { start: 0 } }
  for (let near = signs[at + step], next = at + step; near !== undefined; next += step, near = signs[next]) {
    if (Math.abs(near.finding.start - finding.start) > NEAR) return false
    if (near.weight !== weight && tellTogether(near.weight, weight)) return true
  }
  return false
}
