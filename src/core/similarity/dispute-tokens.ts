import { sign, type Token, tokenOf, tokenWith } from './dispute-clause.ts'
import { M, VERSION_WORDS, type WordInfo } from './dispute-lexicon.ts'
import { codeKind, isAcronymAt, isNameAlike, sexOf } from './dispute-parts.ts'
import { W } from './dispute-words.ts'
import { withUnit, wordSet } from './fact-words.ts'

/** Whether a word begins with a capital. */
export function isCapitalAt(text: string, start: number, word: string): boolean {
  const first = text.charCodeAt(start)
  return first < 0x80 ? first >= 0x41 && first <= 0x5a : !text.startsWith(word, start)
}

/** `Femke de Wit`, `Ana van der Berg`: a part of a name, which nothing is said with. */
export function isNameParticle(text: string, end: number, word: string, before: Token | undefined): boolean {
  return (
    before !== undefined &&
    before.hasCapital &&
    before.kind === 'word' &&
    before.classes === 0 &&
    PARTICLES.has(word) &&
    NAME_GOES_ON.test(text.slice(end, end + NAME_CHARS))
  )
}

const PARTICLES = wordSet('de van der den ter ten di del della da dos du bin al')
const NAME_GOES_ON = /^ (?:der |den |la |las |los |de )?\p{Lu}/u
const NAME_CHARS = 8

const ENGLISH_ARTICLES = wordSet('the a this our your my each every')

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
  // `the door` is no Dutch `door`, and `the van` no `van`.
  const isNoun =
    ((classes & (W.means | W.by)) !== 0 && ((before?.classes ?? 0) & W.article) !== 0) ||
    (word === 'van' && ENGLISH_ARTICLES.has(before?.text ?? ''))
  const isAlike = isNoun || (hasCapital && !isQuoted && isNameAlike(text, start, word, classes, before))
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

/** `10 000`: the digits of one number in two groups. */
export function isOfGroups({ kind, text, dimension }: Token, next: string): boolean {
  return kind === 'number' && dimension === '' && /^[1-9]\d{0,2}$/.test(text) && /^\d{3}$/.test(next)
}

/** The number with the unit word behind it; null where that is no unit, or what stands before it no bare number. */
export function measuredBy(word: string, before: Token | undefined): Token | null {
  if (before?.kind !== 'number') return null
  const unit = withUnit({ key: before.key.slice(2), dimension: before.dimension }, word)
  return unit === null ? null : tokenWith(before, { key: `= ${unit.key}`, dimension: unit.dimension })
}

// Signs between words and within them.

