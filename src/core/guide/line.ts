import { type MemoryType, TRUSTED_ORIGINS } from '../base/closed-sets.ts'
import type { Content, MemoryRecord } from '../model/record.ts'
import { maskSecrets } from '../screening/secrets.ts'
import { condense } from '../text/condense.ts'
import { clip, disarmBrackets, foldLines, foldText } from '../text/escape.ts'
import { firstSentenceOf } from '../text/sentences.ts'
import { dayOf } from '../text/told.ts'
import { type Density, FULL, type GuideEntry, givesOrders, marksOf, tellableReason } from './entry.ts'

// One line of the prompt: `[memory_id] label (marks): text | part: … | full text: rehydrate`. It is a pure function of
// the entry, the density and, for a warning, of what worked instead; never of the budget, the profile or the role.

/** What an overlong text leaves to files and checks of execution memory. */
const DETAIL_CHARS = 100
const RUN_CHARS_MAX = 64
const REF_CHARS_MAX = 40
const FILE_CHARS_MAX = 80
const FULL_TEXT_PART = ' | full text: rehydrate'
/** With less room than that nothing is quoted. */
const SAID_CHARS_MIN = 16
const NO_TEXT = '(no text recorded)'
/** Before the bracketed id of what says otherwise: of text no bracketed id is left. */
export const DISPUTED_BY = ' | disputed by '

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
  const line = wholeLine(entry, density, workedInstead)
  // Only a short line may have no room for the words around its text.
  return line.length <= density.lineCharsMax ? line : clip(line, density.lineCharsMax)
}

/** The same where only what may be used now carries text: of anything else its type, date and reason. */
export function briefLineOf(
  entry: GuideEntry,
  density: Density,
  workedInstead: WorkedInstead | null,
): string {
  if (entry.surface === 'use_now') return lineOf(entry, density, workedInstead)
  const { record } = entry
  const reason = reasonOf(entry, density.warningReasonCharsMax)
  return `[${record.memoryId}] ${nounOf(record)} (${dayOf(record.observedAtMs)}): ${reason}`
}

