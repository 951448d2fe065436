import type { Clause, Token } from './dispute-clause.ts'
import { isDayIn } from './dispute-dates.ts'
import { isDate, isName, isNumber, type Pair } from './dispute-pair.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

/** What a value is one of; empty: it is none. */
export function sortOf(clause: Clause, token: Token): string {
  const { text, dimension } = token
  if (isDayIn(clause, token)) return 'day'
  if (isDate(token)) {
    if (dimension === 'clock') return 'clock'
    return MONTHS.has(text) ? 'day' : 'weekday'
  }
  // `on Thursday night`
  const day = DAYTIMES.has(text) ? before(clause, token) : undefined
  if (day !== undefined && isDate(day)) return 'daytime'
  if (dimension === 'time' && EVERY.has(before(clause, token)?.text ?? '')) return 'often'
  if (OFTEN.has(text)) return 'often'
  if (isNumber(token)) return `number ${dimension || countedBy(clause, token)}`
  if (!isName(token)) return ''
  if (text.includes('@')) return 'address'
  if (text.includes('/')) return 'path'
  return text.includes('.') ? 'host' : ''
}

function before({ tokens }: Clause, token: Token): Token | undefined {
  return tokens[tokens.indexOf(token) - 1]
}

const EVERY = wordSet('every each alle jede toutes tous cada ogni elke каждые')
const OFTEN = wordSet(
  'hourly nightly daily weekly fortnightly monthly quarterly yearly stündlich täglich wöchentlich monatlich jährlich quotidien hebdomadaire mensuel diario semanal mensual',
)

/** `30 desks`: what a bare number counts. */
function countedBy({ tokens }: Clause, number: Token): string {
  const next = tokens[tokens.indexOf(number) + 1]
  return next?.isContent === true && next.kind === 'word' ? next.key : ''
}

/** `is kept for 30 days` and `now takes 45 minutes`: only one says how much it takes. */
export function takesOther({ earlier, later }: Pair): boolean {
  const [one, other] = [takes(earlier), takes(later)]
  return one !== other && ((one ? later : earlier).classes & W.located) !== 0
}

function takes({ tokens }: Clause): boolean {
  return tokens.some(({ text }) => TAKES.has(text))
}

const TAKES = wordSet(
  'take takes cost costs weigh weighs dauert kostet wiegt coûte dure pèse cuesta dura pesa costa custa kost duurt weegt стоит длится весит',
)

/** Numbers that only one has, and that count one thing here and another there: `30 days`, `5 desks`. */
export function countsOther({ earlier, later, earlierRest, laterRest }: Pair): boolean {
  const [numbers, others] = [earlierRest.filter(isNumber), laterRest.filter(isNumber)]
  if (numbers.length === 0 || others.length === 0) return false
  const sorts = new Set(numbers.map((token) => sortOf(earlier, token)))
  return !others.some((token) => sorts.has(sortOf(later, token)))
}

export function isTime(sort: string): boolean {
  return sort === 'day' || sort === 'weekday' || sort === 'clock' || sort === 'daytime'
}

const MONTHS = wordSet(`
  january february march april june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec januar februar märz mai juni juli
  oktober dezember janvier février mars avril juin juillet août septembre octobre novembre décembre enero febrero marzo abril mayo junio julio agosto septiembre octubre
  noviembre diciembre janeiro fevereiro março maio junho julho setembro outubro novembro dezembro gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre
  januari februari maart mei augustus may января февраля марта апреля мая июня июля августа сентября октября ноября декабря`)

/** Parts of a day, and what is told by them. */
export const DAYTIMES = wordSet(`
  morning mornings afternoon afternoons evening evenings night nights noon midday midnight lunchtime lunch breakfast dinner bedtime weekday weekdays weekend weekends
  morgens vormittag vormittags mittag mittags nachmittag nachmittags abend abends nachts matin midi après-midi soir nuit mañana mediodía tarde noche manhã noite mattina mattino pomeriggio
  sera notte ochtend middag avond утром днём вечером ночью`)
