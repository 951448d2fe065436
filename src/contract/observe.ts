import { z } from 'zod'
import {
  CLAIM_AUTHORITIES,
  CLAIM_KINDS,
  CONFLICT_POLICIES,
  ORIGINS,
  RELATION_TYPES,
} from '../core/base/closed-sets.ts'
import {
  anyJson,
  CLAIMS_MAX,
  evidenceObjects,
  filled,
  id,
  instant,
  jsonObject,
  LIST_ITEMS_MAX,
  optional,
  request,
  share,
  text,
  words,
} from './fields.ts'
import {
  laneFields,
  MemoryNode,
  MemoryObject,
  Reference,
  references,
  taskFields,
  weightFields,
} from './memory-input.ts'
import { count, described, nullableText, rows, strings, writtenEnvelope } from './vocabulary.ts'

/** The rules of a claim that a JSON Schema cannot carry. */
export const CLAIM_RULES = {
  slot: 'A claim with conflict_policy singleton_latest needs slot_key.',
  evidence: 'A claim with authority trusted needs at least one of evidence_refs.',
  value: 'A claim needs value or value_text.',
} as const

/** One element of `claims`: strict, a field that is not listed is refused. */
export const ClaimObject = described(
  'One claim of the ledger. Strict: a field that is not listed is refused.',
  {
    contract_version: optional(text, 'Optional; `svc_claim_write_v1`.'),
    client_id: optional(id, 'Your id of the claim. A known one returns the claim that exists.'),
    subject_key: filled.describe('What the claim is about.'),
    predicate: filled.describe('What is said about it.'),
    value: anyJson.optional().describe('The value: any JSON, null included.'),
    value_text: optional(text.max(2000), 'The value as text, at most 2000 characters.'),
    slot_key: optional(text, 'Slot in which singleton_latest keeps only the latest claim.'),
    claim_kind: optional(z.enum(CLAIM_KINDS), 'Default ordinary_fact.'),
    conflict_policy: optional(z.enum(CONFLICT_POLICIES), 'Default manual_or_inspect.'),
    authority: optional(z.enum(CLAIM_AUTHORITIES), 'Default advisory.'),
    confidence: optional(share, 'From 0 to 1. Default 0.75.'),
    valid_from: optional(instant, 'From when it holds: ISO 8601, without a zone UTC.'),
    evidence_refs: optional(z.array(text).max(32), 'Evidence references.'),
    source_memory_id: optional(
      id,
      'Memory the claim comes from. Default: the first memory written by the same request.',
    ),
    metadata: optional(jsonObject, 'Free object; kept as payload.'),
  },
)
  .refine((claim) => claim.conflict_policy !== 'singleton_latest' || (claim.slot_key ?? '') !== '', {
    path: ['slot_key'],
    error: CLAIM_RULES.slot,
  })
  .refine((claim) => claim.authority !== 'trusted' || (claim.evidence_refs ?? []).some((ref) => ref !== ''), {
    path: ['evidence_refs'],
    error: CLAIM_RULES.evidence,
  })
  .refine((claim) => claim.value !== undefined || (claim.value_text ?? '') !== '', {
    path: ['value'],
    error: CLAIM_RULES.value,
  })

export type WireClaim = z.output<typeof ClaimObject>

/** The rule of a handoff that a JSON Schema cannot carry. */
export const HANDOFF_RULE = 'A handoff needs one of summary, handoff_text or next_action.'

/** Fields of a handoff that are kept as payload, as they stand in it. */
const keptOfWork = {
  repo_root: optional(text, 'Kept as payload.'),
  symbol: optional(text, 'Kept as payload.'),
  tags: optional(words, 'Kept as payload.'),
  must_change: optional(words, 'Kept as payload.'),
  must_remove: optional(words, 'Kept as payload.'),
  must_keep: optional(words, 'Kept as payload.'),
}
const keptOfRun = {
  execution_result_summary: optional(anyJson, 'Kept as payload.'),
  execution_artifacts: optional(anyJson, 'Kept as payload.'),
  execution_evidence: optional(anyJson, 'Kept as payload.'),
  execution_state_v1: optional(anyJson, 'Kept as payload.'),
  execution_packet_v1: optional(anyJson, 'Kept as payload.'),
  control_profile_v1: optional(anyJson, 'Kept as payload.'),
  execution_transitions_v1: optional(anyJson, 'Kept as payload.'),
  execution_tree_v1: optional(anyJson, 'Kept as payload.'),
  execution_tree_operations_v1: optional(anyJson, 'Kept as payload.'),
  execution_tree_disabled: optional(anyJson, 'Kept as payload.'),
  execution_tree_default_disabled: optional(anyJson, 'Kept as payload.'),
  trajectory: optional(anyJson, 'Kept as payload.'),
  trajectory_hints: optional(anyJson, 'Kept as payload.'),
}

