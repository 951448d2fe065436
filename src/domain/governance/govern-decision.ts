import { assert } from '../assert.ts'
import { SURFACES, type Surface } from '../closed-sets.ts'
import type { ActorState } from '../memory/state.ts'
import { clip, foldText } from '../prompt/escape.ts'
import { admit, isTrustedThrough } from './admission.ts'
import type {
  Candidate,
  CandidateDecision,
  CandidateFacts,
  ContentLookups,
  ExaminedCandidate,
  GovernCommand,
  PlacedFinding,
  Screen,
} from './govern.ts'
import { CONTRADICTION_RULE, GOVERN_RULES, type GovernRule, STORED_MEMORY_RULE } from './govern-rules.ts'
import { selfClaimOf } from './govern-signal.ts'
import { GENERIC_SCOPES, type GovernMode } from './govern-words.ts'
import { isVisibleTo } from './visibility.ts'

const DISPUTE_CHARS_MAX = 40

/** Reads a candidate's own text, linear in its length. */
export function examine(candidate: Candidate, queryText: string, screen: Screen): ExaminedCandidate {
  const { domain, declaredType, title, text } = candidate
  const context = { domain, declaredType, queryText }
  const selfClaim = candidate.readsSelfClaims
    ? ((title === null ? null : selfClaimOf(title)) ?? selfClaimOf(text))
    : null
  const findings: PlacedFinding[] = []
  for (const finding of screen(text, context)) findings.push({ ...finding, place: 'text' })
  for (const finding of title === null ? [] : screen(title, context))
    findings.push({ ...finding, place: 'title' })
  return { candidate, findings, selfClaim }
}

/**
 * Decides every candidate, in the order of the request. Reads the state and changes nothing; no decision depends on
 * the order of the candidates.
 */
export function decideCandidates(
  state: ActorState,
  command: GovernCommand,
  examined: readonly ExaminedCandidate[],
  lookups: ContentLookups,
  nowMs: number,
): readonly CandidateDecision[] {
  const decisions = examined.map((each) => {
    const facts: CandidateFacts = {
      ...each,
      hasOtherScope: hasOtherScope(each.candidate, command.scope),
      history: lookups.history(each.candidate.text),
    }
    return withStoredMemory(state, command, decideByTable(facts, command.mode), nowMs)
  })
  return withContradictions(decisions, lookups)
}

/** The first row of the table that holds and decides in this mode. */
export function decideByTable(facts: CandidateFacts, mode: GovernMode): CandidateDecision {
  for (const rule of GOVERN_RULES) {
    const surface = rule.actions[mode]
    if (surface !== null && rule.holds(facts))
      return decisionBy(facts, surface, rule, rule.reason(facts, mode))
  }
  return assert(false, 'the last row holds always') as never
}

function decisionBy(
  facts: CandidateFacts,
  surface: Surface,
  rule: Pick<GovernRule, 'id' | 'reasonCode'>,
  reason: string,
): CandidateDecision {
  return {
    facts,
    surface,
    ruleId: rule.id,
    reasonCode: rule.reasonCode,
    reason,
    storedMemoryId: null,
    contradictedIds: [],
  }
}

function hasOtherScope({ metadataScope }: Candidate, scope: string): boolean {
  if (metadataScope === null || metadataScope === scope) return false
  return !GENERIC_SCOPES.has(metadataScope.toLowerCase())
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
  const isTrusted = isTrustedThrough(state, record, command.consumer)
  const stored = admit({
    record,
    nowMs,
    isTrusted,
    askedSignature: command.taskSignature,
    consumer: command.consumer,
  })
  const storedMemoryId = record.memoryId
  if (strictnessOf(stored.surface) <= strictnessOf(decision.surface)) return { ...decision, storedMemoryId }
  return {
    ...decision,
    surface: stored.surface,
    ruleId: STORED_MEMORY_RULE.id,
    reasonCode: `${STORED_MEMORY_RULE.reasonCode}:${stored.reasonCode}`,
    reason: `the memory of this id is held back here: ${stored.reasonCode.replaceAll('_', ' ')}`,
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
  lookups: ContentLookups,
): readonly CandidateDecision[] {
  const usable = decisions
    .filter((decision) => decision.surface === 'use_now')
    .sort((a, b) => (a.facts.candidate.externalId < b.facts.candidate.externalId ? -1 : 1))
  const against = new Map<CandidateDecision, { readonly ids: string[]; readonly dispute: string }>()
  const note = (one: CandidateDecision, other: CandidateDecision, dispute: string): void => {
    const known = against.get(one) ?? { ids: [], dispute }
    known.ids.push(other.facts.candidate.externalId)
    against.set(one, known)
  }
  const texts = usable.map((decision) => decision.facts.candidate.text)
  for (const { first, second, dispute } of usable.length < 2 ? [] : lookups.contradictionsAmong(texts)) {
    const [one, other] = [usable[first], usable[second]]
    if (one === undefined || other === undefined) continue
    note(one, other, dispute)
    note(other, one, dispute)
  }
  return decisions.map((decision) => {
    const found = against.get(decision)
    if (found === undefined) return decision
    return {
      ...decision,
      surface: CONTRADICTION_RULE.surface,
      ruleId: CONTRADICTION_RULE.id,
      reasonCode: CONTRADICTION_RULE.reasonCode,
      reason: `another candidate contradicts it (${clip(foldText(found.dispute), DISPUTE_CHARS_MAX)})`,
      contradictedIds: found.ids.sort(),
    }
  })
}
