import type { MemoryType } from '../base/closed-sets.ts'
import type { Content, MemoryRecord } from '../model/record.ts'
import { maskSecrets } from '../screening/secrets.ts'
import { condense } from '../text/condense.ts'
import { clip, disarmBrackets, foldLines, foldText } from '../text/escape.ts'
import { type Density, FULL } from './density.ts'
import type { GuideEntry } from './entry.ts'

// One line of the prompt: `[memory_id] label: text | part: … | full text: rehydrate`. It is a pure function of the
// entry, the density and, for a warning, of what worked instead; never of the budget, the profile or the role.

export const LINE_CHARS_MAX = 400
/** What an overlong text leaves to files and checks of execution memory. */
const DETAIL_CHARS = 100
const RUN_CHARS_MAX = 64
const REF_CHARS_MAX = 40
const FULL_TEXT_PART = ' | full text: rehydrate'
const NO_TEXT = '(no text recorded)'

const TYPE_WORDS: Readonly<Record<MemoryType, string>> = {
  fact: 'fact',
  preference: 'preference',
  project_context: 'project context',
  procedure: 'procedure',
  event: 'event',
  evidence: 'evidence',
  rule: 'rule',
  execution_memory: 'run',
}

/** A usable run that succeeded at what a warning is about. */
export interface WorkedInstead {
  readonly record: MemoryRecord
  /** False: the guide does not show it, so its id is not named either. */
  readonly isShown: boolean
}

/** The line of an entry; `workedInstead` is for a warning. */
export function lineOf(entry: GuideEntry, density: Density, workedInstead: WorkedInstead | null): string {
  switch (entry.surface) {
    case 'use_now':
    case 'inspect_before_use':
      return usableLine(entry, density)
    case 'do_not_use':
      return warningLine(entry, density, workedInstead)
    case 'rehydrate':
      return pointerLine(entry, density)
  }
}

/** What the memory is, in a word or two: `preference`, `run`, `handoff`, `claim`. */
export function nounOf(record: MemoryRecord): string {
  if (record.source !== 'observe') return record.source
  return record.domain === 'execution' ? 'run' : TYPE_WORDS[record.memoryType]
}

/** The noun, and how a run ended: `run succeeded`. */
function labelOf(record: MemoryRecord): string {
  const noun = nounOf(record)
  const { outcome } = record.content
  return noun === 'run' && outcome !== null && outcome !== 'unknown' ? `run ${outcome}` : noun
}

function usableLine(entry: GuideEntry, density: Density): string {
  const { record } = entry
  const frame = frameOf(entry, density)
  const room = LINE_CHARS_MAX - frame.chars
  const source = entryText(entry, false)
  if (density.isCompact) {
    const isWhole = source.length <= density.wholeCharsMax
    const share = Math.floor(fullLineChars(entry, source) * density.lineShare) - frame.chars
    const most = isWhole
      ? density.detailCharsMax
      : Math.min(density.detailCharsMax, share - density.textCharsMin)
    const details = detailParts(record, most, density)
    const left = isWhole ? density.wholeCharsMax : Math.max(density.textCharsMin, share - details.length)
    const text = shortened(record.content, entryText(entry, true), Math.min(room - details.length, left))
    return frame.head + text + frame.next + details + frame.tail
  }
  let text = source.length <= room ? foldText(source) : null
  if (text === null || text.length > room) {
    const spared = detailParts(record, DETAIL_CHARS, density).length
    text = shortened(record.content, source, room - spared)
  }
  return frame.head + text + frame.next + detailParts(record, room - text.length, density) + frame.tail
}

/** What stands around the text of a line. */
function frameOf(entry: GuideEntry, density: Density) {
  const { record } = entry
  const head = `[${record.memoryId}] ${labelOf(record)}${addresseePart(record, density)}: `
  const next = entry.isOtherTask ? '' : nextActionPart(record, density)
  const why = entry.surface === 'use_now' ? '' : ` | verify: ${reasonOf(entry, density.reasonCharsMax)}`
  const tail = why + (record.content.fullTextChars === null ? '' : FULL_TEXT_PART)
  return { head, next, tail, chars: head.length + next.length + tail.length }
}