/** The `handoff` object of observe. */
export const HandoffObject = z
  .looseObject({
    anchor: optional(text, 'Names the line of work; the newest handoff of an anchor is the active path.'),
    handoff_kind: optional(text, 'patch_handoff, review_handoff or task_handoff.'),
    title: optional(text, 'Short title.'),
    summary: optional(text, 'Where the work stands.'),
    handoff_text: optional(text, 'What the next agent has to know.'),
    next_action: optional(text, 'What to do next.'),
    risk: optional(text, 'What may go wrong.'),
    actor: optional(text, 'Who hands over. Default: the actor of the request.'),
    client_id: optional(id, 'Your id of the handoff. Never derived.'),
    ...laneFields,
    target_agent_id: optional(id, 'Agent it is addressed to. Without addressee: everyone who sees it.'),
    target_agent: optional(id, 'Alias of `target_agent_id`.'),
    target_team_id: optional(id, 'Team it is addressed to.'),
    target_team: optional(id, 'Alias of `target_team_id`.'),
    target_role: optional(text, 'Role it is addressed to.'),
    run_id: optional(id, 'Run it comes from. Default: the run_id of the request.'),
    task_id: optional(id, 'Task it belongs to.'),
    ...taskFields,
    ...weightFields,
    acceptance_checks: optional(words, 'Checks that the work must pass.'),
    target_files: optional(words, 'Files it is about.'),
    file_path: optional(text, 'File it is about; counted among the target files.'),
    ...keptOfWork,
    ...keptOfRun,
  })
  .refine(
    ({ summary, handoff_text, next_action }) =>
      [summary, handoff_text, next_action].some((said) => (said ?? '') !== ''),
    { error: HANDOFF_RULE },
  )
  .describe('Continuation for another session or agent. Fields that are not listed are kept as payload.')

export const HANDOFF_KEYS: ReadonlySet<string> = new Set(Object.keys(HandoffObject.shape))

export type WireHandoff = z.output<typeof HandoffObject>

/** What of a handoff becomes payload, in the order of the payload. */
export const HANDOFF_PAYLOAD: readonly string[] = [
  'file_path',
  ...Object.keys(keptOfWork),
  'salience',
  'importance',
  ...Object.keys(keptOfRun),
]

const verifierObject = z.looseObject({
  name: optional(text, 'Name of the verifier.'),
  status: optional(text, 'passed, failed, not_run or unknown.'),
  summary: optional(text, 'What it found.'),
})
const oneVerifier = z.union([text, verifierObject])
const verifiers = z.union([oneVerifier, z.array(oneVerifier).max(LIST_ITEMS_MAX)], {
  error: 'Send a verifier as text, as {name, status, summary}, or as a list of those.',
})

/** The `execution` object of observe: strict, a field that is not listed is refused. */
export const ExecutionObject = described(
  'Evidence of a run. Strict: a field that is not listed is refused.',
  {
    client_id: optional(id, 'Your id of the step, unique per scope, lane and owner. Never derived.'),
    run_id: optional(id, 'Execution run. Default: the run_id of the request.'),
    agent_id: optional(id, 'Agent that acted; never the owner.'),
    team_id: optional(id, 'Team of the agent that acted; never the owner.'),
    task_id: optional(id, 'Task it belongs to.'),
    ...taskFields,
    title: optional(text, 'Short title.'),
    summary: optional(text, 'Summary of the step.'),
    outcome: optional(
      text,
      'succeeded, failed, blocked, interrupted or unknown. success, ok, passed, done and completed mean succeeded, failure and error mean failed; another word is kept and treated as unknown.',
    ),
    workflow_steps: optional(words, 'Steps in order.'),
    steps: optional(words, 'Alias of `workflow_steps`.'),
    target_files: optional(words, 'Files touched or targeted.'),
    files: optional(words, 'Alias of `target_files`.'),
    acceptance_checks: optional(words, 'Checks that passed.'),
    tools: optional(words, 'Tools used.'),
    tool_set: optional(words, 'Alias of `tools`.'),
    verifier: optional(verifiers, 'Who checked it: text, {name, status, summary}, or a list of those.'),
    verification: optional(jsonObject, 'Free object; kept as payload.'),
    evidence_refs: optional(words, 'Evidence references.'),
    evidence_ref: optional(text, 'One evidence reference.'),
    raw_ref: optional(text, 'Where the raw content lies.'),
    evidence: optional(evidenceObjects, 'Evidence objects; kept as payload.'),
    artifacts: optional(evidenceObjects, 'Artifact objects; kept as payload.'),
    slots: optional(
      jsonObject,
      'Free fields; kept as payload. `slots.lifecycle_state` declares a lifecycle.',
    ),
    continuation_hint: optional(text, 'What to do next.'),
    resume_hint: optional(text, 'Alias of `continuation_hint`.'),
    reuse_hint: optional(text, 'Alias of `continuation_hint`.'),
    ...weightFields,
    observed_at: optional(instant, 'When it was seen: ISO 8601, without a zone UTC. Recency only.'),
    supersedes: optional(references, 'Memory or client ids that this step replaces.'),
  },
)

