import type { Clause, Token } from './dispute-clause.ts'
import { M } from './dispute-lexicon.ts'
import { isBrief, type Pair } from './dispute-pair.ts'
import type { DisputeReading } from './dispute-reading.ts'
import { IT } from './dispute-slot-words.ts'
import { oldIn } from './dispute-slots.ts'

// In a note of several parts one names what is spoken of, and another one gives the new value:
// `We pulled the demo out of Bonn, it sits in Graz these days`.

/** Whether a text has several parts of which one says that something is otherwise now. */
export function isChangeNote(text: DisputeReading): boolean {
  return text.clauses.length > 1 && isBrief(text) && text.clauses.some(isChange)
}

function isChange(clause: Clause): boolean {
  const { changeAt, goneAt, noLongerAt, hasNow, marks } = clause
  if (isSpoken(clause)) return false
  return changeAt >= 0 || goneAt >= 0 || noLongerAt >= 0 || hasNow || (marks & M.cue) !== 0
}

/** `I cannot find it now` */
function isSpoken({ isPersonal, tokens }: Clause): boolean {
  return isPersonal && tokens[0]?.text === 'i'
}

/** An earlier statement and a part of a later note: words of all its parts are shared. */
export function contextPairOf(
  earlier: Clause,
  later: Clause,
  earlierText: DisputeReading,
  laterText: DisputeReading,
): Pair | null {
  if (!isChangeNote(laterText) || !isBrief(earlierText)) return null
  // `it` is what the note is about, `this series` may be anything.
  if (later.isAnaphoric && !IT.has(later.tokens[0]?.text ?? '')) return null
  const old = oldKeysOf(earlier, later, laterText)
  const shared: string[] = []
  const earlierRest: Token[] = []
  for (const [key, at] of earlier.content) {
    const token = earlier.tokens[at]
    if (token === undefined) continue
    if (laterText.words.has(key) && !old.has(key)) shared.push(key)
    else earlierRest.push(token)
  }
  if (shared.length === 0) return null
  const laterRest = [...later.content.values()]
    .map((at) => later.tokens[at])
    .filter((token) => token !== undefined)
    .filter(({ key }) => !earlier.content.has(key))
  return { earlier, later, earlierText, laterText, shared, earlierRest, laterRest, hasCue: true }
}

/** What other parts name as the value of before; what the earlier begins with is what is spoken of. */
function oldKeysOf(earlier: Clause, later: Clause, { clauses }: DisputeReading): ReadonlySet<string> {
  const [subject] = earlier.content.keys()
  const old = new Set<string>()
  for (const clause of clauses) {
    if (clause === later) continue
    for (const { key } of oldIn(clause)) old.add(key)
    if (clause.noLongerAt < 0 && clause.goneAt < 0 && !clause.isNegated) continue
    for (const key of clause.content.keys()) if (key !== subject && !later.content.has(key)) old.add(key)
  }
  return old
}
