import { isSuppressed, validityAt } from './lifecycle.ts'
import { isLess, voiceOf } from './principal.ts'
import type { ClaimFacts, Content, MemoryRecord } from './record.ts'
import { type ActorState, liveRecord } from './state.ts'
import { audienceKey, canSee, isVisibleTo, type Viewer } from './visibility.ts'
import type { FileReport } from './workspace.ts'

/** One dispute as one of its two memories has it. */
export interface DisputeSide {
  /** The other memory. */
  readonly memoryId: string
  readonly kind: string
  /** Whether this memory yields to the other one. */
  readonly yields: boolean
  /** Whether the other memory counts as said later. */
  readonly isOtherLater: boolean
  /** Turn that found it. */
  readonly seq: number
}

type Disputing = Pick<
  ActorState,
  'memories' | 'erasures' | 'disputes' | 'disputesByMemory' | 'operatorMemories'
>

const NONE: readonly DisputeSide[] = []

/**
 * The disputes of a memory in force now that these eyes may know, in journal order. A dispute is in force while both of
 * its memories are, whatever other disputes say of either; trust takes no part. Null eyes see the whole actor.
 */
export function disputesOf(
  state: Disputing,
  record: MemoryRecord,
  nowMs: number,
  eyes: Viewer,
): readonly DisputeSide[] {
  // Most memories are in no dispute.
  if (state.disputes.size === 0) return NONE
  const known = state.disputesByMemory.get(record.memoryId)
  if (known === undefined || !isInForce(record, nowMs)) return NONE
  const sides: DisputeSide[] = []
  for (const { earlierId, laterId, kind, yields, seq, settled } of known) {
    if (settled === 'both') continue
    const isEarlier = earlierId === record.memoryId
    const other = liveRecord(state, isEarlier ? laterId : earlierId)
    if (other === undefined || !isInForce(other, nowMs) || !canSee(eyes, other)) continue
    const isOurs = isEarlier === (yields === 'earlier')
    // Since it was found an operator may have given his word for the one that yields.
    const [yielding, standing] = isOurs ? [record, other] : [other, record]
    if (isLess(voiceOf(state, standing), voiceOf(state, yielding))) continue
    sides.push({ memoryId: other.memoryId, kind, yields: isOurs, isOtherLater: isEarlier, seq })
  }
  return sides
}

/** Whether a memory can take part in a dispute: neither contested, failed, superseded, expired nor suppressed. */
function isInForce({ facets }: MemoryRecord, nowMs: number): boolean {
  if (facets.standing === 'contested' || facets.standing === 'failed') return false
  return validityAt(facets, nowMs) === 'live' && !isSuppressed(facets, nowMs)
}

type Statement = Pick<MemoryRecord, 'origin'> & { readonly content: Pick<Content, 'text' | 'summary'> }

/**
 * Whether a revision says something else, or somebody else says it: a dispute is about what was said by whom, so it ends
 * with that, and the new text is compared anew. New files, confidence or an end of validity leave it.
 */
export function saysAnew(before: Statement, after: Statement): boolean {
  return (
    before.origin !== after.origin ||
    before.content.text !== after.content.text ||
    before.content.summary !== after.content.summary
  )
}

/** What happened to a file of a memory since it was observed. */
export interface FileMark {
  readonly path: string
  readonly isGone: boolean
  readonly sinceMs: number
  readonly sinceSeq: number
}

/** Files of one memory that are looked at. */
const FILES_ASKED_MAX = 64

/**
 * The change of a file that a memory names, as these eyes may know: one that is gone first, then the newest. It counts when its
 * reporter sees the memory and has no less authority, after the memory was written and in another run. Null eyes see the
 * whole actor.
 */
export function fileMarkOf(
  state: Pick<ActorState, 'workspace' | 'operatorMemories'>,
  record: MemoryRecord,
  eyes: Viewer,
): FileMark | null {
  const { targetFiles } = record.content
  if (targetFiles.length === 0 || state.workspace.size === 0) return null
  let mark: FileMark | null = null
  for (const file of targetFiles.slice(0, FILES_ASKED_MAX)) {
    const path = workspacePath(file)
    const report = newestAbout(state, record, path, eyes)
    if (report === null) continue
    const { sinceMs, sinceSeq } = report
    const found = { path, isGone: report.digest === null, sinceMs, sinceSeq }
    if (mark === null || isBefore(found, mark)) mark = found
  }
  return mark
}

function isBefore(a: FileMark, b: FileMark): boolean {
  return a.isGone === b.isGone ? a.sinceSeq > b.sinceSeq : a.isGone
}

function newestAbout(
  state: Pick<ActorState, 'workspace' | 'operatorMemories'>,
  record: MemoryRecord,
  path: string,
  eyes: Viewer,
): FileReport | null {
  const voice = voiceOf(state, record)
  let gone: FileReport | null = null
  let changed: FileReport | null = null
  // Whoever finds the file there ends that it is gone, also where nothing has changed since the memory was written.
  let foundSeq = 0
  for (const report of state.workspace.ofPath(path)) {
    const { digest, reporter, authority, runId, sinceSeq, seq } = report
    if (!canSee(eyes, report) || !isVisibleTo(record.audience, reporter)) continue
    if (isLess({ authority, memoryType: record.memoryType }, voice)) continue
    if (digest !== null) foundSeq = Math.max(foundSeq, seq)
    if (sinceSeq <= record.seq || (runId !== null && runId === record.runId)) continue
    if (digest === null) gone = newerOf(gone, report)
    else changed = newerOf(changed, report)
  }
  return gone !== null && gone.seq > foundSeq ? gone : changed
}

function newerOf(known: FileReport | null, report: FileReport): FileReport {
  return known !== null && report.seq < known.seq ? known : report
}

/** A file as workspaces name it: `./src\a.ts` is `src/a.ts`. */
function workspacePath(file: string): string {
  const slashed = file.includes('\\') ? file.replaceAll('\\', '/') : file
  return slashed.startsWith('./') ? slashed.slice(2) : slashed
}

/** Whether a claim replaces the others of its slot. */
export function takesSlot(claim: Pick<ClaimFacts, 'conflictPolicy' | 'authority'> | null): boolean {
  return claim?.conflictPolicy === 'singleton_latest' && claim.authority !== 'blocked'
}

/** Claims that took the slot of this one after it, in its lane and for its owners. */
export function laterClaims(state: ActorState, record: MemoryRecord): readonly MemoryRecord[] {
  const slotKey = record.claim?.slotKey ?? null
  const inSlot = slotKey === null ? [] : [...(state.byClaimSlot.get(slotKey) ?? [])]
  return inSlot
    .flatMap((memoryId) => liveRecord(state, memoryId) ?? [])
    .filter(
      ({ claim, audience, seq }) =>
        seq > record.seq && takesSlot(claim) && audienceKey(audience) === audienceKey(record.audience),
    )
}
