import { countIn } from '../base/collections.ts'
import { areOfOneValue, areOrders, areTwoDeeds, HAS, isGain, SELLS } from './dispute-both.ts'
import { hasForeignSubject } from './dispute-changed.ts'
import type { Clause, Token } from './dispute-clause.ts'
import { GUARDS } from './dispute-guards.ts'
import { areSent } from './dispute-holders.ts'
import { areNamedApart, lacks } from './dispute-kinds.ts'
import { M } from './dispute-lexicon.ts'
import { isAboutSame, UPDATED } from './dispute-news.ts'
import { beginAlike, isDate, isField, isName, isNumber, type Pair, startsIn } from './dispute-pair.ts'
import type { DisputeReading } from './dispute-reading.ts'
import { HELD, type KindRow } from './dispute-row.ts'
import { countsOther, sortOf, takesOther } from './dispute-sorts.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// What no other kind knows the form of: statements that share half of their words and each say something of their own. Whether
// the later then says what is so instead is weighed by signs, each of which says little. The weights are those of a logistic
// regression (Cox, The Regression Analysis of Binary Sequences, 1958): `npm run fit -- signs` finds them.

/** A sign for or against a dispute. */
export interface SignRow {
  readonly says: string
  /** What it adds to the logarithm of the odds. */
  readonly weight: number
  readonly holds: (pair: Pair) => boolean
}

/** Words that both say, at the least; and half of those of the longer statement. */
const SHARED_MIN = 2
const SHARE_MIN = 0.5
/** A longer statement or text tells more than one thing. */
const STATEMENT_WORDS_MAX = 9
const REST_MAX = 5
const TEXT_WORDS_MAX = 16
const CLAUSES_MAX = 3

/** Without a sign. */
export const ODDS_BEFORE = -1.99

export const SIGNS: readonly SignRow[] = [
  {
    says: 'The earlier has two words of its own.',
    weight: -0.94,
    holds: ({ earlierRest }) => earlierRest.length >= 2,
  },
  {
    says: 'The later has two words of its own.',
    weight: -0.43,
    holds: ({ laterRest }) => laterRest.length >= 2,
  },
  {
    says: 'The later says that something is otherwise now.',
    weight: 0.83,
    holds: ({ hasCue }) => hasCue,
  },
  {
    says: 'The later says more beside it.',
    weight: -0.23,
    holds: ({ texts }) => texts.later.clauses.length > 1,
  },
  {
    says: 'The earlier has four words.',
    weight: 0.75,
    holds: ({ earlier }) => earlier.content.size >= 4,
  },
  {
    says: 'Each has a word with a capital of its own.',
    weight: 0.83,
    holds: ({ earlierRest, laterRest }) => earlierRest.some(hasCapital) && laterRest.some(hasCapital),
  },
  {
    says: 'Each has a value of one sort: a day, an hour, an amount, a path.',
    weight: 1.85,
    holds: hasValuesOfOneSort,
  },
  {
    says: 'The later says from where or from when.',
    weight: 0.92,
    holds: ({ later }) => (later.classes & W.from) !== 0,
  },
  {
    says: 'Both name something: a word with a capital, an id, a path.',
    weight: 0.94,
    holds: ({ earlier, shared }) => shared.some((key) => isNamedIn(earlier, key)),
  },
  {
    says: 'The later text has three fifths of the words of the earlier statement.',
    weight: 1.16,
    holds: (pair) => shareTold(pair) >= 0.6,
  },
  {
    says: 'The later text has four fifths of the words of the earlier statement.',
    weight: 1.33,
    holds: (pair) => shareTold(pair) >= 0.8,
  },
  {
    says: 'Each begins with a name or number of its own.',
    weight: -0.54,
    holds: ({ earlier, earlierRest, later, laterRest }) =>
      beginsWithOwn(earlier, earlierRest) && beginsWithOwn(later, laterRest),
  },
  {
    says: 'Each has a word of its own before its verb.',
    weight: -0.48,
    holds: ({ earlier, earlierRest, later, laterRest }) =>
      isBeforeVerb(earlier, earlierRest) && isBeforeVerb(later, laterRest),
  },
]

