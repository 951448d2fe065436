import type { Surface } from '../base/closed-sets.ts'
import { grouped } from '../base/collections.ts'
import { FNV_PRIME, FNV_START } from '../base/hash.ts'
import { isSameOccurrence } from '../model/memory-fields.ts'
import { isLess, voiceOf } from '../model/principal.ts'
import type { MemoryRecord } from '../model/record.ts'
import type { ActorState } from '../model/state.ts'
import { audienceKey } from '../model/visibility.ts'
import { eachToken, GRAM } from '../search/tokens.ts'
import { normaliseText } from '../similarity/text-signature.ts'
import { isExactIdentifier } from '../text/identifiers.ts'
import { changedEntry, type GuideEntry, type GuideView, type Omission } from './entry.ts'
import { failedRunSentence } from './line.ts'

type Folding = Pick<ActorState, 'operatorMemories' | 'columns'>

/**
 * Of memories of one audience that say the same, one is shown: the one on the best surface, of these the one of the
 * highest authority, of these the newest. What observers wrote is meant, as long as it is not do_not_use: runs, handoffs
 * and claims say more than their text, and a warning shows none.
 */
export function foldSameTexts(
  state: Folding,
  entries: readonly GuideEntry[],
  omitted: Map<string, Omission>,
): void {
  // Another text with the same key has the next free one: lists that share their code with lists that live long would
  // begin in the old part of the heap, and keep all of the guide there.
  const byKey = new Map<number, GuideEntry>()
  const into = new Map<GuideEntry, GuideEntry>()
  for (const entry of entries) {
    const text = omitted.has(entry.record.memoryId) ? null : textOf(entry)
    if (text === null) continue
    let key = keyIn(state, entry.record, text)
    let other = byKey.get(key)
    for (; other !== undefined && !saySame(state, entry.record, other.record); other = byKey.get(key))
      key += 1
    if (other !== undefined && !isBetter(state, entry, other)) {
      into.set(entry, other)
      continue
    }
    byKey.set(key, entry)
    if (other !== undefined) into.set(other, entry)
  }
  for (const [entry, other] of into) {
    let last = other
    for (let next = into.get(last); next !== undefined; next = into.get(last)) last = next
    omitted.set(entry.record.memoryId, { entry, reason: 'same_text', intoId: last.record.memoryId })
  }
}

/** What is compared; null: nothing stands for this entry, and it stands for none. */
function textOf({ record, surface }: GuideEntry): string | null {
  return surface === 'do_not_use' ? null : saidIn(record)
}

function saidIn({ content, source, domain }: MemoryRecord): string | null {
  if (source !== 'observe' || domain !== 'general' || content.fullTextChars !== null) return null
  return content.text || content.summary || null
}

/** Whether one of the two stands for the other where both may be used alike. */
export function saySame(state: Folding, record: MemoryRecord, other: MemoryRecord): boolean {
  const [text, otherText] = [saidIn(record), saidIn(other)]
  if (text === null || otherText === null) return false
  if (audienceKey(record.audience) !== audienceKey(other.audience)) return false
  if (!isSameOccurrence(record, other)) return false
  if (text === otherText) return true
  const isAlike = keyIn(state, record, text) === keyIn(state, other, otherText)
  return isAlike && normaliseText(text) === normaliseText(otherText)
}

const SURFACE_ORDER = {
  use_now: 3,
  inspect_before_use: 2,
  rehydrate: 1,
  do_not_use: 0,
} as const satisfies Record<Surface, number>

function isBetter(state: Folding, a: GuideEntry, b: GuideEntry): boolean {
  const bySurface = SURFACE_ORDER[a.surface] - SURFACE_ORDER[b.surface]
  if (bySurface !== 0) return bySurface > 0
  return isHeardFirst(state, a.record, b.record)
}

/** Of two that say the same: the one of higher authority, else the newer. */
export function isHeardFirst(state: Folding, a: MemoryRecord, b: MemoryRecord): boolean {
  const [ours, theirs] = [voiceOf(state, a), voiceOf(state, b)]
  if (isLess(ours, theirs)) return false
  return isLess(theirs, ours) || newestFirst({ record: a }, { record: b }) < 0
}

type Recorded = Pick<GuideEntry, 'record'>

/** By the day that their lines say. */
function newestFirst({ record: a }: Recorded, { record: b }: Recorded): number {
  return b.observedAtMs - a.observedAtMs || b.ordinal - a.ordinal
}

