import type { Clause, Token } from './dispute-clause.ts'
import { isDayIn } from './dispute-dates.ts'
import { M } from './dispute-lexicon.ts'
import { isToldOf } from './dispute-news.ts'
import { isDate, isName, isSwitch, type Pair } from './dispute-pair.ts'
import { rivalry } from './dispute-rivals.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// The earlier tells how something is, the later what was done to it: `is open` and `was closed on Friday`.

/** What the earlier may tell of the thing that the later leaves out: `feature flag`, `for everyone`. */
const UNNAMED_MAX = 3
/** What the later may tell beside the thing: what was done, when, and for whom. */
export const DONE_REST_MAX = 4

/** `Ticket 12 is open` and `Ticket 12 was closed yesterday`; `The flag beta is off` and `beta was turned on`. */
export function isTurned(pair: Pair): boolean {
  const { earlier, later, shared, earlierRest, laterRest } = pair
  if (
    earlier.isNegated ||
    later.isNegated ||
    earlier.isList ||
    earlier.isConditional ||
    later.isConditional ||
    earlier.isPast ||
    earlier.isEvent
  )
    return false
  if (later.content.size - shared.length > DONE_REST_MAX || !isToldOf(pair)) return false
  const done = later.tokens[doneAt(later)]
  const is = earlier.tokens.findIndex(({ classes }) => (classes & W.copula) !== 0)
  if (done === undefined || is < 1) return false
  const states = earlier.tokens.slice(is + 1).filter((token) => excludes(token, done))
  if (states.length === 0 || !isOfOneThing(earlier, shared, done)) return false
  if (earlierRest.filter((token) => !states.includes(token)).length > UNNAMED_MAX) return false
  return laterRest.every(
    (token) => token === done || isAside(later, token) || states.some((one) => excludes(one, token)),
  )
}

/** Where the later says what was done: behind `was` and `has been`. -1: nowhere. */
function doneAt({ tokens }: Clause): number {
  return tokens.findIndex(({ text, marks }, at) => {
    if ((marks & M.rival) === 0 && text !== 'on' && text !== 'off' && !isSwitch(text)) return false
    const back = TURNS.has(tokens[at - 1]?.text ?? '') ? 2 : 1
    if (back === 1 && !DONE.test(text)) return false
    return WAS.has(tokens[at - back]?.text ?? '') && (back === 2 || !SIDES.has(text))
  })
}

/** Whether a statement may tell what was done to something. */
export function mayBeTurned(clause: Clause): boolean {
  return doneAt(clause) >= 0
}

function excludes(state: Token, done: Token): boolean {
  if (SIDES.has(state.text) || SIDES.has(done.text))
    return SIDES.has(state.text) && SIDES.has(done.text) && state.text !== done.text
  return rivalry(state.text, done.text) === 'state'
}

/** A house is opened and closed each day; a ticket, and what is paid or approved, once. */
function isOfOneThing(earlier: Clause, shared: readonly string[], done: Token): boolean {
  if (!OPENINGS.has(done.text)) return true
  return shared.some((key) => {
    const token = earlier.tokens[earlier.content.get(key) ?? -1]
    return token !== undefined && (token.kind === 'id' || isName(token) || CASES.has(token.text))
  })
}

/** When, and for whom. */
function isAside(later: Clause, token: Token): boolean {
  return isDate(token) || isDayIn(later, token) || (token.classes & W.when) !== 0 || ASIDES.has(token.text)
}

/** A participle: `closed`, and not `empty`. */
const DONE = /(?:ed|[^p]en|id|[au]t[ao]?|[ai]d[ao]|ée?|us[ao])$/
const WAS = wordSet(
  'was were been got wurde wurden worden été fue fueron sido stato stata foi foram sido werd werden',
)
const TURNS = wordSet('turned switched')
const SIDES = wordSet('on off')
const OPENINGS = wordSet(`
  open opened closed locked unlocked geöffnet geschlossen ouvert ouverte fermé fermée abierto abierta cerrado cerrada aberto aberta fechado fechada aperto aperta chiuso chiusa gesloten`)
const CASES = wordSet(`
  ticket bug issue pr incident case request task order account vacancy position thread poll vote dispute claim complaint fall vorgang anfrage konto stelle auftrag störung dossier
  demande incidencia solicitud caso cuenta pedido segnalazione richiesta conto chamado pedido conta melding`)
const ASIDES = wordSet(
  'all everyone everybody users customers morning afternoon evening night noon midnight finally just alle allen tous toutes todos todas tutti iedereen',
)
