import { countIn } from '../base/collections.ts'
import type { Clause, Token } from './dispute-clause.ts'
import { isFromOnAt, SINCE } from './dispute-events.ts'
import { M } from './dispute-lexicon.ts'
import type { DisputeReading } from './dispute-reading.ts'
import { W } from './dispute-words.ts'
import { type Side, sideOf, wordSet } from './fact-words.ts'

/** Two texts whose statements are compared, each of the one with each of the other. */
export class ComparedTexts {
  readonly earlier: DisputeReading
  readonly later: DisputeReading
  /** Both are in common words then. */
  readonly areOfTwoLanguages: boolean
  #isOfSameContext: boolean | null = null
  #areOfTwoOccasions: boolean | null = null
  #areOpen: boolean | null = null
  #onlyOtherAt: number | null = null

  constructor(earlier: DisputeReading, later: DisputeReading, areOfTwoLanguages = false) {
    this.earlier = earlier
    this.later = later
    this.areOfTwoLanguages = areOfTwoLanguages
  }

  /** Read once: texts of many statements would be counted again for each two of them. */
  get isOfSameContext(): boolean {
    this.#isOfSameContext ??= isOfSameContext(this.earlier, this.later)
    return this.#isOfSameContext
  }

  /** The place of the one word in which two texts of the same length differ; -1: they differ in none, or in more. */
  get onlyOtherAt(): number {
    this.#onlyOtherAt ??= onlyOtherAt(this.earlier.spelling, this.later.spelling)
    return this.#onlyOtherAt
  }

  /** One tells what nobody has decided yet. */
  get areOpen(): boolean {
    this.#areOpen ??=
      isOpen(this.earlier.spelling, this.later.spelling) || isOpen(this.later.spelling, this.earlier.spelling)
    return this.#areOpen
  }

  /** One tells of one day only, the other of all. */
  get areOfTwoOccasions(): boolean {
    this.#areOfTwoOccasions ??= isOnOccasion(this.earlier) !== isOnOccasion(this.later)
    return this.#areOfTwoOccasions
  }
}

function onlyOtherAt(one: readonly string[], other: readonly string[]): number {
  if (one.length !== other.length) return -1
  const at = one.findIndex((word, place) => word !== other[place])
  return one.every((word, place) => place <= at || word === other[place]) ? at : -1
}

function isOnOccasion({ spelling }: DisputeReading): boolean {
  return spelling.some((word, at) => {
    if (ONCE.has(word)) return true
    if (word === "week's") return spelling[at - 1] === 'this'
    if (word === 'day') return spelling[at - 1] === 'that'
    return word === 'only' && spelling[at - 2] === 'this'
  })
}

const ONCE = wordSet(
  'exceptionally ausnahmsweise exceptionnellement excepcionalmente eccezionalmente diesmal',
)

/** `A draft says 16`, `no decision yet`, `the board has not voted`: what the earlier says holds until somebody decides. */
function isOpen(spelling: readonly string[], others: readonly string[]): boolean {
  return spelling.some((word, at) => {
    if (others.includes(word)) return false
    if (DRAFTS.has(word)) return !spelling.some((other) => ACCEPTED.has(other))
    return (
      DECIDED.has(word) &&
      spelling.slice(Math.max(0, at - DENIED_REACH), at).some((other) => DENIED.has(other))
    )
  })
}

const DENIED_REACH = 3
const DENIED = wordSet(
  "no not nothing never n't hasn't haven't isn't without nicht nichts kein keine noch rien pas aucune nada ninguna sin nessuna niente non geen niet",
)
const DECIDED = wordSet(`
  decision decided agreed approved merged voted signed settled entschieden beschlossen entscheidung beschluss décidé décision voté decidido decisión votado deciso decisione decisão besloten beslissing`)
const DRAFTS = wordSet(
  'proposal draft undecided proposes suggests vorschlag entwurf proposition brouillon propuesta borrador proposta bozza voorstel',
)
const ACCEPTED = wordSet(
  'accepted approved adopted passed agreed merged angenommen beschlossen acceptée adoptée aceptada aprobada approvata aceita aprovada',
)

