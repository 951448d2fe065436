import type { Surface } from '../base/closed-sets.ts'
import { DECISION_OF } from '../guide/decision.ts'
import type { Redaction } from '../model/erasure.ts'
import type { ActorEvent } from '../model/events.ts'
import type { ExternalMemories } from '../model/external-memories.ts'
import type { Audience } from '../model/record.ts'
import { FINDINGS_MAX } from '../screening/screen.ts'
import { clip, foldText } from '../text/escape.ts'
import { type CandidateDecision, type GovernCommand, type HistoryMatch, NEGATIVE_HINTS } from './govern.ts'
import { type RenderedAdmission, shownTitle } from './govern-prompt.ts'
import { isHeldAgainst, kindsOf } from './govern-rules.ts'

const BACKEND_CHARS_MAX = 80
/** Disputes told with their statements; `contradicted_memory_ids` names every one. */
const DISPUTES_MAX = 8
const STATEMENT_CHARS_MAX = 200
const DISPUTED_ID_CHARS_MAX = 128

/** Codes that name the surface, beside those that say how it came about. */
const SURFACE_CODES = {
  use_now: 'trusted_current_or_procedure_candidate',
  inspect_before_use: 'candidate_requires_inspection_before_direct_use',
  do_not_use: 'candidate_blocked_from_agent_action',
  rehydrate: 'candidate_requires_rehydration_before_exact_use',
} as const satisfies Record<Surface, string>

const AUTHORITY_OF = {
  use_now: 'trusted',
  inspect_before_use: 'advisory',
  do_not_use: 'blocked',
  rehydrate: 'advisory',
} as const satisfies Record<Surface, string>

/** Something speaks against direct use, whatever the surface: the source's own words, the text, or the runtime. */
export function isUnsafe({ facts }: CandidateDecision): boolean {
  const { hint, requirement } = facts.candidate
  if (NEGATIVE_HINTS.has(hint) || requirement === 'blocked') return true
  return facts.selfClaim !== null || facts.findings.length > 0 || isHeldAgainst(facts)
}

/** One audit record per candidate: ids, codes and a reason, and of its text only what it disputes with another. */
export function admissionRecord(
  decision: CandidateDecision,
  rendered: RenderedAdmission,
  command: GovernCommand,
) {
  const { facts, surface } = decision
  const { candidate } = facts
  const isPrinted = rendered.lineOfId.has(candidate.externalId)
  return {
    memory_id: candidate.externalId,
    title: surface === 'do_not_use' ? null : shownTitle(decision),
    memory_origin: decision.storedMemoryId === null ? ('external' as const) : ('runtime' as const),
    source_backend: candidate.sourceBackend,
    domain: candidate.domain,
    memory_type: memoryTypeOf(decision),
    lifecycle_state: lifecycleStateOf(decision),
    authority: AUTHORITY_OF[surface],
    admission_action: surface,
    decision_kind: DECISION_OF[surface],
    actionable: surface === 'use_now',
    prompt_included: isPrinted,
    prompt_surface: isPrinted ? surface : null,
    agent_used: false as const,
    feedback_outcome: null,
    attribution_strength: null,
    rule_id: decision.ruleId,
    reason: decision.reason,
    reason_codes: reasonCodesOf(decision, command),
    evidence_ids: candidate.evidenceRefs,
    recall_sources: [] as readonly never[],
    screening_findings: facts.findings
      .slice(0, FINDINGS_MAX)
      .map(({ kind, place, start, end }) => ({ kind, place, start, end })),
    runtime_memory_id: facts.history?.memoryId ?? decision.storedMemoryId,
    contradicted_memory_ids: decision.disputes.map(({ externalId }) => externalId),
    disputes: decision.disputes
      .slice(0, DISPUTES_MAX)
      .map(({ externalId, kind, statement, otherStatement }) => ({
        external_memory_id: externalId,
        kind,
        statement: clip(foldText(statement), STATEMENT_CHARS_MAX),
        other_statement: clip(foldText(otherStatement), STATEMENT_CHARS_MAX),
      })),
  }
}

type AdmissionRecord = ReturnType<typeof admissionRecord>

