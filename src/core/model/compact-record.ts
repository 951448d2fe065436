import { MEMORY_DOMAINS, MEMORY_SOURCES, MEMORY_TYPES, ORIGINS, OUTCOMES } from '../base/closed-sets.ts'
import type { NewMemory } from './events.ts'
import {
  type History,
  isProvenanceName,
  NO_HISTORY,
  ownName,
  ownText,
  PROVENANCE_NAMES,
  type Provenance,
  REMARKS_NAMES,
  RecentPart,
  type Remarks,
  shared,
  sharedFacets,
  sharedHistory,
  spelled,
} from './memory-fields.ts'
import type { Audience, Content, Facets, MemoryRecord } from './record.ts'

// Memories as the state keeps them. They read like any other record and content, but most of their fields are getters
// into objects that memories share, so that a copy by `{ ...record }` is none: `plainRecord` and `plainContent` come
// first. Which field is kept where: memory-fields.ts.

export class CompactContent implements Content {
  readonly text: string
  readonly title: string | null
  private readonly remarks: Remarks

  constructor(text: string, title: string | null, remarks: Remarks) {
    this.text = text
    this.title = title
    this.remarks = remarks
  }

  get titleIsCallers(): Content['titleIsCallers'] {
    return this.remarks.titleIsCallers
  }
  get summary(): Content['summary'] {
    return this.remarks.summary
  }
  get outcome(): Content['outcome'] {
    return this.remarks.outcome
  }
  get outcomeRaw(): Content['outcomeRaw'] {
    return this.remarks.outcomeRaw
  }
  get confidence(): Content['confidence'] {
    return this.remarks.confidence
  }
  get targetFiles(): Content['targetFiles'] {
    return this.remarks.targetFiles
  }
  get acceptanceChecks(): Content['acceptanceChecks'] {
    return this.remarks.acceptanceChecks
  }
  get workflowSteps(): Content['workflowSteps'] {
    return this.remarks.workflowSteps
  }
  get tools(): Content['tools'] {
    return this.remarks.tools
  }
  get verifier(): Content['verifier'] {
    return this.remarks.verifier
  }
  get evidenceRefs(): Content['evidenceRefs'] {
    return this.remarks.evidenceRefs
  }
  get rawRef(): Content['rawRef'] {
    return this.remarks.rawRef
  }
  get nextAction(): Content['nextAction'] {
    return this.remarks.nextAction
  }
  get payload(): Content['payload'] {
    return this.remarks.payload
  }
  get fullTextChars(): Content['fullTextChars'] {
    return this.remarks.fullTextChars
  }

  /** What JSON and digests see. */
  toJSON(): Content {
    return contentOf(this, this.fullTextChars)
  }
}

/** The fields that nearly every memory has to itself, and those that are mostly the same object. */
export type OwnFields = Omit<MemoryRecord, 'content' | keyof Provenance | keyof History>
type Place = Pick<OwnFields, 'slot' | 'ordinal' | 'seq' | 'updatedAtMs'>

export class CompactRecord implements MemoryRecord {
  readonly memoryId: string
  readonly clientId: string | null
  readonly slot: number
  readonly ordinal: number
  readonly seq: number
  readonly audience: Audience
  readonly content: CompactContent
  readonly facets: Facets
  readonly createdAtMs: number
  // Null: the time of creation. A time is an object of its own to the engine.
  private readonly laterObservedAtMs: number | null
  private readonly laterUpdatedAtMs: number | null
  readonly provenance: Provenance
  readonly history: History

  constructor(own: OwnFields, content: CompactContent, provenance: Provenance, history: History) {
    const { createdAtMs, observedAtMs, updatedAtMs } = own
    this.memoryId = own.memoryId
    this.clientId = own.clientId
    this.slot = own.slot
    this.ordinal = own.ordinal
    this.seq = own.seq
    this.audience = own.audience
    this.content = content
    this.facets = own.facets
    this.createdAtMs = createdAtMs
    this.laterObservedAtMs = observedAtMs === createdAtMs ? null : observedAtMs
    this.laterUpdatedAtMs = updatedAtMs === createdAtMs ? null : updatedAtMs
    this.provenance = provenance
    this.history = history
  }

