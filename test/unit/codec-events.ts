import fc from 'fast-check'
import {
  AGENT_ROLES,
  AVAILABILITIES,
  COMPACTIONS,
  CONTEXT_MODES,
  FEEDBACK_OUTCOMES,
  GUIDE_MODES,
  LANES,
  LIFECYCLE_OPERATIONS,
  MEMORY_DOMAINS,
  MEMORY_SOURCES,
  MEMORY_TYPES,
  OMITTED_REASONS,
  ORIGINS,
  OUTCOMES,
  PROFILES,
  REHYDRATE_MODES,
  RELATION_TYPES,
  STANDINGS,
  SURFACES,
  TRUSTS,
  USED_SURFACES,
  VALIDITIES,
  VERIFIER_STATUSES,
} from '../../src/core/base/closed-sets.ts'
import type { ActorEvent, ActorEventType } from '../../src/core/model/events.ts'
import { type Content, EVIDENCE_KINDS, type JsonObject } from '../../src/core/model/record.ts'
import {
  PROMOTION_STATUSES,
  SIGNATURE_KINDS,
  SKILL_DECISIONS,
  type TraceDerivedSkill,
} from '../../src/core/model/skill-candidate.ts'

/** Any text JSON can carry, lone surrogates and the names of object machinery included. */
export const anyText = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 80 }) },
  fc.string({ unit: 'binary', maxLength: 100 }),
  fc.array(fc.integer({ min: 0xd7ff, max: 0xe000 }), { maxLength: 3 }).map((u) => String.fromCharCode(...u)),
  fc.constantFrom(
    '',
    '.',
    '!',
    '__proto__',
    'constructor',
    'toJSON',
    '__keys__',
    'hasOwnProperty',
    'length',
    '0',
  ),
)

// Minus zero is zero in JSON, too.
const number = fc
  .oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.maxSafeInteger(), fc.integer())
  .map((n) => n + 0)

const { value: anyJson } = fc.letrec<{ value: JsonObject[string] }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(fc.constant(null), fc.boolean(), number, anyText),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(anyText, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
}))

export { anyJson }

const anyObject: fc.Arbitrary<JsonObject> = fc
  .array(fc.tuple(anyText, anyJson), { maxLength: 6 })
  .map((entries) => Object.fromEntries(entries))

const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 2 })
const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values)
const texts = fc.array(anyText, { maxLength: 3 })
const id = fc.uuid({ version: 7 })
const timeMs = fc.integer({ min: 0, max: 2 ** 45 })
const flag = fc.boolean()

const content: fc.Arbitrary<Content> = fc.record({
  title: orNull(anyText),
  titleIsCallers: flag,
  text: anyText,
  summary: orNull(anyText),
  outcome: orNull(oneOf(OUTCOMES)),
  outcomeRaw: orNull(anyText),
  confidence: number,
  targetFiles: texts,
  acceptanceChecks: texts,
  workflowSteps: texts,
  tools: texts,
  verifier: fc.array(
    fc.record({ name: anyText, status: oneOf(VERIFIER_STATUSES), summary: orNull(anyText) }),
    { maxLength: 2 },
  ),
  evidenceRefs: texts,
  rawRef: orNull(anyText),
  nextAction: orNull(anyText),
  payload: orNull(anyObject),
  fullTextChars: orNull(fc.nat()),
})

const draft = fc.record({
  memoryId: id,
  clientId: orNull(anyText),
  domain: oneOf(MEMORY_DOMAINS),
  memoryType: oneOf(MEMORY_TYPES),
  kind: orNull(anyText),
  audience: fc.record({ lane: oneOf(LANES), ownerAgentId: orNull(anyText), ownerTeamId: orNull(anyText) }),
  producerAgentId: orNull(anyText),
  producerTeamId: orNull(anyText),
  actorName: orNull(anyText),
  origin: oneOf(ORIGINS),
  derivedFrom: texts,
  source: oneOf(MEMORY_SOURCES),
  runId: orNull(anyText),
  taskId: orNull(anyText),
  taskFamily: orNull(anyText),
  taskSignature: orNull(anyText),
  workflowSignature: orNull(anyText),
  content,
  claim: fc.constant(null),
  handoff: fc.constant(null),
  facets: fc.record({
    trust: oneOf(TRUSTS),
    standing: oneOf(STANDINGS),
    validity: oneOf(VALIDITIES),
    validUntilMs: orNull(timeMs),
    availability: oneOf(AVAILABILITIES),
    suppression: fc.constant(null),
  }),
  findings: texts,
  createdAtMs: timeMs,
  observedAtMs: timeMs,
})

