import { z } from 'zod'
import { PROFILES } from '../core/base/closed-sets.ts'
import { id, optional, scopeName, tenantId, text } from './fields.ts'

const requestContext = z.looseObject({
  task_id: optional(id, 'Stands in for `task_id`.'),
  task_family: optional(text, 'Stands in for `task_family`.'),
  task_signature: optional(text, 'Stands in for `task_signature`.'),
  workflow_signature: optional(text, 'Stands in for `workflow_signature`.'),
  agent_role: optional(text, 'Stands in for `agent_role`.'),
  task_context_profile: optional(z.enum(PROFILES), 'Stands in for `task_context_profile`.'),
})

/** The actor of a request that names none. */
export const DEFAULT_TENANT = 'default'
export const DEFAULT_SCOPE = 'default'
export { LOCAL_AGENT } from '../core/model/visibility.ts'

/** Which actor a request belongs to. */
export const actorFields = {
  tenant_id: optional(tenantId, 'Logical tenant boundary. Default `default`.'),
  scope: optional(
    scopeName,
    'Project, repo, workspace or task boundary. Default `default`. Keep it identical across observe, guide and feedback.',
  ),
}

/** Who asks. */
export const consumerFields = {
  consumer_agent_id: optional(id, 'Agent identity for context and attribution. Default `local-agent`.'),
  agent_id: optional(id, 'Alias of `consumer_agent_id`.'),
  consumer_team_id: optional(id, 'Team whose lane the consumer shares.'),
  team_id: optional(id, 'Alias of `consumer_team_id`.'),
}

/** Accepted on every endpoint. */
export const sharedFields = {
  ...actorFields,
  actor: optional(text, 'Human, service or agent writing the request.'),
  run_id: optional(id, 'Execution session identifier.'),
  task_signature: optional(text, 'Stable task or workflow identity.'),
  workflow_signature: optional(text, 'Stable identity of the workflow.'),
  task_id: optional(id, 'Identifier of the task.'),
  task_family: optional(text, 'Family the task belongs to.'),
  ...consumerFields,
  agent_role: optional(
    text,
    'Role of the agent: agent, planner, worker, verifier or reviewer. Another word counts as agent. It never widens what is visible.',
  ),
  task_context_profile: optional(
    z.enum(PROFILES),
    'Posture of the rendered agent context. Changes no recall, storage, lifecycle or admission. Default `general`.',
  ),
  context: optional(
    requestContext,
    'Free object; its named fields stand in for top-level fields that are missing.',
  ),
  operation_id: optional(
    id.max(256),
    'Idempotency key: the same id with the same body gets the stored answer again. The header `Idempotency-Key` does the same.',
  ),
}

const SharedRequest = z.object(sharedFields)
/** What every request carries. */
export type SharedRequest = z.output<typeof SharedRequest>
