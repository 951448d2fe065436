import { ORIGINS } from '../../src/core/base/closed-sets.ts'
import type { GuideCommand } from '../../src/core/guide/entry.ts'
import type {
  ClaimInput,
  FeedbackCommand,
  HandoffInput,
  LifecycleCommand,
  MemoryWrite,
  ObserveCommand,
} from '../../src/core/model/commands.ts'
import type { Principal } from '../../src/core/model/principal.ts'
import type { Audience, Consumer, Content, HandoffFacts } from '../../src/core/model/record.ts'
import type { EraseCommand } from '../../src/core/write/erase.ts'
import { CONTENT } from './guide-samples.ts'

// Commands with every field a caller left out; a test names only what its law is about.

export const EVERYONE: Audience = { lane: 'shared', ownerAgentId: null, ownerTeamId: null }
export const LOCAL: Consumer = { agentId: 'local-agent', teamId: null }
export const privateTo = (agentId: string): Audience => ({
  lane: 'private',
  ownerAgentId: agentId,
  ownerTeamId: null,
})
export const teamOf = (teamId: string): Audience => ({
  lane: 'shared',
  ownerAgentId: null,
  ownerTeamId: teamId,
})

export function memoryOf(
  content: Partial<Content>,
  rest: Partial<Omit<MemoryWrite, 'content'>> = {},
): MemoryWrite {
  return {
    clientId: null,
    domain: 'general',
    memoryType: 'fact',
    kind: null,
    audience: EVERYONE,
    producerAgentId: null,
    producerTeamId: null,
    actorName: null,
    origin: 'agent',
    derivedFrom: [],
    supersedes: [],
    runId: null,
    taskId: null,
    taskFamily: null,
    taskSignature: null,
    workflowSignature: null,
    content: { ...CONTENT, ...content },
    declared: [],
    validUntilMs: null,
    observedAtMs: null,
    ...rest,
  }
}

export function runOf(
  content: Partial<Content>,
  rest: Partial<Omit<MemoryWrite, 'content'>> = {},
): MemoryWrite {
  const run = { domain: 'execution', memoryType: 'execution_memory', ...rest } as const
  return memoryOf({ outcome: 'succeeded', ...content }, run)
}

export function claimOf(slotKey: string | null, rest: Partial<ClaimInput> = {}): ClaimInput {
  return {
    clientId: null,
    subjectKey: 'service',
    predicate: 'port',
    value: 'one',
    valueText: null,
    slotKey,
    claimKind: 'ordinary_fact',
    conflictPolicy: 'singleton_latest',
    authority: 'advisory',
    confidence: 0.75,
    validFromMs: null,
    evidenceRefs: [],
    sourceMemoryId: null,
    metadata: null,
    ...rest,
  }
}

export function handoffOf(
  memory: MemoryWrite,
  facts: Partial<Omit<HandoffFacts, 'handoffId'>>,
): HandoffInput {
  return {
    memory: { ...memory, domain: 'execution', memoryType: 'execution_memory' },
    facts: {
      anchor: null,
      handoffKind: 'task_handoff',
      targetAgentId: null,
      targetTeamId: null,
      targetRole: null,
      handoffText: null,
      nextAction: null,
      risk: null,
      ...facts,
    },
  }
}

export function observeOf(parts: Partial<ObserveCommand>): ObserveCommand {
  return {
    viewpoint: LOCAL,
    principal: null,
    memories: [],
    edges: [],
    handoff: null,
    claims: [],
    claimAudience: EVERYONE,
    claimProducerAgentId: null,
    claimOrigin: 'agent',
    runId: null,
    taskSignature: null,
    actorName: null,
    ...parts,
  }
}

export function feedbackOf(parts: Partial<FeedbackCommand>): FeedbackCommand {
  return {
    viewpoint: LOCAL,
    runId: 'run',
    outcome: 'neutral',
    usedSurface: 'use_now',
    guideTraceId: null,
    memoryIds: [],
    clientIds: [],
    reason: 'as it went',
    actorName: null,
    verifierStatus: null,
    toolStatus: null,
    runtimeSignalRefs: [],
    ...parts,
  }
}

export function lifecycleOf(parts: Partial<LifecycleCommand>): LifecycleCommand {
  return {
    operation: 'suppress',
    target: 'memory',
    reason: 'an operator says so',
    viewpoint: null,
    actorName: 'operator',
    principal: null,
    memoryIds: [],
    clientIds: [],
    anchors: [],
    untilMs: null,
    guideTraceId: null,
    mode: 'partial',
    includeLinkedDecisions: false,
    runId: null,
    outcome: null,
    usedSurface: null,
    verifierStatus: null,
    toolStatus: null,
    runtimeSignalRefs: [],
    ...parts,
  }
}

export function eraseOf(memoryIds: readonly string[], parts: Partial<EraseCommand> = {}): EraseCommand {
  return {
    reason: 'the owner asked for it',
    viewpoint: null,
    actorName: 'operator',
    memoryIds,
    clientIds: [],
    anchors: [],
    ...parts,
  }
}

export function guideOf(parts: Partial<GuideCommand> = {}): GuideCommand {
  return {
    queryText: 'what now',
    consumer: LOCAL,
    mode: 'standard',
    contextMode: 'standard',
    fullPower: false,
    profile: 'general',
    role: 'agent',
    limit: 30,
    budgetChars: 20_000,
    compaction: 'balanced',
    includePackets: false,
    handles: false,
    omitShownIn: null,
    isRestart: false,
    lines: 'full',
    runId: null,
    taskSignature: null,
    workflowSignature: null,
    taskId: null,
    taskFamily: null,
    identifiers: [],
    ...parts,
  }
}

/** The key of an operator. */
export const OPERATOR: Principal = {
  keyId: 'operator-key',
  tenantId: 'default',
  scopes: [],
  agentId: null,
  teamId: null,
  origins: ORIGINS,
  isReadOnly: false,
  isOperator: true,
  readsMetrics: false,
}

/** The key of an agent that may bring a user's word. */
export const SPOKESMAN: Principal = { ...OPERATOR, keyId: 'spokesman-key', isOperator: false }