export type WireExecution = z.output<typeof ExecutionObject>

const CHANGES_MAX = 256
const PATH = /^(?!.*(?:^|\/)\.{0,2}(?:\/|$))[^\\\p{Cc}\p{Zl}\p{Zp}]{1,512}$/u
const DIGEST = /^[\x21-\x7e]{1,128}$/

/** Accepted by observe and finish. */
export const workspaceFields = {
  workspace_changes: optional(
    rows({
      path: z.string().regex(PATH, {
        message:
          'Send a path such as src/a.ts: from the root of the workspace, with one slash between parts, none of them . or .., of at most 512 characters.',
      }),
      digest: z
        .string()
        .regex(DIGEST, { message: 'Send a hash of at most 128 characters, or null.' })
        .nullable(),
    }).max(CHANGES_MAX),
    'Files that changed: a hash of what each holds, null when it is gone. Memory that names one says so.',
  ),
}

export const EdgeObject = z
  .looseObject({
    type: z.enum(RELATION_TYPES).describe('What the source is to the target.'),
    src: Reference.describe('Source: {id} or {client_id}.'),
    dst: Reference.describe('Target: {id} or {client_id}.'),
    confidence: optional(share, 'From 0 to 1. Default 0.75.'),
  })
  .describe('A relation between two memories.')

/** The rule of observe that a JSON Schema cannot carry. */
export const OBSERVE_RULE =
  'At least one of these is required: input_text, memory with text, title or summary, execution with title, summary or outcome, nodes, edges, a handoff, claims or workspace_changes.'

export const ObserveRequest = request('What to record.', {
  input_text: optional(
    text,
    'The text of the memory, or of the step when `execution` is sent. Empty counts as none.',
  ),
  memory: optional(MemoryObject, 'Ordinary memory: facts, preferences, project context.'),
  execution: optional(ExecutionObject, 'Execution evidence of a run, branch or validator.'),
  handoff: optional(HandoffObject, 'Handoff for another session or agent; needs no input_text.'),
  claims: optional(
    z.array(ClaimObject).max(CLAIMS_MAX),
    'Claim ledger writes. Each claim is also a memory in the lane of the request.',
  ),
  nodes: optional(z.array(MemoryNode).max(LIST_ITEMS_MAX), 'Further memories.'),
  edges: optional(z.array(EdgeObject).max(LIST_ITEMS_MAX), 'Relations between memories.'),
  memory_kind: optional(text, 'Older classification of input_text: general_memory or execution_workflow.'),
  ...workspaceFields,
  ...laneFields,
  origin: optional(
    z.enum(ORIGINS),
    'Who says so, for everything in the request that does not say it itself. Default agent.',
  ),
  auto_embed: optional(
    z.boolean(),
    'False: what is written is not sent to the provider of embeddings. Without a provider it changes nothing. Default true.',
  ),
})

export const ObserveResponse = described('What was recorded.', {
  ...writtenEnvelope('svc_observe_result_v1'),
  observed: z.strictObject({
    memory_written: z.boolean().describe('A memory or a revision was written.'),
    handoff_stored: z.boolean().describe('A handoff was stored.'),
    general_memory_count: count.describe('Memories written that are not execution memory.'),
    execution_memory_count: count.describe('Execution memories written.'),
    claim_count: count.describe('Claims written.'),
    echo_count: count.describe('Texts that only repeat a line a guide exposed and were not stored again.'),
  }),
  memory_ids: strings.describe('In order of writing; for an echo the id of the exposed memory.'),
  client_id_map: z.record(z.string(), z.string()).describe('Memory id for each client id of the request.'),
  handoff_id: nullableText.describe('`handoff:<uuid>`, or null without a handoff.'),
  claim_ids: strings.describe('`claim:<uuid>` for each claim of the request, in order.'),
  post_commit_projections: z
    .strictObject({
      semantic_commit: z.literal('committed'),
      embedding: z.enum(['scheduled', 'not_requested']),
    })
    .optional()
    .describe(
      'What follows in the background. Only with a provider of embeddings; `embedding_status` of each memory is told by resolve.',
    ),
})