/** About the length of the line that is not shortened. */
function fullLineChars(entry: GuideEntry, source: string): number {
  const chars = frameOf(entry, FULL).chars + source.length
  if (chars >= LINE_CHARS_MAX) return LINE_CHARS_MAX
  return chars + detailParts(entry.record, LINE_CHARS_MAX - chars, FULL).length
}

/** To whom a handoff is addressed, in the words of its writer; it tells the reader and decides nothing. */
function addresseePart({ handoff }: MemoryRecord, { addresseeCharsMax }: Density): string {
  if (handoff === null) return ''
  const { targetAgentId, targetTeamId, targetRole } = handoff
  const named = Object.entries({ agent: targetAgentId, team: targetTeamId, role: targetRole })
    .map(([kind, name]) => ({ kind, name: name === null ? '' : clip(foldText(name), addresseeCharsMax) }))
    .filter(({ name }) => name !== '')
    .map(({ kind, name }) => `${kind} ${name}`)
  return named.length === 0 ? '' : ` to ${named.join(', ')}`
}

/** The text of a use_now or inspect line: of a handoff both of its texts, in compact form the summary. */
function sourceText(record: MemoryRecord, prefersSummary: boolean): string {
  return told(record, ownText(record, prefersSummary))
}

function ownText(record: MemoryRecord, prefersSummary: boolean): string {
  const { content, handoff } = record
  if (handoff !== null) {
    const summary = content.summary ?? content.text
    const { handoffText } = handoff
    if (prefersSummary && summary !== '') return summary
    if (handoffText === null || handoffText === summary) return summary || NO_TEXT
    return summary === '' ? handoffText : `${summary} | ${handoffText}`
  }
  if (prefersSummary && content.summary !== null && content.summary !== '') return content.summary
  return content.text || content.summary || content.title || NO_TEXT
}

/** The text of a line, without the next step of another task. */
function entryText({ record, isOtherTask }: GuideEntry, prefersSummary: boolean): string {
  const { content, handoff } = record
  // Without a summary the text of a handoff is all that was handed over.
  if (!isOtherTask || handoff === null || content.summary !== null) return sourceText(record, prefersSummary)
  return told(record, handoff.handoffText ?? NO_TEXT)
}

/**
 * A text of a memory as it may be shown: without the values of secrets. What screening reads whole says so when it holds
 * one; runs and handoffs are not held back for it, so their texts are looked at here.
 */
export function told(record: MemoryRecord, text: string): string {
  return record.domain === 'execution' || record.findings.includes('secret') ? maskSecrets(text) : text
}

interface Shortened {
  readonly source: string
  readonly maxChars: number
  readonly text: string
}

// Contents are immutable, so a shortened text may be kept as long as its content is: the same guide asked again pays
// nothing for it, and a content that is gone takes its text with it.
const SHORTENED = new WeakMap<Content, Shortened>()

function shortened(content: Content, source: string, maxChars: number): string {
  const known = SHORTENED.get(content)
  if (known !== undefined && known.maxChars === maxChars && known.source === source) return known.text
  const cut = condense(foldLines(source), maxChars)
  const text = disarmBrackets(cut.includes('\n') ? cut.replaceAll('\n', ' ') : cut)
  SHORTENED.set(content, { source, maxChars, text })
  return text
}

function nextActionPart(record: MemoryRecord, density: Density): string {
  const next = record.handoff?.nextAction ?? record.content.nextAction
  if (next === null || next === '') return ''
  return ` | next: ${disarmBrackets(condense(foldText(told(record, next)), density.nextActionCharsMax))}`
}

/** Files and checks of a run, a handoff or a procedure, as many whole ones as fit. */
function detailParts(record: MemoryRecord, roomChars: number, density: Density): string {
  if (record.domain !== 'execution' && record.handoff === null && record.memoryType !== 'procedure') return ''
  const { targetFiles, acceptanceChecks } = record.content
  const files = listPart(' | files: ', targetFiles, ', ', density.filesMax, roomChars)
  const checks = acceptanceChecks.slice(0, density.checksMax).map((check) => told(record, check))
  return files + listPart(' | checks: ', checks, '; ', density.checksMax, roomChars - files.length)
}

