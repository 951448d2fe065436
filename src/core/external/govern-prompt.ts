import type { Surface } from '../base/closed-sets.ts'
import { digestOf } from '../base/digest.ts'
import { type Density, densityOf, FULL, givesOrders, SECTIONS } from '../guide/entry.ts'
import { headerText } from '../guide/render.ts'
import { maskSecrets } from '../screening/secrets.ts'
import { condense } from '../text/condense.ts'
import { clip, disarmBrackets, foldLines, foldText, roleOfPair, roleOfUnit } from '../text/escape.ts'
import { type CandidateDecision, type CandidateFacts, type GovernCommand, NEGATIVE_HINTS } from './govern.ts'
import { isHeldAgainst } from './govern-rules.ts'

// One line per candidate: `[external id] from backend: text | part: …`. Everything between the first brackets and the
// end of the line comes from outside, so all of it is folded and no bracketed id of this request is left in it.

/** No line is longer. */
export const CANDIDATE_LINE_CHARS_MAX = 400
const COMPACT_LINE_CHARS_MAX = 240
const TEXT_CHARS_MIN = 60
const ID_CHARS_MAX = 128
const BACKEND_CHARS_MAX = 40
const TITLE_CHARS_MAX = 80
const ITEM_CHARS_MAX = 60
const LISTED_MAX = 2
/** Of a longer text the line tells the beginning; screening has read the whole. */
const READ_CHARS_MAX = 4000
/** Room for the lines above the sections; a govern prompt has no budget of its own. */
const HEADER_BUDGET_CHARS = 8000

export interface RenderedAdmission {
  readonly promptText: string
  /** By external id: every candidate has a line. */
  readonly lineOfId: ReadonlyMap<string, string>
  readonly lines: Readonly<Record<Surface, readonly string[]>>
}

type AdmissionView = Pick<GovernCommand, 'isCompact' | 'profile' | 'role'>

/**
 * Prints decided candidates for an agent, in the order of the request, one line at a time: each step tells how many
 * characters were read for it. The same decisions give the same bytes.
 */
export function* renderingOf(
  decisions: readonly CandidateDecision[],
  view: AdmissionView,
): Generator<number, RenderedAdmission> {
  const ids = new Set(decisions.map(({ facts }) => printedId(facts.candidate.externalId)))
  const density = densityOf({
    contextMode: view.isCompact ? 'compact_agent' : 'standard',
    compaction: 'balanced',
  })
  const lineOfId = new Map<string, string>()
  const lines: Record<Surface, string[]> = {
    use_now: [],
    inspect_before_use: [],
    rehydrate: [],
    do_not_use: [],
  }
  for (const decision of decisions) {
    const line = candidateLine(decision, density, ids)
    lineOfId.set(decision.facts.candidate.externalId, line)
    lines[decision.surface].push(line)
    yield Math.min(decision.facts.candidate.text.length, READ_CHARS_MAX)
  }
  const { profile, role } = view
  let promptText = headerText({ profile, role, budgetChars: HEADER_BUDGET_CHARS }, true)
  for (const { surface, heading } of SECTIONS) {
    if (lines[surface].length > 0) promptText += `\n\n${heading}\n${lines[surface].join('\n')}`
  }
  return { promptText, lineOfId, lines }
}

/**
 * An external id as it stands between brackets: what could end it, hide in it or break the line is written as `\u{…}`,
 * so that two ids never print alike. Ids that are too long end in their digest.
 */
export function printedId(externalId: string): string {
  let printed = ''
  for (const character of externalId) {
    const code = character.codePointAt(0) ?? 0
    const role = code > 0xffff ? roleOfPair(code) : roleOfUnit(code)
    const isBroken = code >= 0xd800 && code <= 0xdfff
    const isPlain = role === 'keep' && !isBroken && !'[]\\…'.includes(character)
    printed += isPlain ? character : `\\u{${code.toString(16)}}`
  }
  if (printed.length <= ID_CHARS_MAX) return printed
  return `${clip(printed, ID_CHARS_MAX - 16)}${digestOf(externalId)}`
}

/** A title that may be shown: given by the caller, of a text without findings, and not the text itself. */
export function shownTitle({ facts }: CandidateDecision): string | null {
  const { text } = facts.candidate
  const title = facts.candidate.title?.slice(0, READ_CHARS_MAX) ?? null
  if (title === null || facts.findings.length > 0) return null
  const folded = foldText(title)
  // A text many times as long cannot stand inside the title.
  const tellsText = text.length <= title.length * 8 && folded.includes(foldText(text))
  return folded === '' || tellsText ? null : clip(folded, TITLE_CHARS_MAX).replaceAll('"', "'")
}

function candidateLine(decision: CandidateDecision, density: Density, ids: ReadonlySet<string>): string {
  const { candidate } = decision.facts
  const id = printedId(candidate.externalId)
  const backend = clip(foldText(maskSecrets(candidate.sourceBackend)), BACKEND_CHARS_MAX) || 'unnamed source'
  const head = `[${id}] from ${backend}: `
  const rest = restOfLine(decision, head.length, density)
  return `[${id}]${disarmIds(`${head.slice(id.length + 2)}${rest}`, ids)}`
}