function keyIn({ columns }: Folding, record: MemoryRecord, text: string): number {
  return columns.textKey(record, () => keyOf(text))
}

/** Equal for texts that normalise to the same, and mostly only for those: a hash of their letters and digits. */
function keyOf(text: string): number {
  const hash = hashOf(text)
  return hash === NOT_ASCII ? hashOf(normaliseText(text), true) : hash
}

const NOT_ASCII = -1

/** 31 bits, or `NOT_ASCII` for a text beyond ASCII unless that is allowed. */
function hashOf(text: string, isAnyScript = false): number {
  let hash = FNV_START
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code > 0x7f && !isAnyScript) return NOT_ASCII
    const lower = code | 0x20
    if (lower >= 0x61 && lower <= 0x7a) hash = Math.imul(hash ^ lower, FNV_PRIME)
    else if ((code >= 0x30 && code <= 0x39) || code > 0x7f) hash = Math.imul(hash ^ code, FNV_PRIME)
  }
  return hash & 0x7fffffff
}

/** Reasons of recall that show on their own that a memory is about what is asked. */
const STRONG_REASONS: readonly string[] = ['exact_identifier', 'text_match', 'semantic_match']

export function isStrongMatch({ isWeak, recallSources }: GuideEntry): boolean {
  return !isWeak && recallSources.some(({ reason }) => STRONG_REASONS.includes(reason))
}

/**
 * Whether a memory touches what is asked or may be used: it shares a task or workflow signature, a target path or an
 * identifier of the query with what is asked, or a signature or path with a use_now memory.
 */
export function touchTest(
  view: GuideView,
  useNow: readonly MemoryRecord[],
): (record: MemoryRecord) => boolean {
  const tasks = signatures(view.taskSignature, useNow, (record) => record.taskSignature)
  const workflows = signatures(view.workflowSignature, useNow, (record) => record.workflowSignature)
  const paths = new Set<string>()
  for (const { content } of useNow) for (const path of content.targetFiles) paths.add(path)
  const identifiers = view.queryIdentifiers.map((identifier) => identifier.toLowerCase()).filter(Boolean)
  const asked = new Set(view.queryIdentifiers)
  return (record) => {
    if (record.taskSignature !== null && tasks.has(record.taskSignature)) return true
    if (record.workflowSignature !== null && workflows.has(record.workflowSignature)) return true
    if (record.runId !== null && asked.has(record.runId)) return true
    if (record.content.targetFiles.some((path) => paths.has(path) || namesPath(identifiers, path)))
      return true
    return identifiers.length > 0 && namesIdentifier(identifiers, record)
  }
}

function signatures(
  asked: string | null,
  useNow: readonly MemoryRecord[],
  signatureOf: (record: MemoryRecord) => string | null,
): ReadonlySet<string> {
  const found = new Set<string>()
  if (asked !== null) found.add(asked)
  for (const record of useNow) {
    const signature = signatureOf(record)
    if (signature !== null) found.add(signature)
  }
  return found
}

/** A query names a path whole or by its last parts: `auth/login.ts` names `src/auth/login.ts`. */
function namesPath(identifiers: readonly string[], path: string): boolean {
  const target = path.toLowerCase()
  return identifiers.some((identifier) => target === identifier || target.endsWith(`/${identifier}`))
}

function namesIdentifier(identifiers: readonly string[], record: MemoryRecord): boolean {
  const text = wordsOf(record).toLowerCase()
  return identifiers.some((identifier) => hasWord(text, identifier))
}

/** What can be a path, symbol, version or code has one of these. Most prose is passed over by it. */
const IDENTIFIER_SIGNS = /[_./#@:0-9]|\p{Ll}\p{Lu}/u

/** Whether a memory names a path, symbol or id that a use_now memory names too. */
export function sharedNameTest(useNow: readonly MemoryRecord[]): (record: MemoryRecord) => boolean {
  let usable: readonly string[] | null = null
  return (record) => {
    const said = wordsOf(record)
    if (useNow.length === 0 || !IDENTIFIER_SIGNS.test(said)) return false
    const names = identifiersIn(said)
    if (names.size === 0) return false
    usable ??= useNow.map((each) => `${wordsOf(each)}\n${each.content.targetFiles.join('\n')}`.toLowerCase())
    const texts = usable
    return [...names].some((name) => texts.some((text) => hasWord(text, name)))
  }
}

/** In small letters. A number, date or version alone names nothing. */
function identifiersIn(text: string): ReadonlySet<string> {
  const names = new Set<string>()
  eachToken(text.slice(0, NAMED_CHARS_MAX), ({ cased, lower }, start, end, kind, isPart) => {
    if (isPart || kind === GRAM || !isExactIdentifier(cased, start, end)) return
    const name = lower.slice(start, end)
    if (/\p{L}/u.test(name)) names.add(name)
  })
  return names
}

/** Of a longer text what comes after is not looked at. */
const NAMED_CHARS_MAX = 4000

function wordsOf({ content }: MemoryRecord): string {
  return `${content.title ?? ''}\n${content.summary ?? ''}\n${content.text}`
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
    if (!isWordUnit(text.charCodeAt(at - 1)) && !isWordUnit(text.charCodeAt(at + word.length))) return true
  }
  return false
}

