import { z } from 'zod'
import { PROFILES } from '../core/base/closed-sets.ts'
import { isHidden } from '../core/text/escape.ts'

/// <reference lib="es2024.string" />

// The building blocks of every request. `.describe(description)` is the only description of a field: it travels
// into the OpenAPI document and docs/reference/api.

/** Items of a list of words, paths or checks. */
export const LIST_ITEMS_MAX = 256
/** Items of a list of ids. */
export const ID_ITEMS_MAX = 200
export const CLAIMS_MAX = 32
export const SIGNAL_REFS_MAX = 32
/** Items of `evidence` and `artifacts`, which are objects. */
export const EVIDENCE_OBJECTS_MAX = 64
export const GUIDE_LIMIT_MAX = 200

// Clients cut texts by code unit, and half of a pair would not survive encoding: it becomes U+FFFD here, once.
export const tidy = (value: string): string => {
  const trimmed = value.trim()
  return trimmed.isWellFormed() ? trimmed : trimmed.toWellFormed()
}

/** Who reads a text of hidden characters alone reads nothing. */
const shown = (value: string): string => {
  const tidied = tidy(value)
  return isHidden(tidied) ? '' : tidied
}

/** Free text, trimmed. Empty text means the same as leaving the field out. */
export const text = z.string().overwrite(shown)
/** Trimmed text that may not be empty: reasons, queries. */
export const filled = z.string().overwrite(shown).min(1)
/** Holds for every id and scope, and is told once, with the rules of all requests. */
export const WHOLE_CHARACTERS = 'Send whole characters: half of a surrogate pair names nothing.'
/** A name of something: with U+FFFD in the place of half a pair two names would be one. */
const name = z.string().refine((value) => value.isWellFormed(), { error: WHOLE_CHARACTERS })
/** An opaque id: any text that is not empty, so that a malformed id is an unknown one. */
export const id = name.overwrite(tidy).min(1)
export const words = z.array(text).max(LIST_ITEMS_MAX)
export const ids = z.array(id).max(ID_ITEMS_MAX)
export const share = z.number().min(0).max(1)
/** Any JSON; the body as a whole is checked for nesting before. */
export const anyJson = z.unknown()
export const jsonObject = z.record(z.string(), z.unknown())
export const evidenceObjects = z.array(jsonObject).max(EVIDENCE_OBJECTS_MAX)

export const TENANT_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
export const SCOPE = /^\P{Cc}{1,256}$/u

export const tenantId = z.string().overwrite(tidy).regex(TENANT_ID, {
  error:
    'Send a tenant_id of 1 to 64 letters, digits, dots, underscores or hyphens that starts with a letter or digit.',
})
export const scopeName = name
  .overwrite(tidy)
  .regex(SCOPE, { error: 'Send a scope of 1 to 256 characters without control characters.' })

/** An optional field; null counts as absent. */
export function optional<S extends z.ZodType>(schema: S, description: string) {
  return schema.nullish().describe(description)
}

export function isSent(value: unknown): boolean {
  return value !== undefined && value !== null
}

const ISO_8601 =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:([Zz])|([+-])(\d\d):?(\d\d)?)?)?$/

const YEAR_0_MS = Date.UTC(-1, 12)
const YEAR_10000_MS = Date.UTC(10_000)

/** Milliseconds since the epoch, or null when the text is not an ISO 8601 date or date-time. No zone means UTC. */
export function epochMsOf(value: string): number | null {
  const match = ISO_8601.exec(value)
  if (match === null) return null
  const part = (index: number): number => Number(match[index] ?? 0)
  const [year, month, day, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)]
  const millisecond = Math.floor(Number(`0.${match[7] ?? '0'}`) * 1000)
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null
  const [zoneHours, zoneMinutes] = [part(10), part(11)]
  if (hour > 23 || minute > 59 || second > 59 || zoneHours > 23 || zoneMinutes > 59) return null
  const zoneMs = (match[9] === '-' ? -1 : 1) * (zoneHours * 60 + zoneMinutes) * 60_000
  const epochMs = date.getTime() + ((hour * 60 + minute) * 60 + second) * 1000 + millisecond - zoneMs
  // In UTC a zone can lead out of the years that have four digits.
  return epochMs < YEAR_0_MS || epochMs >= YEAR_10000_MS ? null : epochMs
}

/** An instant: ISO 8601 on the wire, milliseconds since the epoch once parsed. */
export const instant = z.string().transform((value, context) => {
  const epochMs = epochMsOf(value.trim())
  if (epochMs !== null) return epochMs
  context.issues.push({
    code: 'custom',
    input: value,
    message: 'Send an ISO 8601 date-time such as 2026-01-31T12:00:00Z.',
  })
  return z.NEVER
})

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

/** A body with these fields and those that every endpoint takes. */
export function request<Shape extends z.core.$ZodLooseShape>(description: string, shape: Shape) {
  return SharedRequest.extend(shape).describe(description)
}

/** What every request carries. */
export type SharedRequest = z.output<typeof SharedRequest>
