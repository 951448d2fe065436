import { HAS } from './dispute-both.ts'
import { type Clause, type Token } from './dispute-clause.ts'
import { isDayIn } from './dispute-dates.ts'
import { SINCE } from './dispute-events.ts'
import { M } from './dispute-lexicon.ts'
import { isToldOf, isToldTwice, newsAt } from './dispute-news.ts'
import { isDate, isName, isSwitch, type Pair } from './dispute-pair.ts'
import { type DisputeReading } from './dispute-reading.ts'
import { rivalry } from './dispute-rivals.ts'
import { isTime, sortOf } from './dispute-sorts.ts'
import { W } from './dispute-words.ts'
import { sideOf, wordSet, wordsOf } from './fact-words.ts'

// A later text says that something is otherwise now, and gives one value; of that sort the earlier has one, too. What else
// the earlier tells may be left out: who says that something changed does not repeat all of it.

/** What the earlier may tell before its value that the later does not name: its verb. */
const UNNAMED_MAX = 1
/** Longer texts tell more than one thing. */
const CLAUSES_MAX = 2

/** `The crane stands on pier 4 near the gate` and `The crane moved to pier 9`: one value of a sort is another now. */
export function isValueChanged(pair: Pair): boolean {
  const { earlier, later, texts, earlierRest, laterRest } = pair
  if (earlier.isEvent || earlier.isPast || earlier.isNegated || later.isNegated || later.isList) return false
  if (texts.earlier.clauses.length > CLAUSES_MAX || texts.later.clauses.length > CLAUSES_MAX) return false
  if (!isToldOf(pair)) return false
  const at = cueAt(later, texts.later)
  if (at < 0 || at === later.goneAt || at === later.noLongerAt || hasForeignSubject(pair)) return false
  if (isToldTwice(pair, at)) return false
  const values = laterRest.filter(
    (token) =>
      token !== later.tokens[at] && !isVerb(token) && !earlierRest.some((one) => isAlike(one, token)),
  )
  let isFound = false
  for (const value of values) {
    const sort = sortOf(later, value)
    const others = earlierRest.filter((token) => isOfSort(earlier, token, sort, value))
    const [other] = others
    // `… moved to the annex on 3 March`: when it was.
    if (other === undefined && isTime(sort)) continue
    if (other === undefined || others.length > 1 || !isOfSame(pair, other)) return false
    if (sort !== '' && values.some((token) => token !== value && sortOf(later, token) === sort)) return false
    isFound = true
  }
  return isFound
}

/** `The importer crashes on empty files` and `The crash of the importer on empty files is fixed`. */
export function isSolved(pair: Pair): boolean {
  const { earlier, later, shared } = pair
  if (earlier.isEvent || earlier.isPast || earlier.isNegated || later.isNegated) return false
  // First what rules most pairs out: a fault is looked for stem by stem.
  const at = solvedAt(later)
  if (at < 1 || shared.length < SOLVED_SHARED_MIN || !isToldOf(pair)) return false
  if (!earlier.tokens.some(({ text }) => isProblem(text))) return false
  return later.tokens.every(
    (token, place) =>
      place === at ||
      !token.isContent ||
      earlier.content.has(token.key) ||
      isProblem(token.text) ||
      (token.classes & (W.when | W.date)) !== 0 ||
      earlier.tokens.some((other) => isAlike(other, token)),
  )
}

/** `The club has signed the lease` and `The club has not signed the lease`: nothing but one word parts the two. */
export function isDoneOrNot({ earlier, later }: Pair): boolean {
  if (earlier.isNegated === later.isNegated || !earlier.isEvent || !later.isEvent) return false
  if (earlier.isConditional || later.isConditional) return false
  const [denied, said] = later.isNegated ? [later.tokens, earlier.tokens] : [earlier.tokens, later.tokens]
  const not = denied.findIndex(({ marks }) => (marks & M.negation) !== 0)
  return (
    HAS.has(denied[not - 1]?.text ?? '') &&
    denied.length === said.length + 1 &&
    denied.toSpliced(not, 1).every(({ text }, at) => text === said[at]?.text)
  )
}

function solvedAt({ tokens }: Clause): number {
  return tokens.findIndex(({ text }) => isSide(text, 'fix', true) || MENDED.has(text))
}

const SOLVED_SHARED_MIN = 2
const MENDED = wordSet(
  'repaired mended gone repariert réparé réparée arreglado arreglada reparado reparada riparato riparata gerepareerd',
)

