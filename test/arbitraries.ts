import fc from 'fast-check'
import {
  AGENT_ROLES,
  AVAILABILITIES,
  COMPACTIONS,
  CONTEXT_MODES,
  FEEDBACK_OUTCOMES,
  GUIDE_MODES,
  LIFECYCLE_STATES,
  MEMORY_TYPES,
  ORIGINS,
  OUTCOMES,
  PROFILES,
  RELATION_TYPES,
  STANDINGS,
  TOOL_STATUSES,
  TRUSTS,
  USED_SURFACES,
  VALIDITIES,
  VERIFIER_STATUSES,
} from '../src/core/base/closed-sets.ts'
import type { GuideCommand } from '../src/core/guide/entry.ts'
import type { ClaimInput, MemoryWrite } from '../src/core/model/commands.ts'
import type { Audience, Consumer, Content, Facets, MemoryRecord } from '../src/core/model/record.ts'
import { claimOf, EVERYONE, guideOf, memoryOf } from './support/commands.ts'
import { CONTENT, hostileText, idOf, sampleRecord } from './support/guide-samples.ts'
import type { Report } from './support/subject.ts'
import { START_MS } from './support/world.ts'

// Distributions are decisions: few names of each kind, so that values meet (the same run twice, the same slot, the
// same client id), and what decides a surface is at its ordinary value more often than not, so that later rules are
// reached too.

export const AGENTS = ['ann', 'bob', 'cyd'] as const
export const TEAMS = ['red', 'blue'] as const
export const RUNS = ['run-1', 'run-2', 'run-3', 'run-4'] as const
export const SIGNATURES = ['task-a', 'task-b'] as const
const WORKFLOWS = ['flow-a', 'flow-b'] as const
const CLIENT_IDS = ['c1', 'c2', 'c3'] as const
const SLOTS = ['slot-1', 'slot-2'] as const
const ANCHORS = ['anchor-1', 'anchor-2'] as const
const FILES = ['src/auth/login.ts', 'src/db/pool.ts', 'README.md'] as const

/** `common` seven times of ten. */
const mostly = <T>(common: T, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 7, arbitrary: fc.constant(common) }, { weight: 3, arbitrary: other })
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { nil: null })

export const anyConsumer: fc.Arbitrary<Consumer> = fc.record({
  agentId: fc.constantFrom(...AGENTS),
  teamId: fc.constantFrom(null, ...TEAMS),
})

/** Three agents, two teams, both lanes; three of five for everyone. */
export const anyAudience: fc.Arbitrary<Audience> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(EVERYONE) },
  {
    weight: 2,
    arbitrary: fc.record({
      lane: fc.constantFrom('private', 'shared'),
      ownerAgentId: fc.constantFrom(null, ...AGENTS),
      ownerTeamId: fc.constantFrom(null, ...TEAMS),
    }),
  },
)

/** Every audience there is. */
export const ALL_AUDIENCES: readonly Audience[] = (['private', 'shared'] as const).flatMap((lane) =>
  [null, ...AGENTS].flatMap((ownerAgentId) =>
    [null, ...TEAMS].map((ownerTeamId) => ({ lane, ownerAgentId, ownerTeamId })),
  ),
)

/** Every consumer there is, and one that nobody knows. */
export const ALL_CONSUMERS: readonly Consumer[] = [...AGENTS, 'stranger'].flatMap((agentId) =>
  [null, ...TEAMS, 'grey'].map((teamId) => ({ agentId, teamId })),
)

const plainText = fc
  .array(fc.constantFrom('login', 'fails', 'never', 'pool', 'port', '8080', 'retry', 'src/db/pool.ts'), {
    minLength: 1,
    maxLength: 8,
  })
  .map((words) => words.join(' '))
/** A statement, the same in nearly the same words, and one that takes it back. */
export const CORRECTED = [
  'The staging deploy of the shop uses the blue cluster behind the old gateway until the migration of all the data is done.',
  'The staging deploy of the shop uses the blue cluster behind the old gateway until the migration of all data is done.',
  'Corrected: the staging deploy of the shop no longer uses the blue cluster.',
] as const

export const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: plainText },
  { weight: 1, arbitrary: hostileText },
  { weight: 1, arbitrary: fc.constantFrom(...CORRECTED) },
)

const anyConfidence = mostly(0.75, fc.constantFrom(0, 0.3, 0.59, 0.6, 0.61, 1))

