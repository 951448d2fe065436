import { handsAt, takesAt } from './dispute-handover.ts'
import { M, type WordInfo } from './dispute-lexicon.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// Whether a statement tells of something that happened once.

interface Spoken extends WordInfo {
  readonly text: string
  readonly kind: string
  readonly hasCapital: boolean
}

/** A verb of something that happened, without the `is` or `are` of what happens each time. */
export function isEventAt(tokens: readonly Spoken[], at: number): boolean {
  if (((tokens[at]?.classes ?? 0) & W.event) === 0 && !isDoneAt(tokens, at) && !isCountedAt(tokens, at))
    return false
  if (GERMAN_PRESENT.has(tokens[at]?.text ?? '') && isGermanPresent(tokens, at)) return false
  // `the limit nerfed to 5`: what counts is how it is now.
  if (
    TO.has(tokens[at + 1]?.text ?? '') &&
    tokens[at + 2]?.kind === 'number' &&
    tokens[0]?.isContent === true
  )
    return false
  // `a failed delivery` is a kind of delivery.
  if (isKindAt(tokens, at)) return false
  // `got postponed`, `went up`, `handed … over`: what counts is how it is now.
  if (
    isRise(tokens, at) ||
    handsAt(tokens) === at ||
    takesAt(tokens) === at ||
    isPutOff(tokens, at) ||
    // `transferred from Ines to Bo`
    (tokens[at]?.text === 'transferred' && tokens[at + 1]?.text === 'from') ||
    (tokens[at]?.text === 'got' && ((tokens[at + 1]?.classes ?? 0) & W.change) !== 0)
  )
    return false
  for (let back = at - 1; back >= Math.max(0, at - EVENT_REACH); back -= 1)
    if (((tokens[back]?.marks ?? 0) & M.present) !== 0) return false
  return at === tokens.length - 1 || !PRESENT_AFTER.has(tokens[at + 1]?.text ?? '')
}

function isKindAt(tokens: readonly Spoken[], at: number): boolean {
  const next = tokens[at + 1]
  // `Closed sessions start on …`
  if (at === 0 && next?.isContent === true && next.kind === 'word' && saysMore(tokens.slice(2))) return true
  const before = tokens[at - 1]
  const isOfNoun = ((before?.classes ?? 0) & W.article) !== 0 || before?.text === 'of'
  return isOfNoun && next?.isContent === true && next.kind !== 'number'
}

/** Of what stands before, something is said: how it is, when it begins. */
function saysMore(tokens: readonly Spoken[]): boolean {
  return tokens.some(
    ({ classes, marks }) =>
      (classes & (W.copula | W.plan | W.prefers)) !== 0 || (marks & (M.present | M.rule)) !== 0,
  )
}

/** `Read 12 rows`, `lint found 3 errors`: of verbs whose past is spelled as something else, too. */
function isCountedAt(tokens: readonly Spoken[], at: number): boolean {
  const text = tokens[at]?.text ?? ''
  const next = tokens[at + 1]
  if (next === undefined || (next.kind !== 'number' && next.text !== 'no')) return false
  if (at > 0) return text === 'found' && tokens[at - 1]?.isContent === true
  return COUNTING.has(text) || ENGLISH_DONE.test(text) || ROMANCE_DONE.test(text)
}

/** `Payé 12 euros`, `Pagato 12 euro`, `Retirados 12 euros` */
const ROMANCE_DONE = /\p{L}{2,}(?:ée?s?|[aiu][dt][oaie]s?)$/u

const COUNTING = wordSet('read found hit lost wrote ran')

