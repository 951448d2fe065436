import { assert } from '../base/assert.ts'
import { SURFACES, type Surface } from '../base/closed-sets.ts'
import type { ActorState } from '../model/state.ts'
import { isVisibleTo } from '../model/visibility.ts'
import { admissionIn } from '../policy/admission.ts'
import { clip, foldText } from '../text/escape.ts'
import type {
  CandidateDecision,
  ContentHistory,
  Examination,
  GovernCommand,
  TextContradiction,
} from './govern.ts'
import { CONTRADICTION_RULE, STORED_MEMORY_RULE } from './govern-rules.ts'
import { decideByTable } from './govern-table.ts'

const DISPUTE_CHARS_MAX = 16
const ID_CHARS_MAX = 40

/**
 * Decides every candidate, in the order of the request. Reads the state and changes nothing; no decision depends on
 * the order of the candidates.
 */
export function decideCandidates(
  state: ActorState,
  command: GovernCommand,
  examination: Examination,
  history: ContentHistory,
  nowMs: number,
): readonly CandidateDecision[] {
  const decisions = command.candidates.map((candidate, at) => {
    const reading = examination.readings[at]
    assert(reading !== undefined, `candidate ${at} was not examined`)
    const { signature, ...told } = reading
    const facts = { ...told, candidate, history: history(candidate.text, signature) }
    return withStoredMemory(state, command, decideByTable(facts, command.mode), nowMs)
  })
  return withContradictions(decisions, examination.contradictions)
}

/** An external id may be that of a memory here: then the stricter of both surfaces holds. */
function withStoredMemory(
  state: ActorState,
  command: GovernCommand,
  decision: CandidateDecision,
  nowMs: number,
): CandidateDecision {
  const record = state.memories.get(decision.facts.candidate.externalId)
  if (record === undefined || !isVisibleTo(record.audience, command.consumer)) return decision
  const { taskSignature: askedSignature, consumer } = command
  const stored = admissionIn(state, record, { nowMs, askedSignature, consumer })
  const storedMemoryId = record.memoryId
  if (strictnessOf(stored.surface) <= strictnessOf(decision.surface)) return { ...decision, storedMemoryId }
  return {
    ...decision,
    surface: stored.surface,
    ruleId: STORED_MEMORY_RULE.id,
    reasonCode: `${STORED_MEMORY_RULE.reasonCode}:${stored.reasonCode}`,
    reason: `the memory of this id is held back in this scope: ${stored.reasonCode.replaceAll('_', ' ')}`,
    storedMemoryId,
  }
}

/** 0 is the most usable. */
function strictnessOf(surface: Surface): number {
  return SURFACES.indexOf(surface)
}

/** Both of a pair that cannot hold together are to be inspected; who is held back already contests nobody. */
function withContradictions(
  decisions: readonly CandidateDecision[],
  contradictions: readonly TextContradiction[],
): readonly CandidateDecision[] {
  const against = new Map<CandidateDecision, { readonly ids: string[]; readonly dispute: string }>()
  const note = (one: CandidateDecision, other: CandidateDecision, dispute: string): void => {
    const known = against.get(one) ?? { ids: [], dispute }
    known.ids.push(other.facts.candidate.externalId)
    against.set(one, known)
  }
  for (const { first, second, dispute } of contradictions) {
    const [one, other] = [decisions[first], decisions[second]]
    if (one?.surface !== 'use_now' || other?.surface !== 'use_now') continue
    note(one, other, dispute)
    note(other, one, dispute)
  }
  return decisions.map((decision) => {
    const found = against.get(decision)
    if (found === undefined) return decision
    found.ids.sort()
    return {
      ...decision,
      surface: CONTRADICTION_RULE.surface,
      ruleId: CONTRADICTION_RULE.id,
      reasonCode: CONTRADICTION_RULE.reasonCode,
      reason: contradictionReason(found.ids, found.dispute),
      contradictedIds: found.ids,
    }
  })
}

/** Names the first of them, so that the reader can compare the two. */
function contradictionReason([first = '', ...others]: readonly string[], dispute: string): string {
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return `it contradicts ${clip(foldText(first), ID_CHARS_MAX)}${more} (${clip(foldText(dispute), DISPUTE_CHARS_MAX)})`
}