function listPart(
  label: string,
  items: readonly string[],
  joiner: string,
  itemsMax: number,
  room: number,
): string {
  let part = ''
  for (let at = 0; at < items.length && at < itemsMax; at++) {
    const item = foldText(items[at] ?? '')
    const glue = part === '' ? label : joiner
    if (part.length + glue.length + item.length > room) break
    if (item !== '') part += glue + item
  }
  return part
}

/** Type, source, run, reason and a caller's own title: never a word of the blocked text. */
function warningLine(entry: GuideEntry, density: Density, workedInstead: WorkedInstead | null): string {
  const { record } = entry
  const run = record.runId === null ? '' : ` ${clip(foldText(record.runId), RUN_CHARS_MAX)}`
  const noun = nounOf(record)
  const kind = noun === 'run' || run === '' ? `${noun}${run}` : `${noun} of run${run}`
  const source = record.source === 'observe' ? ', source observe' : ''
  const line = `[${record.memoryId}] ${kind}${source}: ${reasonOf(entry, density.warningReasonCharsMax)}`
  const instead = workedInstead === null ? '' : insteadPart(workedInstead, density.workedCharsMax)
  const title = warningTitle(
    record,
    Math.min(density.titleCharsMax, LINE_CHARS_MAX - line.length - instead.length - 12),
  )
  return line + title + instead
}

/** What worked, in its own words: its line may not be there when the budget is small. */
function insteadPart({ record, isShown }: WorkedInstead, charsMax: number): string {
  const title = callersTitle(record)
  const said =
    title === null ? shortened(record.content, sourceText(record, true), charsMax) : clip(title, charsMax)
  return ` | worked instead: ${said}${isShown ? ` (${record.memoryId})` : ''}`
}

function warningTitle(record: MemoryRecord, maxChars: number): string {
  const title = callersTitle(record)
  return title === null || maxChars < 16 ? '' : ` | title: "${clip(title, maxChars).replaceAll('"', "'")}"`
}

/** A title the caller gave, folded; null when it was derived, when screening found something, or when it tells the text. */
export function callersTitle(record: MemoryRecord): string | null {
  const { title, titleIsCallers, text } = record.content
  if (title === null || !titleIsCallers || record.findings.length > 0) return null
  const folded = foldText(told(record, title))
  if (folded === '') return null
  // A text many times as long cannot stand inside the title.
  const tellsText = text !== '' && text.length <= title.length * 8 && folded.includes(foldText(text))
  return tellsText ? null : folded
}

/** What the pointer holds and why it must be fetched, with as much of a title as fits. */
function pointerLine(entry: GuideEntry, density: Density): string {
  const { record } = entry
  const { content } = record
  const head = `[${record.memoryId}] ${labelOf(record)}: `
  const full = content.fullTextChars === null ? '' : FULL_TEXT_PART
  const tail = `holds: ${holdings(content)} | ${reasonOf(entry, density.reasonCharsMax)}${full}`
  const hint = told(record, content.title ?? content.summary ?? content.text)
  if (hint === '') return head + tail
  const room = LINE_CHARS_MAX - head.length - tail.length - 3
  return `${head}${shortened(content, hint, Math.min(density.pointerCharsMax, room))} | ${tail}`
}

function holdings(content: Content): string {
  const held: string[] = []
  if (content.text !== '') held.push('text')
  if (content.payload !== null) held.push('payload')
  if (content.rawRef !== null) held.push(`raw ${clip(foldText(content.rawRef), REF_CHARS_MAX)}`)
  const evidence = content.evidenceRefs[0]
  if (evidence !== undefined) held.push(`evidence ${clip(foldText(evidence), REF_CHARS_MAX)}`)
  return held.length === 0 ? 'a record without text' : held.join(', ')
}

/** The reason without its full stop, or the reason code when no sentence was given. */
function reasonOf(entry: GuideEntry, maxChars: number): string {
  const reason = foldText(entry.reason) || entry.reasonCode
  return clip(reason.endsWith('.') ? reason.slice(0, -1) : reason, maxChars)
}
