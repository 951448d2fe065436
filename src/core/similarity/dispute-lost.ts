import type { Clause, Token } from './dispute-clause.ts'
import { isDate, isNumber, type Pair } from './dispute-pair.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// What is told of one thing alone: `we cancelled Kestrel`, `the contract with Kestrel ran out`.

/** Says of nothing else that it is no more, and not where or for whom; of a contract it may say when. */
export function isAllOf({ tokens, goneAt }: Clause, lost: readonly Token[]): boolean {
  const isContract = tokens.some(({ text }) => CONTRACTS.has(text))
  return tokens.every(
    (token, at) =>
      !token.isContent ||
      at === goneAt ||
      lost.includes(token) ||
      (isContract &&
        (CONTRACTS.has(token.text) || OVER_FOR_GOOD.has(token.text) || isDate(token) || isNumber(token))),
  )
}

/** The contract with whom the earlier names has run out. */
export function isContractOver({ earlier, later }: Pair): boolean {
  const partner = partnerIn(later)
  const isNamed = partner.every(({ key }) => earlier.content.has(key))
  return (
    partner.length > 0 &&
    isNamed &&
    !earlier.isNegated &&
    isAllOf(later, partner) &&
    isHeldBy(earlier, partner)
  )
}

/** `is sent through Kestrel`, `is kept in Kestrel`, `our caterer is Kestrel` */
export function isHeldBy(
  { tokens, content, classes, isPast, isEvent }: Clause,
  lost: readonly Token[],
): boolean {
  if (isPast || isEvent) return false
  const at = content.get(lost[0]?.key ?? '') ?? 0
  // Past names and titles of it: `the Kestrel wind gauge`, `Dr. Lund`.
  const before = tokens
    .slice(0, at)
    .findLast(({ classes: own, hasCapital }) => !hasCapital && (own & (W.article | W.placing)) !== W.article)
  if (before === undefined) return false
  return (
    (before.classes & (W.placing | W.means)) !== 0 ||
    DONE_BY.has(before.text) ||
    USES.has(before.text) ||
    ((before.classes & W.copula) !== 0 && (classes & W.role) !== 0)
  )
}

/** `The Kestrel contract ran out`, `the contract with Kestrel ended on 4 May`: with whom; none: nothing says so. */
export function partnerIn({ tokens, isNegated }: Clause): readonly Token[] {
  const at = tokens.findIndex(({ text }) => CONTRACTS.has(text))
  if (at < 0 || isNegated) return []
  if (
    tokens.some(({ text, classes }) => RENEWED.has(text) || (NOT_YET.has(text) && (classes & W.date) === 0))
  )
    return []
  const over = tokens.findIndex(
    ({ text }, place) =>
      place > at && OVER_FOR_GOOD.has(text) && (text !== 'ran' || tokens[place + 1]?.text === 'out'),
  )
  if (over < 0) return []
  const isWith = WITH.has(tokens[at + 1]?.text ?? '')
  const partner = (isWith ? tokens.slice(at + 2, over) : tokens.slice(0, at)).filter(
    ({ isContent }) => isContent,
  )
  return partner.every(isOwnName) ? partner : []
}

const RENEWED = wordSet(
  'renewed extended restored verlängert erneuert renouvelé prolongé renovado prorrogado rinnovato prorogato verlengd',
)
const WITH = wordSet('with mit bei avec con com met')
const OVER_FOR_GOOD = wordSet(`
  ran ended expired lapsed terminated cancelled ausgelaufen abgelaufen beendet gekündigt résilié terminé expiré terminado vencido cancelado rescindido scaduto disdetto
  beëindigd opgezegd verlopen`)

/** `Our Twilio contract has lapsed`: of what it was about, nothing is done any more. */
export function withoutContract(lost: readonly Token[]): readonly Token[] {
  return lost.length > 1 && CONTRACTS.has(lost.at(-1)?.text ?? '') ? lost.slice(0, -1) : lost
}

const CONTRACTS = wordSet(`
  contract contracts subscription subscriptions account licence license plan vertrag abo abonnement konto lizenz contrat compte contrato suscripción cuenta licencia
  assinatura conta licença contratto abbonamento licenza rekening licentie`)

/** An id, a path, or a word with a capital. */
export function isOwnName(token: Token | undefined): boolean {
  return token !== undefined && (token.kind === 'id' || token.kind === 'name' || token.hasCapital)
}

export const DONE_BY = wordSet('by through via durch über par via por mediante da tramite через')
export const USES = wordSet('on onto into to from against use uses using')

/** It is not so yet, or not known to be. */
export const NOT_YET = wordSet(
  'can cannot will would should could may might if when once unless until never tomorrow soon wird werden sera será',
)
