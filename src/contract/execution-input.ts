import { z } from 'zod'
import {
  evidenceObjects,
  id,
  instant,
  jsonObject,
  LIST_ITEMS_MAX,
  optional,
  share,
  text,
  words,
} from './fields.ts'
import { references } from './memory-input.ts'

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
export const ExecutionObject = z
  .strictObject({
    client_id: optional(id, 'Your id of the step, unique per scope, lane and owner. Never derived.'),
    run_id: optional(id, 'Execution run. Default: the run_id of the request.'),
    agent_id: optional(id, 'Agent that acted; never the owner.'),
    team_id: optional(id, 'Team of the agent that acted; never the owner.'),
    task_id: optional(id, 'Task it belongs to.'),
    task_family: optional(text, 'Family of the task.'),
    task_signature: optional(text, 'Task identity. Never derived.'),
    workflow_signature: optional(text, 'Workflow identity. Never derived.'),
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
    confidence: optional(share, 'From 0 to 1. Default 0.75.'),
    salience: optional(z.number(), 'Kept as payload.'),
    importance: optional(z.number(), 'Kept as payload.'),
    observed_at: optional(instant, 'When it was seen: ISO 8601, without a zone UTC. Recency only.'),
    supersedes: optional(references, 'Memory or client ids that this step replaces.'),
  })
  .meta({ description: 'Evidence of a run. Strict: a field that is not listed is refused.' })

export type WireExecution = z.output<typeof ExecutionObject>