const audience = fc.record({
  lane: oneOf(LANES),
  ownerAgentId: orNull(anyText),
  ownerTeamId: orNull(anyText),
})
const ref = fc.uuid().map((uuid) => uuid.replaceAll('-', ''))
const external = {
  memory: fc.record({
    sourceBackend: anyText,
    externalId: anyText,
    ref,
    textHash: ref,
    domain: oneOf(MEMORY_DOMAINS),
  }),
  audience,
}

const facet = { memoryId: id, cause: anyText, reason: anyText, byMemoryId: orNull(id) }
const suppression = fc.record({
  reason: anyText,
  by: orNull(anyText),
  sinceMs: timeMs,
  untilMs: orNull(timeMs),
})

const weighed = {
  mark: fc.record({
    runId: anyText,
    outcome: oneOf(FEEDBACK_OUTCOMES),
    strong: flag,
    direct: flag,
    verifierStatus: orNull(oneOf(VERIFIER_STATUSES)),
    usedSurface: oneOf(USED_SURFACES),
    guideTraceId: orNull(id),
    reason: anyText,
  }),
  counts: fc.record({ negativeWeak: fc.integer({ min: -9, max: 9 }) }, { requiredKeys: [] }),
  evidence: orNull(fc.record({ kind: oneOf(EVIDENCE_KINDS), named: fc.array(fc.nat(), { maxLength: 4 }) })),
}

const literal = <const T>(value: T) => fc.constant(value)

const skill: fc.Arbitrary<TraceDerivedSkill> = fc.record({
  contract_version: literal('svc_trace_derived_skill_candidate_v1'),
  skill_name: anyText,
  applies_when: texts,
  does_not_apply_when: texts,
  procedure_steps: texts,
  acceptance_checks: texts,
  authority_state: literal('candidate'),
  export_policy: fc.record({
    agent_prompt_included: literal(false),
    runtime_mutation: literal(false),
    required_gate: literal('admission_and_promotion_gate'),
  }),
  source_trace_ids: texts,
  source_signal_ids: texts,
  target_files: texts,
  failure_counterexamples: texts,
  evidence_refs: texts,
  promotion_status: oneOf(PROMOTION_STATUSES),
})

type EventArbitraries = { [T in ActorEventType]: fc.Arbitrary<Extract<ActorEvent, { type: T }>> }
const type = <T extends ActorEventType>(name: T) => fc.constant(name)