/** Whether what stands between two words parts a sentence. */
export const BREAKS = /[,()[\]{}]| - | -- |\u2026|\.\.\.|\uff0c|\u3001/u
/** `en-GB` */
export const LOCALE = /^[a-z]{2}-[A-Z]{2}$/
/** Has a sign that names have, and other words not. */
export const NAME_SIGN = /[_/@#]|::|\\/
/** A folder of a year is a place, not one thing among many. */
const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/g
const CURRENCY = /^[€£¥₽]$/

/** Has a number of three digits or more, which is no year. */
export function hasLongNumber(word: string): boolean {
  return /\d{3}/.test(word.replace(YEAR, ''))
}

/** The sign behind a number: `5 €` is `5€`. */
export function signBehind(text: string, end: number): string {
  const sign = text.charAt(end + 1)
  return text.charAt(end) === ' ' && CURRENCY.test(sign) ? sign : text.charAt(end)
}

// Numbers and letters that tell which one of many: `room 2`, `Sensor A`.

/**
 * Whether the number that follows tells which one.
 * @param gap characters between it and the word before
 * @param hasUnit a unit follows: then it says how many
 */
export function isLabelAt(tokens: readonly Token[], number: string, gap: number, hasUnit: boolean): boolean {
  if (hasUnit) return false
  const label = tokens.at(-1)
  if (label === undefined) return false
  return (
    ((label.classes & W.label) !== 0 && gap <= 2 && !isCounting(tokens, label)) ||
    isFirstLabel(tokens, label, number, gap) ||
    isNumberOf(tokens)
  )
}

/** `The hall seats 40`: behind a noun it is a verb. */
function isCounting(tokens: readonly Token[], label: Token): boolean {
  return COUNTING.has(label.text) && tokens.at(-2)?.isContent === true
}

const COUNTING = wordSet('compte seats rooms')

/** `rule 3 says`, `memory 4 of 9`: what begins with a noun and a number tells which one of many; `press 3` does not. */
function isFirstLabel(tokens: readonly Token[], label: Token, number: string, gap: number): boolean {
  if (label.kind !== 'word' || !label.isContent || gap > 1 || !/^\d{1,6}$/.test(number)) return false
  if ((label.classes & (W.slot | W.measure | W.date | W.qualifier)) !== 0 || VERSION_WORDS.has(label.text))
    return false
  if (PRESSED.has(label.text)) return false
  return tokens.every((token) => token === label || (token.classes & W.article) !== 0)
}

const PRESSED = wordSet(`
  caben cabe press dial choose select pick enter type add wait drücke drücken wähle wählen appuyez composez pulsa pulse marca marque prema premere digita druk kies нажмите наберите`)

/** `my order number is`, before the number. */
function isNumberOf(tokens: readonly Token[]): boolean {
  const [label, number, is] = tokens.slice(-3)
  if (label === undefined || number === undefined || is === undefined) return false
  // The code of a gate opens it.
  if (OPENED.has(label.text) && number.text === 'code') return false
  return (label.classes & W.label) !== 0 && NUMBER_OF.has(number.text) && (is.classes & W.copula) !== 0
}

const OPENED = wordSet('gate door locker safe room building garage house')
const NUMBER_OF = wordSet('number no id code nummer numéro número numero номер')

/** `Room AB`, `Sensor A`: one letter, or two behind a word that is numbered, tell which one of many; `revision A` does not. */
export function isNamedBy(before: Token, word: string, hasCapital: boolean): boolean {
  if (!hasCapital) return (before.classes & W.label) !== 0 && LETTER.test(word)
  // `revision D`: which issue it is, whatever else the letter may be.
  if (ISSUES.has(before.text)) return word.length === 1
  if (word.length > 2 || (before.classes & W.label) !== 0) return word.length <= 2
  return word.length === 1 && before.kind === 'word' && before.isContent
}

/** Of these a thing has one at a time. */
const ISSUES = wordSet(
  'revision version edition issue grade level plan tariff tarif stufe revisión revisione revisie révision ревизия редакция',
)

/** `zone b`; what is a word by itself in some language is none. */
const LETTER = /^[bcdfghjklmnpqrtvwxz]$/

/** `Ticket AB-100` is what `AB-100` is; of `room 4` the room tells which. */
export function idOf(label: string, number: string): string {
  return CODE.test(number) ? number : `${label} ${number}`
}

const CODE = /^\p{L}{2,}-\d{2,}$/u

/** `is kept in room 4`, `was moved to the safe in room 4`: where something is names no thing of which something is said. */
export function isPlaceAt(tokens: readonly Token[]): boolean {
  const moved = tokens.findIndex(({ classes }) => (classes & W.change) !== 0)
  if (moved > 0 && tokens.some(({ text }, at) => at > moved && LEADS_ON.has(text))) return true
  const [verb, lead, label] = tokens
    .filter(({ classes }) => (classes & (W.article | W.now)) === 0 || (classes & W.placing) !== 0)
    .slice(-3)
  return (
    verb !== undefined &&
    lead !== undefined &&
    label?.isContent === true &&
    PLACES.has(label.text) &&
    (lead.classes & W.placing) !== 0 &&
    ((verb.classes & (W.copula | W.located)) !== 0 || tokens[0]?.text === 'find')
  )
}

const LEADS_ON = wordSet('to into auf nach zum zur à au para naar verso')
const PLACES = wordSet(`page 
  room hall building floor bay shelf rack drawer cabinet zone locker aisle cupboard raum zimmer halle gebäude regal schrank fach etage salle bâtiment étage armoire sala edificio planta
  estante armario prédio andar stanza piano scaffale kamer gebouw zaal kast комната зал шкаф`)

/** `Birkenweg 21`, `8 Garden Street`, `12 rue des Lilas`: which house of a street. */
export function isHouseNumber(text: string, start: number, end: number): boolean {
  return (
    STREET_BEFORE.test(text.slice(Math.max(0, start - STREET_CHARS), start)) ||
    STREET_BEHIND.test(text.slice(end, end + STREET_CHARS))
  )
}

const STREET_CHARS = 40
const STREET_BEFORE =
  /\p{Lu}\p{L}+(?:stra(?:ß|ss)e|str\.|weg|gasse|allee|chaussee|straat|laan|gracht|kade)[ ]$|(?:calle|avenida|rua|via|viale|улица|ул\.) (?:d\p{L}{1,3} )?\p{Lu}\S*(?: \p{Lu}\S*)?,? $/u
const STREET_BEHIND =
  /^ (?:\p{Lu}[\p{L}']+ ){1,2}(?:Street|St|Road|Rd|Lane|Avenue|Ave|Drive|Terrace|Crescent)(?!\p{L})|^,? (?:rue|avenue|boulevard|quai|chemin|impasse) \p{L}/u

/** `Seat of Ines: room 12`, `write to ines@…`: what a field has, or where something goes, names no thing of which something is said. */
export function isValueAt(tokens: readonly Token[], isAddress: boolean): boolean {
  if (isAddress) {
    const lead = tokens.at(-1)
    return lead !== undefined && !lead.isContent && (lead.classes & (W.to | W.copula | W.means)) !== 0
  }
  const at = tokens.findIndex(({ kind }) => kind === 'sign')
  if (at < 0) return isPhoneBefore(tokens)
  const field = tokens.slice(0, at).filter(({ isContent }) => isContent)
  return field.length > 1 && !field.some(({ classes, kind }) => (classes & W.label) !== 0 && kind === 'word')
}

/** `The phone of the desk is` */
function isPhoneBefore(tokens: readonly Token[]): boolean {
  return ((tokens.at(-1)?.classes ?? 0) & W.copula) !== 0 && tokens.some(({ text }) => PHONES.has(text))
}

const PHONES = wordSet(
  'pin passcode phone telephone mobile fax hotline extension telefon handy durchwahl téléphone teléfono telefone telefono telefoon телефон',
)

const RUSSIAN_IS = /^ [-–—] $/
const RUSSIAN_WORDS_MAX = 6

/** `Цвет — синий`: a dash stands for the verb. */
export function isRussianIs(tokens: readonly Token[], between: string): boolean {
  if (!RUSSIAN_IS.test(between) || tokens.length > RUSSIAN_WORDS_MAX) return false
  const code = tokens.at(-1)?.text.charCodeAt(0) ?? 0
  return (
    code >= 0x400 &&
    code < 0x530 &&
    !tokens.some(({ kind, classes }) => kind === 'sign' || (classes & W.copula) !== 0)
  )
}

/** What kind of number stands there: a date, a version, how many of what, or which one of many. */
export function dimensionOf(
  number: string,
  dimension: string,
  label: Token | undefined,
  behind: string,
): string {
  if (QUARTER.test(number)) return 'date'
  const kind = dimension === 'code' ? codeKind(number) : dimension
  if (kind === '' && /^\d{7,}$/.test(number)) return 'id'
  if (kind !== 'date') return kind
  return VERSION_WORDS.has(label?.text ?? '') || EDITION.test(behind) ? 'version' : kind
}

const QUARTER = /^[qhк][1-4]$/

/** `the 3rd edition` */
const EDITION = /^ (?:edition|revision|version|generation|printing|édition|edición|edição|edizione)\b/i

/** `Java 17 is what it runs on`: the number is the news, and tells not which of many. */
export function isSaidFirst(text: string, end: number): boolean {
  return text.charAt(end) === ' ' && SAID_FIRST.test(text.slice(end, end + SAID_CHARS))
}

const SAID_CHARS = 48
const SAID_FIRST =
  /^ (?:is (?:what|now what|installed|in use|the (?:\p{L}+ )?(?:version|release|edition))|ist (?:installiert|im Einsatz|die Version)|est (?:installée?|la version)|está (?:instalad[oa]|en uso|em uso)|è (?:installat[oa]|la versione)|is geïnstalleerd)(?!\p{L})/iu
