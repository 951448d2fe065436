import type { Clause, Token } from './dispute-clause.ts'
import { THAN } from './dispute-cues.ts'
import { VERSION_WORDS } from './dispute-lexicon.ts'
import { isNumber, type Pair } from './dispute-pair.ts'
import { isTo, isValue } from './dispute-spans.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// How much: two spellings of one amount, amounts of money, bounds, and what leads from one value to the next.

/** Of one amount two spellings. */
export function isSameAmount(one: Token, other: Token): boolean {
  return isSameSize(one, other) || isSameInThousands(one, other) || isSameShare(one, other)
}

/** `5 %` and `0.05` */
function isSameShare(one: Token, other: Token): boolean {
  const [percent, share] = one.dimension === '%' ? [one, other] : [other, one]
  return percent.dimension === '%' && share.dimension === '' && sizeOf(percent) === 100 * sizeOf(share)
}

/** `2 MB` and `2048 KB`: who writes of thousands may mean 1024 each. */
function isSameSize(one: Token, other: Token): boolean {
  if (one.dimension !== 'size' || other.dimension !== 'size') return false
  const [a, b] = [sizeOf(one), sizeOf(other)]
  const steps = Math.log(a / b) / Math.log(1.024)
  return Math.abs(steps) < 5 && Math.abs(steps - Math.round(steps)) < 1e-6
}

/** `2.000 m` is 2 m to some and 2 km to others. */
function isSameInThousands(one: Token, other: Token): boolean {
  if (one.dimension !== other.dimension || (!DOTTED.test(one.text) && !DOTTED.test(other.text))) return false
  const ratio = sizeOf(one) / sizeOf(other)
  return ratio === 1000 || ratio === 0.001
}

/** `4 weeks` and `3 months`, which are counted in days and in months; but not `4 weeks` and `a month`. */
export function areOtherTimes(one: Token, other: Token): boolean {
  const [months, days] = one.dimension === 'month' ? [one, other] : [other, one]
  if (months.dimension !== 'month' || days.dimension !== 'time') return false
  const ratio = (sizeOf(months) * MONTH_MS) / sizeOf(days)
  return ratio > ROUGHLY || ratio < 1 / ROUGHLY
}

const MONTH_MS = 30.4 * 24 * 3_600_000
/** A month has four weeks, to some. */
const ROUGHLY = 1.15
const DOTTED = /^\d{1,3}\.\d{3}$/

function sizeOf({ key }: Token): number {
  return Number(key.split(' ')[1])
}

/** `40 a month` and `480 a year` are of two periods. */
export function areOfTwoPeriods(earlierRest: readonly Token[], laterRest: readonly Token[]): boolean {
  const [one, other] = [earlierRest.find(isPeriod), laterRest.find(isPeriod)]
  return one !== undefined && other !== undefined && one.key !== other.key
}

function isPeriod({ text }: Token): boolean {
  return PERIODS.has(text)
}

const PERIODS = wordSet(`
  hour day night week month quarter year stunde tag nacht woche monat quartal jahr heure jour nuit semaine mois trimestre an hora día noche semana mes año
  ora giorno notte settimana mese anno dia noite mês ano uur dag nacht week maand kwartaal jaar час день ночь неделю месяц квартал год`)

const CURRENCIES = /^[$€£¥₽]$/
const CURRENCY_CODES = wordSet('eur usd gbp chf jpy cny sek nok dkk pln czk huf rub brl inr cad aud')
const MONEY = wordSet(
  'price cost fee total preis kosten gebühr prix coût precio costo preço custo prezzo prijs цена стоимость',
)

/** `Total: $5` is the total of whatever stood before. */
export function isAmount({ earlier, later, shared }: Pair, number: Token): boolean {
  const isField = [...earlier.tokens, ...later.tokens].some(({ kind }) => kind === 'sign')
  if (isMoney(earlier.tokens, number) && isField && !earlier.tokens.some(({ text }) => SETS.test(text)))
    return true
  const only = earlier.tokens[earlier.content.get(shared[0] ?? '') ?? -1]
  return shared.length === 1 && (isMoney(earlier.tokens, number) || MONEY.has(only?.text ?? ''))
}