  get observedAtMs(): number {
    return this.laterObservedAtMs ?? this.createdAtMs
  }
  get updatedAtMs(): number {
    return this.laterUpdatedAtMs ?? this.createdAtMs
  }
  get domain(): MemoryRecord['domain'] {
    return this.provenance.domain
  }
  get memoryType(): MemoryRecord['memoryType'] {
    return this.provenance.memoryType
  }
  get kind(): MemoryRecord['kind'] {
    return this.provenance.kind
  }
  get producerAgentId(): MemoryRecord['producerAgentId'] {
    return this.provenance.producerAgentId
  }
  get producerTeamId(): MemoryRecord['producerTeamId'] {
    return this.provenance.producerTeamId
  }
  get actorName(): MemoryRecord['actorName'] {
    return this.provenance.actorName
  }
  get origin(): MemoryRecord['origin'] {
    return this.provenance.origin
  }
  get derivedFrom(): MemoryRecord['derivedFrom'] {
    return this.provenance.derivedFrom
  }
  get source(): MemoryRecord['source'] {
    return this.provenance.source
  }
  get runId(): MemoryRecord['runId'] {
    return this.provenance.runId
  }
  get taskId(): MemoryRecord['taskId'] {
    return this.provenance.taskId
  }
  get taskFamily(): MemoryRecord['taskFamily'] {
    return this.provenance.taskFamily
  }
  get taskSignature(): MemoryRecord['taskSignature'] {
    return this.provenance.taskSignature
  }
  get workflowSignature(): MemoryRecord['workflowSignature'] {
    return this.provenance.workflowSignature
  }
  get claim(): MemoryRecord['claim'] {
    return this.provenance.claim
  }
  get handoff(): MemoryRecord['handoff'] {
    return this.provenance.handoff
  }
  get findings(): MemoryRecord['findings'] {
    return this.provenance.findings
  }
  get counters(): MemoryRecord['counters'] {
    return this.history.counters
  }
  get marks(): MemoryRecord['marks'] {
    return this.history.marks
  }
  get assertions(): MemoryRecord['assertions'] {
    return this.history.assertions
  }
  get changes(): MemoryRecord['changes'] {
    return this.history.changes
  }
  get revision(): MemoryRecord['revision'] {
    return this.history.revision
  }
  get revisions(): MemoryRecord['revisions'] {
    return this.history.revisions
  }

  /** What JSON and digests see. */
  toJSON(): MemoryRecord {
    return plainFields(this)
  }
}

/** The same memory as an object of its own fields, which can be copied, stored and sent. */
export function plainRecord(record: MemoryRecord): MemoryRecord {
  return record instanceof CompactRecord ? record.toJSON() : record
}

/** The same content as an object of its own fields, which can be copied, stored and sent. */
export function plainContent(content: Content): Content {
  return content instanceof CompactContent ? content.toJSON() : content
}

/** What the memories of one actor may share with recent ones. An erasure empties it: it may hold what the memory said. */
export class RecentParts {
  readonly provenances = new RecentPart<Provenance>(PROVENANCE_NAMES, ownProvenance)
  readonly remarks = new RecentPart<Remarks>(REMARKS_NAMES, ownRemarks)

  forget(): void {
    this.provenances.forget()
    this.remarks.forget()
  }
}

/** The record of a memory that is written for the first time. `audience` is that of its class. */
export function firstRecord(
  draft: NewMemory,
  audience: Audience,
  place: Place,
  { provenances, remarks }: RecentParts,
): CompactRecord {
  const content = contentToKeep(draft.content, { remarks })
  return new CompactRecord(ownFields(draft, place, audience), content, provenances.same(draft), NO_HISTORY)
}

/** A record as the state keeps it. `audience` is that of its class. */
export function compactRecord(record: MemoryRecord, audience: Audience, parts: RecentParts): CompactRecord {
  const content = compactContent(record.content, (remarks) => parts.remarks.same(remarks))
  return recordOf(record, audience, content, parts.provenances.same(record))
}

/** The same record with some fields changed. Its audience never changes. */
export function changedRecord(record: MemoryRecord, change: Partial<MemoryRecord>): CompactRecord {
  const changed = { ...plainRecord(record), content: record.content, ...change }
  const isElsewhere = record instanceof CompactRecord && !Object.keys(change).some(isProvenanceName)
  const content = compactContent(changed.content, ownRemarks)
  return recordOf(changed, record.audience, content, isElsewhere ? record.provenance : ownProvenance(changed))
}

/** The same content as memories keep it. What a caller gave is copied out of its request. */
export function contentToKeep(content: Content, parts: Pick<RecentParts, 'remarks'>): CompactContent {
  return new CompactContent(ownText(content.text), content.title, parts.remarks.same(content))
}