/** Two statements that share words, and what only one of them says. */
export interface Pair {
  readonly earlier: Clause
  readonly later: Clause
  readonly texts: ComparedTexts
  /** Keys of content words of both. */
  readonly shared: readonly string[]
  readonly earlierRest: readonly Token[]
  readonly laterRest: readonly Token[]
  /** The later says that something is otherwise now. */
  readonly hasCue: boolean
}

export function pairOf(earlier: Clause, later: Clause, texts: ComparedTexts): Pair | null {
  const shared: string[] = []
  for (const key of earlier.content.keys()) if (later.content.has(key)) shared.push(key)
  const file = shared.length === 0 ? fileGone(earlier, later) : undefined
  if (file !== undefined) shared.push(file)
  if (shared.length === 0) return null
  const isNews = isNewIn(later, later.changeAt, earlier) || isNewIn(later, later.goneAt, earlier)
  const isNote = texts.later.isCorrection && !texts.earlier.isCorrection
  const hasCue = isNews || isNote || (later.hasNow && !isNewInBoth(earlier, later))
  const laterRest = withoutLeadIn(restOf(later, earlier), earlier, later)
  return {
    earlier,
    later,
    texts,
    shared,
    earlierRest: withoutLeadIn(restOf(earlier, later), later, earlier),
    laterRest: hasCue
      ? laterRest.filter(
          (token) =>
            (token.classes & W.when) === 0 &&
            token.text !== 'last' &&
            token.text !== 'this' &&
            !SINCE.has(token.text) &&
            !isSince(later, token),
        )
      : laterRest,
    hasCue,
  }
}

/** `lists/fees.ods`, where the later says that `fees.ods` is gone. */
function fileGone({ content }: Clause, { tokens, goneAt }: Clause): string | undefined {
  if (goneAt < 0) return undefined
  const files = tokens.filter(({ kind }) => kind === 'name')
  return files.length === 0
    ? undefined
    : [...content.keys()].find((key) => files.some((file) => file.key === fileOf(key)))
}

/** `config/fees.yml` is called `fees.yml`, too. */
export function fileOf(key: string): string {
  return key.slice(Math.max(key.lastIndexOf('/'), 0))
}

/** `In hall 2, lamps are blue` says all that `Lamps in hall 2 are blue` says. */
function withoutLeadIn(rest: readonly Token[], { leadIn }: Clause, { content }: Clause): readonly Token[] {
  if (leadIn === null) return rest
  for (const key of leadIn.content.keys()) if (!content.has(key)) return rest
  return rest.filter(({ key }) => !leadIn.content.has(key))
}

/** `new members`: of both the two say something. */
function isNewInBoth(earlier: Clause, later: Clause): boolean {
  const newIn = ({ tokens }: Clause): string => {
    const at = tokens.findIndex(
      ({ classes }, place) => (classes & W.now) !== 0 && tokens[place + 1]?.isContent === true,
    )
    return at < 0 ? '' : `${tokens[at]?.text} ${tokens[at + 1]?.text}`
  }
  const said = newIn(later)
  return said !== '' && said === newIn(earlier)
}

/** Of what both say nothing is news: `files are deleted after 30 days`. */
export function isNewIn({ tokens }: Clause, at: number, earlier: Clause): boolean {
  const cue = tokens[at]
  return cue !== undefined && !earlier.tokens.some(({ text }) => text === cue.text)
}

/** `since Monday`, `from 3 May`, `since May 3` tell since when it is so. */
function isSince({ tokens }: Clause, token: Token): boolean {
  const at = tokens.indexOf(token)
  const month = tokens[at - 1]
  const isDayOf = token.kind === 'number' && month !== undefined && isDate(month)
  if (!isDate(token) && !isDayOf) return false
  if (isDayOf && SINCE.has(tokens[at - 2]?.text ?? '')) return true
  if (SINCE.has(tokens[at - 1]?.text ?? '')) return true
  return [at - 1, at - 2, at - 3].some((from) => isFromOnAt(tokens, from))
}

function restOf(clause: Clause, other: Clause): readonly Token[] {
  const rest: Token[] = []
  for (const [key, at] of clause.content) {
    const token = clause.tokens[at]
    if (token !== undefined && !other.content.has(key)) rest.push(token)
  }
  return rest
}

