import type { MemoryDraft } from './events.ts'
import type { Content, Counters, MemoryRecord } from './record.ts'

// Records are written out field by field, not copied whole. What was read from the journal was put together key by
// key, and an object of many keys made that way is a hash table to the engine: it takes twice the memory and is slow to
// read, and so is every copy of it. An object that is written out has a fixed layout, the same one for all.
//
// Invariant: the order of the fields is that in which contents and drafts are made, since contents are compared and
// digested as JSON.

const NO_COUNTERS: Counters = {
  positive: 0,
  negativeWeak: 0,
  negativeStrong: 0,
  neutral: 0,
  observedPositive: 0,
}
const NONE: readonly never[] = []

/** The record of a memory that is written for the first time. */
export function firstRecord(
  draft: MemoryDraft,
  place: { readonly slot: number; readonly ordinal: number; readonly atMs: number; readonly seq: number },
): MemoryRecord {
  return {
    memoryId: draft.memoryId,
    clientId: draft.clientId,
    domain: draft.domain,
    memoryType: draft.memoryType,
    kind: draft.kind,
    audience: draft.audience,
    producerAgentId: draft.producerAgentId,
    producerTeamId: draft.producerTeamId,
    actorName: draft.actorName,
    origin: draft.origin,
    derivedFrom: draft.derivedFrom,
    source: draft.source,
    runId: draft.runId,
    taskId: draft.taskId,
    taskFamily: draft.taskFamily,
    taskSignature: draft.taskSignature,
    workflowSignature: draft.workflowSignature,
    content: shapedContent(draft.content),
    claim: draft.claim,
    handoff: draft.handoff,
    facets: draft.facets,
    findings: draft.findings,
    createdAtMs: draft.createdAtMs,
    observedAtMs: draft.observedAtMs,
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
  }
}

/** The same content in the layout of all contents. */
export function shapedContent(content: Content): Content {
  return contentOf(content, content.fullTextChars)
}

/** A content in that layout, of what a caller said and the length of the text of which it holds a compact form. */
export function contentOf(content: Omit<Content, 'fullTextChars'>, fullTextChars: number | null): Content {
  return {
    title: content.title,
    titleIsCallers: content.titleIsCallers,
    text: content.text,
    summary: content.summary,
    outcome: content.outcome,
    outcomeRaw: content.outcomeRaw,
    confidence: content.confidence,
    targetFiles: content.targetFiles,
    acceptanceChecks: content.acceptanceChecks,
    workflowSteps: content.workflowSteps,
    tools: content.tools,
    verifier: content.verifier,
    evidenceRefs: content.evidenceRefs,
    rawRef: content.rawRef,
    nextAction: content.nextAction,
    payload: content.payload,
    fullTextChars,
  }
}
