import type { Clause, Token } from './dispute-clause.ts'
import { isDateText } from './dispute-dates.ts'
import { isFiller } from './dispute-kinds.ts'
import { isNumber, type Pair } from './dispute-pair.ts'
import { mayStand } from './dispute-places.ts'
import { isLabelOf } from './dispute-sameness.ts'
import { mayBeSomewhere } from './dispute-where.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// A note against a sentence: its label says what it is about, and nothing in it is new; its value is that of the sentence, anew.

/** Words of the sentence that the note leaves out: its verb, and what the thing is for. */
const LEFT_OUT_MAX = 2

/** `The choir of the harbour sings on Mondays` and `Harbour choir: Thursdays`. */
export function isDayNoted(pair: Pair): boolean {
  return isNoted(pair, (note, value, { tokens }, rest) => {
    const days = rest.filter((token) => (token.classes & W.date) !== 0)
    return (
      days.length > 0 &&
      rest.length - days.length <= LEFT_OUT_MAX &&
      !rest.some((token) => isNumber(token) && tokens.includes(token) && !days.includes(token)) &&
      isDateText(note, value)
    )
  })
}

/** `The spare key of the harbour is in the safe` and `Spare key harbour: with Mr Lund`. */
export function isPlaceNoted(pair: Pair): boolean {
  return isNoted(
    pair,
    (note, value, sentence, rest) =>
      leadsToPlace(note) &&
      isFiller(value) &&
      isFiller(rest) &&
      (mayStand(sentence) || mayBeSomewhere(sentence)),
  )
}

type Judge = (note: Clause, value: readonly Token[], sentence: Clause, rest: readonly Token[]) => boolean

function isNoted({ earlier, later, earlierRest, laterRest }: Pair, judge: Judge): boolean {
  if (earlier.isNegated || later.isNegated || earlierRest.length === 0 || laterRest.length === 0) return false
  if (isLabelOf(later, earlier) && earlier.fieldKeys.length === 0)
    return judge(later, laterRest, earlier, earlierRest)
  return isLabelOf(earlier, later) && later.fieldKeys.length === 0
    ? judge(earlier, earlierRest, later, laterRest)
    : false
}

/** Whether behind its label a note says where something is. */
export function leadsToPlace({ tokens }: Clause): boolean {
  const lead = tokens[tokens.findIndex(({ kind }) => kind === 'sign') + 1]
  return lead !== undefined && ((lead.classes & W.placing) !== 0 || WITH.has(lead.text))
}

const WITH = wordSet('with chez bei con com met')
