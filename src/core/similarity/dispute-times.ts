import { type Token, tokenWith } from './dispute-clause.ts'
import { infoOf } from './dispute-lexicon.ts'
import { W } from './dispute-words.ts'
import { withUnit, wordSet } from './fact-words.ts'

// Times, dates, money and amounts, written in one way whatever language they come from.

/** Writes the values of a statement in one way; its words are English already, those that are known. */
export function withPlainValues(tokens: readonly Token[], isEnglish: boolean): readonly Token[] {
  if (!tokens.some(({ kind }) => kind === 'number' || kind === 'id')) return tokens
  const plain: Token[] = []
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at]
    if (token === undefined) break
    const found =
      token.kind === 'number' || token.kind === 'id' ? valueAt(tokens, at, plain.at(-1), isEnglish) : null
    plain.push(...(found?.tokens ?? [token]))
    at += found?.size ?? 1
  }
  return plain
}

/** Whether an English value may be written in another way than it is. */
export function mayBeWritten(tokens: readonly Token[], at: number): boolean {
  return valueAt(tokens, at, tokens[at - 1], true) !== null
}

interface Value {
  readonly tokens: readonly Token[]
  /** Tokens in whose place they stand. */
  readonly size: number
}

function valueAt(
  tokens: readonly Token[],
  at: number,
  before: Token | undefined,
  isEnglish: boolean,
): Value | null {
  const token = tokens[at]
  if (token === undefined) return null
  const next = tokens[at + 1]
  const found = clockAt(token, before, next) ?? dateAt(token, next)
  if (found !== null || token.kind === 'id') return found
  const joined = isEnglish ? null : thousandsAt(token, next)
  const number = joined?.tokens[0] ?? token
  const size = joined?.size ?? 1
  const money = moneyAt(number, before, tokens[at + size])
  if (money !== null) return { tokens: [money.token], size: size + money.behind }
  const unit = number.dimension === '' ? tokens[at + size] : undefined
  const quantity =
    unit?.kind === 'word' ? withUnit({ key: number.key.slice(2), dimension: '' }, unit.text) : null
  if (quantity === null) return joined
  return {
    tokens: [tokenWith(number, { key: `= ${quantity.key}`, dimension: quantity.dimension })],
    size: size + 1,
  }
}

const CLOCK = /^(\d{1,2})(?:[:h.](\d\d)|h)?$/
const HOUR_WORDS = wordSet("uhr uur o'clock oclock h hrs 点 時 时 часов час")
const HOURS = wordSet('hour hours')
const AT = wordSet('at um à às as alle om las в ore ab')

/** `14 Uhr`, `2 pm`, `14h30`, `à 14 heures`: an hour of the day. */
function clockAt(token: Token, before: Token | undefined, next: Token | undefined): Value | null {
  const [, digits = '', minutes] = CLOCK.exec(token.text) ?? []
  const hour = Number(digits)
  if (digits === '' || hour > 24) return null
  const isHours = token.dimension === 'time' && token.key === `= ${hour * 3_600_000} time`
  if (token.dimension !== '' && token.dimension !== 'clock' && !isHours && !/[h.]/.test(token.text))
    return null
  const half = next?.text === 'am' || next?.text === 'pm' ? next.text : ''
  const isWritten = token.dimension === 'clock' || /^\d+h\d\d$/.test(token.text)
  const isAfterAt = AT.has(before?.text ?? '')
  const hasWord =
    half !== '' || HOUR_WORDS.has(next?.text ?? '') || (isAfterAt && HOURS.has(next?.text ?? ''))
  const isAt = isAfterAt && (minutes === undefined || isWritten)
  if (!isWritten && !hasWord && !(isAt && (isHours || next?.isContent !== true || next.kind === 'number')))
    return null
  const full = half === 'pm' && hour < 12 ? hour + 12 : hour
  const text = `${full}:${minutes ?? '00'}`
  const clock = tokenWith(token, {
    text,
    key: `= ${text}`,
    kind: 'number',
    dimension: 'clock',
    classes: W.date,
  })
  return { tokens: [clock], size: hasWord ? 2 : 1 }
}

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
)
const DOTTED_DATE = /^(\d{1,2})\.(\d{1,2})\.(\d{4})?$/
const ISO_DATE = /^(\d{4})-(\d\d)-(\d\d)$/
const MONTH_SIGNS = wordSet('月')
const DAY_SIGNS = wordSet('日 号')

