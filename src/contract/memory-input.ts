import { z } from 'zod'
import { LANES, ORIGINS } from '../core/base/closed-sets.ts'
import { anyJson, id, instant, jsonObject, LIST_ITEMS_MAX, optional, share, text, words } from './fields.ts'

/** The rule of a reference that a JSON Schema cannot carry. */
export const REFERENCE_OBJECT_RULE = 'An object that refers to a memory needs id or client_id.'

/** A memory named by id or by client id. */
export const Reference = z.union(
  [
    id,
    z
      .looseObject({
        id: optional(id, 'Memory id.'),
        client_id: optional(id, 'Client id given at the write.'),
      })
      .refine((ref) => typeof ref.id === 'string' || typeof ref.client_id === 'string', {
        error: REFERENCE_OBJECT_RULE,
      }),
  ],
  { error: 'Send a memory id or client id as text, or an object with id or client_id.' },
)

export const references = z.union([z.array(Reference).max(LIST_ITEMS_MAX), id], {
  error: `Send a list of at most ${LIST_ITEMS_MAX} memory ids or client ids.`,
})

/** Lane and owners: whose it is. */
export const ownerFields = {
  memory_lane: optional(
    z.enum(LANES),
    'Who may see it. Default: private when an owner agent is named and no team, else shared.',
  ),
  owner_agent_id: optional(id, 'Agent that owns it.'),
  owner_team_id: optional(id, 'Team that owns it.'),
}

/** The same with the producer: in `memory`, `handoff` and nodes, and at the top level of observe. */
export const laneFields = {
  ...ownerFields,
  producer_agent_id: optional(id, 'Agent that wrote it; never its owner.'),
}

/** The task that a memory, a handoff or a step belongs to, beside its id. */
export const taskFields = {
  task_family: optional(text, 'Family of the task.'),
  task_signature: optional(text, 'Task identity. Never derived.'),
  workflow_signature: optional(text, 'Workflow identity. Never derived.'),
}

/** How much whoever writes makes of it. */
export const weightFields = {
  confidence: optional(share, 'From 0 to 1. Default 0.75.'),
  salience: optional(z.number(), 'Kept as payload.'),
  importance: optional(z.number(), 'Kept as payload.'),
}

const memoryFields = {
  client_id: optional(id, 'Your id of the memory, unique per scope, lane and owner. Never derived.'),
  kind: optional(
    text,
    'fact, preference, project_context, procedure, event, evidence, rule or execution_memory; another word is kept and typed fact, with a warning.',
  ),
  memory_kind: optional(text, 'Older name of the family: general_memory or execution_workflow.'),
  type: optional(
    text,
    'Older node type: concept, self_model, topic, entity, procedure, event, evidence or rule.',
  ),
  text: optional(text, 'The text. Overrides `input_text`.'),
  content: optional(text, 'Older name of `text`.'),
  input_text: optional(text, 'Older name of `text`.'),
  title: optional(text, 'Short title.'),
  summary: optional(text, 'Compact form of the text.'),
  text_summary: optional(text, 'Older name of `summary`.'),
  ...laneFields,
  lifecycle: optional(
    text,
    'Declared state: active, candidate, contested, demoted, failed, suppressed, superseded, expired or archived. It may lower a surface, never raise one.',
  ),
  lifecycle_hint: optional(text, 'Hint with the same words, and current, stale, procedure or unknown.'),
  lifecycle_state: optional(text, 'Older name of `lifecycle`.'),
  tier: optional(text, 'hot, warm, cold or archive; archive declares it archived.'),
  ...weightFields,
  target_files: optional(words, 'Paths it is about.'),
  acceptance_checks: optional(words, 'Checks that belong to it.'),
  workflow_steps: optional(words, 'Steps in order.'),
  tools: optional(words, 'Tools it needs.'),
  tool_set: optional(words, 'Older name of `tools`.'),
  next_action: optional(text, 'What to do next.'),
  run_id: optional(id, 'Run it comes from. Default: the run_id of the request.'),
  task_id: optional(id, 'Task it comes from.'),
  ...taskFields,
  outcome: optional(
    text,
    'Outcome, for execution memory: succeeded, failed, blocked, interrupted or unknown.',
  ),
  evidence_ref: optional(text, 'One evidence reference.'),
  evidence_refs: optional(words, 'Evidence references.'),
  raw_ref: optional(text, 'Where the raw content lies.'),
  payload: optional(anyJson, 'Cold content; returned by rehydrate full, never printed.'),
  metadata: optional(anyJson, 'Free; kept as payload.'),
  slots: optional(
    jsonObject,
    'Older free fields; kept as payload. `slots.lifecycle_state` declares a lifecycle.',
  ),
  valid_until: optional(instant, 'When it stops being valid: ISO 8601, without a zone UTC.'),
  observed_at: optional(instant, 'When it was seen: ISO 8601, without a zone UTC. Recency only.'),
  origin: optional(
    z.enum(ORIGINS),
    'Who says so. Default agent. document, external and unknown start as candidates.',
  ),
  derived_from: optional(references, 'Memories it was made from: it never has more trust than they have.'),
  supersedes: optional(references, 'Memories it replaces.'),
}

/** One element of `nodes`. */
export const MemoryNode = z
  .looseObject(memoryFields)
  .describe('A memory. Fields that are not listed are kept as payload.')

/** The `memory` object of observe. */
export const MemoryObject = z
  .looseObject({
    ...memoryFields,
    nodes: optional(z.array(MemoryNode).max(LIST_ITEMS_MAX), 'Several memories in one object.'),
  })
  .describe('A memory. Fields that are not listed are kept as payload.')

export const MEMORY_KEYS: ReadonlySet<string> = new Set(Object.keys(MemoryObject.shape))

export type WireReference = z.output<typeof Reference>
export type WireReferences = z.output<typeof references>
export type WireMemory = z.output<typeof MemoryNode>

const LaneFields = z.object(laneFields)
export type WireLanes = z.output<typeof LaneFields>
