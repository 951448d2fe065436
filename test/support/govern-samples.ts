import fc from 'fast-check'
import { resultOf } from '../../src/core/base/collections.ts'
import {
  type Candidate,
  type CandidateDecision,
  type ContentHistory,
  EVIDENCE_REQUIREMENTS,
  GOVERN_MODES,
  type GovernCommand,
  HISTORY_STATES,
  type HistoryMatch,
  LIFECYCLE_HINTS,
  SOURCE_TRUSTS,
  type TextContradiction,
} from '../../src/core/external/govern.ts'
import { decideCandidates } from '../../src/core/external/govern-decision.ts'
import { examineCandidates } from '../../src/core/external/govern-examination.ts'
import { type RenderedAdmission, renderingOf } from '../../src/core/external/govern-prompt.ts'
import type { ActorEvent } from '../../src/core/model/events.ts'
import { evolve } from '../../src/core/model/evolve.ts'
import { INITIAL_FACETS } from '../../src/core/model/lifecycle.ts'
import type { Facets, MemoryRecord } from '../../src/core/model/record.ts'
import { type ActorState, emptyState } from '../../src/core/model/state.ts'
import type { Screener } from '../../src/core/write/decision.ts'
import { hostileText, sampleRecord } from './guide-samples.ts'

export const NOW_MS = 1_769_860_800_000

/** A candidate of which nothing is said beyond its text: the least trusted there is. */
export function candidateOf(said: Partial<Candidate> = {}): Candidate {
  return {
    externalId: 'ext:1',
    sourceBackend: 'vector-db',
    text: 'The service listens on port 5432.',
    title: null,
    hint: 'unknown',
    sourceTrust: 'unknown',
    authorityScope: 'unknown',
    requirement: 'inspect_before_use',
    metadataScope: null,
    domain: 'general',
    screenedAs: 'general',
    declaredType: null,
    readsSelfClaims: false,
    targetFiles: [],
    evidenceRefs: [],
    times: [null, null, null, null],
    ...said,
  }
}

/** All that a source can say for direct use. */
export function offeredOf(said: Partial<Candidate> = {}): Candidate {
  return candidateOf({ hint: 'current', sourceTrust: 'trusted', requirement: 'none', ...said })
}

export function commandOf(said: Partial<GovernCommand> = {}): GovernCommand {
  return {
    tenantId: 'default',
    scope: 'default',
    queryText: 'deploy',
    consumer: { agentId: 'local-agent', teamId: null },
    mode: 'standard',
    isCompact: true,
    profile: 'general',
    role: 'agent',
    runId: null,
    taskSignature: null,
    includeRecords: true,
    recordFor: null,
    candidates: [],
    ...said,
  }
}

export interface World {
  readonly state?: ActorState
  readonly screen?: Screener
  readonly history?: ContentHistory
  readonly contradictions?: (texts: readonly string[]) => readonly TextContradiction[]
}

/** Decides with injected checks; without them nothing is found and nothing is known. */
export function decide(command: GovernCommand, world: World = {}): readonly CandidateDecision[] {
  const examination = examineCandidates(command, {
    screen: world.screen ?? (() => []),
    contradictionsAmong: world.contradictions ?? (() => []),
  })
  return decideCandidates(
    world.state ?? emptyState(command.tenantId, command.scope),
    command,
    examination,
    world.history ?? (() => null),
    NOW_MS,
  )
}

/** The decision about one candidate. */
export function decideOne(candidate: Candidate, mode: GovernCommand['mode'] = 'standard', world: World = {}) {
  const [decision] = decide(commandOf({ mode, candidates: [candidate] }), world)
  if (decision === undefined) throw new Error('no decision')
  return decision
}

/** Texts that hold a mark are found, so that a candidate carries its own circumstances through any reordering. */
export const MARKS = { finding: '\u00a7finding', history: '\u00a7history=' } as const

export const markedScreen: Screener = (text) => {
  const start = text.indexOf(MARKS.finding)
  if (start === -1) return []
  return [{ kind: 'instruction_override', start, end: start + 8, sentence: 'found' }]
}