/** Everything that was weighed, not only what decided. */
export function reasonCodesOf(decision: CandidateDecision, { mode }: GovernCommand): readonly string[] {
  const { facts, surface, reasonCode, disputes } = decision
  const { candidate } = facts
  return [
    ...new Set([
      'external_candidate_admission',
      `mode:${mode}`,
      `source_backend:${clip(foldText(candidate.sourceBackend), BACKEND_CHARS_MAX)}`,
      `source_trust:${candidate.sourceTrust}`,
      `scope:${clip(foldText(candidate.authorityScope), BACKEND_CHARS_MAX)}`,
      `evidence_requirement:${candidate.requirement}`,
      `lifecycle_hint:${candidate.hint}`,
      ...(facts.selfClaim === null ? [] : ['lifecycle_candidate_signal:unsafe_direct_use']),
      ...(facts.hasOtherScope ? ['scope_mismatch'] : []),
      ...kindsOf(facts.findings).map((kind) => `content_screening:${kind}`),
      ...(facts.history === null ? [] : [historyCode(facts.history)]),
      ...(facts.outcome === null ? [] : [`runtime_history:${facts.outcome}`]),
      ...(isBareCode(reasonCode) ? [reasonCode] : []),
      ...disputes.slice(0, DISPUTES_MAX).map(disputedByCode),
      SURFACE_CODES[surface],
    ]),
  ]
}

function disputedByCode({ externalId }: { readonly externalId: string }): string {
  return `disputed_by:${clip(foldText(externalId), DISPUTED_ID_CHARS_MAX)}`
}

function historyCode({ state, isNear }: HistoryMatch): string {
  return `runtime_history:${isNear ? 'near_' : ''}${state}`
}

/** Families whose code above already says which member it was. */
function isBareCode(reasonCode: string): boolean {
  return !['lifecycle_candidate_signal', 'content_screening', 'runtime_history'].includes(reasonCode)
}

function memoryTypeOf({ facts }: CandidateDecision) {
  const { declaredType, hint } = facts.candidate
  return declaredType ?? (hint === 'procedure' ? ('procedure' as const) : ('unknown' as const))
}

/** What the runtime knows of the content, else what its source says of it. */
function lifecycleStateOf({ facts, surface }: CandidateDecision) {
  if (facts.history !== null && !facts.history.isNear) return facts.history.state
  if (facts.outcome !== null) return facts.outcome
  if (surface === 'rehydrate') return 'rehydration_candidate' as const
  switch (facts.candidate.hint) {
    case 'current':
    case 'procedure':
      return 'active' as const
    case 'failed':
    case 'contested':
      return 'contested' as const
    case 'stale':
      return 'demoted' as const
    default:
      return facts.candidate.hint
  }
}

/** The object that holds the records: `entries` is the same list. */
export function admissionRecordObject(
  entries: readonly AdmissionRecord[],
  rendered: RenderedAdmission,
  command: GovernCommand,
  guideTraceId: string | null = null,
) {
  const included = entries.filter((entry) => entry.prompt_included).length
  return {
    contract_version: 'svc_memory_admission_record_v1' as const,
    intended_use: 'memory_admission_audit_dataset' as const,
    source: 'external_candidate_admission' as const,
    agent_prompt_included: false as const,
    runtime_mutation: false as const,
    tenant_id: command.tenantId,
    scope: command.scope,
    guide_trace_id: guideTraceId,
    prompt_char_count: rendered.promptText.length,
    history_used: true,
    actionable_history_used: entries.some((entry) => entry.admission_action !== 'do_not_use'),
    candidate_memory_count: entries.length,
    prompt_included_memory_count: included,
    agent_used_memory_count: 0,
    entries,
    summary: `${entries.length} candidates decided, ${included} of them printed; ${guideTraceId === null ? 'none was written or changed' : 'ids and surfaces were recorded'}.`,
  }
}

/** Keyed hashes of the candidates of a request, in its order. */
export interface CandidateHashes {
  readonly key: string
  /** Of backend and id. */
  readonly refs: readonly string[]
  readonly textHashes: readonly string[]
}

interface CandidateName {
  readonly sourceBackend: string
  readonly externalId: string
}

/** What of a candidate its ref is the hash of. */
export function refText({ sourceBackend, externalId }: CandidateName): string {
  return JSON.stringify([sourceBackend, externalId])
}

