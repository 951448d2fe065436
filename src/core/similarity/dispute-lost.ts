import type { Clause, Token } from './dispute-clause.ts'
import { US } from './dispute-news.ts'
import { isDate, isNumber, type Pair } from './dispute-pair.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// What is told of one thing alone: `we cancelled Kestrel`, `the contract with Kestrel ran out`.

/** Says of nothing else that it is no more, and not where or for whom; of a contract it may say when. */
export function isAllOf({ tokens, goneAt }: Clause, lost: readonly Token[]): boolean {
  // `A Kestrel subscription`: one of several
  if (((tokens[0]?.classes ?? 0) & W.indefinite) !== 0) return false
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
  const leadAt = tokens.findLastIndex(
    ({ classes: own, hasCapital }, place) =>
      place < at && !hasCapital && (own & (W.article | W.placing)) !== W.article,
  )
  const lead = tokens[leadAt]
  if (lead === undefined) return false
  if ((lead.classes & W.copula) !== 0)
    return (classes & W.role) !== 0 && !tokens.some(({ text }) => STAYS.has(text))
  // `The walk through Oslo is long`, `the museum in Rome is open`
  if (tokens.some((token, place) => place > at && (token.classes & W.copula) !== 0)) return false
  if (tokens.some(({ text }) => TRAVELS.has(text))) return false
  if ((DONE_BY.has(lead.text) && lead.text !== 'by') || USING.has(lead.text)) return true
  const told = doneIn(tokens, leadAt)
  if (told === null) return false
  if (lead.text === 'by' || (lead.classes & W.means) !== 0)
    return !told.some(({ text }) => MADE.has(text)) && (lead.text !== 'by' || !US.has(tokens[0]?.text ?? ''))
  if ((lead.classes & W.placing) === 0 && !USES.has(lead.text)) return false
  if (lead.text === 'from') return tokens.some(({ text }) => BUYS.has(text))
  return tokens.some(({ text }) => KEPT.has(text) || (lead.text !== 'in' && RUN_ON.has(text)))
}

/** What stands between `is` or `we` and a preposition: `sent` of `is sent to`, nothing of `is in`; null: it does nothing with it. */
function doneIn(tokens: readonly Token[], leadAt: number): readonly Token[] | null {
  const is = tokens.findLastIndex(({ classes }, at) => at < leadAt && (classes & W.copula) !== 0)
  if (is < 0) {
    const isOurs = US.has(tokens[0]?.text ?? '') || tokens.slice(0, leadAt).some(({ text }) => RUNS.has(text))
    return isOurs ? tokens.slice(1, leadAt) : null
  }
  const told = tokens.slice(is + 1, leadAt)
  return told.length > 0 && !told.some(({ classes }) => (classes & W.article) !== 0) ? told : null
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
  if (over < 0 || (tokens[at]?.text === 'plan' && tokens[over]?.text === 'ended')) return []
  // `is to be cancelled`, `had expired`
  if (tokens.slice(at, over).some(({ text }) => OTHER_TENSE.has(text))) return []
  const isWith = WITH.has(tokens[at + 1]?.text ?? '')
  const partner = (isWith ? tokens.slice(at + 2, over) : tokens.slice(0, at)).filter(
    // `the Kestrel Plus subscription`
    ({ isContent, hasCapital }, place) => isContent || (hasCapital && (isWith || place > 0)),
  )
  return partner.every(isOwnName) ? partner : []
}

const RENEWED = wordSet(
  'renewed extended restored verlängert erneuert renouvelé prolongé renovado prorrogado rinnovato prorogato verlengd',
)
const OTHER_TENSE = wordSet('must had gets get to')
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
const USING = wordSet('use uses using')
const RUNS = wordSet('run runs läuft laufen tourne tournent corre corren draait')
/** Those who go through a town have no contract with it. */
const TRAVELS = wordSet(`
  drive drives travel travels walk walks sail sails ride rides flow flows train trains ferry ferries bus buses tram road river route flight way
  fahren fährt führt fließt zug züge fähre weg strecke train roule ligne route tren línea camino treno strada`)
/** What somebody made, or has, stays his own. */
const MADE = wordSet(
  'written painted composed designed built founded drawn directed translated made owned held named loved shared married',
)
const BUYS = wordSet('buy bought order ordered')
/** What is kept in a service, and what runs on one or is sent there. */
const KEPT = wordSet(`
  kept keep stored store saved save tracked track logged recorded archived managed handled gespeichert aufbewahrt abgelegt verwaltet stocké stockés stockée stockées enregistrés guardado guardados salvati
  salvato opgeslagen`)
const RUN_ON = wordSet(`
  sent send written write copied uploaded pushed shipped exported published hosted host run runs built deployed gesendet geschickt gehostet läuft laufen envoyé envoyés envoyées hébergé hébergée enviado enviados alojado inviati inviato verstuurd`)
/** Who has retired may still be so. */
const STAYS = wordSet('owner former previous eldest oldest first')
export const USES = wordSet('on onto into to from against use uses using')

/** It is not so yet, or not known to be. */
export const NOT_YET = wordSet(
  'can cannot will would should could may might if when once unless until never tomorrow soon wird werden sera será',
)