/** What is set, and not what something came to: `minimum order value: 40 EUR`. */
const SETS =
  /^(?:min|minimum|minimale?|mínim[oa]|minim[oa]|mindest\p{L}*|max|maximum|maximale?|máxim[oa]|massim[oa]|höchst\p{L}*|limit|limite|límite|cap|threshold|budget|allowance|rate|fee|price|tariff|rent|salary|wage|fare|satz|\p{L}*(?:gebühr|preis|tarif|miete|gehalt|pauschale)|prix|loyer|salaire|precio|tarifa|alquiler|salario|cuota|prezzo|tariffa|affitto|preço|prijs|huur)$/u

export function isMoney(tokens: readonly Token[], number: Token): boolean {
  if (number.kind !== 'number') return false
  const at = tokens.indexOf(number)
  return (
    CURRENCIES.test(number.dimension) ||
    [tokens[at - 1], tokens[at + 1]].some((near) => near !== undefined && CURRENCY_CODES.has(near.text))
  )
}

/** `are at most 2 MB` and `may be up to 5 MB` */
export function areBounds({ earlier, later }: Pair): boolean {
  return [earlier, later].every(({ tokens }) => tokens.some((_, at) => isUpTo(tokens, at)))
}

/** How many words stand beside a number, but for `version` in `is at version 7`. */
export function wordsBeside(rest: readonly Token[]): number {
  return rest.filter(({ text }) => !VERSION_WORDS.has(text)).length - 1
}

/** Says how many there may be. */
export function isBound({ tokens, classes }: Clause): boolean {
  if ((classes & W.measure) !== 0) return true
  return tokens.some((_, at) => isUpTo(tokens, at))
}

/** `up to`, `at most`, `no more than` */
function isUpTo(tokens: readonly Token[], at: number): boolean {
  const [word, before] = [tokens[at]?.text, tokens[at - 1]?.text]
  if (word === 'than') return before === 'more' && tokens[at - 2]?.text === 'no'
  return (word === 'to' && before === 'up') || (word === 'most' && before === 'at')
}

/** `Reorder when fewer than 20 are left` and `… fewer than 45 are left`: word for word the same, of another bound. */
export function isOfOtherBound({ earlier, later, earlierRest, laterRest, texts }: Pair): boolean {
  if (!earlier.isConditional || !later.isConditional) return false
  if (!earlierRest.some(isNumber) || !laterRest.some(isNumber)) return false
  return COMPARING.has(texts.earlier.spelling[texts.onlyOtherAt - 1] ?? '')
}

const COMPARING = new Set([
  ...THAN,
  ...wordSet(
    'above below over under exceeds exceed exceeding reaches least most über unter dépasse dépassent supera superan supere superano',
  ),
])

// From one value to the next.

/** `went from 5 to 10 seconds`, of what was 5 seconds: the later tells from where it leads on. */
export function isLedOn(
  { earlier, later, shared, earlierRest }: Pair,
  isOfSort: (token: Token) => boolean,
): boolean {
  if (earlierRest.length > 1 || earlierRest.some((token) => token.kind !== 'word')) return false
  return hasLead(
    later,
    (from, to) =>
      isOfSort(from) &&
      isOfSort(to) &&
      earlier.content.has(from.key) &&
      !earlier.content.has(to.key) &&
      (shared.some((key) => key !== from.key) || (earlier.classes & later.classes & W.measure) !== 0),
  )
}

/** `went from 2 to 5 seconds`, of what is 5 seconds: the later tells how that came. */
export function isLedHere({ earlier, later }: Pair): boolean {
  return hasLead(later, (from, to) => earlier.content.has(to.key) && !earlier.content.has(from.key))
}

/** `from 5 to 10`: two values of one sort, the one leading to the other, for which something holds. */
function hasLead({ tokens }: Clause, holds: (from: Token, to: Token) => boolean): boolean {
  for (let at = 1; at < tokens.length - 1; at += 1) {
    const [from, between, to] = [tokens[at - 1], tokens[at], tokens[at + 1]]
    if (from === undefined || between === undefined || to === undefined || !isValue(from) || !isValue(to))
      continue
    const isLead = isTo(between) || (between.classes & W.to) !== 0
    if (isLead && from.dimension === to.dimension && holds(from, to)) return true
  }
  return false
}
