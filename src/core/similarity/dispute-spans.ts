import { ONE, type Token, tokenOf, tokenWith, valueInfo } from './dispute-clause.ts'
import { M } from './dispute-lexicon.ts'
import { W } from './dispute-words.ts'
import { withUnit, wordSet } from './fact-words.ts'

/** Between the ends of a span and between the members of a list, in the key of the one token that they become. */
const TO = ' .. '
const AND = ' + '

/**
 * `from 8 to 12`, `Mon-Fri`, `Tuesdays and Thursdays`: one value each, and so one token. Not where something leads from
 * one value to the next: `was moved from Monday to Thursday`. The first of two numbers has the unit of the second.
 */
export function withSpans(all: readonly Token[]): readonly Token[] {
  const read = all.some((_, at) => isOneAt(all, at)) ? withOnes(all) : all
  let values = 0
  for (const token of read) if (isValue(token)) values += 1
  if (values < 2) return read
  const tokens = read.map((token, at) => inUnitOf(token, read[at + 1], read[at + 2]))
  return tokens.some(isLeading) ? tokens : joined(tokens)
}

function withOnes(tokens: readonly Token[]): readonly Token[] {
  return tokens.flatMap((token, at) => {
    if (isOneAt(tokens, at)) return at === 0 ? [tokenOf('one', ONE, 'number', token.isQuoted)] : []
    const unit = at > 1 && isOneAt(tokens, at - 1) ? withUnit(BARE_ONE, token.text) : null
    if (unit === null) return [token]
    return [
      tokenOf(`1 ${token.text}`, valueInfo(`= ${unit.key}`), 'number', token.isQuoted, false, unit.dimension),
    ]
  })
}

/** `is valid for a day`, not `twice a day`: one of the unit; `One guide is enough`, not `One of the guides`. */
function isOneAt(tokens: readonly Token[], at: number): boolean {
  const { text = '', classes = 0 } = tokens[at] ?? {}
  const next = tokens[at + 1]
  if (at === 0) return text === 'one' && next?.isContent === true && next.kind === 'word'
  if ((classes & W.article) === 0 || next === undefined || !LASTS.has(tokens[at - 1]?.text ?? ''))
    return false
  return ONES.has(text) && withUnit(BARE_ONE, next.text) !== null
}

const BARE_ONE = { key: '1', dimension: '' }
const ONES = wordSet('a an einen eine einem einer une un uma um una een')
const LASTS = wordSet(
  'for within after lasts last takes take dauert nach für binnen dure après pendant dura após después dopo duurt na',
)

/** What became otherwise leads from one value to another. */
function isLeading({ text, classes, marks }: Token): boolean {
  return (classes & (W.change | W.gone | W.correction)) !== 0 || (marks & M.news) !== 0 || GOES.has(text)
}

const GOES = wordSet(
  `-> went goes gone going rose rises rising fell falls up down jumped steigt stieg gestiegen sinkt sank fiel geht ging gesunken passe passa passou pasó sube subió baja bajó sobe subiu
   baixou monte descend sale scende aumenta gaat ging stijgt daalt вырос выросла снизился снизилась`,
)

/** `5 to 10 seconds`: the 5 counts seconds. */
function inUnitOf(first: Token, between: Token | undefined, last: Token | undefined): Token {
  if (first.kind !== 'number' || last?.kind !== 'number' || between === undefined) return first
  if (first.dimension !== '' || last.dimension === '') return first
  if (!isTo(between) && (between.classes & W.to) === 0) return first
  const [, amount = '', unit = ''] = AMOUNT.exec(last.key) ?? []
  const factor = Number(amount) / Number(last.text)
  const value = Number((Number(first.text) * factor).toPrecision(12))
  return Number.isNaN(value)
    ? first
    : tokenWith(first, { key: `= ${value}${unit}`, dimension: last.dimension })
}

const AMOUNT = /^= (-?\d+(?:\.\d+)?)( .*)?$/

function joined(tokens: readonly Token[]): readonly Token[] {
  const made: Token[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === undefined) break
    const start = isFrom(token) ? at + 1 : at
    const end = spanEnd(tokens, start)
    if (end < 0) made.push(token)
    else {
      made.push(spanOf(tokens.slice(start, end)))
      at = end - 1
    }
  }
  return made
}

/** Between the ends of a span that was written with a dash. */
export const SPAN_TO = tokenOf('to', { key: 'to', classes: W.to, marks: 0, isContent: false }, 'word', false)