function isWordUnit(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f || code > 0xbf
}

// What needs no line of its own is taken out before the limit and the budget are applied: texts and runs that say what
// others say, a memory whose successor is there, a warning that warns of nothing that is asked or may be used.

/** Of runs that are alike so many, the newest, keep lines of their own. */
const OWN_LINES = 2

export interface Folded {
  /** In rank order; warnings are marked as relevant or not. */
  readonly kept: readonly GuideEntry[]
  /** In rank order. */
  readonly omitted: readonly Omission[]
}

/**
 * Folds the candidates of a guide, given in rank order.
 * @param limit how many memories the guide shows: a warning is judged by as many that may be used
 */
export function foldCandidates(
  state: Pick<ActorState, 'operatorMemories' | 'columns'>,
  entries: readonly GuideEntry[],
  view: GuideView,
  limit: number,
): Folded {
  const omitted = new Map<string, Omission>()
  const standIns = new Map<string, GuideEntry>()
  omitReplaced(entries, omitted)
  const usable = entries.filter((entry) => entry.surface !== 'do_not_use')
  foldSameTexts(state, usable, omitted)
  foldRuns(usable, omitted, standIns)
  const shown = usable.filter(({ record }) => !omitted.has(record.memoryId)).slice(0, limit)
  const warnings = judgeWarnings(entries, shown, view, omitted)
  foldRuns(warnings, omitted, standIns)
  const marked = new Map(warnings.map((entry) => [entry.record.memoryId, entry]))
  const folded = { kept: [] as GuideEntry[], omitted: [] as Omission[] }
  for (const entry of entries) {
    const { memoryId } = entry.record
    const omission = omitted.get(memoryId)
    if (omission !== undefined) folded.omitted.push(omission)
    else folded.kept.push(standIns.get(memoryId) ?? marked.get(memoryId) ?? entry)
  }
  return folded
}

/** Where the limit leaves out what a memory was folded into, it leaves out that memory with it. */
export function intoChosen(omitted: readonly Omission[], chosen: readonly GuideEntry[]): readonly Omission[] {
  const chosenIds = new Set(chosen.map(({ record }) => record.memoryId))
  const intoOf = new Map(omitted.map(({ entry, intoId }) => [entry.record.memoryId, intoId]))
  return omitted.filter(({ intoId }) => {
    let into = intoId
    while (into !== null && !chosenIds.has(into)) {
      const next = intoOf.get(into)
      if (next === undefined) return false
      into = next
    }
    return true
  })
}

/** A superseded memory goes into what replaced it, or into what replaced that, if it is a candidate too. */
function omitReplaced(entries: readonly GuideEntry[], omitted: Map<string, Omission>): void {
  const replaced = entries.filter(isReplaced)
  if (replaced.length === 0) return
  const byId = new Map(entries.map((entry) => [entry.record.memoryId, entry]))
  for (const entry of replaced) {
    const intoId = lastSuccessor(entry, byId)
    if (intoId !== null) omitted.set(entry.record.memoryId, { entry, reason: 'successor', intoId })
  }
}

/** True when that it was replaced is what holds it back: what is suppressed, or a failed run, says more. */
function isReplaced({ ruleId, lifecycleState }: GuideEntry): boolean {
  return ruleId === 'S3' && lifecycleState === 'superseded'
}