/**
 * What is kept of a govern request, so that feedback can say what came of its candidates: no text.
 * @param known the key of the actor; null: this is the first request that it records
 */
export function recordedEvents(
  command: GovernCommand,
  audience: Audience,
  decisions: readonly CandidateDecision[],
  hashes: CandidateHashes,
  { guideTraceId, known }: { readonly guideTraceId: string; readonly known: string | null },
): readonly ActorEvent[] {
  const { consumer, runId, taskSignature } = command
  const candidates = decisions.map(({ facts }) => facts.candidate)
  const exposed: ActorEvent = {
    type: 'exposed',
    guideTraceId,
    memoryIds: [],
    surfaces: [],
    consumerAgentId: consumer.agentId,
    consumerTeamId: consumer.teamId,
    runId,
    taskSignature,
    heldOut: false,
    external: {
      audience,
      sourceBackends: candidates.map(({ sourceBackend }) => sourceBackend),
      externalIds: candidates.map(({ externalId }) => externalId),
      refs: hashes.refs,
      textHashes: hashes.textHashes,
      domains: candidates.map(({ domain }) => domain),
      surfaces: decisions.map(({ surface }) => surface),
    },
  }
  return known === null ? [{ type: 'external_keyed', key: hashes.key }, exposed] : [exposed]
}

type NoteBody = Readonly<Record<string, unknown>>

/**
 * An audit note of govern without candidates that were erased since; the same object when it has none of them.
 * @param codec hashes under the key of the actor
 */
export function noteWithoutErased<Note extends { readonly body: NoteBody; readonly atMs: number }>(
  note: Note,
  { external, externalKey }: Pick<Redaction, 'external' | 'externalKey'>,
  codec: { keyedHash(key: string, text: string): string },
): Note {
  const { body, atMs } = note
  const { kind, candidates, seq } = body
  if (externalKey === null || external.length === 0) return note
  if (kind !== 'govern' || !Array.isArray(candidates)) return note
  const erasures = new Map(external.map((erasure) => [erasure.ref, erasure]))
  const disputedBy = new Set<unknown>()
  const left = candidates.filter((candidate: unknown) => {
    const name = nameIn(candidate)
    const erased = name === null ? undefined : erasures.get(codec.keyedHash(externalKey, refText(name)))
    // The clock may have been set back since. A note of an earlier version has the time alone.
    const isLeft =
      erased === undefined || (atMs > erased.atMs && !(typeof seq === 'number' && seq < erased.seq))
    if (name !== null && !isLeft) disputedBy.add(disputedByCode(name))
    return isLeft
  })
  if (left.length === candidates.length) return note
  const unnamed = left.map((candidate: { readonly reasonCodes?: unknown }) => {
    const { reasonCodes } = candidate
    if (!Array.isArray(reasonCodes)) return candidate
    return { ...candidate, reasonCodes: reasonCodes.filter((code) => !disputedBy.has(code)) }
  })
  return { ...note, body: { ...body, candidates: unnamed } }
}

/** The same of a note that is written only now: a candidate may have been erased while its line was rendered. */
export function noteOfNow<Note extends { readonly body: NoteBody; readonly atMs: number }>(
  note: Note,
  external: Pick<ExternalMemories, 'erasures' | 'erasedSeq' | 'key'>,
  codec: Parameters<typeof noteWithoutErased>[2],
): Note {
  const sinceSeq = Number(note.body['seq'])
  // Of a hundred thousand erasures a request looks at none, unless one came while it was answered.
  if (external.erasedSeq <= sinceSeq) return note
  const erased = [...external.erasures.values()].filter(({ seq }) => seq > sinceSeq)
  return noteWithoutErased(note, { external: erased, externalKey: external.key }, codec)
}

/** Null: the note is older than records of external memory, and names no backend. */
function nameIn(candidate: unknown): CandidateName | null {
  if (typeof candidate !== 'object' || candidate === null) return null
  if (!('sourceBackend' in candidate) || !('externalId' in candidate)) return null
  const { sourceBackend, externalId } = candidate
  if (typeof sourceBackend !== 'string' || typeof externalId !== 'string') return null
  return { sourceBackend, externalId }
}
