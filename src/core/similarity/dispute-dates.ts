import type { Clause, Token } from './dispute-clause.ts'
import { isDate, type Pair } from './dispute-pair.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

/** Only dates differ, of something that is planned or has one date. */
export function differsInDate({ earlier, later, earlierRest, laterRest, shared, hasCue }: Pair): boolean {
  if (earlierRest.length === 0 || laterRest.length === 0 || shared.length === 0) return false
  // `the visit of the plumber was moved`: what was moved has a word of its own.
  const dates = hasCue ? laterRest.filter((token) => isDateText(later, [token])) : laterRest
  if (dates.length === 0 || laterRest.length - dates.length > 1) return false
  if (!isDateText(earlier, earlierRest) || !isDateText(later, dates)) return false
  if (earlier.isNegated !== later.isNegated) return false
  return isPlanned(earlier, earlierRest) && (isPlanned(later, dates) || hasCue)
}

/** The date is the value, not the subject: it follows `is`, `ends`, `planned`. */
function isPlanned({ tokens }: Clause, rest: readonly Token[]): boolean {
  const plan = tokens.findIndex(
    ({ classes, text }) => (classes & (W.plan | W.copula)) !== 0 || RECURS.has(text),
  )
  return plan >= 0 && rest.every((token) => tokens.indexOf(token) > plan || (token.classes & W.plan) !== 0)
}

/** What happens again and again, at a time that it has. */
const RECURS = wordSet(`
  run runs meet meets happen happens occur occurs läuft laufen trifft treffen erscheint tourne réunit réunissent fait ejecuta ejecutan
  reúne reúnen roda reúnem gira riunisce riuniscono draait vergadert работает проходит проходят działa spotyka 行います 運行 执行 执行在 举行`)

function isDateText(clause: Clause, tokens: readonly Token[]): boolean {
  return tokens.every((token) => isDate(token) || isDayIn(clause, token))
}

/** A number beside a month is a day or a year. */
export function isDayIn({ tokens }: Clause, token: Token): boolean {
  if (!isDayNumber(token)) return false
  const at = tokens.indexOf(token)
  return [tokens[at - 2], tokens[at - 1], tokens[at + 1]].some((near) => near !== undefined && isDate(near))
}

function isDayNumber(token: Token): boolean {
  return token.kind === 'number' && token.dimension === '' && /^\d{1,4}$/.test(token.text)
}