/** What no other kind knows the form of. */
export const LIKELY: KindRow = {
  id: 'likely',
  says: 'Half of what they say is the same, and by all signs together the later says what is so instead.',
  guards: [
    ...HELD,
    'noEvents',
    'noRepetition',
    'noPossibility',
    'noReading',
    'noLog',
    'sameRange',
    'sameEnd',
    'sameMembers',
    'otherAmount',
    'noList',
    'sameQualifiers',
  ],
  holds: isLikely,
  examples: [
    ['Moorings at Kiel are booked by phone.', 'Since the storm, moorings at Kiel are booked by app.'],
    ['The mooring limit at Kiel: 12 metres.', 'we raised the mooring limit at Kiel, 15 metres since Monday'],
    [
      'Die Glocke von St. Anna läutet man am Seil im Turm.',
      'Die Glocke von St. Anna läutet man am Seil im Hof.',
    ],
    ['El horno de Greta está fuera de servicio.', 'El horno de Greta volvió al servicio.'],
  ],
  measured: { right: 83, found: 90 },
}

/** Whether the later most likely says what is so instead. */
export function isLikely(pair: Pair): boolean {
  if (!isWeighed(pair)) return false
  // A name each, and more: two things.
  if (areNamedApart(pair) && pair.earlierRest.length + pair.laterRest.length > 2) return false
  let odds = ODDS_BEFORE
  for (const { weight, holds } of SIGNS) if (holds(pair)) odds += weight
  return odds > 0
}

/** Words that two statements share, the longer one of so many. */
export function leastShared(words: number): number {
  return Math.max(SHARED_MIN, Math.ceil(SHARE_MIN * words))
}

/** Whether a statement, and the text that it stands in, tells one thing; of one in capitals nobody knows what has a name. */
export function isShort({ content }: Clause, { clauses, words, text }: DisputeReading): boolean {
  if (content.size > STATEMENT_WORDS_MAX || words.size > TEXT_WORDS_MAX || clauses.length > CLAUSES_MAX)
    return false
  return text !== text.toUpperCase() || text === text.toLowerCase()
}

/** Whether two statements are near, short and about one thing, so that signs say something. */
export function isWeighed(pair: Pair): boolean {
  const { earlier, later, shared, earlierRest, laterRest, texts, hasCue } = pair
  if (shared.length < leastShared(Math.max(earlier.content.size, later.content.size))) return false
  if (!isShort(earlier, texts.earlier) || !isShort(later, texts.later)) return false
  if (texts.earlier.clauses.length > 1) return false
  if (Math.max(earlierRest.length, laterRest.length) > REST_MAX) return false
  // `I don't have it right now`: what one says of himself, twice.
  if ((earlier.isEvent && later.isEvent) || (earlier.isPersonal && later.isPersonal)) return false
  if (hasPartOfName(earlier, pair, earlierRest) && hasPartOfName(later, pair, laterRest)) return false
  // What two fields of one name say, `differsInField` judges.
  if (isField(earlier) && isField(later)) return false
  if (lacks(earlier) !== lacks(later) && earlierRest.length > 0 && laterRest.length > 0) return false
  if (takesOther(pair) || countsOther(pair) || isExcepted(earlier) !== isExcepted(later)) return false
  if (hasGained(earlier) || hasGained(later) || isTakenByKnown(pair)) return false
  const areOpposed = earlier.isNegated !== later.isNegated
  // `betreut die Zeiterfassung nicht mehr`: what it denies is not what the earlier says.
  if (areOpposed && later.isNegated && earlierRest.length > 0 && laterRest.length > 0) return false
  if (!beginAlike(earlier.content, later.content)) return false
  if (!hasCue && (areOrders(pair) || areSent(pair) || areOfOneValue(pair))) return false
  if (areTwoDeeds(pair) || (areNamedApart(pair) && hasValuesOfOneSort(pair))) return false
  // `The button says "sold out"`: what is shown, not what is so.
  if (!hasCue && laterRest.some(({ isQuoted }) => isQuoted) !== earlierRest.some(({ isQuoted }) => isQuoted))
    return false
  if (hasCue) return !isKnown(pair) && isToldOfSame(pair)
  if (isOfSharedValue(pair)) return false
  return (
    !areOpposed &&
    earlierRest.length > 0 &&
    laterRest.length > 0 &&
    startsIn(earlier.content, later.content) &&
    isOfOnePlace(pair) &&
    earlierRest.some(isDate) === laterRest.some(isDate) &&
    !isAndHas(earlier, later) &&
    !isAndHas(later, earlier) &&
    !isOfOwnCase(pair) &&
    !holdsMany(earlier) &&
    !holdsMany(later) &&
    GUARDS.sameNames.holds(pair) &&
    GUARDS.sameTimes.holds(pair)
  )
}