function restOfLine(decision: CandidateDecision, headChars: number, density: Density): string {
  const reason = foldText(decision.reason)
  switch (decision.surface) {
    case 'use_now':
    case 'inspect_before_use':
      return usable(decision, headChars, density)
    case 'do_not_use':
      return clip(reason, density.warningReasonCharsMax)
    case 'rehydrate':
      return pointer(decision, headChars, clip(reason, density.reasonCharsMax), density)
  }
}

/** The text, shortened where it must be, and in full lines its title, files and references as far as they fit. */
function usable(decision: CandidateDecision, headChars: number, density: Density): string {
  const text = toldText(decision.facts)
  const full = fullLine(decision, headChars, text.length)
  if (!density.isCompact) {
    const shown = shortened(text, full.room)
    return shown + fittingParts(decision, full.room - shown.length) + full.tail
  }
  const tail = verifyPart(decision, density)
  const room = Math.max(TEXT_CHARS_MIN, COMPACT_LINE_CHARS_MAX - headChars - tail.length)
  const share = Math.floor(full.chars * density.lineShare) - headChars - tail.length
  const most = text.length <= density.wholeCharsMax ? density.wholeCharsMax : share
  return shortened(text, Math.min(room, Math.max(density.textCharsMin, most))) + tail
}

/** What the full line of a text of `textChars` has around it, and how long it is. */
function fullLine(decision: CandidateDecision, headChars: number, textChars: number) {
  const tail = verifyPart(decision, FULL)
  const room = Math.max(TEXT_CHARS_MIN, CANDIDATE_LINE_CHARS_MAX - headChars - tail.length)
  const partsChars = textChars < room ? fittingParts(decision, room - textChars).length : 0
  return { tail, room, chars: headChars + Math.min(room, textChars) + partsChars + tail.length }
}

/** What follows the text, whatever its length. */
function verifyPart({ facts, surface, reason }: CandidateDecision, { reasonCharsMax }: Density): string {
  const past = facts.pastUse === null ? '' : ` | ${facts.pastUse}`
  return surface === 'use_now' ? past : `${past} | verify: ${clip(foldText(reason), reasonCharsMax)}`
}

function fittingParts(decision: CandidateDecision, room: number): string {
  const title = shownTitle(decision)
  let parts = ''
  for (const part of [title === null ? '' : ` | title: "${title}"`, filesPart(decision), refsPart(decision)])
    if (parts.length + part.length <= room) parts += part
  return parts
}

/** What must be fetched, told by its title; by its text only when nothing at all speaks against it. */
function pointer(decision: CandidateDecision, headChars: number, reason: string, density: Density): string {
  const { facts } = decision
  const tail = `${reason}${refsPart(decision)}`
  const room = Math.min(density.pointerCharsMax, CANDIDATE_LINE_CHARS_MAX - headChars - tail.length - 5)
  if (room < 16) return tail
  const title = shownTitle(decision)
  if (title !== null) return `"${clip(title, room)}" | ${tail}`
  const isClean =
    facts.findings.length === 0 &&
    facts.selfClaim === null &&
    !isHeldAgainst(facts) &&
    !facts.hasOtherScope &&
    !NEGATIVE_HINTS.has(facts.candidate.hint)
  return isClean ? `${shortened(toldText(facts), room)} | ${tail}` : tail
}

/** Without the values of secrets. A run is not held back for one, so its text is looked at here. */
function toldText({ candidate, findings }: CandidateFacts): string {
  const mayHold = candidate.screenedAs === 'execution' || findings.some(({ kind }) => kind === 'secret')
  return mayHold ? maskSecrets(candidate.text) : candidate.text
}

function filesPart({ facts }: CandidateDecision): string {
  return listPart('files', facts, facts.candidate.targetFiles)
}

function refsPart({ facts }: CandidateDecision): string {
  return listPart('refs', facts, facts.candidate.evidenceRefs)
}

/** Of the first two of a list what gives no orders, of a candidate in which screening found nothing. */
function listPart(label: string, facts: CandidateFacts, items: readonly string[]): string {
  if (facts.findings.length > 0) return ''
  const shown = items
    .slice(0, LISTED_MAX)
    .filter((item) => !givesOrders(item))
    .map((item) => clip(foldText(maskSecrets(item)), ITEM_CHARS_MAX))
    .filter((item) => item !== '')
  return shown.length === 0 ? '' : ` | ${label}: ${shown.join(', ')}`
}

function shortened(text: string, maxChars: number): string {
  const whole = text.length <= maxChars ? foldText(text) : null
  if (whole !== null && whole.length <= maxChars) return whole || '(no readable text)'
  return (
    disarmBrackets(condense(foldLines(text.slice(0, READ_CHARS_MAX)), maxChars).replaceAll('\n', ' ')) ||
    '(no readable text)'
  )
}

/** Writes every bracketed id of this request in round brackets: only the head of a line speaks for a candidate. */
function disarmIds(text: string, ids: ReadonlySet<string>): string {
  let open = text.indexOf('[')
  if (open === -1) return text
  let out = ''
  let from = 0
  for (; open !== -1; open = text.indexOf('[', open + 1)) {
    const close = text.indexOf(']', open)
    if (close === -1) break
    if (!ids.has(text.slice(open + 1, close).trim())) continue
    out += `${text.slice(from, open)}(${text.slice(open + 1, close)})`
    from = close + 1
  }
  return out + text.slice(from)
}
