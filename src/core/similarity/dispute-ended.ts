import { type Clause, contentOf, type Token } from './dispute-clause.ts'
import { NOT_YET } from './dispute-lost.ts'
import { tellsMoment } from './dispute-measured.ts'
import { fileOf, type Pair } from './dispute-pair.ts'
import type { DisputeReading } from './dispute-reading.ts'
import type { KindRow } from './dispute-row.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// A later text that tells how something is done now, and beside it that what the earlier does it with has ended:
// `Mails leave through Postmark; the Mailgun account was closed`. Neither clause alone speaks against the earlier: the one
// names another provider, the other may be about something else that Mailgun did.

/** Longer texts tell a story. */
const LATER_CLAUSES_MAX = 5
const LATER_WORDS_MAX = 18
const EARLIER_CLAUSES_MAX = 3
/** What ended is named; a clause that shares more with the earlier tells it again. */
const SHARED_MAX = 3
const SHARE_MAX = 0.5
/** In prose, what is told in the past has not ended by that, and a common name is not what it is about. */
const NOTE_WORDS_MAX = 10
/** Place of the last word that may be what a clause is about. */
const SUBJECT_MAX = 2

/** What has ended, beside what is so instead. */
export const ENDED_BESIDE: KindRow = {
  id: 'no_longer',
  says: 'The later tells how it is now, and beside it that what the earlier relies on has ended.',
  guards: ['asserted', 'settled', 'named', 'noLog'],
  holds: isEndedBeside,
  examples: [
    ['Dues are listed in books/dues.ods.', 'For dues ask the club portal, books/dues.ods was deleted.'],
    [
      'Bread is baked in the brick oven.',
      'An electric oven bakes the bread, and the brick oven went to the museum.',
    ],
  ],
  measured: { right: 105, found: 108 },
}

/** The later says in one clause that what the earlier relies on has ended, and in another how it is instead. */
function isEndedBeside({ earlier, later, shared, texts }: Pair): boolean {
  if (!isStanding(earlier) || !mayTellEnd(later, texts.later)) return false
  const { clauses } = texts.earlier
  if (clauses.length > EARLIER_CLAUSES_MAX || clauses.some(({ isPersonal }) => isPersonal)) return false
  if (tellsMoment(texts.earlier) || clauses[0]?.isEvent === true) return false
  const { words } = texts.earlier
  if (words.size > NOTE_WORDS_MAX && !texts.isOfSameContext) return false
  if (shared.length > SHARED_MAX || shared.length > SHARE_MAX * words.size) return false
  const at = endedAt(earlier, later)
  if (at < 0) return false
  // Who denies all that a statement says tells of his own case.
  const isOfSome = shared.length < earlier.content.size && words.size <= NOTE_WORDS_MAX
  if (!isEnded(later) && !(at <= SUBJECT_MAX && isOfSome)) return false
  if (later.tokens.some(({ text, key }) => OTHERS.has(text) && !words.has(key))) return false
  return texts.later.clauses.some((other) => other !== later && tellsInstead(other, words, later.content))
}

/** What a clause may say has ended, where its text says more than that; none where it says so of nothing. */
export function mayBeEnded(clause: Clause, reading: DisputeReading): readonly Token[] {
  if (!mayTellEnd(clause, reading)) return []
  const { content, tokens } = clause
  const last = isEnded(clause) ? tokens.length : SUBJECT_MAX
  return [...content.values()].flatMap((at) => (at <= last ? (tokens[at] ?? []) : []))
}

function mayTellEnd(clause: Clause, { clauses, words }: DisputeReading): boolean {
  if (clauses.length < 2 || clauses.length > LATER_CLAUSES_MAX || words.size > LATER_WORDS_MAX) return false
  const { isConditional, isPromise, isWish, tokens } = clause
  if (isConditional || isPromise || isWish || tokens.some(({ text }) => NOT_YET.has(text))) return false
  if (!isEnded(clause) && !isOver(clause)) return false
  return !clauses.some((one) => one.tokens.some(({ text }) => STAYS.has(text)))
}