/** The later differs in one place, and neither has a number there: amounts are compared by other kinds. */
function isOfOnePlace({ earlierRest, later, laterRest }: Pair): boolean {
  return placesOf(later, laterRest) < 2 && !earlierRest.some(isNumber) && !laterRest.some(isNumber)
}

/** In how many runs its own words stand; what is no content parts none. */
function placesOf({ tokens }: Clause, rest: readonly Token[]): number {
  let places = 0
  let isOwn = false
  for (const token of tokens) {
    if (!token.isContent) continue
    const isNext = rest.includes(token)
    if (isNext && !isOwn) places += 1
    isOwn = isNext
  }
  return places
}

/** `is in the hall` and `has two drawers`: where it is, and what it has. */
function isAndHas(one: Clause, { tokens, classes }: Clause): boolean {
  return (
    (one.classes & W.copula) !== 0 &&
    (classes & W.copula) === 0 &&
    tokens.some(({ text }, at) => HAS.has(text) && !DONE.test(tokens[at + 1]?.text ?? ''))
  )
}

/** `has opened`, `has been open` */
const DONE = /ed$|^been$/

/** `lists tetanus`, `a member named Fatima`: several hold beside each other. */
function holdsMany({ tokens }: Clause): boolean {
  return tokens.some(({ text }, at) => MANY.has(text) || MANY_WITH.has(`${text}_${tokens[at + 1]?.text}`))
}

const MANY_WITH = wordSet(
  'works_with work_with sent_to forwarded_to ships_to delivers_to liefert_nach arbeitet_mit travaille_avec trabaja_con trabalha_com lavora_con werkt_met работает_с',
)
const MANY = new Set([
  ...SELLS,
  ...wordSet(`
    mention mentions visits visit names owns own reacts includes comprises comprend comprende compreende besitzt possède posee possiede possui umfasst beinhaltet bezit владеет require requires need needs listed collect collects play plays attend attends enrolled allergic member members sammelt verlangt erfordert demande demandent exige exigent nécessite pide piden exigen requiere richiede richiedono pede exigem vereist vraagt требует spielt besucht gehört
    allergisch mitglied collectionne joue inscrit allergique membre colecciona toca juega inscrito alérgico miembro colleziona suona iscritto allergico membro
    coleciona alérgica verzamelt speelt lid собирает играет член`),
])

/** `The lamp in the hall was replaced`, of a hall that is open: what changed is not what the earlier speaks of. */
function isToldOfSame({ later, texts }: Pair): boolean {
  const at = Math.max(later.changeAt, later.goneAt)
  return at < 0 || isAboutSame(later, at, texts.earlier)
}

/** `starts at 9 sharp` and `is timed for 9`: who names the one value again says the same. */
function isOfSharedValue({ earlier, shared, earlierRest, laterRest }: Pair): boolean {
  const isValue = (token: Token | undefined): boolean =>
    token !== undefined && (isDate(token) || (isNumber(token) && token.dimension !== ''))
  if (!shared.some((key) => isValue(earlier.tokens[earlier.content.get(key) ?? -1]))) return false
  return !earlierRest.some(isValue) && !laterRest.some(isValue)
}

/** It is otherwise now, and yet as the earlier says: that tells the change, too, or this tells of something else. */
function isKnown(pair: Pair): boolean {
  const { earlier, later, earlierRest } = pair
  if (earlierRest.length === 0 && earlier.hasNow && earlier.isNegated === later.isNegated) return true
  if (later.tokens.some(({ text }) => IDEAS.has(text)) || isBroughtUpToDate(later)) return true
  return hasValuesOfOneSort(pair) && hasForeignSubject(pair)
}

