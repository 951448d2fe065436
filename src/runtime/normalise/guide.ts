import { CHAR_BUDGET_MAX, CHAR_BUDGET_MIN } from '../../contract/guide.ts'
import type { RequestOf } from '../../contract/operations.ts'
import { AGENT_ROLES, type AgentRole } from '../../core/base/closed-sets.ts'
import { BUDGET_CHARS_DEFAULT, GUIDE_LIMIT_DEFAULT, type GuideCommand } from '../../core/guide/entry.ts'
import { distinct, firstOf } from './absence.ts'
import { consumerOf, type Reading, taskOf } from './identity.ts'

const CHARS_PER_TOKEN = 4

/** What a guide request means. */
export function guideCommand(request: RequestOf<'guide'>): Reading<GuideCommand> {
  const warnings: string[] = []
  const omitShownIn = firstOf(request.omit_shown_in)
  const said = taskOf(request)
  const task = { ...said, runId: said.runId ?? omitShownIn }
  const mode = request.mode ?? 'standard'
  const contextMode = request.context_mode ?? 'standard'
  const isPromptView = request.view === 'prompt'
  if (isPromptView && request.handles === false)
    warnings.push('handles: false was ignored: view prompt names memory by handles')
  if (isPromptView && request.include_packets === true)
    warnings.push('include_packets was ignored: view prompt answers the prompt and its handles only')
  if (request.restart === true && omitShownIn === null)
    warnings.push('restart was ignored: it prints again what omit_shown_in leaves out')
  const command: GuideCommand = {
    queryText: request.query_text,
    consumer: consumerOf(request),
    mode,
    contextMode,
    fullPower: mode === 'full_power' || contextMode !== 'standard',
    profile: request.task_context_profile ?? request.context?.task_context_profile ?? 'general',
    role: roleOf(firstOf(request.agent_role, request.context?.agent_role), warnings),
    limit: request.limit ?? GUIDE_LIMIT_DEFAULT,
    budgetChars: budgetOf(request),
    compaction: request.context_compaction_profile ?? request.context_optimization_profile ?? 'balanced',
    includePackets: request.include_packets ?? false,
    handles: isPromptView || request.handles === true,
    omitShownIn,
    isRestart: request.restart === true,
    lines: request.lines ?? 'full',
    ...task,
    identifiers: distinct([
      task.taskSignature,
      task.workflowSignature,
      task.taskId,
      task.taskFamily,
      task.runId,
    ]),
  }
  return { command, warnings }
}

function budgetOf(request: RequestOf<'guide'>): number {
  if (request.context_char_budget !== undefined && request.context_char_budget !== null) {
    return request.context_char_budget
  }
  const tokens = request.context_token_budget ?? null
  if (tokens === null) return BUDGET_CHARS_DEFAULT
  return Math.min(CHAR_BUDGET_MAX, Math.max(CHAR_BUDGET_MIN, tokens * CHARS_PER_TOKEN))
}

/** Roles are an open set on the wire; one that has no posture of its own gets that of an agent. */
export function roleOf(said: string | null, warnings: string[]): AgentRole {
  if (said === null) return 'agent'
  const known = AGENT_ROLES.find((role) => role === said.toLowerCase())
  if (known !== undefined) return known
  warnings.push(`agent_role is treated as agent: the roles with a posture are ${AGENT_ROLES.join(', ')}`)
  return 'agent'
}
