import { areOfTwoPeriods, isSameAmount } from './dispute-amounts.ts'
import { isUnsettled } from './dispute-both.ts'
import type { Clause, Token } from './dispute-clause.ts'
import { isAtHand } from './dispute-events.ts'
import { M } from './dispute-lexicon.ts'
import { maySayMore } from './dispute-lists.ts'
import { areReadings } from './dispute-measured.ts'
import {
  areOpposite,
  areOtherEnds,
  type ComparedTexts,
  isDate,
  isName,
  isNumber,
  isSwitch,
  type Pair,
} from './dispute-pair.ts'
import { beginsDefinite } from './dispute-parts.ts'
import type { DisputeReading } from './dispute-reading.ts'
import { isEnd, isOfSameSetting, isRepetition } from './dispute-setting.ts'
import { isToldApart } from './dispute-told-apart.ts'
import { isExcepted } from './dispute-which.ts'
import { W } from './dispute-words.ts'
import { sideOf, wordSet } from './fact-words.ts'

/** What must hold besides: a law of what never disputes. */
interface GuardRow {
  /** The law, in a sentence. */
  readonly says: string
  readonly holds: (pair: Pair) => boolean
  /** Earlier, later: two that hold beside each other, and of which no other guard says so. */
  readonly apart: Statements
  /** Their twin, which it lets through. */
  readonly disputes: Statements
}

type Statements = readonly [earlier: string, later: string]

