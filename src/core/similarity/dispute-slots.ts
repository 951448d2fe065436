import type { Clause, Token } from './dispute-clause.ts'
import { isIndefiniteAt, rivalRow } from './dispute-kinds.ts'
import { M } from './dispute-lexicon.ts'
import { isDate, isNumber, type Pair } from './dispute-pair.ts'
import { CALL_VERBS, isVerbBehind, PURPOSES } from './dispute-parts.ts'
import { DAYTIMES } from './dispute-sorts.ts'
import { W } from './dispute-words.ts'
import { sideOf, wordSet } from './fact-words.ts'

// Two statements that say the same up to one place, and each another thing there.

/** Another colour, season or level of the same: said of it, and not to tell which one of several it is. */
export function differsInChoice(pair: Pair): boolean {
  if (rivalRow(pair) !== 'value') return false
  return isSaidOf(pair.earlier, pair.earlierRest) && isSaidOf(pair.later, pair.laterRest)
}

/** Whether a value is said of what the statement is about. */
export function isSaidOf(clause: Clause, [value]: readonly Token[]): boolean {
  const { tokens } = clause
  const at = value === undefined ? -1 : tokens.indexOf(value)
  const behind = tokens.slice(at + 1)
  if (behind.some(({ classes }) => (classes & W.copula) !== 0)) return false
  if (isIndefiniteAt(clause, at) && behind[0]?.isContent === true) return false
  return behind.filter(({ isContent }) => isContent).length <= BEHIND_MAX
}

/** Content words behind a value. */
const BEHIND_MAX = 2

/** `To book the hall call Ines` and `To book the hall write to Bo`: for one purpose another thing is done. */
export function differsInStep({ earlier, later }: Pair): boolean {
  if (earlier.isNegated || later.isNegated || !leadsToStep(earlier) || !leadsToStep(later)) return false
  let at = 0
  let purpose = 0
  const [one, other] = [formOf(earlier), formOf(later)]
  for (; at < one.length && one[at]?.key === other[at]?.key; at += 1) if (one[at]?.isContent) purpose += 1
  const steps = [one.slice(at), other.slice(at)]
  return (
    purpose >= PURPOSE_WORDS_MIN &&
    steps.every(isStep) &&
    isWay(earlier, steps[0]?.[0]) &&
    isWay(later, steps[1]?.[0])
  )
}

function isStep(step: readonly Token[]): boolean {
  const words = step.filter(({ isContent }) => isContent).length
  return words > 0 && words <= STEP_WORDS_MAX && !step.some(isOneOfSteps)
}

const STEP_WORDS_MAX = 6

/** What one does in place of something else; `show your badge` may be asked for besides. */
function isWay({ tokens }: Clause, first: Token | undefined): boolean {
  if (first === undefined) return false
  const before = tokens[tokens.indexOf(first) - 1]
  return (
    before?.kind === 'sign' || first.kind !== 'word' || CALL_VERBS.has(first.text) || WAYS.has(first.text)
  )
}

const WAYS = wordSet(`
  write email mail text message press hold drag dial click tap go send ask scan fill submit open contact phone type log pull
  schreibe schreiben drücke drücken klicke frage sende gehe wähle appelez écrivez écrire appuyez appuyer cliquez allez envoyez demandez composez
  llame llama llamar escriba escribe escribir pulse pulsa vaya envíe envía pregunte ligue ligar escreva escrever envie clique vá pergunte chiama chiamare scrivi scrivere premi vai invia chiedi`)

/** Content words that tell what something is done for. */
const PURPOSE_WORDS_MIN = 2

/** Whether a statement begins with what something is done for. */
export function leadsToStep({ tokens }: Clause): boolean {
  return PURPOSES.has(tokens[0]?.text ?? '') && isVerbBehind(tokens)
}

/** One of several steps, or of several ways. */
function isOneOfSteps({ text, classes, marks }: Token): boolean {
  return (
    (marks & (M.possible | M.addition)) !== 0 ||
    ((classes & W.qualifier) !== 0 && ORDERS.has(text)) ||
    sideOf(text)?.axis === 'order' ||
    STEPS.has(text)
  )
}

