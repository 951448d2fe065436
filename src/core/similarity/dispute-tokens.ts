import { sign, type Token, tokenOf } from './dispute-clause.ts'
import { M, type WordInfo } from './dispute-lexicon.ts'
import { isAcronymAt, isNameAlike, sexOf } from './dispute-parts.ts'
import { W } from './dispute-words.ts'

/** Whether a word begins with a capital. */
export function isCapitalAt(text: string, start: number, word: string): boolean {
  const first = text.charCodeAt(start)
  return first < 0x80 ? first >= 0x41 && first <= 0x5a : !text.startsWith(word, start)
}

/** What a word is where it stands: `Go` within a sentence is a name, `Mai` behind a number a month. */
export function wordToken(
  text: string,
  start: number,
  word: string,
  info: WordInfo,
  before: Token | undefined,
  isQuoted: boolean,
  hasCapital: boolean,
): Token {
  const { classes } = info
  const sex = hasCapital && before !== undefined ? sexOf(before) : ''
  const isMeant = (classes & (W.light | W.article)) === W.light && ((before?.classes ?? 0) & W.means) !== 0
  // `Go` and `HERE` within a sentence are names.
  const isLightName =
    hasCapital &&
    ((classes & (W.light | W.copula)) !== 0 || isAcronymAt(text, start, word, info)) &&
    (info.marks & M.title) === 0 &&
    word.length > 1 &&
    before !== undefined &&
    before.kind === 'word'
  const isDated = hasCapital && (classes & W.date) !== 0
  // `am 12. Mai` is a day; the Italian `mai` denies.
  const isMonth = word === 'mai' && before !== undefined && (hasCapital || before.kind === 'number')
  const marks = isMonth ? 0 : info.marks
  const isAlike = hasCapital && !isQuoted && isNameAlike(text, start, word, classes, before)
  const isDenial = (marks & (M.negation | M.concord)) !== 0
  return {
    text: word,
    key: sex + info.key,
    kind: 'word',
    classes: isAlike ? 0 : classes,
    marks: isAlike ? 0 : marks,
    dimension: '',
    hasCapital,
    isQuoted,
    isContent:
      info.isContent || isMonth || isAlike || ((isQuoted || isMeant || isLightName || isDated) && !isDenial),
  }
}

export const ARROW = /->|\u2192/u

/** `3.1 -> 3.4` leads from one value to the next, `rota -> ask Ines` from a field to its value. */
export function arrowBehind(before: Token | undefined): readonly Token[] {
  if (before === undefined) return []
  return [before.kind === 'number' ? TO : sign('->')]
}

const TO = tokenOf('->', { key: '->', classes: W.to, marks: 0, isContent: false }, 'word', false)
