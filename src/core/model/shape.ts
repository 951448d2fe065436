import { MEMORY_DOMAINS, MEMORY_SOURCES, MEMORY_TYPES, ORIGINS } from '../base/closed-sets.ts'
import type { MemoryDraft } from './events.ts'
import type { Audience, Content, MemoryRecord } from './record.ts'
import {
  NONE,
  ownText,
  placeOfName,
  SharedParts,
  sharedCounters,
  sharedFacets,
  sharedList,
  sharedName,
  sharedWord,
} from './shared-parts.ts'
import { StoredContent, shapedContent, storedContent } from './stored-content.ts'
import { NO_PAST, type Past, plainRecord, type Setting, StoredRecord } from './stored-record.ts'

// What the state keeps of a memory is made here: with the parts that it shares with other memories in the place of
// those that it came with from a request, the journal or a snapshot.

const SETTINGS_KEPT = 1024
const SETTINGS = new SharedParts<Setting>(SETTINGS_KEPT, isSameSetting)
const AUDIENCES_KEPT = 64
const AUDIENCES = new SharedParts<Audience>(AUDIENCES_KEPT, isSameAudience)

/** The record of a memory that is written for the first time. `audience` is that of its class. */
export function firstRecord(
  draft: MemoryDraft,
  audience: Audience,
  place: { readonly slot: number; readonly ordinal: number; readonly atMs: number; readonly seq: number },
): StoredRecord {
  const { memoryId, clientId, createdAtMs, observedAtMs } = draft
  const { slot, ordinal, atMs: updatedAtMs, seq } = place
  const own = { memoryId, clientId, audience, slot, ordinal, seq, createdAtMs, observedAtMs, updatedAtMs }
  const facets = sharedFacets(draft.facets)
  return new StoredRecord(own, contentToKeep(draft.content), facets, settingOf(draft), NO_PAST)
}

/** A record as the state keeps it. `audience` is that of its class. */
export function storedRecord(record: MemoryRecord, audience: Audience): StoredRecord {
  const { content, facets } = record
  const stored = content instanceof StoredContent ? content : storedContent(content, content.text)
  const { memoryId, clientId, slot, ordinal, seq, createdAtMs, observedAtMs, updatedAtMs } = record
  const own = { memoryId, clientId, audience, slot, ordinal, seq, createdAtMs, observedAtMs, updatedAtMs }
  return new StoredRecord(own, stored, sharedFacets(facets), settingOf(record), pastOf(record))
}

/** The same record with some fields changed. Its audience never changes. */
export function changedRecord(record: MemoryRecord, change: Partial<MemoryRecord>): StoredRecord {
  return storedRecord({ ...plainRecord(record), content: record.content, ...change }, record.audience)
}

/** The same content as memories keep it. What a caller gave is copied out of its request. */
export function contentToKeep(content: Content): StoredContent {
  return storedContent(content, ownText(content.text))
}

/** A content in the layout of all contents, of what a caller said and the length of the text of which it holds a compact form. */
export function contentOf(said: Omit<Content, 'fullTextChars'>, fullTextChars: number | null): Content {
  return shapedContent(said, said.text, fullTextChars)
}

/** The same setting: one object for all that say nothing of one memory alone. */
export function settingOf(of: Setting): Setting {
  const setting: Setting = {
    domain: sharedWord(MEMORY_DOMAINS, of.domain),
    memoryType: sharedWord(MEMORY_TYPES, of.memoryType),
    kind: sharedName(of.kind),
    producerAgentId: sharedName(of.producerAgentId),
    producerTeamId: sharedName(of.producerTeamId),
    actorName: sharedName(of.actorName),
    origin: sharedWord(ORIGINS, of.origin),
    derivedFrom: sharedList(of.derivedFrom),
    source: sharedWord(MEMORY_SOURCES, of.source),
    runId: sharedName(of.runId),
    taskId: sharedName(of.taskId),
    taskFamily: sharedName(of.taskFamily),
    taskSignature: sharedName(of.taskSignature),
    workflowSignature: sharedName(of.workflowSignature),
    claim: of.claim,
    handoff: of.handoff,
    findings: sharedList(of.findings),
  }
  // What was said of one memory would outlive its erasure.
  const isOwn = setting.claim !== null || setting.handoff !== null
  if (isOwn || setting.derivedFrom !== NONE || setting.findings !== NONE) return setting
  return SETTINGS.same(setting, placeOfSetting)
}

/** The same audience: mostly one object for all memories of a class. */
export function sameAudience(audience: Audience): Audience {
  return AUDIENCES.same(audience, placeOfAudience)
}

function placeOfAudience({ ownerAgentId, ownerTeamId }: Audience): number {
  return placeOfName(ownerAgentId ?? '') * 31 + placeOfName(ownerTeamId ?? '')
}

function isSameAudience(a: Audience, b: Audience): boolean {
  return a.lane === b.lane && a.ownerAgentId === b.ownerAgentId && a.ownerTeamId === b.ownerTeamId
}

function placeOfSetting({ memoryType, runId, taskId, taskSignature, producerAgentId }: Setting): number {
  let place = memoryType.length
  for (const name of [runId, taskId, taskSignature, producerAgentId])
    place = Math.imul(place, 31) + (name === null ? 0 : placeOfName(name))
  return place
}

/** Of two that say nothing of one memory alone. */
function isSameSetting(a: Setting, b: Setting): boolean {
  return (
    a.runId === b.runId &&
    a.taskId === b.taskId &&
    a.domain === b.domain &&
    a.memoryType === b.memoryType &&
    a.kind === b.kind &&
    a.producerAgentId === b.producerAgentId &&
    a.producerTeamId === b.producerTeamId &&
    a.actorName === b.actorName &&
    a.origin === b.origin &&
    a.source === b.source &&
    a.taskFamily === b.taskFamily &&
    a.taskSignature === b.taskSignature &&
    a.workflowSignature === b.workflowSignature
  )
}

/** The same past, as memories keep it: one object while nothing has happened. */
export function pastOf(record: Past): Past {
  const counters = sharedCounters(record.counters)
  const lists = [record.marks, record.assertions, record.changes, record.revisions]
  const isNew = counters === NO_PAST.counters && record.revision === NO_PAST.revision
  if (isNew && lists.every((list) => list.length === 0)) return NO_PAST
  return {
    counters,
    marks: sharedList(record.marks),
    assertions: sharedList(record.assertions),
    changes: sharedList(record.changes),
    revision: record.revision,
    revisions: record.revisions.length === 0 ? NONE : record.revisions.map(storedRevision),
  }
}

function storedRevision(earlier: MemoryRecord['revisions'][number]): MemoryRecord['revisions'][number] {
  const { revision, content, atMs, seq } = earlier
  if (content instanceof StoredContent) return earlier
  return { revision, content: storedContent(content, content.text), atMs, seq }
}