export const GUARDS = {
  asserted: {
    says: 'A condition, a promise or a hope asserts nothing.',
    holds: ({ earlier, later }) =>
      ((!earlier.isConditional && !later.isConditional) || isOfOneCase(earlier, later)) &&
      !earlier.isPromise &&
      !later.isPromise,
    apart: ['The lift stops at noon.', 'If it rains, the lift does not stop at noon.'],
    disputes: ['The lift stops at noon.', 'The lift does not stop at noon.'],
  },
  noWish: {
    says: 'What somebody wants to do is not done, and is wanted this once; what he wants to be so stays so.',
    holds: ({ earlier, later }) => !earlier.isWish && !later.isWish,
    apart: ['I want to return the lift by post.', 'I want to cancel the lift by post.'],
    disputes: ['I want to get bills of the lift by post.', 'I want to get bills of the lift by mail.'],
  },
  settled: {
    says: 'What somebody plans or would like, and what is so on one occasion, leaves what is so as it is.',
    holds: (pair) => !isUnsettled(pair),
    apart: ['The lift of the museum opens at 9.', 'This Friday only, the lift of the museum opens at 11.'],
    disputes: ['The lift of the museum opens at 9.', 'The lift of the museum opens at 11.'],
  },
  named: {
    says: 'Of `it` and `his` nobody knows what they name, and what one person says to another is between them.',
    holds: ({ earlier, later, texts }) => {
      if (earlier.isAnaphoric || later.isAnaphoric) return false
      if (!earlier.isPersonal && !later.isPersonal) return true
      return isShort(texts.earlier) && isShort(texts.later) && !isAtHand(earlier) && !isAtHand(later)
    },
    apart: ['It stops at the lift.', 'It does not stop at the lift.'],
    disputes: ['The bus stops at the lift.', 'The bus does not stop at the lift.'],
  },
  noRepetition: {
    says: 'Who says again what was said tells no news: not of what changed, and not of what has ended.',
    holds: (pair) => !isRepetition(pair) && !isEnd(pair),
    apart: ['The lift moved from Kiel to Bonn.', 'The lift is in Bonn now.'],
    disputes: ['The lift moved from Kiel to Bonn.', 'The lift is in Kiel now.'],
  },
  sameContext: {
    says: 'A common line does not make texts about other things speak about the same.',
    holds: ({ texts }) => texts.isOfSameContext,
    apart: [
      'The lift holds 6 people. Anna writes the guide of the museum about old ships and lamps.',
      'The lift holds 8 people. The kitchen orders flour, honey, butter, eggs and fresh lemons.',
    ],
    disputes: ['The lift holds 6 people.', 'The lift holds 8 people.'],
  },
  sameTense: {
    says: 'The past and the present can both hold; what was changed was so before.',
    holds: ({ earlier, later, hasCue }) =>
      !earlier.isPast && !isOfMoment(earlier) && (!later.isPast || hasCue),
    apart: ['The lift was locked at night.', 'The lift is not locked at night.'],
    disputes: ['The lift is locked at night.', 'The lift is not locked at night.'],
  },
  noEvent: {
    says: 'Each thing that happens is another one.',
    holds: ({ earlier, later }) => !earlier.isEvent && !later.isEvent,
    apart: ['The lift received 3 letters.', 'The lift received 5 letters.'],
    disputes: ['The lift holds 3 letters.', 'The lift holds 5 letters.'],
  },
  noEvents: {
    says: 'What was opened and what was closed are two things that happened.',
    holds: ({ earlier, later, texts }) =>
      !earlier.isEvent ||
      !later.isEvent ||
      isSwitched(earlier) ||
      isSwitched(later) ||
      isOfOneThing(earlier, later, texts),
    apart: ['The porter opened the lift.', 'The porter closed the lift.'],
    disputes: ['The lift is open.', 'The lift is closed.'],
  },
  sameSetting: {
    says: 'In one text it is said of the one thing, in the other of another: each names its own outside the statement.',
    holds: isOfSameSetting,
    apart: ['In summer, the lift opens at 6:00.', 'In winter, the lift opens at 8:00.'],
    disputes: ['In summer, the lift opens at 6:00.', 'In summer, the lift opens at 8:00.'],
  },
  sameRange: {
    says: '`over 100` is another case than `under 100`, and `before noon` than `after noon`.',
    holds: (pair) =>
      !areOpposite(pair, RANGE_AXES) &&
      !areOfTwoGrades(pair) &&
      isOfSameSpan(pair) &&
      boundOf(pair.earlier) * boundOf(pair.later) >= 0,
    apart: [
      'Visits of the lift above 50 EUR are insured.',
      'Visits of the lift below 50 EUR are not insured.',
    ],
    disputes: [
      'Visits of the lift above 50 EUR are insured.',
      'Visits of the lift above 50 EUR are not insured.',
    ],
  },
  noPossibility: {
    says: 'What may be done in one way may be done in another.',
    holds: ({ earlier, later }) => ((earlier.marks | later.marks) & M.possible) === 0,
    apart: ['You can plan the lift with Figma.', 'You can plan the lift with Penpot.'],
    disputes: ['Plan the lift with Figma.', 'Plan the lift with Penpot.'],
  },
  noReading: {
    says: 'What is measured differs each time; what is set does not.',
    holds: ({ earlier, later }) => !areReadings(earlier, later),
    apart: ['The temperature of the lift is 21 degrees.', 'The temperature of the lift is 23 degrees.'],
    disputes: [
      'The temperature of the lift is set to 21 degrees.',
      'The temperature of the lift is set to 23 degrees.',
    ],
  },
  noList: {
    says: 'Members of a list hold beside each other.',
    holds: ({ earlier, later }) =>
      !earlier.isList &&
      !later.isList &&
      !maySayMore(earlier.tokens, earlier.classes) &&
      !maySayMore(later.tokens, later.classes),
    apart: ['The lift supports tabs.', 'The lift supports spaces.'],
    disputes: ['The lift uses tabs.', 'The lift uses spaces.'],
  },
  noMembers: {
    says: 'Of a list, what is denied is one of its members.',
    holds: ({ earlier, later }) => !earlier.isList && !later.isList,
    apart: ['The lift sells tea, rice, oil.', 'The lift does not sell tea.'],
    disputes: ['The lift sells tea.', 'The lift does not sell tea.'],
  },
  noAddition: {
    says: '`also` and `too` add to what was said.',
    holds: ({ earlier, later }) => ((earlier.marks | later.marks) & M.addition) === 0,
    apart: ['The lift accepts coins of 2 EUR.', 'The lift also accepts coins of 1 EUR.'],
    disputes: ['The lift accepts coins of 2 EUR.', 'The lift accepts coins of 1 EUR.'],
  },
  sameQualifiers: {
    says: '`staging`, `upload`, `last` part one thing from another.',
    holds: ({ earlierRest, laterRest }) =>
      ![...earlierRest, ...laterRest].some(
        ({ classes, isQuoted }) => !isQuoted && (classes & W.qualifier) !== 0,
      ),
    apart: ['The lower lift is locked by day.', 'The lift is not locked by day now.'],
    disputes: ['The lift is locked by day.', 'The lift is not locked by day now.'],
  },
  sameTimes: {
    says: 'No statement of the one day speaks against one of the other.',
    holds: ({ earlierRest }) => !earlierRest.some(isDate),
    apart: ['The lift of the museum is enabled on Monday.', 'The lift of the museum is disabled.'],
    disputes: ['The lift of the museum is enabled.', 'The lift of the museum is disabled.'],
  },
  sameNames: {
    says: 'What one names by an id or a path, the other names too.',
    holds: ({ earlierRest, laterRest }) => ![...earlierRest, ...laterRest].some(isName),
    apart: [
      'The lift of the museum holds at most 4 people in bonn/old.txt.',
      'The lift of the museum holds at most 6 people.',
    ],
    disputes: [
      'The lift of the museum holds at most 4 people.',
      'The lift of the museum holds at most 6 people.',
    ],
  },
  sameEnd: {
    says: 'The two ends of a span, and opposite steps, are beside each other.',
    holds: (pair) => {
      const [one, other] = [pair.earlierRest.find(isValue), pair.laterRest.find(isValue)]
      // The first of May and the last of June are no ends of one span.
      const axes = one !== undefined && isDate(one) ? COURSE : null
      return !areOpposite(pair, axes) && !areOtherEnds(pair.earlier, one, pair.later, other)
    },
    apart: ['Parking in the lift is from 15:00.', 'Parking in the lift is until 21:00.'],
    disputes: ['Parking in the lift is until 15:00.', 'Parking in the lift is until 21:00.'],
  },
  sameMembers: {
    says: 'What is said of all may be otherwise for some, unless it was changed.',
    holds: (pair) => pair.hasCue || !isExcepted(pair),
    apart: ['All guides of the lift need two keys.', 'Guides of the lift need three keys.'],
    disputes: ['All guides of the lift need two keys.', 'All guides of the lift need three keys.'],
  },
  otherAmount: {
    says: 'Two spellings of one amount are one, and an amount a month is none a year.',
    holds: ({ earlierRest, laterRest }) => {
      const [one, other] = [earlierRest.find(isNumber), laterRest.find(isNumber)]
      if (one === undefined || other === undefined) return true
      return !isSameAmount(one, other) && !areOfTwoPeriods(earlierRest, laterRest)
    },
    apart: ['The plan of the lift is limited to 2 MB.', 'The plan of the lift is limited to 2048 KB.'],
    disputes: ['The plan of the lift is limited to 2 MB.', 'The plan of the lift is limited to 4096 KB.'],
  },
  noLog: {
    says: 'Two lines of a log, each of which begins with its time, tell of two moments.',
    holds: ({ texts }) => !isLogged(texts.earlier) || !isLogged(texts.later),
    apart: ['08:10 lift of the museum runs by rope', '09:20 lift of the museum runs by belt now'],
    disputes: ['The lift of the museum runs by rope.', 'The lift of the museum runs by belt now.'],
  },
  toldApart: {
    says: 'Of two languages, a word that the table of concepts lacks may say what another says, and so may a name spelled alike.',
    holds: isToldApart,
    apart: ['The colour of the lift is turquoise.', 'La couleur du lift est sarcelle.'],
    disputes: ['The colour of the lift is green.', 'La couleur du lift est rouge.'],
  },
} as const satisfies Readonly<Record<string, GuardRow>>

