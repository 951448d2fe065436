import { MEMORY_DOMAINS, MEMORY_SOURCES, MEMORY_TYPES, ORIGINS, OUTCOMES } from '../closed-sets.ts'
import type { MemoryDraft } from './events.ts'
import type { Audience, Content, MemoryRecord } from './record.ts'
import {
  NO_COUNTERS,
  NONE,
  ownText,
  sharedCounters,
  sharedFacets,
  sharedList,
  sharedName,
  sharedWord,
} from './shared-parts.ts'

// Records are written out field by field, not copied whole. What was read from the journal was put together key by
// key, and an object of many keys made that way is a hash table to the engine: it takes twice the memory and is slow to
// read, and so is every copy of it. An object that is written out has a fixed layout, the same one for all. On the way
// its parts become those that it shares with other records.
//
// Invariant: the order of the fields is that in which contents and drafts are made, since contents are compared and
// digested as JSON.

/** The parts of a record that are not in its draft. */
type Kept = Omit<MemoryRecord, keyof MemoryDraft>

/** The record of a memory that is written for the first time. `audience` is that of its class. */
export function firstRecord(
  draft: MemoryDraft,
  audience: Audience,
  place: { readonly slot: number; readonly ordinal: number; readonly atMs: number; readonly seq: number },
): MemoryRecord {
  return shapedRecord(draft, audience, contentToKeep(draft.content), {
    slot: place.slot,
    ordinal: place.ordinal,
    counters: NO_COUNTERS,
    marks: NONE,
    assertions: NONE,
    changes: NONE,
    revision: 1,
    revisions: NONE,
    updatedAtMs: place.atMs,
    seq: place.seq,
  })
}

/**
 * The same record with the parts that records share in the place of its own, which it got when it was read from disk. It is
 * changed, not copied: a load holds the rows of a snapshot until their digest is compared, and nobody else has them.
 */
export function restoredRecord(row: MemoryRecord, audience: Audience): MemoryRecord {
  return Object.assign(
    row,
    shapedRecord(row, audience, shapedContent(row.content, row.content.text, row.content.fullTextChars), row),
  )
}

/** The same content in the layout of all contents. What a caller gave is copied out of its request. */
export function contentToKeep(content: Content): Content {
  return shapedContent(content, ownText(content.text), content.fullTextChars)
}

function shapedRecord(draft: MemoryDraft, audience: Audience, content: Content, kept: Kept): MemoryRecord {
  return {
    memoryId: draft.memoryId,
    clientId: draft.clientId,
    domain: sharedWord(MEMORY_DOMAINS, draft.domain),
    memoryType: sharedWord(MEMORY_TYPES, draft.memoryType),
    kind: sharedName(draft.kind),
    audience,
    producerAgentId: sharedName(draft.producerAgentId),
    producerTeamId: sharedName(draft.producerTeamId),
    actorName: sharedName(draft.actorName),
    origin: sharedWord(ORIGINS, draft.origin),
    derivedFrom: sharedList(draft.derivedFrom),
    source: sharedWord(MEMORY_SOURCES, draft.source),
    runId: sharedName(draft.runId),
    taskId: sharedName(draft.taskId),
    taskFamily: sharedName(draft.taskFamily),
    taskSignature: sharedName(draft.taskSignature),
    workflowSignature: sharedName(draft.workflowSignature),
    content,
    claim: draft.claim,
    handoff: draft.handoff,
    facets: sharedFacets(draft.facets),
    findings: sharedList(draft.findings),
    createdAtMs: draft.createdAtMs,
    observedAtMs: draft.observedAtMs,
    slot: kept.slot,
    ordinal: kept.ordinal,
    counters: sharedCounters(kept.counters),
    marks: sharedList(kept.marks),
    assertions: sharedList(kept.assertions),
    changes: sharedList(kept.changes),
    revision: kept.revision,
    revisions: sharedList(kept.revisions),
    updatedAtMs: kept.updatedAtMs,
    seq: kept.seq,
  }
}

/** A content in that layout, of what a caller said and the length of the text of which it holds a compact form. */
export function contentOf(said: Omit<Content, 'fullTextChars'>, fullTextChars: number | null): Content {
  return shapedContent(said, said.text, fullTextChars)
}

function shapedContent(
  content: Omit<Content, 'fullTextChars'>,
  text: string,
  fullTextChars: number | null,
): Content {
  const { outcome } = content
  return {
    title: content.title,
    titleIsCallers: content.titleIsCallers,
    text,
    summary: content.summary,
    outcome: outcome === null ? null : sharedWord(OUTCOMES, outcome),
    outcomeRaw: content.outcomeRaw,
    confidence: content.confidence,
    targetFiles: sharedList(content.targetFiles),
    acceptanceChecks: sharedList(content.acceptanceChecks),
    workflowSteps: sharedList(content.workflowSteps),
    tools: sharedList(content.tools),
    verifier: sharedList(content.verifier),
    evidenceRefs: sharedList(content.evidenceRefs),
    rawRef: content.rawRef,
    nextAction: content.nextAction,
    payload: content.payload,
    fullTextChars,
  }
}
