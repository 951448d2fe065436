import { z } from 'zod'
import { ERROR_CODES, ERRORS, type ErrorCode } from '../core/base/errors.ts'
import { type AccessRow, isForWriters } from './access.ts'
import { FEEDBACK_RULES, FeedbackRequest, FeedbackResponse } from './feedback.ts'
import { FINISH_RULES, FinishRequest, FinishResponse } from './finish.ts'
import {
  ERASE_RULES,
  EraseRequest,
  EraseResponse,
  FILTER_RULES,
  FORGET_RULES,
  ForgetRequest,
  ForgetResponse,
} from './forget.ts'
import { GovernRequest, GovernResponse, RECORD_RULE, UNIQUE_CANDIDATES_RULE } from './govern.ts'
import { GuidePromptResponse, GuideRequest, GuideResponse } from './guide.ts'
import { HealthResponse, NOT_READY, ReadyResponse } from './health.ts'
import { MEASURE_RULES, MeasureRequest, MeasureResponse } from './measure.ts'
import { REFERENCE_OBJECT_RULE } from './memory-input.ts'
import { CLAIM_RULES, HANDOFF_RULE, OBSERVE_RULE, ObserveRequest, ObserveResponse } from './observe.ts'
import { OPERATOR_OPERATIONS, WRITING } from './operator-operations.ts'
import { REFERENCE_RULE, RehydrateRequest, RehydrateResponse } from './rehydrate.ts'
import { ResolveRequest, ResolveResponse, URI_RULES } from './resolve.ts'
import type { Frozen } from './vocabulary.ts'

/** Every method that an operation is served under. */
export function methodsOf({ method, alsoGet }: Pick<OperationSpec, 'method' | 'alsoGet'>) {
  return alsoGet === true ? ([method, 'GET'] as const) : ([method] as const)
}

/** Names of the parts of its path that are fields. */
export function pathFields({ path }: Pick<OperationSpec, 'path'>): readonly string[] {
  return [...path.matchAll(/:(\w+)/g)].flatMap(([, name]) => name ?? [])
}

/** Codes that any endpoint can answer with. */
const COMMON_ERRORS: readonly ErrorCode[] = [
  'method_not_allowed',
  'host_not_allowed',
  'cross_site_request',
  'request_timeout',
  'headers_too_large',
  'overloaded',
  'not_owner',
  'storage_unavailable',
  'shutting_down',
  'scope_damaged',
  'internal_error',
]

/** Codes that any endpoint with a body can answer with. */
const BODY_ERRORS: readonly ErrorCode[] = [
  'invalid_request',
  'invalid_json',
  'body_too_large',
  'unsupported_media_type',
]

/** What a write may be refused. */
function writeErrors({ writes, writesWith }: OperationSpec): readonly ErrorCode[] {
  return writes || writesWith !== undefined ? ['operation_conflict', 'storage_read_only'] : []
}

function inputErrors({ request, method }: OperationSpec): readonly ErrorCode[] {
  if (request === null) return []
  return method === 'GET' ? ['invalid_request'] : BODY_ERRORS
}

/** What a key may be refused. */
function accessErrors({ name, access, writes, writesWith, request }: OperationSpec): readonly ErrorCode[] {
  if (access === 'everyone') return []
  const codes: ErrorCode[] = ['unauthorized', 'rate_limited']
  if (request !== null) codes.push('tenant_forbidden', 'scope_forbidden', 'agent_forbidden')
  if (access !== 'agent') codes.push('operator_key_required')
  if (isForWriters({ name, writes: writes || writesWith !== undefined })) codes.push('read_only_key')
  return codes
}

export function rulesOf({ rules = [] }: OperationSpec): readonly string[] {
  return rules
}

/** Every code that an operation can answer with, in the order of the table. */
export function errorsOf(operation: OperationSpec): readonly ErrorCode[] {
  const all = new Set<string>([
    ...COMMON_ERRORS,
    ...accessErrors(operation),
    ...inputErrors(operation),
    ...writeErrors(operation),
    ...(operation.errors ?? []),
  ])
  return ERROR_CODES.filter((code) => all.has(code))
}

/** One endpoint: where it is, what it takes and gives. Edges loop over these, documents are generated from them. */
export interface OperationSpec extends AccessRow {
  readonly method: 'GET' | 'POST'
  /** True: a GET does the same, with the fields of the body as query parameters. */
  readonly alsoGet?: true
  /** `:name` stands for a part of the path that is the field of that name. */
  readonly path: string
  /** Null for an operation without fields. Those of a GET are query parameters. */
  readonly request: z.ZodObject | null
  readonly response: z.ZodType
  /** Shorter answers, by the word that the field `view` asks for them with. */
  readonly views?: Readonly<Record<string, z.ZodType>>
  /** True: the answer is a stream of events without an end, each of them as `response` says. */
  readonly isStream?: true
  /** True: it shows every lane with its texts, and is served to callers on this machine only. */
  readonly isOperatorRead?: true
  readonly summary: string
  readonly description: string
  /** Rules that a JSON Schema cannot carry, one sentence each; left out: none. */
  readonly rules?: readonly string[]
  /** Codes of its own, beside those that every endpoint of its kind has; left out: none. */
  readonly errors?: readonly ErrorCode[]
}

