import type { Clause, Token } from './dispute-clause.ts'
import { CALLED, isCalled, isFiller, isSameForm } from './dispute-kinds.ts'
import { isDate, isNumber, type Pair } from './dispute-pair.ts'
import { rivalry } from './dispute-rivals.ts'
import { sortOf } from './dispute-sorts.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// How something is now that was told otherwise, where the two are put in other words.

/** `Bo is on leave` and `Bo is back at work`. */
export function isBack({ earlier, later, earlierRest, laterRest, shared }: Pair): boolean {
  const [subject] = earlier.content.keys()
  if (earlier.isNegated || later.isNegated || subject === undefined || !shared.includes(subject)) return false
  if (!earlier.tokens.some(({ text }) => AWAY.has(text)) || !isThereIn(later)) return false
  return (
    earlierRest.every(
      ({ text, classes }) => AWAY.has(text) || AWAY_KINDS.has(text) || (classes & W.when) !== 0,
    ) && laterRest.every(({ text }) => BACK.has(text) || AT_WORK.has(text))
  )
}

function isThereIn({ tokens }: Clause): boolean {
  return tokens.some(({ text }, at) => BACK.has(text) && ((tokens[at - 1]?.classes ?? 0) & W.copula) !== 0)
}

const AWAY = wordSet(`
  leave holiday holidays vacation sick away abroad sabbatical ill urlaub krank elternzeit krankgeschrieben congé vacances baja vacaciones férias licença ferie malattia verlof ziek vakantie отпуске больничном`)
const AWAY_KINDS = wordSet('parental maternity paternity sick annual unpaid medical study')
const BACK = wordSet('back zurück retour vuelta volta tornato tornata terug')
const AT_WORK = wordSet(
  'work office desk duty job arbeit büro dienst travail bureau trabajo oficina trabalho lavoro ufficio werk kantoor',
)

/** `Ticket 77 is waiting for parts` and `77: closed`: of the one thing that both name, how far it is. */
export function isOfOneIdNow({ earlier, later, earlierRest, laterRest, texts }: Pair): boolean {
  if (texts.earlier.ids.size !== 1 || texts.later.ids.size !== 1) return false
  if (earlier.isNegated || later.isNegated || earlierRest.length > STATE_WORDS_MAX) return false
  const [now] = laterRest
  if (now === undefined || now.kind !== 'word' || earlierRest.some(isNumber)) return false
  if (laterRest.length > (isStatedAt(later, now) ? STATE_WORDS_MAX : 1)) return false
  const states = earlierRest.filter(
    ({ text }) => rivalry(text, now.text) === 'state' || isNextStage(text, now.text),
  )
  const [state] = states
  // How it is stands behind what it is.
  return state !== undefined && states.length === 1 && isBehindId(earlier, state) && isBehindId(later, now)
}

const STATE_WORDS_MAX = 3

/** `is paid in full`: what stands behind tells no other state. */
function isStatedAt({ tokens }: Clause, state: Token): boolean {
  return ((tokens[tokens.indexOf(state) - 1]?.classes ?? 0) & W.copula) !== 0
}

/** How far a case with a number is, in one respect each: what still has to come, and how it ended. */
const STAGES: readonly (readonly [undone: ReadonlySet<string>, done: ReadonlySet<string>])[] = [
  [
    'unpaid outstanding unbezahlt ausstehend impayé impayée impagado impagada',
    'paid settled refunded cancelled canceled bezahlt storniert payé payée pagado pagada',
  ],
  [
    'transit customs queued processing versand attente tránsito',
    'delivered returned lost cancelled canceled geliefert livré livrée entregado entregada entregue consegnato geleverd',
  ],
  [
    'draft review negotiation awaiting entwurf brouillon borrador rascunho bozza',
    'approved rejected declined merged signed abgelehnt genehmigt refusé refusée approuvé approuvée rechazado aprobado',
  ],
  [
    'open waiting unassigned unsolved triage offen wartet ouvert ouverte pendiente aberto aberta aperto',
    'closed solved resolved completed finished archived geschlossen gelöst erledigt fermé résolu cerrado resuelto fechado resolvido chiuso risolto gesloten opgelost',
  ],
].map(([undone = '', done = '']) => [wordSet(undone), wordSet(done)])

function isNextStage(before: string, now: string): boolean {
  return STAGES.some(([undone, done]) => undone.has(before) && done.has(now))
}

function isBehindId({ tokens }: Clause, state: Token): boolean {
  const id = tokens.findIndex(({ kind }) => kind === 'id' || kind === 'name')
  return id >= 0 && tokens.indexOf(state) > id
}

/** `is rinsed every hour` and `is rinsed every six hours` */
export function differsInOften({ earlier, later, earlierRest, laterRest }: Pair): boolean {
  const isOften = (clause: Clause, [token, ...more]: readonly Token[]): boolean =>
    token !== undefined && more.length === 0 && sortOf(clause, token) === 'often'
  return (
    earlier.isNegated === later.isNegated &&
    isOften(earlier, earlierRest) &&
    isOften(later, laterRest) &&
    periodOf(earlierRest) !== periodOf(laterRest)
  )
}

/** `daily` and `every 24 hours` are one. */
function periodOf([token]: readonly Token[]): string {
  return PERIODS.get(token?.text ?? '') ?? token?.key ?? ''
}

