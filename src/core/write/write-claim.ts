import type { ClaimKind, MemoryType } from '../base/closed-sets.ts'
import type { ClaimInput, DeclaredLifecycle, MemoryWrite, ObserveCommand } from '../model/commands.ts'
import { takesSlot } from '../model/dispute.ts'
import { isLess } from '../model/principal.ts'
import type { ClaimFacts } from '../model/record.ts'
import { audienceKey } from '../model/visibility.ts'
import type { Decision, Seen } from './decision.ts'
import { voiceOf } from './lineage.ts'
import { outlasting, type Written, writeMemory } from './write-memory.ts'

const TYPE_OF_KIND: Record<ClaimKind, MemoryType> = {
  ordinary_fact: 'fact',
  preference: 'preference',
  project_fact: 'project_context',
  execution_fact: 'fact',
  external_fact: 'fact',
}

/** A claim is a memory with a slot. Of the live claims in a singleton slot the latest wins, within one audience. */
export function writeClaim(
  decision: Decision,
  command: ObserveCommand,
  claim: ClaimInput,
  firstId: string | null,
): Written {
  const facts = (memoryId: string): ClaimFacts => ({
    claimId: `claim:${memoryId}`,
    subjectKey: claim.subjectKey,
    predicate: claim.predicate,
    value: claim.value,
    slotKey: claim.slotKey,
    claimKind: claim.claimKind,
    conflictPolicy: claim.conflictPolicy,
    authority: claim.authority,
    validFromMs: claim.validFromMs,
    sourceMemoryId: claim.sourceMemoryId ?? firstId,
  })
  const extras = { source: 'claim', claim: facts, handoff: () => null } as const
  const input = claimMemory(command, claim)
  const written = writeMemory(decision, input, command.viewpoint, extras)
  const kept = written.hasChanged && takesSlot(claim) ? takeSlot(decision, written.memoryId, claim) : []
  return { ...written, warnings: [...written.warnings, ...kept, ...outlasting(decision, input, written)] }
}

/** What a claim says, as a memory. */
export function claimMemory(command: ObserveCommand, claim: ClaimInput): MemoryWrite {
  const valueText =
    claim.valueText ?? (typeof claim.value === 'string' ? claim.value : JSON.stringify(claim.value))
  return {
    clientId: claim.clientId,
    domain: 'general',
    memoryType: claimMemoryType(claim),
    kind: claim.claimKind,
    audience: command.claimAudience,
    producerAgentId: command.claimProducerAgentId,
    producerTeamId: null,
    actorName: command.actorName,
    origin: command.claimOrigin,
    derivedFrom: [],
    supersedes: [],
    runId: command.runId,
    taskId: null,
    taskFamily: null,
    taskSignature: command.taskSignature,
    workflowSignature: null,
    content: {
      title: `${claim.subjectKey} ${claim.predicate}`,
      titleIsCallers: true,
      text: `${claim.subjectKey} ${claim.predicate}: ${valueText}`,
      summary: null,
      outcome: null,
      outcomeRaw: null,
      confidence: claim.confidence,
      targetFiles: [],
      acceptanceChecks: [],
      workflowSteps: [],
      tools: [],
      verifier: [],
      evidenceRefs: claim.evidenceRefs,
      rawRef: null,
      nextAction: null,
      payload: claim.metadata === null ? null : { metadata: claim.metadata },
    },
    declared: declaredBy(claim),
    validUntilMs: null,
    observedAtMs: null,
  }
}

/** The type of the memory that a claim is: what only serves as evidence is evidence. */
export function claimMemoryType(claim: Pick<ClaimInput, 'authority' | 'claimKind'>): MemoryType {
  return claim.authority === 'evidence_only' ? 'evidence' : TYPE_OF_KIND[claim.claimKind]
}

/** A blocked claim is retired at once; one that asks for a person to decide starts contested. */
function declaredBy(claim: ClaimInput): readonly DeclaredLifecycle[] {
  if (claim.authority === 'blocked') return ['expired']
  return claim.conflictPolicy === 'manual_or_inspect' ? ['contested'] : []
}

/** What holds the slot with more authority keeps it, and the claim yields. @returns a warning for each of those */
function takeSlot(decision: Decision, memoryId: string, claim: ClaimInput): readonly string[] {
  const winner = decision.seen(memoryId)
  if (winner === null || claim.slotKey === null) return []
  // A claim that was retired stays retired: it takes no slot from one that lives.
  if (winner.facets.validity === 'expired') return []
  const holdsSlot = (seen: Seen): boolean =>
    seen.memoryId !== memoryId &&
    seen.facets.validity === 'live' &&
    seen.claim?.slotKey === claim.slotKey &&
    audienceKey(seen.audience) === audienceKey(winner.audience)
  const stored = [...(decision.state.byClaimSlot.get(claim.slotKey) ?? [])].flatMap(
    (id) => decision.seen(id) ?? [],
  )
  const changed = decision.changedWhere((seen) => seen.claim !== null)
  const warnings: string[] = []
  const voice = voiceOf(decision, winner)
  for (const seen of new Set([...stored, ...changed].filter(holdsSlot))) {
    const held = voiceOf(decision, seen)
    if (isLess(voice, held)) {
      decision.dispute(seen.memoryId, memoryId, 'supersedes', 'later')
      const why = `${seen.memoryId} is of more authority (${held.authority}) than ${voice.authority}`
      warnings.push(`slot ${claim.slotKey}: ${why}; the claim was kept and yields to it`)
      continue
    }
    const reason = `slot ${claim.slotKey} has a newer claim`
    decision.supersede(seen.memoryId, memoryId, 'claim_replaced', reason)
  }
  const reason = `the latest claim in slot ${claim.slotKey}`
  decision.move(memoryId, { facet: 'validity', to: 'live', cause: 'claim_revised', reason })
  return warnings
}
