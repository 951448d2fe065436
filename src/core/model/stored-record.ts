import type { Audience, Facets, MemoryRecord } from './record.ts'
import { NO_COUNTERS, NONE } from './shared-parts.ts'
import { plainContent, type StoredContent } from './stored-content.ts'

/** Where a memory comes from and what it is about: the same of most memories that one run writes. */
export type Setting = Pick<
  MemoryRecord,
  | 'domain'
  | 'memoryType'
  | 'kind'
  | 'producerAgentId'
  | 'producerTeamId'
  | 'actorName'
  | 'origin'
  | 'derivedFrom'
  | 'source'
  | 'runId'
  | 'taskId'
  | 'taskFamily'
  | 'taskSignature'
  | 'workflowSignature'
  | 'claim'
  | 'handoff'
  | 'findings'
>

/** What has happened to a memory since it was written: nothing to most. */
export type Past = Pick<
  MemoryRecord,
  'counters' | 'marks' | 'assertions' | 'changes' | 'revision' | 'revisions'
>

export const NO_PAST: Past = {
  counters: NO_COUNTERS,
  marks: NONE,
  assertions: NONE,
  changes: NONE,
  revision: 1,
  revisions: NONE,
}

/** The fields that nearly every memory has to itself. */
export type OwnFields = Pick<
  MemoryRecord,
  | 'memoryId'
  | 'clientId'
  | 'audience'
  | 'slot'
  | 'ordinal'
  | 'seq'
  | 'createdAtMs'
  | 'observedAtMs'
  | 'updatedAtMs'
>

/**
 * A memory as the state keeps it: its own fields, and two objects that it shares with the memories that say the same
 * there. It reads like any other record; but it has few fields to copy, so that `{ ...record }` needs `plainRecord` first.
 */
export class StoredRecord implements MemoryRecord {
  readonly memoryId: string
  readonly clientId: string | null
  readonly slot: number
  readonly ordinal: number
  readonly seq: number
  readonly audience: Audience
  readonly content: StoredContent
  readonly facets: Facets
  readonly createdAtMs: number
  // Null: the time of creation. A time is an object of its own to the engine.
  private readonly laterObservedAtMs: number | null
  private readonly laterUpdatedAtMs: number | null
  readonly setting: Setting
  private readonly past: Past

  constructor(own: OwnFields, content: StoredContent, facets: Facets, setting: Setting, past: Past) {
    const { createdAtMs, observedAtMs, updatedAtMs } = own
    this.memoryId = own.memoryId
    this.clientId = own.clientId
    this.slot = own.slot
    this.ordinal = own.ordinal
    this.seq = own.seq
    this.audience = own.audience
    this.content = content
    this.facets = facets
    this.createdAtMs = createdAtMs
    this.laterObservedAtMs = observedAtMs === createdAtMs ? null : observedAtMs
    this.laterUpdatedAtMs = updatedAtMs === createdAtMs ? null : updatedAtMs
    this.setting = setting
    this.past = past
  }

  get observedAtMs(): number {
    return this.laterObservedAtMs ?? this.createdAtMs
  }
  get updatedAtMs(): number {
    return this.laterUpdatedAtMs ?? this.createdAtMs
  }
  get domain(): MemoryRecord['domain'] {
    return this.setting.domain
  }
  get memoryType(): MemoryRecord['memoryType'] {
    return this.setting.memoryType
  }
  get kind(): MemoryRecord['kind'] {
    return this.setting.kind
  }
  get producerAgentId(): MemoryRecord['producerAgentId'] {
    return this.setting.producerAgentId
  }
  get producerTeamId(): MemoryRecord['producerTeamId'] {
    return this.setting.producerTeamId
  }
  get actorName(): MemoryRecord['actorName'] {
    return this.setting.actorName
  }
  get origin(): MemoryRecord['origin'] {
    return this.setting.origin
  }
  get derivedFrom(): MemoryRecord['derivedFrom'] {
    return this.setting.derivedFrom
  }
  get source(): MemoryRecord['source'] {
    return this.setting.source
  }
  get runId(): MemoryRecord['runId'] {
    return this.setting.runId
  }
  get taskId(): MemoryRecord['taskId'] {
    return this.setting.taskId
  }
  get taskFamily(): MemoryRecord['taskFamily'] {
    return this.setting.taskFamily
  }
  get taskSignature(): MemoryRecord['taskSignature'] {
    return this.setting.taskSignature
  }
  get workflowSignature(): MemoryRecord['workflowSignature'] {
    return this.setting.workflowSignature
  }
  get claim(): MemoryRecord['claim'] {
    return this.setting.claim
  }
  get handoff(): MemoryRecord['handoff'] {
    return this.setting.handoff
  }
  get findings(): MemoryRecord['findings'] {
    return this.setting.findings
  }
  get counters(): MemoryRecord['counters'] {
    return this.past.counters
  }
  get marks(): MemoryRecord['marks'] {
    return this.past.marks
  }
  get assertions(): MemoryRecord['assertions'] {
    return this.past.assertions
  }
  get changes(): MemoryRecord['changes'] {
    return this.past.changes
  }
  get revision(): MemoryRecord['revision'] {
    return this.past.revision
  }
  get revisions(): MemoryRecord['revisions'] {
    return this.past.revisions
  }

  /** What JSON and digests see. */
  toJSON(): MemoryRecord {
    return plainFields(this)
  }
}

/** The same memory as an object of its own fields, which can be copied, stored and sent. */
export function plainRecord(record: MemoryRecord): MemoryRecord {
  return record instanceof StoredRecord ? record.toJSON() : record
}

/** A row of a state image as an object of its own fields. */
export function plainRow(row: unknown): unknown {
  return row instanceof StoredRecord ? row.toJSON() : row
}

/** Invariant: the order of the fields is that of drafts, then of what the state adds; digests and snapshots have it so. */
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
    revisions:
      revisions.length === 0
        ? NONE
        : revisions.map((earlier) => ({ ...earlier, content: plainContent(earlier.content) })),
    updatedAtMs: record.updatedAtMs,
    seq: record.seq,
  }
}