/** In all forms of the word. */
function isProblem(text: string): boolean {
  return isSide(text, 'outcome', false) || PROBLEMS.some((stem) => text.startsWith(stem))
}

function isSide(text: string, axis: string, isPlus: boolean): boolean {
  const side = sideOf(text)
  return side !== null && side.axis === axis && side.isPlus === isPlus
}

const PROBLEMS = wordsOf(
  'error bug leak hang flaky stuck freez jam outage defect typo fehler absturz defekt undicht panne fuite erreur fallo avería averiad guasto errore avaria ошибк',
)

/** Whether a statement may say that one value is another now. */
export function mayBeChanged(clause: Clause, reading: Pick<DisputeReading, 'isCorrection'>): boolean {
  return clause.hasNow && cueAt(clause, reading) >= 0
}

/** Where the later says that it is otherwise now; also `has a new address: …` and `as of Monday`. */
function cueAt(later: Clause, reading: Pick<DisputeReading, 'isCorrection'>): number {
  const at = newsAt(later, reading)
  if (at >= 0 || !later.hasNow) return at
  const since = later.tokens.findIndex(({ text }) => SINCE.has(text))
  if (since >= 0) return since
  return later.tokens.findIndex(({ text, classes }, place) => {
    const before = later.tokens[place - 1]
    if (text === 'of') return before?.text === 'as'
    return (classes & W.now) !== 0 && HAS.has(later.tokens[place - 2]?.text ?? '')
  })
}

/** What stands before the verb of the later is not what the earlier speaks of. */
export function hasForeignSubject({ earlier, later, texts }: Pair): boolean {
  for (const [at, token] of later.tokens.entries()) {
    if (at > 0 && (isVerb(token) || (token.classes & (W.copula | W.to)) !== 0 || token.kind === 'sign')) break
    if (!token.isContent || texts.earlier.words.has(token.key) || isTime(sortOf(later, token))) continue
    if (!earlier.tokens.some((other) => isAlike(other, token))) return true
  }
  return false
}

/** What the earlier speaks of, up to its value, is what the later speaks of. */
function isOfSame({ earlier, later, texts }: Pair, value: Token): boolean {
  const before = earlier.tokens.slice(0, earlier.tokens.indexOf(value))
  let unnamed = 0
  for (const [at, token] of before.entries()) {
    if (!token.isContent || isVerb(token) || isDate(token) || isDayIn(earlier, token)) continue
    if (texts.later.words.has(token.key) || later.tokens.some((other) => isAlike(token, other))) continue
    // Which one of several, and what is said of it: `the height of the crane is`.
    if ((token.classes & W.qualifier) !== 0 && token.text !== 'daily') return false
    if (token.kind !== 'word' || (token.hasCapital && at > 0)) return false
    if (((before[at + 1]?.classes ?? 0) & W.copula) !== 0) return false
    unnamed += 1
  }
  return unnamed <= UNNAMED_MAX
}

function isOfSort(earlier: Clause, token: Token, sort: string, value: Token): boolean {
  if (rivalry(token.text, value.text) !== null) return true
  return sort !== '' && sortOf(earlier, token) === sort
}

/** `ferme` and `fermée`, `opens` and `opening`: most likely forms of one word. */
function isAlike(one: Token, other: Token): boolean {
  if (one.kind !== 'word' || other.kind !== 'word' || isDate(one) || isDate(other)) return false
  const least = Math.min(one.text.length, other.text.length)
  if (least < STEM_MIN || Math.abs(one.text.length - other.text.length) > ENDING_MAX) return false
  return (
    one.text.slice(0, Math.max(STEM_MIN, least - 1)) === other.text.slice(0, Math.max(STEM_MIN, least - 1))
  )
}

const STEM_MIN = 4
const ENDING_MAX = 3

/** Tells nothing but that it is so, or where or when. */
function isVerb({ text, classes, marks }: Token): boolean {
  return (classes & (W.located | W.plan | W.change)) !== 0 || (marks & M.again) !== 0 || VERBS.has(text)
}

const VERBS = wordSet(`
  happen happens start starts begin begins place held run runs goes go out sits set served reachable available closing opening statt startet läuft
  address url link adresse dirección indirizzo endereço adres
  lieu débute inicia lugar inizia luogo começa begint vindt plaats`)

// The earlier tells how something is, the later what was done to it: `is open` and `was closed on Friday`.

/** What the earlier may tell of the thing that the later leaves out: `feature flag`, `for everyone`. */
const LEFT_OUT_MAX = 3
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
  if (earlierRest.filter((token) => !states.includes(token)).length > LEFT_OUT_MAX) return false
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