export type GuardId = keyof typeof GUARDS

/** `… when it rains` and `… when it rains`: what both say of one case. */
function isOfOneCase(earlier: Clause, later: Clause): boolean {
  const [one, other] = [caseIn(earlier), caseIn(later)]
  return one !== '' && one === other
}

function caseIn({ tokens }: Clause): string {
  const at = tokens.findIndex(({ classes }, place) => place > 1 && (classes & W.condition) !== 0)
  return at < 0
    ? ''
    : tokens
        .slice(at)
        .map(({ text }) => text)
        .join(' ')
}

/** `from 6 to 22` and `from 22 to 6` share their numbers, and are two spans. */
function isOfSameSpan({ earlier, later }: Pair): boolean {
  const numbersIn = (clause: Clause, other: Clause): string =>
    clause.tokens
      .filter(({ kind, key }) => kind === 'number' && other.content.has(key))
      .map(({ key }) => key)
      .join(' ')
  return numbersIn(earlier, later) === numbersIn(later, earlier)
}

/** `the soft limit` and `the hard limit`, the `floor` and the `ceiling` */
function areOfTwoGrades({ earlier, later }: Pair): boolean {
  return GRADES.some(([low, high]) => {
    const [one, other] = [earlier, later].map(({ tokens }) =>
      tokens.find(({ text }) => text === low || text === high),
    )
    return one !== undefined && other !== undefined && one.text !== other.text
  })
}

