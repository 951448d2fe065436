import { z } from 'zod'
import { anyJson, id, optional, share, text, words } from './fields.ts'
import { laneFields } from './memory-input.ts'

/** The rule of a handoff that a JSON Schema cannot carry. */
export const HANDOFF_RULE = 'A handoff needs one of summary, handoff_text or next_action.'

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
    task_family: optional(text, 'Family of the task.'),
    task_signature: optional(text, 'Task identity. Never derived.'),
    workflow_signature: optional(text, 'Workflow identity. Never derived.'),
    confidence: optional(share, 'From 0 to 1. Default 0.75.'),
    salience: optional(z.number(), 'Kept as payload.'),
    importance: optional(z.number(), 'Kept as payload.'),
    acceptance_checks: optional(words, 'Checks that the work must pass.'),
    target_files: optional(words, 'Files it is about.'),
    file_path: optional(text, 'File it is about; counted among the target files.'),
    repo_root: optional(text, 'Kept as payload.'),
    symbol: optional(text, 'Kept as payload.'),
    tags: optional(words, 'Kept as payload.'),
    must_change: optional(words, 'Kept as payload.'),
    must_remove: optional(words, 'Kept as payload.'),
    must_keep: optional(words, 'Kept as payload.'),
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
  })
  .refine(
    (handoff) =>
      (handoff.summary ?? '') !== '' ||
      (handoff.handoff_text ?? '') !== '' ||
      (handoff.next_action ?? '') !== '',
    { error: HANDOFF_RULE },
  )
  .meta({
    description: 'Continuation for another session or agent. Fields that are not listed are kept as payload.',
  })

export const HANDOFF_KEYS: ReadonlySet<string> = new Set(Object.keys(HandoffObject.shape))

export type WireHandoff = z.output<typeof HandoffObject>