function compactContent(content: Content, remarksOf: (content: Content) => Remarks): CompactContent {
  if (content instanceof CompactContent) return content
  return new CompactContent(content.text, content.title, remarksOf(content))
}

function recordOf(
  record: MemoryRecord,
  audience: Audience,
  content: CompactContent,
  provenance: Provenance,
): CompactRecord {
  return new CompactRecord(ownFields(record, record, audience), content, provenance, compactHistory(record))
}

function ownFields(of: Omit<OwnFields, keyof Place>, place: Place, audience: Audience): OwnFields {
  const { memoryId, clientId, createdAtMs, observedAtMs } = of
  const { slot, ordinal, seq, updatedAtMs } = place
  const facets = sharedFacets(of.facets)
  return { memoryId, clientId, audience, facets, slot, ordinal, seq, createdAtMs, observedAtMs, updatedAtMs }
}

/** The same history as memories keep it. */
export function compactHistory(history: History): History {
  const { counters, marks, assertions, changes, revision, revisions } = history
  const keep = (content: Content): CompactContent => compactContent(content, ownRemarks)
  const compact = revisions.map((earlier) => ({ ...earlier, content: keep(earlier.content) }))
  return sharedHistory({ counters, marks, assertions, changes, revision, revisions: compact })
}

// Literals, since an object of so many fields that is put together in a loop takes thirty times as long, and twice the
// memory. Invariant: the fields of contents and records stand in the order of the tables.

function ownProvenance(of: Provenance): Provenance {
  return {
    domain: spelled(MEMORY_DOMAINS, of.domain),
    memoryType: spelled(MEMORY_TYPES, of.memoryType),
    kind: ownName(of.kind),
    producerAgentId: ownName(of.producerAgentId),
    producerTeamId: ownName(of.producerTeamId),
    actorName: ownName(of.actorName),
    origin: spelled(ORIGINS, of.origin),
    derivedFrom: shared(of.derivedFrom),
    source: spelled(MEMORY_SOURCES, of.source),
    runId: ownName(of.runId),
    taskId: ownName(of.taskId),
    taskFamily: ownName(of.taskFamily),
    taskSignature: ownName(of.taskSignature),
    workflowSignature: ownName(of.workflowSignature),
    claim: of.claim,
    handoff: of.handoff,
    findings: shared(of.findings),
  }
}

function ownRemarks(of: Remarks): Remarks {
  return {
    titleIsCallers: of.titleIsCallers,
    summary: of.summary,
    outcome: of.outcome === null ? null : spelled(OUTCOMES, of.outcome),
    outcomeRaw: of.outcomeRaw,
    confidence: of.confidence,
    targetFiles: shared(of.targetFiles),
    acceptanceChecks: shared(of.acceptanceChecks),
    workflowSteps: shared(of.workflowSteps),
    tools: shared(of.tools),
    verifier: shared(of.verifier),
    evidenceRefs: shared(of.evidenceRefs),
    rawRef: of.rawRef,
    nextAction: of.nextAction,
    payload: of.payload,
    fullTextChars: of.fullTextChars,
  }
}

/** A content of its own fields. */
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

function plainFields(record: MemoryRecord): MemoryRecord {
  const { revisions } = record
  return {
    memoryId: record.memoryId,
    clientId: record.clientId,
    domain: record.domain,
    memoryType: record.memoryType,
    kind: record.kind,
    audience: record.audience,
    producerAgentId: record.producerAgentId,
    producerTeamId: record.producerTeamId,
    actorName: record.actorName,
    origin: record.origin,
    derivedFrom: record.derivedFrom,
    source: record.source,
    runId: record.runId,
    taskId: record.taskId,
    taskFamily: record.taskFamily,
    taskSignature: record.taskSignature,
    workflowSignature: record.workflowSignature,
    content: plainContent(record.content),
    claim: record.claim,
    handoff: record.handoff,
    facets: record.facets,
    findings: record.findings,
    createdAtMs: record.createdAtMs,
    observedAtMs: record.observedAtMs,
    slot: record.slot,
    ordinal: record.ordinal,
    counters: record.counters,
    marks: record.marks,
    assertions: record.assertions,
    changes: record.changes,
    revision: record.revision,
    revisions: revisions.map((earlier) => ({ ...earlier, content: plainContent(earlier.content) })),
    updatedAtMs: record.updatedAtMs,
    seq: record.seq,
  }
}
