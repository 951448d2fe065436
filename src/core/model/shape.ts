import { MEMORY_DOMAINS, MEMORY_SOURCES, MEMORY_TYPES, ORIGINS } from '../base/closed-sets.ts'
import type { MemoryDraft } from './events.ts'
import type { Audience, Content, MemoryRecord } from './record.ts'
import {
  NONE,
  ownText,
  SharedParts,
  sharedCounters,
  sharedFacets,
  sharedList,
  sharedWord,
} from './shared-parts.ts'
import { StoredContent, shapedContent, sharedRemarks, storedContent } from './stored-content.ts'
import { NO_PAST, type Past, plainRecord, type Setting, StoredRecord } from './stored-record.ts'

// What the state keeps of a memory is made here: with the parts that it shares with other memories in the place of
// those that it came with from a request, the journal or a snapshot.

/** The fields that the settings of two memories can differ in, when neither says anything of its own there. */
const SHARED_SETTING_NAMES: readonly (keyof Setting)[] = [
  'runId',
  'taskId',
  'domain',
  'memoryType',
  'kind',
  'producerAgentId',
  'producerTeamId',
  'actorName',
  'origin',
  'source',
  'taskFamily',
  'taskSignature',
  'workflowSignature',
]
const SETTING_NAMES: readonly (keyof Setting)[] = [
  ...SHARED_SETTING_NAMES,
  'derivedFrom',
  'claim',
  'handoff',
  'findings',
]

/** What the recent memories of one actor have in common. Emptied by an erasure. */
export class RecentParts {
  readonly settings = new SharedParts<Setting>(SHARED_SETTING_NAMES)
  readonly remarks = sharedRemarks()

  forget(): void {
    this.settings.forget()
    this.remarks.forget()
  }
}

/** The record of a memory that is written for the first time. `audience` is that of its class. */
export function firstRecord(
  draft: MemoryDraft,
  audience: Audience,
  place: { readonly slot: number; readonly ordinal: number; readonly atMs: number; readonly seq: number },
  parts: RecentParts,
): StoredRecord {
  const { memoryId, clientId, createdAtMs, observedAtMs } = draft
  const { slot, ordinal, atMs: updatedAtMs, seq } = place
  const own = { memoryId, clientId, audience, slot, ordinal, seq, createdAtMs, observedAtMs, updatedAtMs }
  const content = contentToKeep(draft.content, parts)
  return new StoredRecord(own, content, sharedFacets(draft.facets), settingOf(draft, parts), NO_PAST)
}

/** A record as the state keeps it. `audience` is that of its class. Null parts: it shares nothing that a caller sent. */
export function storedRecord(
  record: MemoryRecord,
  audience: Audience,
  parts: RecentParts | null,
): StoredRecord {
  return recordIn(settingOf(record, parts), record, audience, parts)
}

/** The same record with some fields changed. Its audience never changes. */
export function changedRecord(record: MemoryRecord, change: Partial<MemoryRecord>): StoredRecord {
  const { audience, content } = record
  const changed = { ...plainRecord(record), content, ...change }
  const saysTheSame = record instanceof StoredRecord && !SETTING_NAMES.some((name) => name in change)
  return recordIn(saysTheSame ? record.setting : settingOf(changed, null), changed, audience, null)
}

function recordIn(
  setting: Setting,
  record: MemoryRecord,
  audience: Audience,
  parts: RecentParts | null,
): StoredRecord {
  const { content, facets } = record
  const stored =
    content instanceof StoredContent ? content : storedContent(content, content.text, parts?.remarks ?? null)
  const { memoryId, clientId, slot, ordinal, seq, createdAtMs, observedAtMs, updatedAtMs } = record
  const own = { memoryId, clientId, audience, slot, ordinal, seq, createdAtMs, observedAtMs, updatedAtMs }
  return new StoredRecord(own, stored, sharedFacets(facets), setting, pastOf(record))
}

/** The same content as memories keep it. What a caller gave is copied out of its request. */
export function contentToKeep(content: Content, parts: RecentParts): StoredContent {
  return storedContent(content, ownText(content.text), parts.remarks)
}

/** A content in the layout of all contents, of what a caller said and the length of the text of which it holds a compact form. */
export function contentOf(said: Omit<Content, 'fullTextChars'>, fullTextChars: number | null): Content {
  return shapedContent(said, said.text, fullTextChars)
}

/** The same setting: one object for all that say nothing of one memory alone. */
export function settingOf(of: Setting, parts: RecentParts | null): Setting {
  const isOwn = of.claim !== null || of.handoff !== null
  if (parts === null || isOwn || of.derivedFrom.length > 0 || of.findings.length > 0) return ownSetting(of)
  return parts.settings.same(of, ownSetting)
}

function ownSetting(of: Setting): Setting {
  return {
    domain: sharedWord(MEMORY_DOMAINS, of.domain),
    memoryType: sharedWord(MEMORY_TYPES, of.memoryType),
    kind: ownName(of.kind),
    producerAgentId: ownName(of.producerAgentId),
    producerTeamId: ownName(of.producerTeamId),
    actorName: ownName(of.actorName),
    origin: sharedWord(ORIGINS, of.origin),
    derivedFrom: sharedList(of.derivedFrom),
    source: sharedWord(MEMORY_SOURCES, of.source),
    runId: ownName(of.runId),
    taskId: ownName(of.taskId),
    taskFamily: ownName(of.taskFamily),
    taskSignature: ownName(of.taskSignature),
    workflowSignature: ownName(of.workflowSignature),
    claim: of.claim,
    handoff: of.handoff,
    findings: sharedList(of.findings),
  }
}

function ownName(name: string | null): string | null {
  return name === null ? null : ownText(name)
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
  return { revision, content: storedContent(content, content.text, null), atMs, seq }
}
