import { isObject } from '../base/collections.ts'
import { classesOfWord, W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

/** What a record says: its scalar fields by name, lists left out. Empty where its form is not understood. */
export interface RecordText {
  readonly fields: ReadonlyMap<string, string>
}

/** Two records of one thing, and the field in which they differ. */
export interface RecordDispute {
  readonly earlier: string
  readonly later: string
}

const FIELDS_MAX = 64
const DEPTH_MAX = 3
const VALUE_CHARS_MAX = 80
/** A longer text is no record that is read, or of its lines only the first. */
const JSON_CHARS_MAX = 20_000
const LINES_MAX = 80
const FIELD_LINE = /^[\s*•-]*['"]?([\p{L}_][\p{L}\p{N}_ ./-]{0,40}?)['"]?\s*(?::|=|：)\s*(\S.*)$/u
const LOG_LINE =
  /^\W{0,3}\d{4}-\d\d-\d\d|^\[?\d\d:\d\d:\d\d|^(?:not )?ok \d|^\[?(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL)\]? /

/** Names one thing among many of its kind. */
const KEYS = wordSet(`
  id uuid guid key number order order_number reservation booking ticket issue email e_mail mail file filename path url host hostname domain
  domain_name sku isbn iban serial username user_name login flight flight_number account invoice phone test job device sensor
  kunde_nr kundennummer bestellung bestellnummer datei fichier commande archivo pedido correo fattura ordine bestand заказ файл номер почта
  编号 订单号 订单 文件 邮箱 番号 注文番号`)
const NAMES = wordSet(`
  name title subject customer client user person member employee passenger patient guest driver student pupil learner player tenant author product item course kurs cours curso corso cursus
  titel kunde nom titre nombre título cliente nome titolo naam klant имя название клиент imię nazwa ad 名称 姓名 名字 客户 名前 이름`)
/** Differ from one reading to the next. */
const VOLATILE =
  /time|stamp|updated|modified|created|accessed|fetched|last_|size|bytes|count|duration|elapsed|latency|uptime|views|hits|seen|transfers|^seq|revision|etag|hash|checksum|token|url$|^message$|^text$|^body$|^content$|description|comment|note|review|rating|score|difference/
/** A record of something that happened has its own. */
const MOMENT = /time|date|stamp|^from$|^sender$|^sent|received|datum|fecha|дата|日期/

/** `Would you like to go ahead?`, `Please confirm`: what is said before is offered, and not so yet. */
function isOffer(text: string): boolean {
  return OFFER.test(text)
}

/** As `isOffer`, of prose: most asks nothing. */
export function isOfferInProse(text: string): boolean {
  const mayOffer =
    text.includes('?') || text.includes('onfirm') || text.includes('estätigen') || text.includes('одтвердите')
  return mayOffer && isOffer(text)
}

const OFFER =
  /\b(?:please confirm (?:if|whether|that|you|this|these|the above)|confirm (?:if|whether|that you)|would you like (?:me )?to (?:proceed|go ahead|continue|book)|do you (?:want|wish) (?:me )?to|shall (?:i|we)|should i|möchten sie|soll(?:en)? (?:ich|wir)|bitte bestätigen|souhaitez-vous|veuillez confirmer|confirme por favor|por favor,? confirme|deseja que|vuole che|wilt u dat)\b|¿(?:desea|quiere)|хотите ли|подтвердите/iu

/** Reads a text that is a record: JSON, a table, lines of `key: value`, or a log; null for prose. Linear. */
export function readRecord(text: string): RecordText | null {
  const record = recordIn(text)
  // An offer in the form of a record names nothing that is so.
  return record !== null && record.fields.size > 0 && isOffer(text) ? EMPTY : record
}

function recordIn(text: string): RecordText | null {
  const head = text.trimStart().charAt(0)
  if (head === '{' || head === '[') {
    const fields = jsonFields(text)
    if (fields !== null) return { fields }
    if (/["']\s*:/.test(text.slice(0, 2_000))) return EMPTY
  }
  if (/^["']?\s*[{[]\s*["'{]/.test(text.slice(0, 40))) return EMPTY
  return lineFields(text)
}

/** Whether two records are of the same thing and differ in another field. */
export function recordDispute(earlier: RecordText, later: RecordText): RecordDispute | null {
  if (!isSameThing(earlier.fields, later.fields) || isAnother(earlier.fields, later.fields)) return null
  for (const [key, value] of later.fields) {
    const before = earlier.fields.get(key)
    if (before === undefined || before === value || isNaming(key) || VOLATILE.test(key)) continue
    if (before.length > VALUE_CHARS_MAX || value.length > VALUE_CHARS_MAX) continue
    if (isNull(before) || isNull(value) || isRestated(before, value)) continue
    return { earlier: `${key}: ${before}`, later: `${key}: ${value}` }
  }
  return null
}

/** Of another day or number, and otherwise in something else: what happens again. */
function isAnother(earlier: ReadonlyMap<string, string>, later: ReadonlyMap<string, string>): boolean {
  const common = [...later.keys()].filter((key) => earlier.has(key))
  const differing = common.filter((key) => earlier.get(key) !== later.get(key))
  if (differing.length < 2) return false
  // A patient, and all of two visits.
  const told = common.filter((key) => !isNaming(key))
  const isNamedOnly = !common.some(isKey)
  if (told.length > 2 && differing.length === told.length && isNamedOnly) return true
  return differing.some((key) => {
    const [one, other] = [earlier.get(key) ?? '', later.get(key) ?? '']
    // `Counted: 236`, `Borrowed: 7 May`
    const isMoment =
      (classesOfWord(lastPart(key)) & W.reading) !== 0 || (isNamedOnly && namesDay(one) && namesDay(other))
    return isMoment || DAY.test(key) || isOtherCode(one, other)
  })
}

function namesDay(value: string): boolean {
  return ISO_DAY.test(value) || (/\d/.test(value) && value.split(/[^\p{L}]+/u).some(isOfDate))
}

const ISO_DAY = /^\d{4}-\d\d-\d\d/

function isOfDate(word: string): boolean {
  return (classesOfWord(word.toLowerCase()) & W.date) !== 0
}

/** `F-12` and `F-13`: each of a series names a thing of its own. */
function isOtherCode(one: string, other: string): boolean {
  const [series, otherSeries] = [CODE.exec(one)?.[1], CODE.exec(other)?.[1]]
  return series !== undefined && series === otherSeries
}

const CODE = /^(\p{L}{1,6}-)\d+$/u

const DAY =
  /^(?:day|date|visit|appointment|session|checkup|besuch|termin|visite|visita|cita|consulta|tag|datum|jour|fecha|día|data|giorno|dag|дата|日期)$/i

/** By what a record names its thing, as `key: value`: two records of one thing share one of these. */
export function namesOf({ fields }: RecordText): readonly string[] {
  return [...fields].filter(([key]) => isNaming(key)).map(([key, value]) => `${key}: ${normalise(value)}`)
}

const EMPTY: RecordText = { fields: new Map() }

function isNull(value: string): boolean {
  return (
    value === '' ||
    value === 'null' ||
    value === 'none' ||
    value === 'None' ||
    value === 'n/a' ||
    value === '-'
  )
}

function normalise(value: string): string {
  const plain = value.toLowerCase().replace(/^["']|["',;.]+$/g, '')
  return /^-?\d+\.\d+$/.test(plain) ? String(Number(plain)) : plain
}

/** Two spellings of one value: `Card` and `Card (ending in 4410)`, `0 in all, 0 paid` and `0 bags`. */
function isRestated(before: string, value: string): boolean {
  const [one, other] = [normalise(before), normalise(value)]
  if (plainWords(one) === plainWords(other)) return true
  const [answer] = ANSWER.exec(one) ?? []
  if (answer !== undefined) return ANSWER.exec(other)?.[0] === answer
  const amount = onlyNumber(one)
  return amount !== null && amount === onlyNumber(other)
}

/** `No` and `No, thank you` are one answer. */
const ANSWER = /^(?:yes|no|ja|nein|oui|non|sí|sim|não|да|нет)(?![\p{L}\p{N}])/u

/** Without a remark in brackets at the end, and `one-way` as `one way`. */
function plainWords(value: string): string {
  const at = value.indexOf(' (')
  const said = at > 0 && value.endsWith(')') ? value.slice(0, at) : value
  return said.replace(/(?<=\p{L})[-_ ]+(?=\p{L})/gu, ' ')
}

/** The number that a value begins with, when it holds no other and no date. */
function onlyNumber(value: string): string | null {
  const [first, ...more] = value.match(/\d+(?:[.,]\d+)*/g) ?? []
  if (first === undefined || !value.startsWith(first) || more.some((number) => number !== first)) return null
  return value.split(/[^\p{L}]+/u).some(isOfDate) ? null : first
}

/** Where a trip goes from and to: of another route it is another trip, though ids are used again. */
const ROUTE = ['origin', 'destination', 'route'] as const

/** `Flight 12 from Oslo to Bergen`: where it goes, whatever else the value says. */
function routeIn(value: string): string {
  const [, from, to] = VIA.exec(value) ?? []
  return from === undefined || to === undefined ? '' : `${from} ${to}`
}

const VIA = /\bfrom (\p{Lu}[\p{L}\p{N}-]*) to (\p{Lu}[\p{L}\p{N}-]*)/u

/** Who takes part in something, or made it, names it not: he has several. */
const PEOPLE = wordSet(`
  passenger guest attendee passagier gast passager passagère invité pasajero huésped passageiro hóspede passeggero ospite author assignee reporter reviewer autor autorin auteur
  auteure autora autore автор`)

/** All naming fields of both agree; a name is enough only for what has neither key nor moment. */
function isSameThing(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  for (const end of ROUTE) {
    const [from, to] = [a.get(end), b.get(end)]
    if (from !== undefined && to !== undefined && normalise(from) !== normalise(to)) return false
  }
  for (const [key, value] of a) {
    const [way, other] = [routeIn(value), routeIn(b.get(key) ?? '')]
    if (way !== '' && other !== '' && way !== other) return false
  }
  let keys = 0
  let names = 0
  for (const [key, value] of a) {
    if (!isNaming(key)) continue
    const other = b.get(key)
    if (other === undefined) {
      if (isKey(key)) return false
      continue
    }
    if (normalise(other) !== normalise(value)) return false
    if (isKey(key)) keys += 1
    else if (!PEOPLE.has(lastPart(key))) names += 1
  }
  for (const key of b.keys()) if (isKey(key) && !a.has(key)) return false
  if (keys > 0) return true
  // `offer: 257113` is a key, whatever it is called.
  for (const [key, value] of a) if (isNumbered(value, b.get(key))) return false
  return names > 0 && ![...a.keys(), ...b.keys()].some((key) => MOMENT.test(key))
}

/** Whether two values differ that are made like keys: `LK-770`, `257113`. */
function isNumbered(value: string, other: string | undefined): boolean {
  if (other === undefined || normalise(other) === normalise(value)) return false
  return NUMBERED.test(value) && NUMBERED.test(other)
}

const NUMBERED = /^#?(?:\p{L}{1,6}[-_/]?\d{2,}|\d{5,})(?:[-_/]\w+)*$/u

function isNaming(key: string): boolean {
  return isKey(key) || NAMES.has(lastPart(key)) || /(?:^|_)names?$/.test(key)
}

function isKey(key: string): boolean {
  if (key.includes('.')) return false
  return KEYS.has(key) || /(?:^|_)(?:id|uuid|nr|no)$/.test(key)
}

function lastPart(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1)
}

/** `orderId`, `Order ID` and `order_id` are one key. */
function keyOf(raw: string): string {
  return raw
    .trim()
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
    .replace(/^_+|_+$/g, '')
}

function lineFields(text: string): RecordText | null {
  if (!text.includes('\n') && !/[:=|：]/.test(text) && !/^\W{0,3}\d/.test(text) && !LOG_LINE.test(text))
    return null
  const lines = text
    .split('\n', LINES_MAX)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const [first = ''] = lines
  if (LOG_LINE.test(first)) return EMPTY
  if (lines.length === 1) return inlineFields(first)
  let rows = 0
  const fields = new Map<string, string>()
  let isRepeated = false
  for (const line of lines) {
    if ((line.match(/[|\t]/g) ?? []).length >= 2) rows += 1
    const parts = FIELD_LINE.exec(line)
    const key = parts?.[1]
    const value = parts?.[2]
    if (key === undefined || value === undefined || key.trim().split(' ').length > 4) continue
    if (value.length > 200 && value.includes('. ')) continue
    rows += 1
    const name = keyOf(key)
    if (fields.has(name)) isRepeated = true
    else if (fields.size < FIELDS_MAX) fields.set(name, value.replace(/^\*+\s*/, ''))
  }
  if (rows * 2 < lines.length) return null
  // A list of records is no record: whose fields they are is not known.
  return isRepeated || fields.size < 2 ? EMPTY : { fields }
}

/** `id: 4, status: open, seats: 12` in one line; cells between bars. */
function inlineFields(line: string): RecordText | null {
  if ((line.match(/\|/g) ?? []).length >= 2) return EMPTY
  const parts = line.split(/[,;]\s+/)
  if (parts.length < 2) return null
  const fields = new Map<string, string>()
  for (const part of parts) {
    const [, key, value] = FIELD_LINE.exec(part) ?? []
    if (key === undefined || value === undefined || key.trim().split(' ').length > 3) continue
    if (value.split(' ').length > 5) continue
    fields.set(keyOf(key), value)
  }
  return fields.size >= 2 && fields.size * 2 > parts.length ? { fields } : null
}

function jsonFields(text: string): ReadonlyMap<string, string> | null {
  if (text.length > JSON_CHARS_MAX) return new Map()
  const fields = new Map<string, string>()
  try {
    let value: unknown = JSON.parse(text)
    // `{"order": {…}}` wraps one record.
    while (isObject(value)) {
      const inner: readonly unknown[] = Object.values(value)
      if (inner.length !== 1 || !isObject(inner[0])) break
      value = inner[0]
    }
    if (isObject(value)) addFields(fields, value, '', 1)
  } catch {
    return null
  }
  return fields
}

function addFields(
  fields: Map<string, string>,
  object: Readonly<Record<string, unknown>>,
  prefix: string,
  depth: number,
): void {
  for (const [name, value] of Object.entries(object)) {
    if (fields.size >= FIELDS_MAX) return
    const key = prefix + keyOf(name)
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      fields.set(key, String(value).trim())
    else if (isObject(value) && depth < DEPTH_MAX) addFields(fields, value, `${key}.`, depth + 1)
  }
}
