import { HANDOFF_KEYS, type WireHandoff } from '../../contract/handoff-input.ts'
import type { HandoffInput } from '../../core/model/commands.ts'
import type { Content } from '../../core/model/record.ts'
import { distinct, firstOf } from './absence.ts'
import { audienceOf, CONFIDENCE_DEFAULT, lanesOf, ownTask, type WriteContext } from './identity.ts'
import { coldPayload, unlistedFields } from './memory.ts'

const PLACE = 'handoff'

/** A handoff; its own lane and owners count before those of the request. */
export function handoffInput(handoff: WireHandoff, context: WriteContext): HandoffInput {
  const lanes = lanesOf(handoff, context.request)
  const kind = firstOf(handoff.handoff_kind) ?? defaultKind(handoff)
  return {
    memory: {
      clientId: handoff.client_id ?? null,
      domain: 'execution',
      memoryType: 'execution_memory',
      kind,
      audience: audienceOf(lanes, PLACE, context.warnings),
      producerAgentId: lanes.producerAgentId ?? context.producerAgentId,
      producerTeamId: context.producerTeamId,
      actorName: firstOf(handoff.actor) ?? context.actorName,
      origin: context.origin,
      derivedFrom: [],
      supersedes: [],
      ...ownTask(handoff, context.task),
      content: handoffContent(handoff, context.warnings),
      declared: [],
      validUntilMs: null,
      observedAtMs: null,
    },
    facts: {
      anchor: firstOf(handoff.anchor),
      handoffKind: kind,
      targetAgentId: firstOf(handoff.target_agent_id, handoff.target_agent),
      targetTeamId: firstOf(handoff.target_team_id, handoff.target_team),
      targetRole: firstOf(handoff.target_role),
      handoffText: firstOf(handoff.handoff_text),
      nextAction: firstOf(handoff.next_action),
      risk: firstOf(handoff.risk),
    },
  }
}

/** A patch is about a file; a handoff without one is about a task. */
function defaultKind(handoff: WireHandoff): string {
  return firstOf(handoff.file_path) === null ? 'task_handoff' : 'patch_handoff'
}

function handoffContent(handoff: WireHandoff, warnings: string[]): Omit<Content, 'fullTextChars'> {
  const title = firstOf(handoff.title)
  return {
    title,
    titleIsCallers: title !== null,
    text: distinct([handoff.summary, handoff.handoff_text, handoff.next_action]).join('\n'),
    summary: firstOf(handoff.summary),
    outcome: null,
    outcomeRaw: null,
    confidence: handoff.confidence ?? CONFIDENCE_DEFAULT,
    targetFiles: distinct(handoff.target_files, [handoff.file_path]),
    acceptanceChecks: distinct(handoff.acceptance_checks),
    workflowSteps: [],
    tools: [],
    verifier: [],
    evidenceRefs: [],
    rawRef: null,
    nextAction: firstOf(handoff.next_action),
    payload: coldPayload(null, {
      ...coldFields(handoff),
      ...unlistedFields(handoff, HANDOFF_KEYS, PLACE, warnings),
    }),
  }
}

const COLD = [
  'file_path',
  'repo_root',
  'symbol',
  'tags',
  'must_change',
  'must_remove',
  'must_keep',
  'salience',
  'importance',
  'execution_result_summary',
  'execution_artifacts',
  'execution_evidence',
  'execution_state_v1',
  'execution_packet_v1',
  'control_profile_v1',
  'execution_transitions_v1',
  'execution_tree_v1',
  'execution_tree_operations_v1',
  'execution_tree_disabled',
  'execution_tree_default_disabled',
  'trajectory',
  'trajectory_hints',
] as const satisfies readonly (keyof WireHandoff)[]

function coldFields(handoff: WireHandoff): Readonly<Record<string, unknown>> {
  return Object.fromEntries(COLD.map((key) => [key, handoff[key]]))
}