/** One arbitrary for every kind of event; the compiler asks for a new one when a kind is added. */
export const eventsByType: EventArbitraries = {
  memory_written: fc.record({ type: type('memory_written'), draft }),
  memory_revised: fc.record({
    type: type('memory_revised'),
    memoryId: id,
    content,
    claim: fc.constant(null),
    handoff: fc.constant(null),
    origin: oneOf(ORIGINS),
    derivedFrom: texts,
    runId: orNull(anyText),
    observedAtMs: timeMs,
    validUntilMs: orNull(timeMs),
    findings: texts,
  }),
  trust_changed: fc.record({ type: type('trust_changed'), ...facet, to: oneOf(TRUSTS) }),
  standing_changed: fc.record({ type: type('standing_changed'), ...facet, to: oneOf(STANDINGS) }),
  validity_changed: fc.record({ type: type('validity_changed'), ...facet, to: oneOf(VALIDITIES) }),
  availability_changed: fc.record({
    type: type('availability_changed'),
    ...facet,
    to: oneOf(AVAILABILITIES),
  }),
  dispute_settled: fc.record({
    type: type('dispute_settled'),
    earlierId: id,
    laterId: id,
    settled: oneOf(['earlier', 'later', 'both', 'neither'] as const),
    reason: anyText,
    actorName: orNull(anyText),
  }),
  suppression_changed: fc.record({ type: type('suppression_changed'), ...facet, to: orNull(suppression) }),
  relation_recorded: fc.record({
    type: type('relation_recorded'),
    relationType: oneOf(RELATION_TYPES),
    srcId: id,
    dstId: id,
    confidence: number,
    effective: flag,
  }),
  dispute_found: fc.record({
    type: type('dispute_found'),
    earlierId: id,
    laterId: id,
    kind: anyText,
    yields: oneOf(['earlier', 'later'] as const),
  }),
  workspace_changed: fc.record({
    type: type('workspace_changed'),
    changes: fc.array(fc.record({ path: anyText, digest: fc.option(anyText) }), { maxLength: 4 }),
    audience: fc.record({
      lane: fc.constantFrom(...LANES),
      ownerAgentId: fc.option(anyText),
      ownerTeamId: fc.option(anyText),
    }),
    reporter: fc.record({ agentId: anyText, teamId: fc.option(anyText) }),
    authority: fc.constantFrom(...ORIGINS, 'operator' as const),
    runId: fc.option(anyText),
  }),
  authority_given: fc.record({
    type: type('authority_given'),
    memoryIds: fc.array(id, { maxLength: 3 }),
    authority: literal('operator'),
  }),
  exposed: fc.record(
    {
      type: type('exposed'),
      guideTraceId: id.map((uuid) => `guide_trace:${uuid}`),
      memoryIds: fc.array(id, { maxLength: 4 }),
      surfaces: fc.array(oneOf(SURFACES), { maxLength: 4 }),
      consumerAgentId: anyText,
      consumerTeamId: orNull(anyText),
      runId: orNull(anyText),
      taskSignature: orNull(anyText),
      heldOut: flag,
      firstHandle: fc.integer({ min: 1, max: 100_000 }),
      external: fc.record({
        audience,
        sourceBackends: texts,
        externalIds: texts,
        refs: fc.array(ref, { maxLength: 3 }),
        textHashes: fc.array(ref, { maxLength: 3 }),
        domains: fc.array(oneOf(MEMORY_DOMAINS), { maxLength: 3 }),
        surfaces: fc.array(oneOf(SURFACES), { maxLength: 3 }),
      }),
    },
    {
      requiredKeys: [
        'type',
        'guideTraceId',
        'memoryIds',
        'surfaces',
        'consumerAgentId',
        'consumerTeamId',
        'runId',
        'taskSignature',
        'heldOut',
      ],
    },
  ),
  feedback_recorded: fc.record({
    type: type('feedback_recorded'),
    memoryId: id,
    attributed: flag,
    ...weighed,
  }),
  external_keyed: fc.record({ type: type('external_keyed'), key: anyText }),
  external_feedback_recorded: fc.record({
    type: type('external_feedback_recorded'),
    ...external,
    ...weighed,
  }),
  external_standing_changed: fc.record({
    type: type('external_standing_changed'),
    ...external,
    to: oneOf(STANDINGS),
    cause: anyText,
    reason: anyText,
  }),
  external_task_succeeded: fc.record({
    type: type('external_task_succeeded'),
    ...external,
    runId: anyText,
  }),
  external_erased: fc.record({
    type: type('external_erased'),
    refs: fc.array(ref, { maxLength: 3 }),
    reason: anyText,
    actorName: orNull(anyText),
  }),
  task_succeeded: fc.record({ type: type('task_succeeded'), memoryId: id, runId: anyText }),
  run_feedback_recorded: fc.record({
    type: type('run_feedback_recorded'),
    runId: anyText,
    outcome: oneOf(FEEDBACK_OUTCOMES),
    usedSurface: oneOf(USED_SURFACES),
    guideTraceId: orNull(id),
    memoryIds: fc.array(id, { maxLength: 3 }),
    boundaryIgnoredMemoryIds: fc.array(id, { maxLength: 3 }),
    reason: anyText,
    actorName: orNull(anyText),
  }),
  lifecycle_requested: fc.record({
    type: type('lifecycle_requested'),
    operation: oneOf(LIFECYCLE_OPERATIONS),
    memoryIds: fc.array(id, { maxLength: 3 }),
    reason: anyText,
    actorName: orNull(anyText),
    mode: orNull(oneOf(REHYDRATE_MODES)),
  }),
  memory_erased: fc.record({
    type: type('memory_erased'),
    memoryIds: fc.array(id, { maxLength: 3 }),
    reason: anyText,
    actorName: orNull(anyText),
  }),
  operation_recorded: fc.record({
    type: type('operation_recorded'),
    operationId: anyText,
    requestHash: fc.uuid().map((uuid) => uuid.replaceAll('-', '').repeat(2)),
    answer: orNull(fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes))),
  }),
  guide_decided: fc.record({
    type: type('guide_decided'),
    isCounted: fc.constant(true as const),
    guideTraceId: id.map((uuid) => `guide_trace:${uuid}`),
    ask: fc.record({
      queryText: anyText,
      mode: oneOf(GUIDE_MODES),
      contextMode: oneOf(CONTEXT_MODES),
      fullPower: flag,
      profile: oneOf(PROFILES),
      role: oneOf(AGENT_ROLES),
      limit: fc.integer({ min: 1, max: 200 }),
      budgetChars: fc.integer({ min: 200, max: 1_000_000 }),
      compaction: oneOf(COMPACTIONS),
      workflowSignature: orNull(anyText),
      taskId: orNull(anyText),
      taskFamily: orNull(anyText),
    }),
    queryHash: anyText,
    promptHash: anyText,
    promptChars: fc.nat(),
    posture: oneOf(['reuse_supported_history', 'ignore_history'] as const),
    authority: oneOf(['trusted', 'none'] as const),
    actionableHistoryUsed: flag,
    targetFiles: fc.array(anyText, { maxLength: 3 }),
    unprintedIds: fc.array(id, { maxLength: 3 }),
    unprintedSurfaces: fc.array(oneOf(SURFACES), { maxLength: 3 }),
    unprintedReasons: fc.array(oneOf(OMITTED_REASONS), { maxLength: 3 }),
    unprintedInto: fc.array(fc.option(id), { maxLength: 3 }),
    words: fc.array(anyText, { maxLength: 3 }),
    rules: fc.array(fc.nat(), { maxLength: 3 }),
    codes: fc.array(fc.nat(), { maxLength: 3 }),
    reasons: fc.array(fc.nat(), { maxLength: 3 }),
    lifecycleStates: fc.array(fc.nat(), { maxLength: 3 }),
    signals: fc.array(fc.array(number, { maxLength: 6 }), { maxLength: 3 }),
  }),
  guides_erased: fc.record({
    type: type('guides_erased'),
    guideTraceIds: fc.array(anyText, { maxLength: 3 }),
    runIds: fc.array(anyText, { maxLength: 3 }),
    madeFor: orNull(fc.record({ agentId: anyText, teamId: orNull(anyText) })),
    reason: anyText,
    actorName: orNull(anyText),
  }),
  skill_proposed: fc.record({
    type: type('skill_proposed'),
    draft: fc.record({
      candidateId: id.map((uuid) => `skill:${uuid}`),
      signatureKind: oneOf(SIGNATURE_KINDS),
      signature: anyText,
      derivedFor: orNull(fc.record({ agentId: anyText, teamId: orNull(anyText) })),
      skill,
      sourceMemoryIds: fc.array(id, { maxLength: 3 }),
    }),
  }),
  skill_settled: fc.record({
    type: type('skill_settled'),
    candidateId: id.map((uuid) => `skill:${uuid}`),
    sourceMemoryIds: fc.array(id, { maxLength: 3 }),
    decision: orNull(oneOf(SKILL_DECISIONS)),
    actorName: orNull(anyText),
    reason: anyText,
    procedureId: orNull(id),
  }),
  skill_reviewed: fc.record({
    type: type('skill_reviewed'),
    candidateId: id.map((uuid) => `skill:${uuid}`),
    sourceMemoryIds: fc.array(id, { maxLength: 3 }),
    decision: oneOf(SKILL_DECISIONS),
    reviewerId: anyText,
    reason: anyText,
  }),
}

export const anyEvent: fc.Arbitrary<ActorEvent> = fc.oneof(...Object.values(eventsByType))

export const anyTurn = fc.record({
  seq: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  atMs: timeMs,
  events: fc.array(anyEvent, { minLength: 1, maxLength: 4 }),
})
