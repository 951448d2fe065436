import { countIn } from '../base/collections.ts'
import { isGain } from './dispute-both.ts'
import { type Clause, contentOf, type Token } from './dispute-clause.ts'
import { handsAt, takesAt } from './dispute-events.ts'
import { M } from './dispute-lexicon.ts'
import {
  areOpposite,
  type ComparedTexts,
  isDate,
  isName,
  isNewIn,
  isNumber,
  type Pair,
} from './dispute-pair.ts'
import { isGreeting } from './dispute-parts.ts'
import type { DisputeReading } from './dispute-reading.ts'
import { countsOther, takesOther } from './dispute-sorts.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// A later text that tells, in words of its own, that something is otherwise now. Its words are compared with those of the
// whole earlier text: what the two say need not be of one form.

/** Of the words of the earlier statement the later text has so many, and this share. */
const SHARED_MIN = 2
export const SHARE_MIN = 0.5
/** How something is now may be new of one part of it only: more must be said of the same. */
const TOLD_MIN = 3
const TOLD_SHARE_MIN = 0.6
/** Numbers, dates and words like `yesterday`: with more of them it is a list, or a reading. */
export const VALUES_MAX = 4
/** Longer texts tell more than one thing. */
const EARLIER_CLAUSES_MAX = 2
const LATER_CLAUSES_MAX = 4

/** The later tells news of what the earlier speaks of: that it changed, or how it is now. */
export function isOverturned(pair: Pair): boolean {
  const { earlier, later, texts } = pair
  if (earlier.isEvent || earlier.isPast || (earlier.isNegated && !isAgainIn(later))) return false
  if (areOfTwoYears(earlier, later)) return false
  if (texts.earlier.clauses.length > EARLIER_CLAUSES_MAX || texts.later.clauses.length > LATER_CLAUSES_MAX)
    return false
  const said = statedIn(earlier)
  const shared = said.filter(({ key }) => texts.later.words.has(key))
  if (earlier.content.size - said.length > VALUES_MAX || shared.length < SHARE_MIN * said.length) return false
  const isDenied = isContrasted(texts)
  // One note beside another is no news of it.
  const isCorrection = texts.later.isCorrection && !texts.earlier.isCorrection
  const newAt = newsAt(later, { isCorrection })
  const at = isDenied ? Math.max(newAt, 0) : newAt
  if (at < 0 || (later.isEvent && !isNews(later.tokens[at])) || isToldTwice(pair, at)) return false
  if (!isAboutSame(later, at, texts.earlier) || isAsBefore(pair, at)) return false
  const [first] = said
  if (shared.length < SHARED_MIN) return shared.length === 1 && isOfOneWord(pair, at, said, shared)
  if (first !== undefined && !texts.later.words.has(first.key) && !first.hasCapital) return false
  const [one, other] = [namedAlone(earlier, texts.later), namedAlone(later, texts.earlier, at)]
  const kinds = new Set(one.map(kindOfName))
  const common = new Set(other.map(kindOfName).filter((kind) => kinds.has(kind)))
  if (common.size > 1 || (common.has('qualifier') && isQualified(first) && isQualified(contentOf(later)[0])))
    return false
  if (isDenied || isCorrection) return true
  if (
    isNowAt(later, at) &&
    (countsOther(pair) || takesOther(pair) || areOpposite(pair) || (common.size === 0 && isGain(later, at)))
  )
    return false
  if (isNowAt(later, at)) return shared.length >= TOLD_MIN || shared.length >= TOLD_SHARE_MIN * said.length
  if (common.size === 1) return !later.isNegated && later.goneAt !== at && later.noLongerAt !== at
  if (CANCELLED.has(later.tokens[at]?.text ?? '')) return (earlier.classes & (W.date | W.plan)) !== 0
  if (takesAt(later.tokens) === at && isDoneByOther(earlier, later)) return true
  // `is kept by the day crew`, and `was handed over to the night crew`
  if (isHandedAt(later.tokens, at) && isSomebodys(earlier)) return true
  // What it was done with, or where, is gone; of the thing itself something else may be true still.
  const lost = statedIn(later).filter(({ key }) => texts.earlier.words.has(key))
  return (
    first !== undefined &&
    texts.later.words.has(first.key) &&
    lost.length > 0 &&
    !lost.some(({ key }) => key === first.key)
  )
}

/** `is kept by the day crew`, `belongs to the day crew`, `questions go to Ines` */
function isSomebodys({ tokens, classes }: Clause): boolean {
  return (classes & (W.role | W.by)) !== 0 || tokens.some(({ text }) => BELONGS.has(text))
}

const BELONGS = wordSet(
  'belong belongs go goes gehört gehören appartient pertenece pertence appartiene behoort',
)