/** How the service is, for everyone. */
const STATUS = { method: 'GET', request: null, writes: false, access: 'everyone' } as const

type OperationRow = Omit<OperationSpec, 'name'>
type Named<Rows> = { readonly [Name in keyof Rows]: Rows[Name] & { readonly name: Name } }

/** Gives every operation the name that it has in the table. */
function named<Rows extends Readonly<Record<string, OperationRow>>>(rows: Rows): Named<Rows> {
  return Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [name, { name, ...row }]),
  ) as Named<Rows>
}

/** Every endpoint of the service. */
export const OPERATIONS = named({
  observe: {
    ...WRITING,
    path: '/v1/observe',
    request: ObserveRequest,
    response: ObserveResponse,
    access: 'agent',
    summary: 'Record memory, execution evidence, a handoff or claims',
    description:
      'Writes everything in the request or nothing. Execution with input_text is one memory; memory and execution together are two.',
    rules: [
      OBSERVE_RULE,
      HANDOFF_RULE,
      CLAIM_RULES.slot,
      CLAIM_RULES.evidence,
      CLAIM_RULES.value,
      REFERENCE_OBJECT_RULE,
    ],
    errors: ['observe_requires_memory_or_handoff', 'too_many_scopes'],
  },
  guide: {
    ...WRITING,
    path: '/v1/guide',
    request: GuideRequest,
    response: GuideResponse,
    views: { prompt: GuidePromptResponse },
    access: 'agent',
    summary: 'Compile governed context for what the agent is about to do',
    description:
      'Sorts recalled memory into four surfaces and renders prompt_text. What has a line there is exposed, and only that can receive feedback. Give the agent agent_context.prompt_text; receipt and packets are for operators.',
    errors: ['too_many_scopes'],
  },
  feedback: {
    ...WRITING,
    path: '/v1/feedback',
    request: FeedbackRequest,
    response: FeedbackResponse,
    access: 'agent',
    summary: 'Attribute an outcome to memory that a guide exposed',
    description:
      'Negative feedback is evidence: it lowers memory through lifecycle rules and never deletes or suppresses it. Name only what the failure speaks against: a negative that names several memories is weak for each.',
    rules: [
      ERRORS.guide_trace_used_memory_not_exposed.message,
      FEEDBACK_RULES.surface,
      FEEDBACK_RULES.reference,
      FEEDBACK_RULES.external,
    ],
    errors: [
      'guide_trace_not_found',
      'guide_trace_used_memory_not_exposed',
      'feedback_surface_not_attributable',
      'reference_required',
      'memory_not_found',
    ],
  },
  finish: {
    ...WRITING,
    path: '/v1/finish',
    request: FinishRequest,
    response: FinishResponse,
    access: 'agent',
    summary: 'Record how a run ended, and attribute it to what the run used of its guide',
    description:
      'An observe of the run and a feedback about its guide in one: both are written or neither. What was shown on use_now counts as used there, what was shown on inspect_before_use as asserted by the host.',
    rules: [ERRORS.guide_trace_used_memory_not_exposed.message, ...Object.values(FINISH_RULES)],
    errors: ['guide_trace_not_found', 'guide_trace_used_memory_not_exposed'],
  },
  govern: {
    method: 'POST',
    path: '/v1/memory/govern',
    request: GovernRequest,
    response: GovernResponse,
    writes: false,
    writesWith: 'record',
    access: 'agent',
    summary: 'Govern candidate memory of an external backend before prompt use',
    description:
      'Sorts candidates into the four surfaces and renders prompt_text. No text is stored and no memory changes. Hints and authority are what the source says: they lower a candidate, and only all of them together allow direct use. With record the answer has a guide_trace_id: feedback and finish take it, and later requests judge a candidate by what came of it.',
    rules: [UNIQUE_CANDIDATES_RULE, RECORD_RULE],
    errors: ['too_many_scopes'],
  },
  forget: {
    ...WRITING,
    path: '/v1/forget',
    request: ForgetRequest,
    response: ForgetResponse,
    access: 'consumer',
    summary: 'Suppress, restore or otherwise control memory, with an audit reason',
    description:
      'Nothing is deleted. Ids that name nothing are listed in forget_effect.missing_memory_ids. With filter it is for operators.',
    rules: [
      ERRORS.feedback_surface_not_attributable.message,
      FILTER_RULES.empty,
      FILTER_RULES.alone,
      ...Object.values(FORGET_RULES),
    ],
    errors: [
      'reference_required',
      'feedback_surface_not_attributable',
      'guide_trace_not_found',
      'guide_trace_used_memory_not_exposed',
      'memory_not_found',
      'anchor_not_found',
    ],
  },
  erase: {
    ...WRITING,
    path: '/v1/memory/erase',
    request: EraseRequest,
    response: EraseResponse,
    access: 'operator',
    summary: 'Take the content of memory away for good',
    description:
      'Answers when neither the content nor anything derived from it is in memory, snapshots, journal, history or stored answers. Ids, counters and a tombstone stay. Guides are named by trace or run: what they asked and showed goes. Memory of other stores is named by external_ids: all that is known of it goes, its names too. For operators: without consumer fields it acts on the whole scope. Repeating it finishes what was cut off and changes nothing else. By filter it is carried out piece by piece: one that was cut off is finished by a repeat.',
    rules: [...Object.values(ERASE_RULES), ...Object.values(FILTER_RULES)],
    errors: [
      'reference_required',
      'guide_trace_not_found',
      'memory_not_found',
      'anchor_not_found',
      'operation_conflict',
      'erase_incomplete',
      'storage_read_only',
    ],
  },
  rehydrate: {
    ...WRITING,
    path: '/v1/rehydrate',
    request: RehydrateRequest,
    response: RehydrateResponse,
    access: 'agent',
    summary: 'Expand compact evidence pointers',
    description: 'Makes archived memory resident and changes nothing else. Missing references are listed.',
    rules: [REFERENCE_RULE],
    errors: ['reference_required', 'guide_trace_not_found', 'memory_not_found', 'anchor_not_found'],
  },
  resolve: {
    method: 'POST',
    path: '/v1/memory/resolve',
    request: ResolveRequest,
    response: ResolveResponse,
    writes: false,
    access: 'agent',
    summary: 'Resolve a memory URI to its evidence',
    description:
      'An older node type answers only for memory of that type: concept for a fact, self_model for a preference, topic for project context, procedure also for execution memory.',
    rules: [URI_RULES.form, URI_RULES.tenant, URI_RULES.scope],
    errors: ['memory_not_found'],
  },
  measure: {
    method: 'POST',
    path: '/v1/measure',
    request: MeasureRequest,
    response: MeasureResponse,
    writes: false,
    access: 'consumer',
    summary: 'Report what memory changed, as far as the records support it',
    description:
      'Scores two observations and decides from the own records whether they support a claim. Nothing changes. With empty observations and a task_signature, paired_outcomes is all that is reported.',
    rules: Object.values(MEASURE_RULES),
  },
  ...OPERATOR_OPERATIONS,
  health: {
    ...STATUS,
    path: '/health',
    response: HealthResponse,
    summary: 'Liveness, storage and providers',
    description: 'Answers 200 while the process lives, also when the storage takes no writes.',
  },
  ready: {
    ...STATUS,
    path: '/ready',
    response: ReadyResponse,
    summary: 'Whether a write sent now would be taken',
    description: 'Answers 200 when it would, else 503 with the reasons.',
    rules: Object.entries(NOT_READY).map(([reason, meaning]) => `${reason}: ${meaning}`),
  },
  openapi: {
    method: 'GET',
    path: '/openapi.json',
    request: null,
    response: z.looseObject({ openapi: z.literal('3.1.0') }).describe('An OpenAPI document.'),
    writes: false,
    access: 'agent',
    summary: 'This interface as an OpenAPI 3.1 document',
    description: 'Generated from the schemas that validate requests.',
  },
} as const satisfies Readonly<Record<string, OperationRow>>)

