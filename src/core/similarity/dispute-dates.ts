import type { Clause, Token } from './dispute-clause.ts'
import { isDate, type Pair } from './dispute-pair.ts'
import { beginsDefinite } from './dispute-parts.ts'
import { isSpan, isWithinList } from './dispute-spans.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

/** Only dates differ, of something that is planned or has one date. */
export function differsInDate(pair: Pair): boolean {
  const { earlier, later, earlierRest, laterRest, shared, hasCue } = pair
  if (earlierRest.length === 0 || laterRest.length === 0 || shared.length === 0) return false
  // `the visit of the plumber was moved`: what was moved has a word of its own.
  const dates = hasCue ? laterRest.filter((token) => isDateText(later, [token])) : laterRest
  if (dates.length === 0 || laterRest.length - dates.length > 1) return false
  if (!isDateText(earlier, earlierRest) || !isDateText(later, dates)) return false
  if (earlier.isNegated !== later.isNegated || isSameHour(earlierRest, dates)) return false
  const [week, otherWeek] = [earlierRest.find(isSpan), dates.find(isSpan)]
  const areWeeks = week !== undefined && otherWeek !== undefined
  // `open from Tuesday to Sunday` and `open until 20:00 on Thursdays`
  if (!hasCue && !areWeeks && week !== otherWeek) return false
  // `on Tuesday and Thursday`, and on Saturday, too
  if (!hasCue && areWeeks && (isWithinList(week, otherWeek) || isWithinList(otherWeek, week))) return false
  const isDay =
    laterRest.every(({ kind }) => kind === 'word') &&
    !areWeeks &&
    ![earlierRest, dates].every((rest) => rest.every(isEachWeek))
  // `Yoga is on Monday`: and on other days, too.
  if (isDay && !hasCue && !isOneTime(earlier) && !earlierRest.some(isOrdinal)) return false
  // Who is open on one day is open on others.
  if (isDay && shared.some((key) => isOpening(earlier, key))) return false
  return isPlanned(earlier, earlierRest) && (isPlanned(later, dates) || hasCue)
}

/** `6 pm` and `18:00` */
function isSameHour(one: readonly Token[], other: readonly Token[]): boolean {
  const [a, b] = [minutesOf(one), minutesOf(other)]
  return a >= 0 && a === b
}

/** Of the day; -1: it is no hour. */
function minutesOf([first, half, ...more]: readonly Token[]): number {
  const [, hours, minutes = '0', sign = half?.text ?? ''] = HOUR.exec(first?.text ?? '') ?? []
  if (hours === undefined || more.length > 0 || (half !== undefined && !HALVES.has(half.text))) return -1
  const hour = HALVES.has(sign) ? (Number(hours) % 12) + (sign === 'pm' ? 12 : 0) : Number(hours)
  return hour * 60 + Number(minutes)
}

const HOUR = /^(\d\d?)(?::(\d\d))?(am|pm)?$/
const HALVES = wordSet('am pm')

/** `on Tuesdays` tells of a week as it is. */
function isEachWeek({ text }: Token): boolean {
  return EACH_WEEK.test(text)
}

const EACH_WEEK = /(?:days|tags|dags)$/

/** Of the thing that is named there is one, or it has its day. */
function isOneTime({ tokens, classes }: Clause): boolean {
  if ((classes & W.plan) !== 0 || tokens.some(({ text }) => RECURS.has(text))) return true
  return beginsDefinite(tokens) || tokens[0]?.kind !== 'word' || tokens[1]?.kind === 'id'
}

function isOpening({ tokens, content }: Clause, key: string): boolean {
  const at = content.get(key) ?? -1
  // `the closed session`
  return OPENINGS.has(tokens[at]?.text ?? '') && !(at <= 1 && tokens[at + 1]?.isContent === true)
}

const OPENINGS = wordSet(`
  open opened closed available free offen geöffnet geschlossen frei ouvert ouverte fermé fermée libre abierto abierta cerrado cerrada aberto aberta fechado
  fechada aperto aperta chiuso chiusa gesloten открыт открыта закрыт закрыта`)

/** The date is the value, not the subject: it follows `is`, `ends`, `planned`. */
function isPlanned({ tokens }: Clause, rest: readonly Token[]): boolean {
  const plan = tokens.findIndex(
    ({ classes, text }) => (classes & (W.plan | W.copula | W.prefers)) !== 0 || RECURS.has(text),
  )
  if (plan < 0) return false
  if (rest.every((token) => tokens.indexOf(token) > plan || (token.classes & W.plan) !== 0)) return true
  // `On 3 May the course begins`
  return (
    ON.has(tokens[0]?.text ?? '') &&
    ((tokens[plan]?.classes ?? 0) & W.plan) !== 0 &&
    rest.some(({ kind }) => kind === 'number') &&
    rest.every((token, at) => tokens.indexOf(token) === at + 1)
  )
}

const ON = wordSet('on am le el il op em в')

/** What happens again and again, at a time that it has. */
const RECURS = wordSet(`
  preferred bevorzugter préféré preferido preferida preferito come ship ships закрывается закрываются открывается открываются начинается заканчивается pone sale sort sai esce comes airs air departs depart go goes открыт открыта открыто launch launches run runs meet meets happen happens occur occurs läuft laufen trifft treffen erscheint tourne réunit réunissent fait ejecuta ejecutan
  reúne reúnen roda reúnem gira riunisce riuniscono draait vergadert работает проходит проходят działa spotyka 行います 運行 执行 执行在 举行`)

export function isDateText(clause: Clause, tokens: readonly Token[]): boolean {
  return (
    tokens.some((token) => isDate(token) || isDayIn(clause, token)) &&
    tokens.every((token) => isDate(token) || isDayIn(clause, token) || isOrdinalIn(clause, token))
  )
}

/** `the last Friday`, `the second week of May` */
function isOrdinalIn({ tokens }: Clause, token: Token): boolean {
  const next = tokens[tokens.indexOf(token) + 1]
  return isOrdinal(token) && next !== undefined && (isDate(next) || WEEKS.has(next.text))
}

const WEEKS = wordSet('week weekend half')

/** Tells which of several days. */
export function isOrdinal({ text }: Token): boolean {
  return ORDINALS.has(text)
}

const ORDINALS = wordSet(`
  first second third fourth last erster ersten zweiter zweiten dritter dritten letzter letzten premier deuxième troisième dernier primer primero segundo
  tercer último primo secondo terzo ultimo`)

/** A number beside a month is a day or a year. */
export function isDayIn({ tokens }: Clause, token: Token): boolean {
  if (!isDayNumber(token)) return false
  const at = tokens.indexOf(token)
  const next = DAY_OF.has(tokens[at + 1]?.text ?? '') ? tokens[at + 2] : tokens[at + 1]
  return [tokens[at - 2], tokens[at - 1], next].some((near) => near !== undefined && isDate(near))
}

/** `31 de marzo`, `31 of March` */
const DAY_OF = wordSet('de of di')

function isDayNumber(token: Token): boolean {
  return token.kind === 'number' && token.dimension === '' && /^\d{1,4}$/.test(token.text)
}