/** `was closed`, `is history`, `nobody uses`, `was taken off` */
function isEnded({ tokens, goneAt, noLongerAt }: Clause): boolean {
  if (goneAt >= 0 || noLongerAt >= 0) return true
  return tokens.some(
    ({ text }, at) =>
      ENDED.has(text) ||
      (text === 'go' && tokens.slice(0, at).some(isLet)) ||
      (AWAY.has(text) && TAKEN.test(tokens[at - 1]?.text ?? '')),
  )
}

/** `we let the machines go` */
function isLet({ text }: Token): boolean {
  return text === 'let'
}

/** `went to the scrap dealer`, `tripled its prices`, `does not even start` */
function isOver({ isPast, isEvent, isNegated, isPersonal }: Clause): boolean {
  return !isPersonal && (isPast || isEvent || isNegated)
}

function isStanding({ isNegated, isPast, isEvent, goneAt, noLongerAt }: Clause): boolean {
  return !isNegated && !isPast && !isEvent && goneAt < 0 && noLongerAt < 0
}

/**
 * Where the later names what the earlier relies on, -1 where it does not: an id or a path, a name, words that stand side by
 * side in both, or what follows a word like `with`.
 */
function endedAt({ tokens, content }: Clause, { content: ended }: Clause): number {
  for (const [at, token] of tokens.entries()) {
    const place = placeOf(token, ended)
    if (place === undefined) continue
    if (token.kind !== 'word' || (token.hasCapital && at > 0)) return place
    if (content.size === tokens.length && content.size <= 2) return place
    const next = tokens[at + 1]
    if (next?.isContent && ended.get(next.key) === place + 1) return place
    const before = tokens[at - 1]
    const lead = before !== undefined && (before.classes & W.article) !== 0 ? tokens[at - 2] : before
    if (lead !== undefined && (lead.classes & (W.means | W.placing | W.by)) !== 0) return place
  }
  return -1
}

function placeOf({ isContent, kind, key }: Token, ended: Clause['content']): number | undefined {
  if (!isContent || kind === 'number') return undefined
  return ended.get(key) ?? (kind === 'name' ? ended.get(fileOf(key)) : undefined)
}

/** Speaks of what the earlier is about, and says something new of it. */
function tellsInstead(clause: Clause, words: ReadonlySet<string>, ended: Clause['content']): boolean {
  if (clause.isPast || clause.isNegated) return false
  const said = contentOf(clause)
  return said.some(({ key }) => words.has(key) && !ended.has(key)) && said.some(({ key }) => !words.has(key))
}

/** It has not ended for all. */
const STAYS = wordSet(
  'unaffected untouched unchanged stays stay remains remain keeps still bleibt bleiben weiterhin reste restent toujours sigue siguen',
)
/** Another one than that which the earlier names. */
const OTHERS = wordSet(
  'trial test sandbox spare second other another temporary unused leftover duplicate demo private personal',
)
const AWAY = wordSet('off out away down bin')
const TAKEN = /ed$|^(?:taken|put|thrown|struck|shut|torn|given|phased|the)$/
const ENDED = wordSet(`
  closed revoked unplugged history archived scrapped invalidated disabled uninstalled blocked lapse lapsed emptied destroyed shredded cancelled canceled ended expired removed dropped deleted gone
  retired terminated dissolved decommissioned stopped died stripped purged wiped dismantled abandoned discarded trashed ditched withdrawn killed mothballed sunset offline ripped yanked read-only 410 404
  gekündigt abgeschaltet gelöscht geschlossen entfernt geflogen abgebaut ausgemustert stillgelegt eingestellt abgelaufen weggeworfen gesperrt verschrottet papierkorb
  débranché débranchée éteint éteinte résilié résiliée supprimé supprimée fermé fermée vidé vidée retiré retirée arrêté arrêtée jeté corbeille
  cancelada cancelado borró borrado borrada quitó eliminó eliminado eliminada cerrado cerrada apagado apagada retirado retirada`)
