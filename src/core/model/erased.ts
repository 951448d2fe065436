import type { ClaimFacts, Content, HandoffFacts, MemoryRecord, Suppression } from './record.ts'
import { changedRecord } from './shape.ts'
import { plainRecord, type StoredRecord } from './stored-record.ts'

// What stays of an erased memory: ids that were given to it, words of closed sets, numbers and times. What goes: its
// content, what was found in it, and every sentence that somebody wrote about it. State and history use the same
// functions, so that what a redacted turn says is what the state holds.

export const ERASED_CONTENT: Content = {
  title: null,
  titleIsCallers: false,
  text: '',
  summary: null,
  outcome: null,
  outcomeRaw: null,
  confidence: 0,
  targetFiles: [],
  acceptanceChecks: [],
  workflowSteps: [],
  tools: [],
  verifier: [],
  evidenceRefs: [],
  rawRef: null,
  nextAction: null,
  payload: null,
  fullTextChars: null,
}

/** Subject, predicate and slot say what it is about, and with the value what it said. */
export function erasedClaim(claim: ClaimFacts | null): ClaimFacts | null {
  if (claim === null) return null
  return { ...claim, subjectKey: '', predicate: '', value: null, slotKey: null }
}

/** The anchor is a name that callers gave; it stays, as client ids do. */
export function erasedHandoff(handoff: HandoffFacts | null): HandoffFacts | null {
  if (handoff === null) return null
  return { ...handoff, handoffKind: '', targetRole: null, handoffText: null, nextAction: null, risk: null }
}

export function withoutReason(suppression: Suppression | null): Suppression | null {
  return suppression === null ? null : { ...suppression, reason: '' }
}

/** The parts of a memory, written or stored, that go with it. */
type Said = Pick<
  MemoryRecord,
  'kind' | 'content' | 'claim' | 'handoff' | 'findings' | 'derivedFrom' | 'facets'
>

/** The same without what it said. */
export function withoutContent<Memory extends Said>(memory: Memory): Memory {
  const { facets } = memory
  return {
    ...memory,
    kind: null,
    content: ERASED_CONTENT,
    claim: erasedClaim(memory.claim),
    handoff: erasedHandoff(memory.handoff),
    findings: [],
    derivedFrom: [],
    facets: { ...facets, suppression: withoutReason(facets.suppression) },
  }
}

/** The record that stays: its revisions go, its counters, marks and changes stay without their sentences. */
export function erasedRecord(record: MemoryRecord): StoredRecord {
  return changedRecord(withoutContent(plainRecord(record)), {
    revisions: [],
    marks: record.marks.map((mark) => ({ ...mark, reason: '' })),
    assertions: record.assertions.map((mark) => ({ ...mark, reason: '' })),
    changes: record.changes.map((change) => ({ ...change, reason: '' })),
  })
}

/** What an erased memory did to another one may be told in its words: the change stays, the sentence goes. */
export function withoutReasonsBy(record: StoredRecord, erased: ReadonlySet<string>): StoredRecord {
  const isOurs = (byMemoryId: string | null): boolean => byMemoryId !== null && erased.has(byMemoryId)
  if (!record.changes.some((change) => isOurs(change.byMemoryId) && change.reason !== '')) return record
  const changes = record.changes.map((change) =>
    isOurs(change.byMemoryId) ? { ...change, reason: '' } : change,
  )
  return changedRecord(record, { changes })
}