/** Null: what replaced it is no candidate, or they replaced each other in a ring, which has no last one. */
function lastSuccessor({ record }: GuideEntry, byId: ReadonlyMap<string, GuideEntry>): string | null {
  const seen = new Set([record.memoryId])
  let last: string | null = null
  let next = byId.get(successorOf(record) ?? '')
  while (next !== undefined) {
    last = next.record.memoryId
    if (seen.has(last)) return null
    seen.add(last)
    next = isReplaced(next) ? byId.get(successorOf(next.record) ?? '') : undefined
  }
  return last
}

function successorOf({ changes }: MemoryRecord): string | null {
  return changes.findLast(({ facet, to }) => facet === 'validity' && to === 'superseded')?.byMemoryId ?? null
}

/** The warnings that concern what is asked or may be used, marked; the others are omitted. */
function judgeWarnings(
  entries: readonly GuideEntry[],
  shown: readonly GuideEntry[],
  view: GuideView,
  omitted: Map<string, Omission>,
): readonly GuideEntry[] {
  const warnings = entries.filter(
    ({ surface, record }) => surface === 'do_not_use' && !omitted.has(record.memoryId),
  )
  if (warnings.length === 0) return warnings
  const useNow = shown.filter(({ surface }) => surface === 'use_now').map(({ record }) => record)
  const touches = touchTest(view, useNow)
  const sharesName = sharedNameTest(useNow)
  return warnings.flatMap((entry) => {
    if (touches(entry.record)) return [changedEntry(entry, { relevantWarning: true })]
    if (isStrongMatch(entry) || sharesName(entry.record)) return [entry]
    omitted.set(entry.record.memoryId, { entry, reason: 'not_related', intoId: null })
    return []
  })
}

/** Of runs that are alike the newest keep their lines, the newest of the rest stands for the rest. */
function foldRuns(
  entries: readonly GuideEntry[],
  omitted: Map<string, Omission>,
  standIns: Map<string, GuideEntry>,
): void {
  const runs = entries.filter((entry) => isFoldable(entry) && !omitted.has(entry.record.memoryId))
  if (runs.length <= OWN_LINES) return
  // Most runs of a guide are of different tasks, which takes less to see than whether they are alike.
  const ofTasks = [...grouped(runs, signatureOf).values()].filter(({ length }) => length > OWN_LINES)
  for (const alike of grouped(ofTasks.flat(), likenessOf).values()) {
    const [standIn, ...rest] = alike.toSorted(newestFirst).slice(OWN_LINES)
    if (standIn === undefined) continue
    const { memoryId } = standIn.record
    standIns.set(memoryId, changedEntry(standIn, { standsFor: rest.length + 1 }))
    for (const entry of rest)
      omitted.set(entry.record.memoryId, { entry, reason: 'folded', intoId: memoryId })
  }
}

/** The oldest of each kind of runs that a guide kept, and whether it is the one that stands for itself alone. */
export function oldestKept(
  kept: readonly GuideEntry[],
): readonly { readonly memoryId: string; readonly isStandIn: boolean }[] {
  return [...grouped(kept.filter(isFoldable), likenessOf).values()].flatMap((alike) => {
    const oldest = alike.toSorted(newestFirst).at(-1)
    if (oldest === undefined || oldest.standsFor !== null) return []
    return [{ memoryId: oldest.record.memoryId, isStandIn: alike.length > OWN_LINES }]
  })
}

function signatureOf({ record }: GuideEntry): string {
  return record.taskSignature ?? record.workflowSignature ?? ''
}

function isFoldable({ surface, record }: GuideEntry): boolean {
  const { outcome } = record.content
  return (
    surface !== 'rehydrate' &&
    record.domain === 'execution' &&
    record.source === 'observe' &&
    outcome !== null &&
    outcome !== 'unknown' &&
    (record.taskSignature ?? record.workflowSignature) !== null
  )
}

/**
 * Runs with the same words are alike: surface and reason, outcome, signature and checks; of a run that did not succeed
 * its title, or what it says instead, and its files too.
 */
function likenessOf(entry: GuideEntry): string {
  const { content, taskSignature, workflowSignature } = entry.record
  const ended = [entry.surface, entry.reason, entry.isWeak, content.outcome]
  const task = taskSignature === null ? ['workflow', workflowSignature] : ['task', taskSignature]
  const checks = content.acceptanceChecks.toSorted()
  if (content.outcome === 'succeeded') return JSON.stringify([ended, task, checks])
  const said = entry.surface === 'do_not_use' ? failedRunSentence(entry) : (content.summary ?? content.text)
  return JSON.stringify([ended, task, checks, content.title ?? said, content.targetFiles.toSorted()])
}
