import { listAt } from '../base/collections.ts'
import {
  ENGLISH_WORDS,
  FRENCH_WORDS,
  GERMAN_WORDS,
  PORTUGUESE_WORDS,
  SPANISH_WORDS,
} from './everyday-words.ts'
import { isExactIdentifier } from './identifiers.ts'
import { fold } from './unicode.ts'

// Which single things a text names, so that a record about another one is told from a record about the same.

export type EntityKind = 'id' | 'email' | 'path' | 'symbol' | 'ticket' | 'quoted' | 'name'

/** By kind: what is named, folded and in small letters. A kind of which nothing is named is absent. */
export type Entities = ReadonlyMap<EntityKind, readonly string[]>

const list = (words: string): readonly string[] => words.trim().split(/\s+/)

const EMAIL = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}/gu
const COMPOUND = /[\p{L}\p{N}_](?:[\p{L}\p{N}_./@#\\-]|::)*[\p{L}\p{N}_]/gu
const TICKET =
  /(?<![\p{L}\p{N}_-])(?!(?:UTF|ISO|SHA|MD|AES|HTTP|GPT|RSA)-)\p{Lu}[\p{Lu}\p{N}]+-\d+(?![\p{L}\p{N}_-])/gu
/** What is known by a bare number, in the languages whose words are stemmed. */
const NUMBERED =
  /(?:\b(?:orders?|customers?|tickets?|invoices?|accounts?|cases?|issues?|bookings?|bestellung|kunden?|kundin|rechnung|vorgang|commande|clients?|facture|pedido|cliente|factura|fatura)\b|заказ\p{L}*|счет\p{L}*)[ :#]*(?:(?:id|no|nr|number|nummer|num[ée]ro)\.?[ :#]*)?(\d{2,})(?![\p{L}\p{N}.,]\d)|(?<![\p{L}\p{N}&#])#(\d+)(?![\p{L}\p{N}])/giu
const QUOTED = /["“”„«»]([^"“”„«»\n]{2,60})["“”„«»](?!\s*:)/gu
/** A number with its unit: `500ms`. */
const MEASURED = /^\d+\p{L}{1,5}$/u
/** Endings of files that are named without a folder, and products that look like files. */
const FILE = new RegExp(
  `\\.(?:${list(`ts tsx js jsx mjs cjs py rb go rs java kt cs php c h cc cpp hpp json yaml yml toml md txt html css scss
    sql sh xml csv ini cfg lock vue swift`).join('|')})$`,
)
const PRODUCT = /^(?:node|next|nuxt|vue|react|three|d3|chart|express|ember|alpine)\.js$/

const STOP_WORDS: ReadonlySet<string> = new Set(
  list([ENGLISH_WORDS, GERMAN_WORDS, FRENCH_WORDS, SPANISH_WORDS, PORTUGUESE_WORDS].join(' ')),
)
const GERMAN: ReadonlySet<string> = new Set(
  list(
    'der die das den dem des ein eine einen einer und ist sind nicht mit für von zu auf im wird werden wurde hat',
  ),
)
/** Words with which a note begins and that are no first names: what to do, and days and months. */
const OPENERS: ReadonlySet<string> = new Set(
  list(`add allow apply ask avoid block build call change check clean close commit configure create deploy disable
    document drop enable ensure export fix follow format generate implement import increase install keep list make merge
    migrate move never open pass pin please prefer publish pull push put read rebase release remember remove rename
    replace reset restart restore retry return review revert rotate run save search see send set setup skip split start
    stop store switch tell test try turn update upgrade use verify wait write yes dear hello hi today yesterday tomorrow
    monday tuesday wednesday thursday friday saturday sunday january february march april june july august september
    october november december`),
)
/** What may stand inside of a name in small letters. */
const PARTICLE = '(?:van|van der|van den|von der|de la|de las|de los|du|dos|bin|ibn|al|el|ter)'
const CAPITALISED = "\\p{Lu}[\\p{L}\\p{M}]*\\p{Ll}[\\p{L}\\p{M}]*(?:[-’']\\p{Lu}\\p{L}+)*"
const NAME = new RegExp(
  `(?<![\\p{L}\\p{N}_./@#-])${CAPITALISED}(?: (?:${PARTICLE} )*${CAPITALISED})+(?![\\p{L}\\p{N}_/@#(-])`,
  'gu',
)
const OPENS = /(?:^|[.!?:;\n•*"“„«(]|\s-)\s*$/u
/** What stands before a number. */
const LABEL = /^(?:Nr|No|Id|Num)$/
const TITLE = /^(?:mr|mrs|ms|dr|prof|herr|frau|m|mme|mlle|sr|sra|señor|señora|senhor|senhora)$/

// Most texts have no sign of most kinds, and most words are no compounds: to see that takes a tenth of the reading.
const DIGIT = /\d/
const PLAIN_WORD = /^[a-zA-Z_@-]+$/
const COMPOUNDS: readonly EntityKind[] = ['id', 'path', 'symbol']

/** What a text names; null when it names nothing. `isWanted`: kinds of which what is named is told; all unless given. */
export function entitiesIn(
  text: string,
  isWanted: (kind: EntityKind) => boolean = () => true,
): Entities | null {
  const found = new Map<EntityKind, string[]>()
  const put = (kind: EntityKind, value: string): void => {
    const known = listAt(found, kind)
    const named = fold(value).toLowerCase()
    if (!known.includes(named)) known.push(named)
  }
  if (isWanted('email') && text.includes('@'))
    for (const email of text.match(EMAIL) ?? []) put('email', email)
  if (isWanted('ticket') && DIGIT.test(text)) {
    for (const ticket of text.match(TICKET) ?? []) put('ticket', ticket)
    for (const { 1: counted, 2: hashed } of text.matchAll(NUMBERED))
      put('ticket', `#${counted ?? hashed ?? ''}`)
  }
  if (isWanted('quoted'))
    for (const { 1: quoted = '' } of text.matchAll(QUOTED))
      if (quoted.trim() !== '') put('quoted', quoted.trim())
  if (COMPOUNDS.some(isWanted))
    for (const compound of text.match(COMPOUND) ?? []) {
      const kind = PLAIN_WORD.test(compound) ? null : kindOfCompound(compound)
      if (kind !== null) put(kind, compound)
    }
  if (isWanted('name')) for (const name of namesIn(text)) put('name', name)
  return found.size === 0 ? null : found
}

function kindOfCompound(compound: string): EntityKind | null {
  const spelled = fold(compound)
  if (!isExactIdentifier(spelled, 0, spelled.length) || /@/.test(spelled)) return null
  if (spelled.includes('::') || spelled.includes('#')) return spelled.includes('/') ? 'path' : 'symbol'
  if (spelled.includes('/')) return 'path'
  if (spelled.includes('.')) {
    const lower = spelled.toLowerCase()
    if (/^v?\d/.test(lower) || PRODUCT.test(lower)) return null
    return FILE.test(lower) ? 'path' : 'symbol'
  }
  const digits = spelled.replace(/\D/g, '').length
  const isNumber = digits === spelled.length || !/\p{L}/u.test(spelled) || MEASURED.test(spelled)
  return digits < 3 || isNumber || /^\p{Lu}[\p{Lu}\p{N}]+-\d+$/u.test(spelled) ? null : 'id'
}

/** Names of two or more capitalised words. How a sentence begins is told apart as far as it can be. */
function namesIn(text: string): readonly string[] {
  const names: string[] = []
  let isGerman: boolean | null = null
  for (const { 0: run, index } of text.matchAll(NAME)) {
    const words = run.split(' ')
    const isOpening = OPENS.test(text.slice(Math.max(0, index - 4), index))
    while (words.length > 0 && saysNothing(words[0] ?? '')) words.shift()
    while (words.length > 0 && LABEL.test(words.at(-1) ?? '')) words.pop()
    const hasLost = words[0] !== run.split(' ')[0]
    if (words.length < 2) continue
    if (!isOpening || hasLost) {
      names.push(words.join(' '))
      continue
    }
    isGerman ??= text.split(/[^\p{L}]+/u).some((word) => GERMAN.has(word))
    // In German nearly every sentence begins with a capitalised word before a noun.
    if (isGerman && words.length === 2) continue
    names.push(words.join(' '))
    // The first word may be how the sentence begins.
    if (words.length > 2) names.push(words.slice(1).join(' '))
  }
  return names
}

function saysNothing(word: string): boolean {
  const lower = word.toLowerCase()
  return STOP_WORDS.has(lower) || OPENERS.has(lower)
}

/** Whether a text names entities of a kind that is asked for, and none of those that are asked for. */
export function namesOthers(asked: Entities, text: string): boolean {
  const named = entitiesIn(text, (kind) => asked.has(kind))
  if (named === null) return false
  const folded = fold(text).toLowerCase()
  let hasKind = false
  for (const [kind, wanted] of asked) {
    const there = named.get(kind) ?? []
    hasKind ||= there.length > 0
    for (const one of wanted) {
      if (standsIn(folded, one) || there.some((other) => isSame(kind, one, other))) return false
    }
  }
  return hasKind
}

function isSame(kind: EntityKind, one: string, other: string): boolean {
  if (one === other) return true
  if (kind === 'path') return isWithin(one, other) || isWithin(other, one)
  if (kind === 'symbol')
    return one.endsWith(`.${other}`) || other.endsWith(`.${one}`) || sharesOwner(one, other)
  if (kind === 'id')
    return Math.min(one.length, other.length) > 6 && (one.startsWith(other) || other.startsWith(one))
  return kind === 'name' && isSameName(one.split(' '), other.split(' '))
}

/** The end of a path, or a folder that it lies in. */
function isWithin(part: string, whole: string): boolean {
  const [path = ''] = whole.split(/::|#/)
  const [sought = ''] = part.split(/::|#/)
  return path === sought || path.endsWith(`/${sought}`) || path.startsWith(`${sought}/`)
}

/** A member and its class: `Refund.twice` and `acme.Refund`. */
function sharesOwner(one: string, other: string): boolean {
  const parts = one.split(/::|[.#]/)
  return other.split(/::|[.#]/).some((part) => part.length > 3 && parts.includes(part))
}

/** The same family name, with a first name that begins alike or a title: `Dr. Lima` and `Ana Lima`. */
function isSameName(one: readonly string[], other: readonly string[]): boolean {
  if (one.at(-1) !== other.at(-1))
    return one.every((word) => other.includes(word)) || other.every((word) => one.includes(word))
  const [first = '', second = ''] = [one[0], other[0]]
  return (
    TITLE.test(first) || TITLE.test(second) || first === second || first.length === 1 || second.length === 1
  )
}

function standsIn(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    if (!isWordAt(text, at - 1) && !isWordAt(text, at + value.length)) return true
  }
  return false
}

function isWordAt(text: string, at: number): boolean {
  return /[\p{L}\p{N}_]/u.test(text.charAt(at))
}