/** `12.05.2026`, `5月12日`: a day and the name of its month. */
function dateAt(token: Token, next: Token | undefined): Value | null {
  const [, day = '', month = '', year = ''] = DOTTED_DATE.exec(token.text) ?? []
  const [, isoYear = '', isoMonth = '', isoDay = ''] = ISO_DATE.exec(token.text) ?? []
  const name = MONTHS[Number(month || isoMonth) - 1]
  if (name !== undefined) {
    const numbers = [day || isoDay, year || isoYear].filter((digits) => digits !== '')
    const [first, ...rest] = numbers.map((digits) => bare(token, String(Number(digits))))
    return first === undefined ? null : { tokens: [first, monthOf(token, name), ...rest], size: 1 }
  }
  if (!/^\d{1,2}$/.test(token.text)) return null
  const named = MONTH_SIGNS.has(next?.text ?? '') ? MONTHS[Number(token.text) - 1] : undefined
  if (named !== undefined) return { tokens: [monthOf(token, named)], size: 2 }
  return DAY_SIGNS.has(next?.text ?? '') ? { tokens: [bare(token, token.text)], size: 2 } : null
}

function bare(token: Token, digits: string): Token {
  return tokenWith(token, {
    text: digits,
    key: `= ${digits}`,
    kind: 'number',
    dimension: '',
    classes: 0,
  })
}

/** The name of a month; `may` is one only where it has a capital. */
export function monthOf(token: Token, name: string): Token {
  const { key, classes } = infoOf(name)
  return tokenWith(token, {
    text: name,
    key,
    kind: 'word',
    dimension: '',
    classes: classes | W.date,
    marks: 0,
    hasCapital: true,
    isContent: true,
  })
}

const DOTTED = /^\d{1,3}(?:\.\d{3})+$/

/** `1.500` and `1 500` are what `1,500` is in English. */
function thousandsAt(token: Token, next: Token | undefined): Value | null {
  if (DOTTED.test(token.text) && token.dimension !== 'version')
    return { tokens: [inNumber(token, token.text.replaceAll('.', ''))], size: 1 }
  if (/^\d{1,3}$/.test(token.text) && next?.kind === 'number' && /^\d{3}$/.test(next.text))
    return { tokens: [inNumber(next, token.text + next.text)], size: 2 }
  return null
}

/** The same with other digits. */
function inNumber(token: Token, digits: string): Token {
  const unit = token.key.split(' ').slice(2).join(' ')
  const known = unit === '' ? null : withUnit({ key: digits, dimension: '' }, unit)
  return tokenWith(token, {
    text: digits,
    key: `= ${known?.key ?? (unit === '' ? digits : `${digits} ${unit}`)}`,
  })
}

const CURRENCIES: readonly (readonly [sign: string, words: ReadonlySet<string>])[] = [
  ['€', wordSet('eur euro euros €')],
  ['$', wordSet('usd dollar dollars dólares dollari $')],
  ['£', wordSet('gbp pound pounds pfund £')],
]

/** `1500 EUR` is what `€1500` is. */
function moneyAt(
  token: Token,
  before: Token | undefined,
  next: Token | undefined,
): { readonly token: Token; readonly behind: number } | null {
  for (const [sign, words] of CURRENCIES) {
    const isBehind = next !== undefined && words.has(next.text)
    if (token.dimension !== sign && !isBehind && !words.has(before?.text ?? '')) continue
    const amount = token.key.split(' ')[1] ?? ''
    return {
      token: tokenWith(token, { key: `= ${amount.replace(/\.0+$/, '')} ${sign}`, dimension: sign }),
      behind: isBehind ? 1 : 0,
    }
  }
  return null
}
