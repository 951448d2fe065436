import { sideOf, wordSet } from './fact-words.ts'

// Words that may differ while a text stays the same: function words that say nothing by themselves, other endings of
// one word, and slips of the hand. The tables were written by hand from grammars and from the usual kinds of typing
// errors (swapped, doubled and missing letters; neighbours on the keyboard; one vowel for another), and then tried on
// pairs of real words that lie as near to each other: a form that joined two of those was left out.

/** Letters of a word that may be misspelled or inflected. */
const SLIP_LETTERS_MIN = 5
/** Letters from which on a vowel may be left out or be added, and a letter stand for its neighbour on the keyboard. */
const LOOSE_LETTERS_MIN = 6
/** Letters from which on a consonant may be left out or be added, one vowel stand for another, and two slips meet. */
const LONG_LETTERS_MIN = 8
/** Edits between two forms of one word. */
const EDITS_MAX = 2
/** Letters that two forms of one word have in common at their start. */
const STEM_LETTERS_MIN = 4

/**
 * Articles, forms of `to be` in the present, and fillers in English, German, French, Spanish, Portuguese, Italian, Dutch
 * and Russian. Words of place, time, order, choice, amount and duty are not here: they change what a text says.
 */
const EMPTY_WORDS = wordSet(`
  a an the is are am be being of it that which please also very really actually basically simply here there so then
  der die das dem den des ein eine einem einen einer eines ist sind sei bitte auch sehr dass hier da
  le la les l un une des du de d est sont aussi très ici
  el los las unos unas una del es son está están muy también aquí
  o os um uma do dos das da é são está estão muito também aqui
  il lo i gli uno di della dello delle dei degli è sono anche molto qui
  het een van zijn ook heel hier
  это этот эта эти же вот очень также тоже есть здесь`)

/** Ways in which one word ends in its forms, by alphabet; of two forms each has one, or nothing, behind the stem. */
const ENDINGS: ReadonlySet<string> = new Set([
  '',
  ...wordSet(`
  s es d ed e y ies ied n en em te ten nt ent o os as an
  а я у ю ы и е о й ой ей ом ем ам ям ах ях ов ев ый ая ое ые ого ому ым ых ую л ла ло ли т ть ет ит
  ют ят ут ат`),
])
/** Who does a thing and to whom it is done are two: `payer` and `payee`, `planner` and `planned`. */
const ROLE_ENDING = /(?:er|or|ee)s?$/

const KEY_ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'] as const
const VOWEL = /[aeiouyäöüáéíóúàèìòùâêîôûаеиоуыэюя]/
const LETTERS_ONLY = /^[\p{L}\p{M}]+$/u

/** Whether a word, in small letters, may be there or not without a change of what is said. */
export function isEmptyWord(word: string): boolean {
  return EMPTY_WORDS.has(word)
}

/** Whether two words, in small letters, may be one: another ending, or a slip of the hand. Symmetric. */
export function isSameWordButForSlip(a: string, b: string): boolean {
  if (a === b) return true
  const letters = Math.min(a.length, b.length)
  if (letters < SLIP_LETTERS_MIN || Math.abs(a.length - b.length) > EDITS_MAX) return false
  // Whoever mistypes a word seldom mistypes its first letter, and prefixes turn words round: `export`, `inactive`.
  if (a.charAt(0) !== b.charAt(0) || !LETTERS_ONLY.test(a) || !LETTERS_ONLY.test(b)) return false
  if (sideOf(a)?.isPlus !== sideOf(b)?.isPlus) return false
  return isInflected(a, b) || isMistyped(a, b, letters)
}

function isInflected(a: string, b: string): boolean {
  const stem = sharedStart(a, b)
  if (stem < STEM_LETTERS_MIN || ROLE_ENDING.test(a) !== ROLE_ENDING.test(b)) return false
  // The ending may begin inside what both share: `tries` and `tried`.
  for (let from = stem; from >= Math.max(STEM_LETTERS_MIN, stem - 2); from -= 1) {
    const [left, right] = [a.slice(from), b.slice(from)]
    if (
      left.length <= EDITS_MAX + 1 &&
      right.length <= EDITS_MAX + 1 &&
      ENDINGS.has(left) &&
      ENDINGS.has(right)
    )
      return isWithinEdits(a.slice(stem), b.slice(stem))
  }
  return false
}

function isWithinEdits(left: string, right: string): boolean {
  return Math.max(left.length, right.length) <= EDITS_MAX
}

/** One slip behind the first letter, in long words two. */
function isMistyped(a: string, b: string, letters: number): boolean {
  const start = sharedStart(a, b)
  const end = sharedEnd(a, b, start)
  const left = a.slice(start, a.length - end)
  const right = b.slice(start, b.length - end)
  if (isSlip(a, b, start, end, left, right, letters)) return true
  if (letters < LONG_LETTERS_MIN || end === 0 || left.length !== right.length) return false
  // Two slips with sound letters between them: all but the two ends of what differs agrees.
  const isApart = left.length > 2 && left.slice(1, -1) === right.slice(1, -1)
  return (
    isApart && isLikeLetter(left, right, 0, letters) && isLikeLetter(left, right, left.length - 1, letters)
  )
}

function isSlip(
  a: string,
  b: string,
  start: number,
  end: number,
  left: string,
  right: string,
  letters: number,
): boolean {
  if (left.length === 2 && right.length === 2)
    return left.charAt(0) === right.charAt(1) && left.charAt(1) === right.charAt(0)
  if (left.length + right.length === 1) {
    const [longer, letter] = left.length === 1 ? [a, left] : [b, right]
    const isDoubled = longer.charAt(start - 1) === letter || longer.charAt(start + 1) === letter
    return isDoubled || (end > 0 && letters >= (VOWEL.test(letter) ? LOOSE_LETTERS_MIN : LONG_LETTERS_MIN))
  }
  return left.length === 1 && right.length === 1 && end > 0 && isLikeLetter(left, right, 0, letters)
}

function isLikeLetter(left: string, right: string, at: number, letters: number): boolean {
  const [one, other] = [left.charAt(at), right.charAt(at)]
  if (one === other) return true
  if (letters >= LONG_LETTERS_MIN && VOWEL.test(one) && VOWEL.test(other)) return true
  return letters >= LOOSE_LETTERS_MIN && areNeighbours(one, other)
}

function areNeighbours(one: string, other: string): boolean {
  return KEY_ROWS.some((row) => {
    const [at, to] = [row.indexOf(one), row.indexOf(other)]
    return at >= 0 && to >= 0 && Math.abs(at - to) === 1
  })
}

function sharedStart(a: string, b: string): number {
  let at = 0
  while (at < a.length && at < b.length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1
  return at
}

function sharedEnd(a: string, b: string, start: number): number {
  let count = 0
  const most = Math.min(a.length, b.length) - start
  while (count < most && a.charCodeAt(a.length - 1 - count) === b.charCodeAt(b.length - 1 - count)) count += 1
  return count
}