/** `Production runs …` and `Staging was …` */
function isQualified(token: Token | undefined): boolean {
  return token !== undefined && (token.classes & W.qualifier) !== 0
}

/** `Ada took the rota over from Bo`, `then it moved to the shed`: so the earlier says. */
function isAsBefore({ earlier, later }: Pair, at: number): boolean {
  const [first] = later.content.keys()
  if (takesAt(later.tokens) === at) return first !== undefined && earlier.content.has(first)
  const [way, ...more] = later.tokens.slice(at + 1)
  if (at !== later.changeAt || way === undefined || (way.text !== 'back' && (way.classes & W.to) === 0))
    return false
  return more.every(({ isContent, key }) => !isContent || earlier.content.has(key))
}

/** `Bandage changed on Monday` and `Bandage changed on Friday`: it happened twice. */
export function isToldTwice({ earlier, later }: Pair, at: number): boolean {
  return at === later.changeAt && !isNewIn(later, at, earlier)
}

/** `In 2022 we …` and `In 2023 we …`: of each year something is told. */
function areOfTwoYears(earlier: Clause, later: Clause): boolean {
  const [one, other] = [yearOf(earlier), yearOf(later)]
  return one !== undefined && other !== undefined && one !== other
}

function yearOf({ tokens, leadIn }: Clause): string | undefined {
  const told = leadIn === null ? tokens : leadIn.tokens
  return told.find(({ text }, at) => YEAR.test(text) && IN.has(told[at - 1]?.text ?? ''))?.text
}

const YEAR = /^(?:19|20)\d\d$/
const IN = wordSet('in im en em nel в')

/** `is taught by Ines`, who does not take it over. */
function isDoneByOther({ tokens, marks }: Clause, { content }: Clause): boolean {
  const last = tokens.at(-1)
  return (
    (marks & M.present) !== 0 &&
    last?.hasCapital === true &&
    !content.has(last.key) &&
    tokens.slice(-BY_REACH).some(({ classes, text }) => (classes & W.by) !== 0 && text !== 'with')
  )
}

const BY_REACH = 4

const CANCELLED = wordSet(`
  cancelled canceled abgesagt gestrichen entfällt annulé annulée cancelado cancelada suspendido suspendida annullato annullata afgelast geannuleerd
  отменён отменен отменена отменили`)

/** `Yoga is on Monday` and `Yoga was moved to Friday`, or `is cancelled`; `Our baker is Bo` and `Bo has retired`. */
function isOfOneWord(
  { earlier, later, texts }: Pair,
  at: number,
  said: readonly Token[],
  [shared]: readonly Token[],
): boolean {
  if (shared === undefined || later.tokens.slice(0, at).filter(({ isContent }) => isContent).length !== 1)
    return false
  if (said.length === 1)
    return (
      isDated(earlier) &&
      (CANCELLED.has(later.tokens[at]?.text ?? '') || (later.changeAt === at && isDated(later)))
    )
  return (
    said.length === 2 &&
    said[1] === shared &&
    shared.hasCapital &&
    isNews(later.tokens[at]) &&
    (earlier.classes & W.copula) !== 0 &&
    texts.later.clauses.length > 1
  )
}

function isDated({ classes }: Clause): boolean {
  return (classes & W.date) !== 0
}

/** `Only members may …` and `guests may …, too`: it is no longer so of those alone. */
export function isWidened({ earlier, later, texts }: Pair): boolean {
  if ((earlier.marks & M.restriction) === 0 || (later.marks & M.addition) === 0) return false
  if (!earlier.tokens.some(({ text }) => ONLY.has(text)) || earlier.isNegated !== later.isNegated)
    return false
  const said = statedIn(earlier)
  const shared = said.filter(({ key }) => texts.later.words.has(key))
  return shared.length >= SHARED_MIN && shared.length >= SHARE_MIN * said.length
}

const ONLY = wordSet('only nur seulement solo sólo só alleen tylko только')

/** The later text has so much of what the earlier says that it may tell news of it. */
export function isToldOf({ earlier, texts }: Pair): boolean {
  const told = countIn(earlier.content.keys(), texts.later.words)
  return told >= SHARE_MIN * (earlier.content.size - VALUES_MAX)
}

/** Whether a statement may tell news of an earlier one. */
export function mayTellNews(clause: Clause, reading: DisputeReading): boolean {
  return (
    newsAt(clause, reading) >= 0 ||
    (clause.marks & M.addition) !== 0 ||
    reading.clauses.some(({ isContrast, marks }) => isContrast || (marks & M.instead) !== 0)
  )
}