const ORDERS = wordSet('first second third last next')
const STEPS = wordSet(
  'then afterwards either or finally dann danach oder ensuite puis ou luego después depois poi затем потом или',
)

function formOf({ tokens }: Clause): readonly Token[] {
  return tokens.filter(
    ({ classes, kind }) =>
      kind !== 'sign' &&
      ((classes & (W.article | W.now | W.indefinite)) === 0 ||
        (classes & (W.placing | W.to | W.means)) !== 0),
  )
}

/** `Colin wants his shirts folded` and `Colin wants his shirts on hangers`: how somebody wants the same thing. */
export function differsInManner({ earlier, later, earlierRest, laterRest, shared, hasCue }: Pair): boolean {
  if (earlier.isNegated || later.isNegated || shared.length < 2) return false
  if (!hasCue && prefersAt(earlier) < 0) return false
  return isManner(earlier, earlierRest, shared) && isManner(later, laterRest, shared)
}

function prefersAt({ tokens }: Clause): number {
  return tokens.findIndex(({ classes }) => (classes & W.prefers) !== 0)
}

/** Behind who wants something and what it is, words of its own say how. */
function isManner(clause: Clause, rest: readonly Token[], shared: readonly string[]): boolean {
  const { tokens, content } = clause
  const prefers = prefersAt(clause)
  if (
    prefers < 1 ||
    rest.length === 0 ||
    rest.length > MANNER_WORDS_MAX ||
    rest.some(isDate) ||
    rest.some(isNumber)
  )
    return false
  const places = shared.map((key) => content.get(key) ?? -1)
  const thing = Math.max(...places.filter((at) => at > prefers))
  if (!places.some((at) => at < prefers) || thing < prefers || tokens[thing]?.kind !== 'word') return false
  const first = tokens.indexOf(rest[0] as Token)
  if (first < thing) return false
  const lead = tokens[first - 1]
  return lead === undefined || !OTHER_LEADS.has(lead.text)
}

const MANNER_WORDS_MAX = 4
/** Say when, for whom, or whence, and not how. */
const OTHER_LEADS = wordSet(`
  by before after until till within for from without about to against bis vor nach für ohne von wegen avant après pour sans jusque antes después para sin hasta depois sem
  prima dopo per senza voor na zonder до после для без`)

/** `Ines wants a call in the morning` and `… after 4 pm`: another time of the day. */
export function differsInHour({ earlier, later, earlierRest, laterRest, shared }: Pair): boolean {
  if (earlier.isNegated !== later.isNegated || shared.length < 2) return false
  if (!isOneHour(earlier) || !isOneHour(later)) return false
  return isHour(earlier, earlierRest) && isHour(later, laterRest)
}

/** Something is wanted, or may be, at that time only. */
function isOneHour({ classes, marks }: Clause): boolean {
  return (classes & W.prefers) !== 0 || (marks & M.restriction) !== 0
}

function isHour(clause: Clause, rest: readonly Token[]): boolean {
  return (
    rest.length > 0 &&
    rest.length <= MANNER_WORDS_MAX &&
    rest.some((token) => DAYTIMES.has(token.text) || isClock(clause, token)) &&
    rest.every(
      (token) =>
        DAYTIMES.has(token.text) ||
        isClock(clause, token) ||
        isDate(token) ||
        sideOf(token.text)?.axis === 'order' ||
        EARLY.has(token.text),
    )
  )
}

/** `4 pm`, `9:00`, `before nine in the morning` */
function isClock({ tokens }: Clause, token: Token): boolean {
  if (token.kind !== 'number') return false
  if (token.dimension === 'clock') return true
  const next = tokens[tokens.indexOf(token) + 1]
  const before = tokens[tokens.indexOf(token) - 1]
  return (
    token.dimension === '' &&
    (next === undefined || isDate(next) || !next.isContent) &&
    before !== undefined &&
    (AT.has(before.text) || sideOf(before.text)?.axis === 'order')
  )
}

const AT = wordSet('at around from until um ab bis gegen à vers a as às alle om в до после')
const EARLY = wordSet('early late früh spät tôt tard')