export type OperationName = keyof typeof OPERATIONS

/** Operations that the runtime carries out; the edge answers the others. */
type FieldedName = Exclude<OperationName, 'health' | 'ready' | 'openapi'>

/** Those of them that have one answer. */
export type RequestedName = Exclude<FieldedName, 'followEvents'>

/** A request that has been parsed. */
export type RequestOf<Name extends FieldedName> = z.output<(typeof OPERATIONS)[Name]['request']>

interface RequestRow<Name extends FieldedName> {
  readonly request: z.ZodObject & z.ZodType<RequestOf<Name>>
}

const REQUESTS: { readonly [Name in FieldedName]: RequestRow<Name> } = OPERATIONS

/** The row of an operation with the schema of its request. */
export function requestRow<Name extends FieldedName>(name: Name): RequestRow<Name> {
  return REQUESTS[name]
}

/** What an operation answers unless a view is asked for: its response schema is the only place that says so. */
export type AnswerOf<Name extends OperationName> = Frozen<z.output<(typeof OPERATIONS)[Name]['response']>>

type ViewsOf<Row> = Row extends { readonly views: infer Views extends Readonly<Record<string, z.ZodType>> }
  ? Frozen<z.output<Views[keyof Views]>>
  : never

/** What an operation may answer: the whole answer, or the view of it that was asked for. */
export type AnyAnswerOf<Name extends OperationName> = AnswerOf<Name> | ViewsOf<(typeof OPERATIONS)[Name]>

/** Whether a 200 to this body has changed the state. */
export function isWriting(name: OperationName, body: unknown): boolean {
  const { writes, writesWith }: Pick<OperationSpec, 'writes' | 'writesWith'> = OPERATIONS[name]
  if (writes || writesWith === undefined || typeof body !== 'object') return writes
  const sent: Readonly<Record<string, unknown>> = { ...body }
  return sent[writesWith] === true
}