/** Where a later text tells that something is otherwise, -1: nowhere. */
export function newsAt(clause: Clause, { isCorrection }: Pick<DisputeReading, 'isCorrection'>): number {
  const { tokens, marks, noLongerAt, changeAt, goneAt } = clause
  const now = tokens.findIndex((token, at) => mayBeNow(token) && isNowAt(clause, at))
  if (now >= 0) return now
  if ((marks & (M.takes | M.hands)) !== 0) {
    const given = Math.max(takesAt(tokens), handsAt(tokens))
    if (given > 0) return given
    const handed = tokens.findIndex((_, place) => isHandedAt(tokens, place))
    if (handed > 0) return handed
  }
  if (noLongerAt >= 0) return noLongerAt
  if (changeAt >= 0 && isChange(tokens, changeAt)) return changeAt
  if ((marks & M.news) !== 0) {
    const news = tokens.findIndex((token) => !token.isQuoted && (token.marks & M.news) !== 0)
    if (news >= 0) return news
  }
  if (goneAt >= 0 && isSaidOf(tokens, goneAt)) return goneAt
  return isCorrection ? 0 : -1
}

/** `brought forward`, not `brought cake`; what was updated is told, and not how it is now. */
function isChange(tokens: readonly Token[], at: number): boolean {
  const text = tokens[at]?.text ?? ''
  return !UPDATED.has(text) && (text !== 'brought' || tokens.some((token) => token.text === 'forward'))
}

export const UPDATED = wordSet(
  'updated aktualisiert actualisé actualisée actualizado actualizada atualizado atualizada aggiornato aggiornata обновлён обновлен обновлено обновили',
)

function isHandedAt(tokens: readonly Token[], at: number): boolean {
  return ((tokens[at]?.marks ?? 0) & M.hands) !== 0 && isGivenAt(tokens, at)
}

/** `was handed to Emil` */
function isGivenAt(tokens: readonly Token[], at: number): boolean {
  const to = tokens[at + 1]?.text === 'over' ? tokens[at + 2] : tokens[at + 1]
  return isSaidOf(tokens, at) && ((to?.classes ?? 0) & W.to) !== 0
}

function isNews(token: Token | undefined): boolean {
  return token !== undefined && !token.isQuoted && (token.marks & (M.news | M.takes | M.hands)) !== 0
}

/** `works again`, `läuft wieder` */
function isAgainIn({ tokens, marks }: Clause): boolean {
  return (marks & M.again) !== 0 || tokens.some(({ text }) => AGAIN.has(text))
}

/** `…, not 40` and `rather than 40`: what the earlier says is denied. */
function isContrasted({ earlier, later }: ComparedTexts): boolean {
  return later.clauses.some((clause) => {
    const denied = clause.isContrast ? clause.tokens.slice(1) : insteadOf(clause.tokens)
    const said = denied.filter(({ isContent }) => isContent)
    if (said.length === 0 || !said.every(({ key }) => earlier.words.has(key))) return false
    // `not removing them`: of whatever was named before.
    if (denied.some(({ text }) => POINTERS.has(text))) return false
    // `no lids` says what it is without; `no 14` is the Spanish `not 14`.
    return (
      !clause.isContrast ||
      !NONE.has(clause.tokens[0]?.text ?? '') ||
      said.every((token) => kindOfName(token) !== '')
    )
  })
}

const POINTERS = wordSet('it them him those these')
const NONE = wordSet(
  'no nothing none nobody kein keine keinen keiner nichts niemand aucun aucune rien nada nadie nessun nessuno niente geen niets niemand',
)

/** What `instead of` and `rather than` lead to, up to the next word that leads to something else. */
function insteadOf(tokens: readonly Token[]): readonly Token[] {
  const instead = tokens.findIndex(({ marks }) => (marks & M.instead) !== 0)
  if (instead < 0) return []
  const from = OF.has(tokens[instead + 1]?.text ?? '') ? instead + 2 : instead + 1
  const end = tokens.findIndex(
    ({ isContent, classes }, at) => at > from && !isContent && (classes & W.article) === 0,
  )
  return tokens.slice(from, end < 0 ? tokens.length : end)
}

const OF = wordSet('of than von de di van que')

/** `now`, `from now on`, `these days`; `new` is said of the thing. */
function isNowAt({ tokens }: Clause, at: number): boolean {
  const token = tokens[at]
  if (token === undefined || token.isQuoted) return false
  if ((token.classes & W.now) !== 0) return !NEW.has(token.text)
  if ((token.marks & M.again) !== 0 || AGAIN.has(token.text)) return true
  const before = tokens[at - 1]?.text ?? ''
  return (token.text === 'days' && before === 'these') || (token.text === 'on' && ONWARD_FROM.has(before))
}