/** `Discount of 5 EUR granted`, `Anruf von 3 Minuten geführt`: what was done, without the verb that says when. */
function isDoneAt(tokens: readonly Spoken[], at: number): boolean {
  const token = tokens[at]
  // `is called` names it, `called` alone tells what somebody did.
  if (token?.text === 'called' && at > 0 && !isPresent(tokens.slice(0, at))) return true
  if (token?.isContent !== true || (token.hasCapital && at > 0)) return false
  const next = tokens[at + 1]
  if (
    next === undefined &&
    (GERMAN_DONE.test(token.text) ||
      (GERMAN_COUNTED.test(token.text) && tokens.some(({ kind }) => kind === 'number'))) &&
    tokens[0]?.isContent === true &&
    !isPresent(tokens)
  )
    return true
  // Before a noun it says of what kind: `the shared cache`; before a number what came of it: `the check returned 5`.
  const isKind = next?.isContent === true && next.kind !== 'number'
  if (!isKind && next?.kind !== 'sign' && ENGLISH_DONE.test(token.text) && !isPresent(tokens))
    return !(LASTING.has(token.text) && ((next?.classes ?? 0) & (W.placing | W.to)) !== 0)
  return isPerfectAt(tokens, at)
}

/** `pinned to 3.1`, `hosted on …`: how it is, where a note leaves `is` out. */
const LASTING = wordSet('pinned based hosted stored capped limited mounted configured located mirrored')

/** `a redémarré`, `ha riavviato`, `hat … gestartet`, `reinició`: told of once. */
function isPerfectAt(tokens: readonly Spoken[], at: number): boolean {
  const text = tokens[at]?.text ?? ''
  const before = tokens[at - 1]?.text ?? ''
  if (FRENCH_HAVE.has(before) && FRENCH_DONE.test(text)) return true
  if (ITALIAN_HAVE.has(before) && ITALIAN_DONE.test(text)) return true
  if (text.endsWith('ó') && text.length > SPANISH_CHARS_MIN) return true
  return (
    at === tokens.length - 1 && GERMAN_DONE.test(text) && tokens.some((token) => GERMAN_HAVE.has(token.text))
  )
}

const FRENCH_HAVE = wordSet('a ont')
const FRENCH_DONE = /\p{L}{3,}é(?:e?s?)$/u
const ITALIAN_HAVE = wordSet('ha hanno')
const ITALIAN_DONE = /(?<!^st)\p{L}[aiu]to$/u
const SPANISH_CHARS_MIN = 3
const GERMAN_HAVE = wordSet('hat haben')

function isPresent(tokens: readonly Spoken[]): boolean {
  return tokens.some(
    ({ classes, marks }) => (marks & M.present) !== 0 || (classes & (W.copula | W.prefers)) !== 0,
  )
}

/** `need` and `speed` are no participles. */
export const ENGLISH_DONE = /..[^e]ed$/
const GERMAN_DONE = /^\p{L}{0,4}ge\p{L}{2,}(?:t|en)$/u

/** `Paket mit 3 kg verschickt` */
const GERMAN_COUNTED = /^(?:ver|be|er|ent|zer)\p{L}{3,}t$/u

/** Of one form for what is done and what was done: `Der Kunde bezahlt mit Karte`, `Rechnung bezahlt`. */
const GERMAN_PRESENT = wordSet('bezahlt verkauft')
const GERMAN_HELPERS = wordSet('hat haben hatte hatten wurde wurden worden ist sind')

function isGermanPresent(tokens: readonly Spoken[], at: number): boolean {
  return (
    at < tokens.length - 1 &&
    ((tokens[0]?.classes ?? 0) & W.article) !== 0 &&
    !tokens.some(({ text }) => GERMAN_HELPERS.has(text))
  )
}

const TO = wordSet('to auf à a')
const EVENT_REACH = 5
const PRESENT_AFTER = wordSet('wird werden')

/** `went up` */
export function isRise(tokens: readonly Spoken[], at: number): boolean {
  return tokens[at]?.text === 'went' && WAYS.has(tokens[at + 1]?.text ?? '')
}

const WAYS = wordSet('up down')

/** `pushed back to 9:00`, but `pushed to main`. */
function isPutOff(tokens: readonly Spoken[], at: number): boolean {
  return tokens[at]?.text === 'pushed' && PUT_OFF.has(tokens[at + 1]?.text ?? '')
}

const PUT_OFF = wordSet('back forward out')