function isOfSameContext(earlier: DisputeReading, later: DisputeReading): boolean {
  if (isOneSentence(earlier.clauses) && isOneSentence(later.clauses)) return true
  const [small, large] =
    earlier.words.size < later.words.size ? [earlier.words, later.words] : [later.words, earlier.words]
  return countIn(small, large) >= CONTEXT_SHARE_MIN * small.size
}

/** `from 9:00` and `until 18:00` are the two ends of one span. */
export function areOtherEnds(
  earlier: Clause,
  one: Token | undefined,
  later: Clause,
  other: Token | undefined,
): boolean {
  const [from, to] = [endOf(earlier, one), endOf(later, other)]
  return from !== '' && to !== '' && from !== to
}

function endOf({ tokens }: Clause, token: Token | undefined): string {
  const at = token === undefined ? -1 : tokens.indexOf(token)
  const before = [tokens[at - 1]?.text ?? '', tokens[at - 2]?.text ?? '']
  if (before.some((word) => UNTIL.has(word))) return 'until'
  return before.some((word) => FROM.has(word)) ? 'from' : ''
}

const FROM = wordSet('from since ab seit dès depuis desde da dalle dal с')
const UNTIL = wordSet("until till til bis jusqu'à jusqu'au jusqu hasta até fino tot до")

/** `opens at 8` and `closes at 6`; of some axes only, where they are named. */
export function areOpposite({ earlier, later }: Pair, axes: ReadonlySet<string> | null = null): boolean {
  if ((earlier.marks & later.marks & M.side) === 0) return false
  return earlier.tokens.some(({ text, marks }) => {
    const side = (marks & M.side) === 0 ? null : sideOf(text)
    if (side === null || (axes !== null && !axes.has(side.axis))) return false
    const other = later.tokens.find((token) => isOtherSide(side, token))
    // `The end-to-end tests start at 8`: both say both.
    return other !== undefined && !earlier.tokens.some((token) => token.text === other.text)
  })
}

function isOtherSide({ axis, isPlus }: Side, { text, marks }: Token): boolean {
  const other = (marks & M.side) === 0 ? null : sideOf(text)
  return other !== null && other.axis === axis && other.isPlus !== isPlus
}

export const WITHOUT = wordSet(
  'without except ohne ausser sans sauf sin salvo sem senza zonder без кроме bez',
)

/** One clause, or two parts of a sentence: `moved to Bonn, third floor`. */
export function isOneSentence(clauses: readonly Clause[]): boolean {
  return clauses.length === 1 || (clauses.length === 2 && clauses.every(({ isPart }) => isPart))
}

/** Share of the content words of the text with fewer. */
export const CONTEXT_SHARE_MIN = 0.4

/** How many, not when. */
export function isNumber(token: Token): boolean {
  return token.kind === 'number' && token.dimension !== 'date' && token.dimension !== 'clock'
}

/** A month, a day, an hour. */
export function isDate(token: Token): boolean {
  return token.isContent && (token.classes & W.date) !== 0
}

/** An id, a path, a name with signs in it. */
export function isName(token: Token): boolean {
  return token.kind === 'id' || token.kind === 'name'
}

export const ENABLED = wordSet(
  'enabled activated aktiviert activé activada ativado abilitato включён включен',
)
const DISABLED = wordSet(
  'disabled deactivated deaktiviert désactivé desactivada desativado disabilitato выключен отключён отключен',
)

/** A word that says whether something is switched on. */
export function isSwitch(word: string): boolean {
  return ENABLED.has(word) || DISABLED.has(word)
}

/** Content words in the order of their text. */
interface Words {
  keys(): Iterable<string>
  has(word: string): boolean
}

/** What one begins with, the other says too: `The lift must not …` and `The crane must not …` speak of two things. */
export function beginAlike(one: Words, other: Words): boolean {
  return startsIn(one, other) || startsIn(other, one)
}

export function startsIn(one: Words, other: Words): boolean {
  const [first] = one.keys()
  return first !== undefined && other.has(first)
}

/** `host: alder` */
export function isField({ tokens }: Clause): boolean {
  return tokens.some(({ kind }) => kind === 'sign')
}