/** `Ada updated the list of moorings`, and not `to 12 moorings`: what it says, not what is said of it. */
function isBroughtUpToDate({ tokens, changeAt }: Clause): boolean {
  return UPDATED.has(tokens[changeAt]?.text ?? '') && !tokens.slice(changeAt).some(({ text }) => TO.has(text))
}

const TO = wordSet('to auf à a al para naar до')

/** `now has a hood`: what it had, it still has. */
function hasGained(clause: Clause): boolean {
  return clause.tokens.some(({ classes }, at) => (classes & W.now) !== 0 && isGain(clause, at))
}

/** `Greta has taken over …` tells nothing new of what is Greta's. */
function isTakenByKnown({ earlier, later }: Pair): boolean {
  return (later.marks & M.takes) !== 0 && startsIn(later.content, earlier.content)
}

const IDEAS = wordSet(
  'idea proposal suggestion idee vorschlag idée proposition propuesta proposta voorstel идея предложение',
)

/** `only` and `nobody but`: who is left out is told by one of them. */
function isExcepted({ tokens }: Clause): boolean {
  return tokens.some(({ text }) => EXCEPTING.has(text))
}

const EXCEPTING = wordSet('nobody only nur seulement seul seule solo sólo só somente alleen только')

/** `For club members, …`, `in a fire alarm …`: the later begins with a case that the earlier does not name. */
function isOfOwnCase({ earlier, later: { tokens } }: Pair): boolean {
  const [lead] = tokens
  if (lead === undefined || lead.isContent) return false
  if ((lead.classes & LEADS) === 0 && !CASE_WORDS.has(lead.text)) return false
  const first = tokens.find(({ isContent }) => isContent)
  return first !== undefined && !earlier.content.has(first.key)
}

const LEADS = W.placing | W.means | W.to | W.from | W.by | W.condition
const CASE_WORDS = wordSet(
  'for in on at during with under für bei im während per pour en dans pendant chez para durante a da voor tijdens op bij',
)

/** Share of the words of the earlier statement that the whole later text has. */
function shareTold({ earlier: { content }, texts }: Pair): number {
  return countIn(content.keys(), texts.later.words) / content.size
}

function hasCapital({ hasCapital: isCapital }: Token): boolean {
  return isCapital
}

function isOwnName(token: Token): boolean {
  return token.hasCapital || token.kind === 'number' || isName(token)
}

function isNamedIn({ tokens, content }: Clause, key: string): boolean {
  const at = content.get(key) ?? -1
  const token = tokens[at]
  return token !== undefined && ((token.hasCapital && at > 0) || isName(token))
}

function beginsWithOwn({ content }: Clause, rest: readonly Token[]): boolean {
  const [first, second] = content.keys()
  return rest.some((token) => (token.key === first || token.key === second) && isOwnName(token))
}

/** `Ann Rossi` and `Ann Silva`, `account 3320` and `account 7681`: beside a name of both stands another one. */
function hasPartOfName({ tokens }: Clause, { shared }: Pair, rest: readonly Token[]): boolean {
  return rest.some((token) => {
    const at = tokens.indexOf(token)
    if (at < 0 || !isOwnName(token)) return false
    const isShared = (other: Token | undefined): boolean =>
      other?.isContent === true && isOwnName(other) && shared.includes(other.key)
    return isShared(tokens[at - 1]) || isShared(tokens[at + 1])
  })
}

function isBeforeVerb({ tokens }: Clause, rest: readonly Token[]): boolean {
  const verb = tokens.findIndex(
    ({ classes, marks }) => (classes & W.copula) !== 0 || (marks & M.present) !== 0,
  )
  return verb > 0 && rest.some((token) => tokens.indexOf(token) < verb && tokens.includes(token))
}

function hasValuesOfOneSort({ earlier, earlierRest, later, laterRest }: Pair): boolean {
  const sorts = new Set(earlierRest.map((token) => sortOf(earlier, token)))
  return laterRest.some((token) => {
    const sort = sortOf(later, token)
    return sort !== '' && sorts.has(sort)
  })
}