function mayBeNow({ text, classes, marks }: Token): boolean {
  return (classes & W.now) !== 0 || (marks & M.again) !== 0 || NOW_ENDS.has(text)
}

const AGAIN = wordSet('again wieder weer opnieuw снова')
const NOW_ENDS = new Set([...AGAIN, 'days', 'on'])
const NEW = wordSet(
  'new neu neue neuer neues neuen nouveau nouvel nouvelle nuevo nueva nuova nuovo novo nova новый новая новое nieuwe nowy nowa meanwhile',
)
/** `from here on` */
const ONWARD_FROM = wordSet('now here today then')

/** `is broken`, `was replaced`, and not `the broken lamp`. */
function isSaidOf(tokens: readonly Token[], at: number): boolean {
  if (at === tokens.length - 1) return true
  return tokens.slice(Math.max(0, at - AUXILIARY_REACH), at).some(({ text }) => AUXILIARIES.has(text))
}

const AUXILIARY_REACH = 3
const AUXILIARIES = wordSet(`
  is are was were has have had be been being got get gets do does wird werden wurde wurden ist sind hat haben est sont a ont été es son está están ha han è sono é são foi
  foram zijn werd wordt worden heeft hebben был была было были`)

const LEADS = W.from | W.means | W.to

/** What stands before the verb names nothing that the earlier does not speak of, but who does it now. */
export function isAboutSame({ tokens }: Clause, at: number, { words }: DisputeReading): boolean {
  if (tokens.some(({ text }, place) => place < at && US.has(text))) return true
  let verb = tokens.findIndex(
    ({ text, kind, classes, marks }, place) =>
      // `Don't use it any more` speaks of nobody.
      (place > 0 || (marks & M.negation) !== 0) &&
      (place === at ||
        kind === 'sign' ||
        (classes & (W.copula | W.prefers)) !== 0 ||
        (marks & (M.negation | M.concord | M.more | M.rule)) !== 0 ||
        AUXILIARIES.has(text)),
  )
  // `Coffee comes from the corner shop now`: the verb is one that no list has.
  if (verb === tokens.length - 1)
    verb = tokens.findIndex(
      ({ classes }, place) => place > 0 && (classes & LEADS) !== 0 && (classes & W.placing) === 0,
    )
  const subject = tokens
    .slice(0, verb < 0 ? tokens.length : verb)
    .filter(({ marks }) => (marks & M.title) === 0)
  const foreign = subject.filter(
    (token) =>
      token.isContent &&
      token.kind !== 'number' &&
      !words.has(token.key) &&
      (token.classes & (W.when | W.date)) === 0 &&
      (token.marks & M.more) === 0 &&
      !CARE.has(token.text) &&
      !isGreeting([token]),
  )
  if (foreign.length === 0) return true
  if (!foreign.every((token, place) => token.hasCapital && token === subject[place])) return false
  // `Rents in the new hall were raised`, `Sorting the vats now takes …`: a word that is no name begins the sentence.
  const next = tokens[foreign.length]
  if (next === undefined || foreign.length > 1) return true
  return !LEADING.has(next.text) && !((next.classes & W.article) !== 0 && foreign[0]?.text.endsWith('ing'))
}

/** Who has no name. */
export const US = wordSet("we we've we're we'll they they've nobody wir nous")

const LEADING = wordSet(
  'on in of for to with at from about von für in auf zu an mit de du des pour à sur del della di da per su en para do da no na van op voor',
)

/** `Responsibility for the vats was handed to Emil`: of whom the vats are. */
const CARE = wordSet(`
  responsibility ownership care maintenance management administration zuständigkeit verantwortung betreuung pflege verwaltung responsabilité gestion entretien responsabilidad
  gestión mantenimiento responsabilità gestione cura responsabilidade gestão verantwoordelijkheid beheer ответственность управление`)

function statedIn(clause: Clause): readonly Token[] {
  return contentOf(clause).filter(
    ({ kind, classes }) => kind !== 'number' && (classes & (W.when | W.date)) === 0,
  )
}

/** Numbers, names and words that part one thing from another, which only one of two texts has. */
function namedAlone(clause: Clause, { words }: DisputeReading, newsAt = -1): readonly Token[] {
  return clause.tokens.filter(
    (token, at) => at !== newsAt && token.isContent && !words.has(token.key) && kindOfName(token) !== '',
  )
}

function kindOfName(token: Token): string {
  if (isDate(token)) return 'date'
  if (isNumber(token)) return 'number'
  if (isName(token) && /[./]/.test(token.text)) return 'path'
  if (isName(token) || token.hasCapital) return 'name'
  if ((token.classes & W.qualifier) !== 0) return 'qualifier'
  return (token.marks & (M.rival | M.side)) === 0 ? '' : 'state'
}
