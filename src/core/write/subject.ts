import type { MemoryDomain, Standing } from '../base/closed-sets.ts'
import type { ActorEvent } from '../model/events.ts'
import { type EvidenceLedger, firstLedger } from '../model/evidence.ts'
import { type ExternalMemory, opinionOf, slotOf } from '../model/external-memory.ts'
import { type Cause, isTransition, moveFacet } from '../model/lifecycle.ts'
import type { Audience, ExternalName, FeedbackMark, MemoryRecord, Said } from '../model/record.ts'
import type { ActorState } from '../model/state.ts'

/** A report about a subject, weighed. */
export interface Recorded extends Said {
  /** False: it was never shown, so that the report has no effect. */
  readonly attributed: boolean
}

export interface StandingMove {
  readonly to: Standing
  readonly cause: Cause
  readonly reason: string
}

/**
 * What runs may speak for and against: a memory that the actor holds, or one of another store. The rules of evidence know
 * no other difference between the two than the events that they give.
 */
export interface Subject {
  /** As a caller names it. */
  readonly id: string
  /** As evidence names it. */
  readonly slot: number
  readonly domain: MemoryDomain
  readonly standing: Standing
  readonly marks: readonly FeedbackMark[]
  readonly ledger: EvidenceLedger
  readonly clientId: string | null
  /** Null: the actor holds it. */
  readonly external: ExternalName | null
  readonly recorded: (report: Recorded) => ActorEvent
  /** Null: no transition leads there. */
  readonly moved: (move: StandingMove) => ActorEvent | null
  readonly succeeded: (runId: string) => ActorEvent
}

export function memorySubject(state: Pick<ActorState, 'evidence'>, record: MemoryRecord): Subject {
  const { memoryId, slot, domain, facets, marks, clientId } = record
  return {
    id: memoryId,
    slot,
    domain,
    standing: facets.standing,
    marks,
    ledger: state.evidence.get(memoryId) ?? firstLedger(record),
    clientId,
    external: null,
    recorded: (report) => ({ type: 'feedback_recorded', memoryId, ...report }),
    moved: (move) => moveFacet(record, { facet: 'standing', ...move }),
    succeeded: (runId) => ({ type: 'task_succeeded', memoryId, runId }),
  }
}

/**
 * @param known what the actor knows of it; undefined: it went to make room since it was governed
 * @param audience whose opinion it is
 */
export function externalSubject(
  name: ExternalName,
  known: ExternalMemory | undefined,
  audience: Audience,
): Subject {
  const { standing, marks, ledger } = opinionOf(known, audience)
  const { sourceBackend, externalId, ref, textHash, domain } = name
  const memory = { sourceBackend, externalId, ref, textHash, domain: known?.domain ?? domain }
  return {
    id: externalId,
    slot: slotOf(memory),
    domain: memory.domain,
    standing,
    marks,
    ledger,
    clientId: null,
    external: memory,
    recorded: ({ mark, counts, evidence }) => ({
      type: 'external_feedback_recorded',
      memory,
      audience,
      mark,
      counts,
      evidence,
    }),
    moved: (move) =>
      isTransition('standing', move.cause, standing, move.to)
        ? { type: 'external_standing_changed', memory, audience, ...move }
        : null,
    succeeded: (runId) => ({ type: 'external_task_succeeded', memory, audience, runId }),
  }
}
