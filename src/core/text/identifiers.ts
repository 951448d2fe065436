import {
  ENGLISH_WORDS,
  FRENCH_WORDS,
  GERMAN_WORDS,
  PORTUGUESE_WORDS,
  SPANISH_WORDS,
} from './everyday-words.ts'
import { CAPITAL, classAt, DIGIT, fold, isWordClass } from './unicode.ts'

/**
 * Whether the spelling at [start, end) can only be meant as a name: a path, symbol, id, version or error code. Prose
 * has compounds too (`well-known`, `and/or`, `YouTube`, `3.5`, `24/7`); they are found whole and in parts but are not
 * exact identifiers.
 */
export function isExactIdentifier(text: string, start: number, end: number): boolean {
  const shape = shapeOf(text, start, end)
  if (shape.underscores + shape.hashes > 0) return true
  if (shape.slashes > 1) return true
  if (shape.slashes === 1) return shape.dots > 0 && shape.letters > 0
  if (shape.dots > 0) return isDottedName(shape)
  if (shape.hyphens > 0) return isHyphenatedName(shape)
  if (shape.digits > 0) return isCode(shape) || isCommitId(text, start, end)
  if (shape.capitals === end - start && SYSTEM_ERRORS.has(text.slice(start, end))) return true
  return shape.humps > 1 || (shape.humps === 1 && classAt(text, start) !== CAPITAL)
}

const COMMIT_CHARS_MIN = 7
const COMMIT_CHARS_MAX = 40
const NINE = 57
const SMALL_A = 97
const SMALL_F = 102

/** Whether it is a commit id, whole or short: 7 to 40 hexadecimal digits, numerals and small letters among them. */
export function isCommitId(text: string, start: number, end: number): boolean {
  if (end - start < COMMIT_CHARS_MIN || end - start > COMMIT_CHARS_MAX) return false
  let numerals = 0
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at)
    if (code <= NINE && classAt(text, at) === DIGIT) numerals += 1
    else if (code < SMALL_A || code > SMALL_F) return false
  }
  return numerals > 0 && numerals < end - start
}

/** Errors and signals of POSIX (<errno.h>, <signal.h>) that programs print: capitals alone do not tell them from a shout. */
const SYSTEM_ERRORS: ReadonlySet<string> = new Set(
  (
    'EACCES EADDRINUSE EADDRNOTAVAIL EAGAIN EALREADY EBADF EBUSY ECANCELED ECONNABORTED ECONNREFUSED ECONNRESET EDEADLK ' +
    'EDESTADDRREQ EDQUOT EEXIST EFAULT EFBIG EHOSTDOWN EHOSTUNREACH EILSEQ EINPROGRESS EINTR EINVAL EISCONN EISDIR ELOOP ' +
    'EMFILE EMLINK EMSGSIZE ENAMETOOLONG ENETDOWN ENETRESET ENETUNREACH ENFILE ENOBUFS ENODEV ENOENT ENOEXEC ENOLCK ENOMEM ' +
    'ENOPROTOOPT ENOSPC ENOSYS ENOTCONN ENOTDIR ENOTEMPTY ENOTFOUND ENOTSOCK ENOTSUP EOVERFLOW EPERM EPIPE EPROTO ' +
    'EPROTONOSUPPORT EROFS ESPIPE ESRCH ESTALE ETIMEDOUT ETXTBSY EWOULDBLOCK EXDEV ' +
    'SIGABRT SIGALRM SIGBUS SIGCHLD SIGFPE SIGHUP SIGILL SIGINT SIGKILL SIGPIPE SIGQUIT SIGSEGV SIGSTOP SIGTERM SIGTRAP'
  ).split(' '),
)

interface Shape {
  readonly letters: number
  readonly capitals: number
  readonly digits: number
  /** Changes from a small letter to a capital. */
  readonly humps: number
  readonly underscores: number
  readonly slashes: number
  readonly dots: number
  readonly hyphens: number
  /** `#`, `@`, `::`. */
  readonly hashes: number
  readonly shortestPart: number
}