/** Memory contents: mostly with text, sometimes only a pointer to a payload. */
export const anyContent: fc.Arbitrary<Content> = fc
  .oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        title: maybe(anyText),
        titleIsCallers: fc.boolean(),
        text: anyText,
        summary: maybe(anyText),
        confidence: anyConfidence,
        targetFiles: fc.subarray([...FILES]),
        evidenceRefs: fc.subarray(['evidence-1', 'evidence-2']),
        nextAction: maybe(anyText),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        confidence: anyConfidence,
        payload: fc.constantFrom(null, { log: 'long' }),
        rawRef: fc.constantFrom(null, 's3://raw'),
        evidenceRefs: fc.constantFrom([], ['evidence-1']),
      }),
    },
  )
  .map((content) => ({ ...CONTENT, ...content }))

export const anyFacets: fc.Arbitrary<Facets> = fc.record({
  trust: mostly('trusted', fc.constantFrom(...TRUSTS)),
  standing: mostly('active', fc.constantFrom(...STANDINGS)),
  validity: mostly('live', fc.constantFrom(...VALIDITIES)),
  validUntilMs: mostly<number | null>(null, fc.constantFrom(START_MS - 1, START_MS, START_MS + 1)),
  availability: mostly('resident', fc.constantFrom(...AVAILABILITIES)),
  suppression: mostly<Facets['suppression']>(
    null,
    fc.record({
      reason: anyText,
      by: fc.constantFrom(null, 'operator'),
      sinceMs: fc.constant(START_MS - 10),
      untilMs: fc.constantFrom(null, START_MS - 1, START_MS, START_MS + 1),
    }),
  ),
})

const anyKind = fc.constantFrom(
  ...MEMORY_TYPES.filter((type) => type !== 'execution_memory').map(
    (memoryType) => ({ domain: 'general', memoryType }) as const,
  ),
  ...Array.from({ length: 5 }, () => ({ domain: 'execution', memoryType: 'execution_memory' }) as const),
)
const anyOutcome = mostly('succeeded' as const, fc.constantFrom(null, ...OUTCOMES))

/** A stored memory with every combination of facets, type, outcome, pointer and finding. */
export const anyRecord: fc.Arbitrary<MemoryRecord> = fc
  .record({
    content: anyContent,
    kind: anyKind,
    outcome: anyOutcome,
    source: mostly('observe' as const, fc.constantFrom('handoff', 'claim')),
    rest: fc.record({
      audience: anyAudience,
      origin: fc.constantFrom(...ORIGINS),
      facets: anyFacets,
      findings: mostly<readonly string[]>([], fc.constant(['instruction_override'])),
      runId: maybe(fc.constantFrom(...RUNS)),
      taskSignature: maybe(fc.constantFrom(...SIGNATURES)),
    }),
  })
  .map(({ content, kind, outcome, source, rest }) => {
    const isRun = kind.domain === 'execution'
    return sampleRecord(
      idOf(1),
      { ...content, outcome: isRun ? outcome : null },
      { ...rest, ...kind, source: source === 'handoff' && !isRun ? 'observe' : source },
    )
  })

/** What a caller may send to observe one memory; references are picked by number when a history is played. */
export const anyMemoryInput: fc.Arbitrary<MemoryWrite> = fc
  .record({
    content: anyContent,
    kind: anyKind,
    outcome: anyOutcome,
    rest: fc.record({
      clientId: maybe(fc.constantFrom(...CLIENT_IDS)),
      audience: anyAudience,
      producerAgentId: maybe(fc.constantFrom(...AGENTS)),
      origin: mostly('agent' as const, fc.constantFrom(...ORIGINS)),
      runId: maybe(fc.constantFrom(...RUNS)),
      taskSignature: maybe(fc.constantFrom(...SIGNATURES)),
      workflowSignature: maybe(fc.constantFrom(...WORKFLOWS)),
      declared: mostly<MemoryWrite['declared']>([], fc.subarray([...LIFECYCLE_STATES], { maxLength: 2 })),
      validUntilMs: mostly<number | null>(null, fc.constantFrom(START_MS + 5_000, START_MS + 60_000)),
    }),
  })
  .map(({ content, kind, outcome, rest }) =>
    memoryOf({ ...content, outcome: kind.domain === 'execution' ? outcome : null }, { ...kind, ...rest }),
  )

export const anyClaim: fc.Arbitrary<ClaimInput> = fc
  .record({
    slotKey: fc.constantFrom(null, ...SLOTS),
    rest: fc.record({
      clientId: maybe(fc.constantFrom(...CLIENT_IDS)),
      value: anyText,
      claimKind: fc.constantFrom('ordinary_fact', 'preference', 'project_fact', 'external_fact'),
      conflictPolicy: mostly(
        'singleton_latest' as const,
        fc.constantFrom('multi_value', 'manual_or_inspect'),
      ),
      authority: mostly('advisory' as const, fc.constantFrom('trusted', 'evidence_only', 'blocked')),
      confidence: anyConfidence,
    }),
  })
  .map(({ slotKey, rest }) => claimOf(slotKey, rest))