function wholeLine(entry: GuideEntry, density: Density, workedInstead: WorkedInstead | null): string {
  switch (entry.surface) {
    case 'use_now':
    case 'inspect_before_use':
      return entry.standsFor === null
        ? usableLine(entry, density)
        : standInLine(entry, entry.standsFor, density)
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

/** Characters of the full line of a memory that may be used. */
export function usableLineChars(record: MemoryRecord): number {
  const marks = { isOtherTask: false, pastUse: null, disputedBy: null, fileMark: null }
  return usableLine({ record, surface: 'use_now', reason: '', reasonCode: '', ...marks }, FULL).length
}

/** What a line of a memory for use or inspection is made of. */
type Usable = Pick<
  GuideEntry,
  'record' | 'surface' | 'reason' | 'reasonCode' | 'isOtherTask' | 'pastUse' | 'disputedBy' | 'fileMark'
>

function usableLine(entry: Usable, density: Density): string {
  const { record } = entry
  const frame = frameOf(entry, density)
  const room = Math.max(0, density.lineCharsMax - frame.chars)
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

/** Of runs that ended alike: how many, and what all of them passed. */
function standInLine(entry: GuideEntry, runs: number, density: Density): string {
  const { head, tail, chars } = frameOf(entry, density)
  const said = standInText(entry.record, runs)
  const room = Math.min(density.detailCharsMax, density.lineCharsMax - chars - said.length)
  return head + said + checksPart(entry.record, room, density) + tail
}

/** `17 more runs succeeded, last 2026-10-30`. */
function standInText({ content, observedAtMs }: MemoryRecord, runs: number): string {
  const ended = content.outcome === 'blocked' || content.outcome === 'interrupted' ? 'were ' : ''
  return `${runs} more ${runs === 1 ? 'run' : 'runs'} ${runs === 1 && ended !== '' ? 'was ' : ended}${content.outcome}, last ${dayOf(observedAtMs)}`
}

/** What stands around the text of a line. */
function frameOf(entry: Usable, density: Density) {
  const { record } = entry
  // Before everything that comes from outside, which can then not pass for them.
  const marks = marksOf(entry).join(', ')
  const head = `[${record.memoryId}] ${labelOf(record)} (${marks})${addresseePart(record, density)}: `
  const next = entry.isOtherTask ? '' : nextActionPart(record, density)
  const why = entry.surface === 'use_now' ? '' : ` | verify: ${reasonOf(entry, density.reasonCharsMax)}`
  const past = entry.pastUse === null ? '' : ` | ${entry.pastUse}`
  const full = record.content.fullTextChars === null ? '' : FULL_TEXT_PART
  // In a short line some text comes before what it would leave no room for.
  let room = density.lineCharsMax - SAID_CHARS_MIN - head.length - next.length - why.length
  const fitting = (part: string): string => {
    if (part.length > room) return ''
    room -= part.length
    return part
  }
  const tail = fitting(past) + why + fitting(filePart(entry)) + fitting(disputedPart(entry)) + fitting(full)
  return { head, next, tail, chars: head.length + next.length + tail.length }
}

/** What happened to a file that the memory names. */
function filePart({ record, fileMark }: Usable): string {
  if (fileMark === null) return ''
  const { path, isGone, sinceMs } = fileMark
  const file = disarmBrackets(clip(foldText(told(record, path)), FILE_CHARS_MAX))
  return ` | ${file} ${isGone ? 'gone' : 'changed'} since (${dayOf(sinceMs)})`
}

/** Who says otherwise: only what a memory says it yields to, or what was said later. */
function disputedPart({ disputedBy }: Usable): string {
  if (disputedBy === null) return ''
  const { memoryId, origin, observedAtMs } = disputedBy
  return `${DISPUTED_BY}[${memoryId}] (${origin}, ${dayOf(observedAtMs)})`
}

/** About the length of the line that is not shortened. */
function fullLineChars(entry: Usable, source: string): number {
  const max = FULL.lineCharsMax
  const chars = frameOf(entry, FULL).chars + source.length
  return chars >= max ? max : chars + detailParts(entry.record, max - chars, FULL).length
}

/** To whom a handoff is addressed, in the words of its writer; it tells the reader and decides nothing. */
function addresseePart(record: MemoryRecord, { addresseeCharsMax }: Density): string {
  const { handoff } = record
  if (handoff === null || addresseeCharsMax === 0) return ''
  const { targetAgentId, targetTeamId, targetRole } = handoff
  const named = Object.entries({ agent: targetAgentId, team: targetTeamId, role: targetRole })
    .map(([kind, name]) => ({ kind, name: clip(foldText(told(record, name ?? '')), addresseeCharsMax) }))
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
function entryText({ record, isOtherTask }: Usable, prefersSummary: boolean): string {
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
  if (next === null || next === '' || density.nextActionCharsMax === 0) return ''
  return ` | next: ${disarmBrackets(condense(foldText(told(record, next)), density.nextActionCharsMax))}`
}

/** Files and checks of a run, a handoff or a procedure, as many whole ones as fit. */
function detailParts(record: MemoryRecord, roomChars: number, density: Density): string {
  if (record.domain !== 'execution' && record.handoff === null && record.memoryType !== 'procedure') return ''
  const files = filesPart(record, record.content.targetFiles, roomChars, density)
  return files + checksPart(record, roomChars - files.length, density)
}

function filesPart(
  record: MemoryRecord,
  files: readonly string[],
  room: number,
  { filesMax }: Density,
): string {
  return listPart(' | files: ', ', ', toldNames(record, files, filesMax), room)
}

function checksPart(record: MemoryRecord, room: number, { checksMax }: Density): string {
  return listPart(' | checks: ', '; ', toldNames(record, record.content.acceptanceChecks, checksMax), room)
}

function toldNames(record: MemoryRecord, names: readonly string[], namesMax: number): readonly string[] {
  return names.slice(0, namesMax).map((name) => foldText(told(record, name)))
}

function listPart(label: string, joiner: string, items: readonly string[], room: number): string {
  let part = ''
  for (const item of items) {
    const glue = part === '' ? label : joiner
    if (part.length + glue.length + item.length > room) break
    if (item !== '') part += glue + item
  }
  return part
}

/**
 * Type, source, run, reason and a caller's own title; of a failed run without one the first sentence of its summary,
 * else its files. Never another word of the blocked text.
 */
function warningLine(entry: GuideEntry, density: Density, workedInstead: WorkedInstead | null): string {
  const { record, standsFor } = entry
  const [runId] = record.runId === null ? [] : harmless(record, [record.runId])
  const run = runId === undefined ? '' : ` ${clip(foldText(told(record, runId)), RUN_CHARS_MAX)}`
  const noun = nounOf(record)
  const kind = noun === 'run' || run === '' ? `${noun}${run}` : `${noun} of run${run}`
  const source = record.source === 'observe' ? ', source observe' : ''
  const more = standsFor === null ? '' : ` | ${standInText(record, standsFor)}`
  const reason = reasonOf(entry, density.warningReasonCharsMax)
  const line = `[${record.memoryId}] ${kind}${source}: ${reason}${more}`
  const room = density.lineCharsMax - line.length
  const instead = workedInstead === null ? '' : insteadPart(workedInstead, density.workedCharsMax, room)
  return line + saidPart(entry, room - instead.length, density) + instead
}

/** What worked, in its own words: its line may not be there when the budget is small. Its id is there whole or not. */
function insteadPart({ record, isShown }: WorkedInstead, charsMax: number, room: number): string {
  const title = callersTitle(record)
  const said =
    title === null ? shortened(record.content, sourceText(record, true), charsMax) : clip(title, charsMax)
  const part = ` | worked instead: ${said}`
  const named = isShown ? `${part} (${record.memoryId})` : part
  return [named, part].find(({ length }) => length <= room) ?? ''
}

/** What a warning may say in the words of its writer. */
function saidPart(entry: GuideEntry, room: number, density: Density): string {
  const { record } = entry
  const title = callersTitle(record) ?? titleForText(entry)
  if (title !== null) return quotedPart('title', title, Math.min(density.titleCharsMax, room - 12))
  if (nounOf(record) !== 'run' || !isFailure(record)) return ''
  const sentence = failedRunSentence(entry)
  return sentence === null
    ? filesPart(record, harmless(record, record.content.targetFiles), room, density)
    : quotedPart('summary', sentence, Math.min(density.sentenceCharsMax, room - 14))
}

/** Names as a warning may print them: none where screening found something in the memory and there are orders in them. */
function harmless({ findings }: MemoryRecord, names: readonly string[]): readonly string[] {
  return findings.length > 0 && givesOrders(names.join('\n')) ? [] : names
}

function quotedPart(label: string, said: string, maxChars: number): string {
  return maxChars < SAID_CHARS_MIN ? '' : ` | ${label}: "${clip(said, maxChars).replaceAll('"', "'")}"`
}

/** The title of a run that failed, where it stands for the text that the caller did not send. */
function titleForText({ record, lifecycleState }: GuideEntry): string | null {
  const { title, titleIsCallers, text } = record.content
  if (title === null || title !== text || !titleIsCallers || record.findings.length > 0) return null
  const isShown = nounOf(record) === 'run' && isFailure(record) && lifecycleState !== 'suppressed'
  return isShown ? foldText(title) || null : null
}

function isFailure({ content }: MemoryRecord): boolean {
  return content.outcome === 'failed' || content.outcome === 'blocked'
}

/**
 * The first sentence of what a failed run says of itself, folded; null when it may not be shown: its origin is not one
 * that starts as trusted, screening found something in it, or it is suppressed.
 */
export function failedRunSentence({ record, lifecycleState }: GuideEntry): string | null {
  const { content, origin, findings } = record
  if (content.outcome !== 'failed' || lifecycleState === 'suppressed') return null
  if (findings.length > 0 || !TRUSTED_ORIGINS.includes(origin)) return null
  return firstSentenceOf(told(record, content.summary ?? '')) || null
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
  const tail = `holds: ${holdings(record)} | ${reasonOf(entry, density.reasonCharsMax)}${full}`
  const hint = told(record, content.title ?? content.summary ?? content.text)
  if (hint === '') return head + tail
  const room = Math.max(0, density.lineCharsMax - head.length - tail.length - 3)
  return `${head}${shortened(content, hint, Math.min(density.pointerCharsMax, room))} | ${tail}`
}

function holdings(record: MemoryRecord): string {
  const { content } = record
  const held: string[] = []
  if (content.text !== '') held.push('text')
  if (content.payload !== null) held.push('payload')
  if (content.rawRef !== null) held.push(`raw ${clip(foldText(told(record, content.rawRef)), REF_CHARS_MAX)}`)
  const evidence = content.evidenceRefs[0]
  if (evidence !== undefined) held.push(`evidence ${clip(foldText(told(record, evidence)), REF_CHARS_MAX)}`)
  return held.length === 0 ? 'a record without text' : held.join(', ')
}

/** The reason without its full stop, or the reason code when no sentence was given. */
function reasonOf(entry: Pick<GuideEntry, 'reason' | 'reasonCode'>, maxChars: number): string {
  const reason = foldText(tellableReason(entry)) || entry.reasonCode
  return clip(reason.endsWith('.') ? reason.slice(0, -1) : reason, maxChars)
}