// `session.ts`, `example.com`, `1.2.3`, `v1.2`; neither `e.g`, `3.5` nor `7.30`.
function isDottedName(shape: Shape): boolean {
  if (shape.letters === 0) return shape.dots > 1
  return shape.shortestPart > 1 || shape.digits > 0
}

// UUIDs, dates, `JIRA-123`, `CVE-2024-1`; neither `long-term` nor `3-year-old`.
function isHyphenatedName(shape: Shape): boolean {
  if (shape.digits === 0) return false
  return (shape.hyphens > 1 && shape.digits > 3) || shape.capitals > 1
}

// `TS2345`, `a1b2c3d4`; neither `5pm` nor `20th`.
function isCode(shape: Shape): boolean {
  if (shape.letters === 0) return false
  return (shape.capitals > 0 && shape.digits > 2) || (shape.digits > 1 && shape.letters + shape.digits > 6)
}

function shapeOf(text: string, start: number, end: number): Shape {
  const seen = { _: 0, '/': 0, '.': 0, '-': 0, other: 0 }
  let letters = 0
  let capitals = 0
  let digits = 0
  let humps = 0
  let part = 0
  let shortestPart = end - start
  for (let at = start; at < end; at += 1) {
    const here = classAt(text, at)
    if (isWordClass(here)) {
      part += 1
      if (here === DIGIT) digits += 1
      else letters += 1
      if (here !== CAPITAL) continue
      capitals += 1
      if (part > 1 && classAt(text, at - 1) !== CAPITAL) humps += 1
      continue
    }
    if (part > 0) shortestPart = Math.min(shortestPart, part)
    part = 0
    const joint = text.charAt(at)
    if (joint === '_' || joint === '/' || joint === '.' || joint === '-') seen[joint] += 1
    else seen.other += 1
  }
  return {
    letters,
    capitals,
    digits,
    humps,
    underscores: seen._,
    slashes: seen['/'],
    dots: seen['.'],
    hyphens: seen['-'],
    hashes: seen.other,
    shortestPart: Math.min(shortestPart, part),
  }
}

// Which single things a text names, so that a record about another one is told from a record about the same.

type EntityKind = 'id' | 'email' | 'path' | 'symbol' | 'ticket' | 'quoted' | 'name'

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
const HAS_DIGIT = /\d/
const PLAIN_WORD = /^[a-zA-Z_@-]+$/
const COMPOUNDS: readonly EntityKind[] = ['id', 'path', 'symbol']

/** What a text names; null when it names nothing. `isWanted`: kinds of which what is named is told; all unless given. */
export function entitiesIn(
  text: string,
  isWanted: (kind: EntityKind) => boolean = () => true,
): Entities | null {
  const found = new Map<EntityKind, Set<string>>()
  const put = (kind: EntityKind, value: string): void => {
    const known = found.get(kind) ?? new Set()
    found.set(kind, known.add(fold(value).toLowerCase()))
  }
  if (isWanted('email') && text.includes('@'))
    for (const email of text.match(EMAIL) ?? []) put('email', email)
  if (isWanted('ticket') && HAS_DIGIT.test(text)) {
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
  return found.size === 0 ? null : new Map([...found].map(([kind, names]) => [kind, [...names]]))
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
  if (kind === 'path') return isWithin(one, other) || isWithin(other, one) || sharesFolder(one, other)
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

/** Files of one folder: `src/refunds/create.ts` and `src/refunds/lock.ts`. One folder deep, as in `src`, lies anything. */
function sharesFolder(one: string, other: string): boolean {
  const folder = one.slice(0, one.lastIndexOf('/') + 1)
  return (
    folder.indexOf('/') < folder.length - 1 && other.startsWith(folder) && !other.includes('/', folder.length)
  )
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