/** Outcomes as hosts report them; a quarter are verified successes that a host asserts, which alone rehabilitate. */
export const anyOutcomeReport: fc.Arbitrary<Report> = fc
  .tuple(
    fc.record({
      runId: fc.constantFrom(...RUNS),
      outcome: fc.constantFrom('positive', 'negative', ...FEEDBACK_OUTCOMES),
      usedSurface: fc.constantFrom('use_now', 'explicit_host_assertion', ...USED_SURFACES),
      verifierStatus: fc.constantFrom(null, 'passed', ...VERIFIER_STATUSES),
      toolStatus: fc.constantFrom(null, null, ...TOOL_STATUSES),
      runtimeSignalRefs: mostly<readonly string[]>([], fc.constant(['signal-1'])),
    }),
    fc.integer({ min: 0, max: 3 }),
  )
  .map(([report, quarter]) =>
    quarter < 3
      ? report
      : { ...report, outcome: 'positive', usedSurface: 'explicit_host_assertion', verifierStatus: 'passed' },
  )

export const anyGuideCommand: fc.Arbitrary<GuideCommand> = fc
  .record({
    consumer: anyConsumer,
    mode: fc.constantFrom(...GUIDE_MODES),
    contextMode: fc.constantFrom(...CONTEXT_MODES),
    profile: fc.constantFrom(...PROFILES),
    role: fc.constantFrom(...AGENT_ROLES),
    compaction: fc.constantFrom(...COMPACTIONS),
    limit: mostly(30, fc.integer({ min: 1, max: 12 })),
    budgetChars: mostly(8000, fc.integer({ min: 200, max: 3000 })),
    runId: maybe(fc.constantFrom(...RUNS)),
    taskSignature: maybe(fc.constantFrom(...SIGNATURES)),
    workflowSignature: maybe(fc.constantFrom(...WORKFLOWS)),
    includePackets: fc.boolean(),
  })
  .map((parts) =>
    guideOf({
      ...parts,
      fullPower: parts.mode === 'full_power' || parts.contextMode !== 'standard',
      identifiers: [parts.taskSignature, parts.workflowSignature, parts.runId].filter((id) => id !== null),
    }),
  )

/**
 * Picks a thing by number when a history is played, because the thing may not exist yet when the number is made. The
 * first memory is picked often, so that one memory lives through much.
 */
const anyPick = mostly(0, fc.nat({ max: 63 }))

/** One step of a history. */
export const anyStep = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('observe' as const),
      memories: fc.array(anyMemoryInput, { minLength: 1, maxLength: 2 }),
      derivedFrom: fc.array(anyPick, { maxLength: 1 }),
      supersedes: fc.array(anyPick, { maxLength: 1 }),
      viewpoint: anyConsumer,
      isOperator: mostly(false, fc.constant(true)),
      /** Says what another memory says. */
      repeated: mostly<number | null>(null, anyPick),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('claims' as const),
      claims: fc.array(anyClaim, { minLength: 1, maxLength: 2 }),
      audience: anyAudience,
      origin: mostly('agent' as const, fc.constantFrom(...ORIGINS)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('handoff' as const),
      memory: anyMemoryInput,
      clientId: fc.constantFrom(null, 'h1'),
      anchor: fc.constantFrom(null, ...ANCHORS),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('edge' as const),
      type: fc.constantFrom(...RELATION_TYPES),
      src: anyPick,
      dst: anyPick,
      viewpoint: anyConsumer,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('guide' as const),
      command: anyGuideCommand,
      hits: fc.array(fc.record({ pick: anyPick, score: fc.nat({ max: 9 }), isAboveFloor: fc.boolean() }), {
        maxLength: 4,
      }),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: fc.constant('feedback' as const),
      report: anyOutcomeReport,
      /** Null: without a guide. */
      guide: mostly<number | null>(0, fc.constantFrom(null, 1, 2)),
      picks: fc.array(anyPick, { minLength: 1, maxLength: 4 }),
      consumer: anyConsumer,
      /** Names any memory, exposed or not. */
      isWild: mostly(false, fc.constant(true)),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('lifecycle' as const),
      operation: fc.constantFrom('suppress', 'unsuppress', 'rehydrate', 'activate'),
      pick: anyPick,
      viewpoint: maybe(anyConsumer),
      untilMs: fc.constantFrom(null, 3_000, 20_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1, 30_000) }) },
)
export type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never

/** Ten to forty steps: enough to contest, fail and rehabilitate the same memory. */
export const anyHistory: fc.Arbitrary<readonly Step[]> = fc.array(anyStep, {
  minLength: 10,
  maxLength: 40,
  size: 'max',
})