const HOUR_MS = 3_600_000
const PERIODS: ReadonlyMap<string, string> = new Map(
  (
    [
      [`= ${HOUR_MS} time`, 'hourly stündlich'],
      [`= ${24 * HOUR_MS} time`, 'nightly daily täglich quotidien diario'],
      [`= ${7 * 24 * HOUR_MS} time`, 'weekly wöchentlich semanal'],
      [`= ${14 * 24 * HOUR_MS} time`, 'fortnightly'],
      ['= 1 month', 'monthly monatlich mensuel mensual'],
      ['= 3 month', 'quarterly'],
      ['= 12 month', 'yearly jährlich'],
    ] as const
  ).flatMap(([key, words]) => words.split(' ').map((word) => [word, key] as const)),
)

/** `Nightly sync runs every 10 minutes` and `sync interval: 4 minutes`: how often one thing is done. */
export function isIntervalReworded({ earlier, later, earlierRest, laterRest, shared }: Pair): boolean {
  if (earlier.isNegated || later.isNegated || shared.length === 0) return false
  if (!earlierRest.some(isTime) || !laterRest.some(isTime)) return false
  const [one, other] = [everyIn(earlier), everyIn(later)]
  if (one === undefined || other === undefined || !earlierRest.includes(one) || !laterRest.includes(other))
    return false
  if (earlierRest.filter(isNumber).length > 1 || laterRest.filter(isNumber).length > 1) return false
  const words = (rest: readonly Token[]) =>
    rest.filter((token) => !isNumber(token) && !INTERVALS.has(token.text) && !RUNS.has(token.text))
  return words(earlierRest).length + words(laterRest).length === 0
}

/** The time in `every 10 minutes`, `interval: 10 minutes`. */
function everyIn({ tokens }: Clause): Token | undefined {
  const every = tokens.findIndex(({ text }) => EVERY.has(text))
  const next = tokens[every + 1]
  if (every >= 0) return next !== undefined && isTime(next) ? next : undefined
  return tokens.some(({ text }) => INTERVALS.has(text)) ? tokens.find(isTime) : undefined
}

function isTime({ kind, dimension }: Token): boolean {
  return kind === 'number' && dimension === 'time'
}

/** Whether a statement says how often something is done. */
export function mayBeEach(clause: Clause): boolean {
  return everyIn(clause) !== undefined
}

const EVERY = wordSet('every each alle jede toutes tous cada ogni elke')
const INTERVALS = wordSet('interval intervall intervalle intervalo intervallo frequency cadence takt')
const RUNS = wordSet(
  'runs run fires fire happens starts saves save läuft feuert tourne corre gira draait executes refreshes syncs polls',
)

/** `The hall is called Oak` and `Oak is now known as Elm`, `The hall was renamed to Elm`: what has a name has another. */
export function isRenamed({ earlier, later, hasCue }: Pair): boolean {
  if (!hasCue || earlier.isNegated || later.isNegated || !isCalled(earlier) || !isCalled(later)) return false
  const [is, now] = [calledAt(earlier), calledAt(later)]
  const wordsIn = (tokens: readonly Token[]) => tokens.filter(({ isContent }) => isContent)
  const [thing, name] = [wordsIn(earlier.tokens.slice(0, is)), wordsIn(earlier.tokens.slice(is + 1))]
  const next = wordsIn(later.tokens.slice(now + 1))
  const isBefore = ({ key }: Token): boolean => (later.content.get(key) ?? now) < now
  return (
    name.length > 0 &&
    next.length > 0 &&
    name.every(({ hasCapital }) => hasCapital) &&
    (name.every(isBefore) || (later.changeAt === now && thing.length > 0 && thing.every(isBefore))) &&
    next.every(({ hasCapital, key }) => hasCapital && !earlier.content.has(key))
  )
}

function calledAt({ tokens }: Clause): number {
  return tokens.findLastIndex(({ text }) => CALLED.has(text))
}

/** `drinks tea best`: of what is liked most there is one. */
export function differsInFavourite(pair: Pair): boolean {
  const { earlier, later, earlierRest, laterRest } = pair
  if (earlier.isNegated || later.isNegated || earlierRest.length !== 1 || laterRest.length !== 1) return false
  return (
    earlier.tokens.some(({ text }) => BEST.has(text)) &&
    isFiller(earlierRest) &&
    isFiller(laterRest) &&
    isSameForm(pair)
  )
}

const BEST = wordSet('best liebsten liefst')

/** `runs on Debian bullseye` and `… Debian bookworm`: versions that have names. */
export function differsInCodename(pair: Pair): boolean {
  const isCodename = ({ tokens }: Clause, [name, ...more]: readonly Token[]): boolean => {
    const at = tokens.length - 1
    const [lead, product] = [tokens[at - 2], tokens[at - 1]]
    return (
      more.length === 0 &&
      name !== undefined &&
      name === tokens[at] &&
      name.kind === 'word' &&
      !name.hasCapital &&
      product?.kind === 'word' &&
      product.isContent &&
      product.hasCapital &&
      !isDate(product) &&
      ON.has(lead?.text ?? '')
    )
  }
  const { earlier, later, earlierRest, laterRest } = pair
  return isCodename(earlier, earlierRest) && isCodename(later, laterRest) && isSameForm(pair)
}

const ON = wordSet('on to uses use under auf unter sous sur su en sobre em onder op')