export const markedHistory = (text: string): HistoryMatch | null => {
  const state = HISTORY_STATES.find((each) => text.includes(`${MARKS.history}${each}`))
  return state === undefined ? null : { state, isNear: false, memoryId: 'memory-of-history' }
}

/** Texts `x=1` and `x=2` about the same `x` contradict each other. */
export const markedContradictions = (texts: readonly string[]): readonly TextContradiction[] => {
  const valueOf = (text: string): string | null => /\u00a7slot=(\d)/u.exec(text)?.[1] ?? null
  return texts.flatMap((a, first) =>
    texts.flatMap((b, second) =>
      first < second && valueOf(a) !== null && valueOf(b) !== null && valueOf(a) !== valueOf(b)
        ? [{ first, second, dispute: 'value', firstStatement: a, secondStatement: b }]
        : [],
    ),
  )
}

export const MARKED: World = {
  screen: markedScreen,
  history: markedHistory,
  contradictions: markedContradictions,
}

export const anyMode = fc.constantFrom(...GOVERN_MODES)

/** Ids as backends make them, and some that try to be more than an id. */
export const anyExternalId: fc.Arbitrary<string> = fc.oneof(
  fc.nat(9999).map((n) => `store:${n}`),
  fc.uuid(),
  hostileText.filter((text) => text.trim() !== '').map((text) => text.trim()),
  fc.string({ minLength: 100, maxLength: 400 }).filter((text) => text.trim() !== ''),
)

/** Every word that a source may say, with hostile text. */
export const anyCandidate: fc.Arbitrary<Candidate> = fc
  .record({
    externalId: anyExternalId,
    sourceBackend: fc.oneof(
      fc.constantFrom('vector-db', 'markdown'),
      hostileText.map((text) => text || 'x'),
    ),
    text: fc
      .tuple(
        hostileText,
        fc.constantFrom(
          '',
          MARKS.finding,
          ...HISTORY_STATES.map((s) => MARKS.history + s),
          '§slot=1',
          '§slot=2',
        ),
      )
      .map(([text, mark]) => `${text} ${mark} end`),
    title: fc.option(hostileText, { nil: null }),
    hint: fc.constantFrom(...LIFECYCLE_HINTS),
    sourceTrust: fc.constantFrom(...SOURCE_TRUSTS),
    requirement: fc.oneof(fc.constant('none' as const), fc.constantFrom(...EVIDENCE_REQUIREMENTS)),
    metadataScope: fc.constantFrom(null, 'default', 'project', 'Org', 'another'),
    readsSelfClaims: fc.boolean(),
    targetFiles: fc.array(hostileText, { maxLength: 2 }),
    evidenceRefs: fc.array(hostileText, { maxLength: 2 }),
  })
  .map((said) => candidateOf(said))

/** Up to eight candidates with different ids. */
export const anyCandidates: fc.Arbitrary<readonly Candidate[]> = fc.uniqueArray(anyCandidate, {
  minLength: 1,
  maxLength: 8,
  selector: (candidate) => candidate.externalId,
})

/** An actor that holds these memories, as they stand. */
export function stateWith(...records: readonly MemoryRecord[]): ActorState {
  const state = emptyState('default', 'default')
  const events = records.map((record): ActorEvent => ({ type: 'memory_written', draft: record }))
  evolve(state, { seq: 1, atMs: NOW_MS - 1000, events })
  return state
}

/** A memory with some of its facets set. */
export function storedOf(
  memoryId: string,
  text: string,
  facets: Partial<Facets> = {},
  rest: Partial<Omit<MemoryRecord, 'content' | 'facets'>> = {},
): MemoryRecord {
  return sampleRecord(memoryId, { text }, { ...rest, facets: { ...INITIAL_FACETS, ...facets } })
}

export const SUPPRESSED: Partial<Facets> = {
  suppression: { reason: 'zqreason of the operator', by: null, sinceMs: 0, untilMs: null },
}

/** The whole prompt at once. */
export function renderAdmission(...of: Parameters<typeof renderingOf>): RenderedAdmission {
  return resultOf(renderingOf(...of))
}
