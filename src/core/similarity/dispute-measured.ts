import { isMoney } from './dispute-amounts.ts'
import type { Clause } from './dispute-clause.ts'
import { ENGLISH_DONE } from './dispute-events.ts'
import { M } from './dispute-lexicon.ts'
import { isNumber } from './dispute-pair.ts'
import type { DisputeReading } from './dispute-reading.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// What was measured or counted, at one moment or another.

/** Whether one of two statements tells what was measured; not where both tell what is set. */
export function areReadings(earlier: Clause, later: Clause): boolean {
  if (isCountedThen(earlier) || isCountedThen(later)) return true
  if (isSet(earlier) && isSet(later)) return false
  return ((earlier.classes | later.classes) & W.reading) !== 0 || isMeasured(earlier) || isMeasured(later)
}

/** A list of what was counted once, or an entry of a log: `Support queue: 214 open, 9 overdue`, `[PAGE] disk at 96 %`. */
export function tellsMoment({ clauses, text }: DisputeReading): boolean {
  return ENTRY.test(text) || clauses.filter(isCount).length > 1
}

const ENTRY = /^\[\p{Lu}{3,}\]/u

function isCount({ tokens }: Clause): boolean {
  const first = tokens[tokens.findIndex(({ kind }) => kind === 'sign') + 1]
  return first !== undefined && (first.kind === 'number' || (first.marks & M.negation) !== 0)
}

/** `mail queue: 37 at 07:00`: how many there were then; but not `standup: 15 minutes at 09:30`, which is so each day. */
function isCountedThen({ tokens }: Clause): boolean {
  const [before, last] = tokens.slice(-2)
  if (last?.dimension !== 'clock' || !AT.has(before?.text ?? '')) return false
  return (
    tokens.some((token) => token !== last && isNumber(token) && token.dimension !== 'time') &&
    tokens.every(
      ({ kind, classes, marks }) => kind === 'sign' || ((classes & W.copula) | (marks & M.present)) === 0,
    )
  )
}

const AT = wordSet('at um à a alle às om в')

/** `Disk at 40 %`, `page loaded in 300 ms`, `payment of 5 EUR`: what it is at or came to, without a verb that says how it is. */
function isMeasured({ tokens, classes, marks }: Clause): boolean {
  // `two seats left`
  const last = tokens.at(-1)
  if (LEFT.has(last?.text ?? '') && tokens.some(isNumber)) return true
  if (tokens.some(({ dimension }) => dimension === 'score')) return true
  if ((classes & W.copula) !== 0 || (marks & M.present) !== 0) return false
  // `two counters open`
  if (tokens[0]?.kind === 'number' && ((last?.marks ?? 0) & (M.rival | M.side)) !== 0) return true
  if (
    TRANSACTIONS.has(tokens[0]?.text ?? '') &&
    (OF.has(tokens[1]?.text ?? '') || tokens[1]?.kind === 'number')
  )
    return true
  // `POS purchase Shell 18.90 USD`
  if (TRANSACTIONS.has(tokens[1]?.text ?? '') && tokens.some((token) => isMoney(tokens, token))) return true
  return tokens.some(({ text }, at) => {
    const next = tokens[at + 1]
    if (next?.kind !== 'number') return false
    const before = tokens[at - 1]
    if (text === 'at') return at <= 2 && before?.isContent === true
    return text === 'in' && ENGLISH_DONE.test(before?.text ?? '')
  })
}

const LEFT = wordSet('left remaining übrig restantes restants rimasti over')
const OF = wordSet('of over von über de di mit bei für')
const TRANSACTIONS = wordSet(`
  output result bid einkauf lieferung donation payment refund transfer charge tip fine reimbursement purchase withdrawal debit deposit recarga retirada ricarica recharge aufladung abbuchung abhebung einzahlung auszahlung lastschrift gutschrift prélèvement cargo abono addebito accredito débito afschrijving списание spende zahlung überweisung erstattung don paiement remboursement
  virement donación pago reembolso transferencia donazione pagamento rimborso bonifico`)

function isSet({ tokens, classes }: Clause): boolean {
  return (
    (classes & W.measure) !== 0 || tokens.some(({ text }) => SET.has(text)) || EACH.has(tokens[0]?.text ?? '')
  )
}

/** What each gets was given to it. */
const EACH = wordSet('each every jeder jede jedes chaque cada ogni elke каждый каждая')
const SET = wordSet(
  'minimum maximum kept set held fixed must shall trips fires triggers gehalten eingestellt réglée réglé maintenue maintenu mantiene fijada mantida impostata установлена',
)