const GRADES = [
  ['soft', 'hard'],
  ['floor', 'ceiling'],
] as const

/** `up to` and `below` are under 0, `above` is over it. */
function boundOf({ tokens, leadIn }: Clause): number {
  return boundIn(tokens) || (leadIn === null ? 0 : boundIn(leadIn.tokens))
}

function boundIn(tokens: readonly Token[]): number {
  for (const [at, { text, marks }] of tokens.entries()) {
    if (text === 'up' && tokens[at + 1]?.text === 'to') return -1
    if (text === 'tot' && tokens[at + 1]?.text === 'en' && tokens[at + 2]?.text === 'met') return -1
    if (text === 'from' && tokens[at + 1]?.kind === 'number' && !TO.has(tokens[at + 2]?.text ?? '')) return 1
    if (text === 'no' && tokens[at + 2]?.text === 'than') return tokens[at + 1]?.text === 'more' ? -1 : 1
    if (STARTS.has(text) && LEAST.has(tokens[at + 1]?.text ?? '') && tokens[at + 2]?.kind === 'number')
      return 1
    const side = (marks & M.side) === 0 ? null : sideOf(text)
    if (side !== null && BOUNDS.has(side.axis) && tokens[at + 1]?.kind === 'number')
      return side.isPlus ? 1 : -1
  }
  return 0
}

const STARTS = wordSet('start starts begin begins begint beginnt commence empieza inizia começa')
const LEAST = wordSet('at from with bij bei à en da a')
const TO = wordSet('to through until')
const BOUNDS: ReadonlySet<string> = new Set(['height', 'bound', 'amount'])

const RANGE_AXES: ReadonlySet<string> = new Set(['order', 'rank', 'amount', 'bound', 'height', 'hand'])

/** `today`, `after this run`: it was so then. */
function isOfMoment({ tokens, marks }: Clause): boolean {
  if ((marks & (M.today | M.pronoun)) === 0) return false
  return tokens.some(({ text, marks: own, isQuoted }, at) => {
    if (isQuoted) return false
    if ((own & M.today) !== 0) return !OF_TODAY.has(tokens[at - 1]?.text ?? '')
    return (
      text === 'this' && MOMENTS.has(tokens[at + 1]?.text ?? '') && !OF_TODAY.has(tokens[at - 1]?.text ?? '')
    )
  })
}

/** `as of today` it is so from then on. */
const OF_TODAY = wordSet('of from since ab seit von')
const MOMENTS = wordSet('run change time week month sprint commit session turn attempt build patch morning')

/** `Oct 02 04:00 cron: …`, `09:14 login`: a line of a log begins with its time. */
function isLogged({ clauses: [first] }: DisputeReading): boolean {
  const token = first?.tokens[0]
  return token !== undefined && (isDate(token) || token.dimension === 'clock' || token.dimension === 'date')
}

/** `starts on May 3` and `ends on May 9`, `opens` and `closes` */
const COURSE: ReadonlySet<string> = new Set(['run', 'open'])

function isValue(token: Token): boolean {
  return isNumber(token) || isDate(token)
}

function isShort({ clauses }: DisputeReading): boolean {
  return clauses.length <= 2
}

/** `Order 55 was packed` and `order 55 was shipped`: how far it has come. */
function isOfOneThing(earlier: Clause, later: Clause, texts: ComparedTexts): boolean {
  if (texts.earlier.ids.size !== 1 || texts.later.ids.size !== 1) return false
  return (earlier.classes & later.classes & W.copula) !== 0 || (hasBeen(earlier) && hasBeen(later))
}

function hasBeen({ tokens }: Clause): boolean {
  return tokens.some(({ text }) => text === 'been')
}

/** `keep it enabled`, `has been disabled`, `the build passed`: how it is. */
function isSwitched({ tokens }: Clause): boolean {
  const isTheOne = beginsDefinite(tokens)
  return tokens.some(
    ({ text, marks }) =>
      isSwitch(text) || (isTheOne && (marks & M.side) !== 0 && sideOf(text)?.axis === 'outcome'),
  )
}