/** Of `8-12` and `8:00-12:00` where the dash stands; -1 of a score, a date and other names. */
export function dashOfSpan(word: string): number {
  const [, from, to] = SPAN.exec(word) ?? []
  if (from === undefined || to === undefined) return -1
  return from.includes(':') || Number(from) < Number(to) ? from.length : -1
}

const SPAN = /^(\d{1,2}(?::\d\d)?)-(\d{1,2}(?::\d\d)?)$/

export function isValue({ kind, classes, isQuoted }: Token): boolean {
  return !isQuoted && (kind === 'number' || (kind === 'word' && (classes & W.date) !== 0))
}

function isFrom({ classes, kind }: Token): boolean {
  return kind === 'word' && (classes & W.from) !== 0
}

/** Behind the last token of the span that begins here, -1 where none does. */
function spanEnd(tokens: readonly Token[], start: number): number {
  const first = tokens[start]
  if (first === undefined || !isValue(first)) return -1
  return first.kind === 'number' ? numbersEnd(tokens, start, first) : daysEnd(tokens, start)
}

function numbersEnd(tokens: readonly Token[], start: number, first: Token): number {
  const last = tokens[start + 2]
  if (!isTo(tokens[start + 1]) || last === undefined || last.kind !== 'number' || last.key === first.key)
    return -1
  return first.dimension === '' || first.dimension === last.dimension ? start + 3 : -1
}

/** Days, each perhaps with a part of it: two days or more. */
function daysEnd(tokens: readonly Token[], start: number): number {
  let days = 0
  let end = -1
  for (let at = start; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === undefined) break
    if (isDay(token)) days += 1
    else if (!isPartOfDay(token)) {
      if (!isTo(token) && !isAnd(token) && !EACH.has(token.text)) break
      continue
    }
    if (days > 1) end = at + 1
  }
  return end
}

function spanOf(tokens: readonly Token[]): Token {
  let key = ''
  let sign = ''
  for (const token of tokens) {
    if (isTo(token)) sign = TO
    else if (isAnd(token)) sign = AND
    else if (!EACH.has(token.text)) {
      // `Mon-Fri` is read without its sign.
      const between = sign === '' && isDay(token) ? TO : sign === '' ? ' ' : sign
      key += key === '' ? token.key : between + token.key.replace('= ', '')
      sign = ''
    }
  }
  const last = tokens.at(-1) as Token
  return tokenWith(last, {
    text: key,
    key,
    classes: last.kind === 'word' ? W.date : last.classes & W.date,
  })
}

/** Whether a token is a span or a list that `withSpans` made. */
export function isSpan({ key }: Token): boolean {
  return key.includes(TO) || key.includes(AND)
}

/** `Tuesday` of `Tuesday and Thursday`: the one may be said beside the other. */
export function isWithinList(one: Token, other: Token): boolean {
  const members = other.key.split(AND)
  return one.key.split(AND).every((member) => members.includes(member))
}

/** Leads from one end of a span to the other, or from one value to the next. */
export function isTo(token: Token | undefined): boolean {
  return token !== undefined && TOS.has(token.text)
}

function isAnd({ marks }: Token): boolean {
  return (marks & M.and) !== 0
}

function isDay({ key, kind, isQuoted }: Token): boolean {
  return kind === 'word' && !isQuoted && DAYS.has(key)
}

function isPartOfDay({ text }: Token): boolean {
  return PARTS.has(text)
}

const TOS = wordSet('to till until through thru bis à au al até tot до по')
const EACH = wordSet('all every each on alle jeden chaque le les cada todos os los')
const PARTS = wordSet(
  `morning mornings afternoon afternoons evening evenings noon vormittag nachmittag abend vormittags nachmittags abends matin après-midi soir mañana tarde noche
   manhã noite mattina pomeriggio sera ochtend middag avond утром вечером`,
)
const DAYS = wordSet(
  `monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun montag dienstag mittwoch donnerstag freitag samstag sonntag sonnabend
   montags dienstags mittwochs donnerstags freitags samstags sonntags lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles
   jueves viernes sábado domingo segunda terça quarta quinta sexta lunedì martedì mercoledì giovedì venerdì sabato domenica maandag dinsdag woensdag donderdag
   vrijdag zaterdag zondag понедельник вторник среду среда четверг пятница пятницу суббота субботу воскресенье`,
)
