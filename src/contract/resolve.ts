import { z } from 'zod'
import { LANES, ORIGINS } from '../core/base/closed-sets.ts'
import { filled, optional, request, SCOPE, share, TENANT_ID } from './fields.ts'
import { OutcomeCredit } from './memory-decision.ts'
import {
  count,
  described,
  disputes,
  envelope,
  isoTime,
  lifecycleState,
  memoryDomain,
  memoryType,
  nullableText,
  strings,
} from './vocabulary.ts'

/** `svc://{tenant}/{scope}/{type}/{id}`, each part percent-encoded. */
export interface MemoryUri {
  readonly tenantId: string
  readonly scope: string
  readonly type: string
  readonly id: string
}

const FORM = /^[a-z][a-z0-9+.-]*:\/\/([^/]+)\/([^/]+)\/([^/]+)\/([^/]+)$/i

/** Reads a memory URI of any scheme; null when it has another form or names an impossible tenant or scope. */
export function parseMemoryUri(uri: string): MemoryUri | null {
  const parts = FORM.exec(uri)?.slice(1).map(decoded) ?? []
  const [tenantId, scope, type, id] = parts
  if (tenantId == null || scope == null || type == null || id == null) return null
  return TENANT_ID.test(tenantId) && SCOPE.test(scope) ? { tenantId, scope, type, id } : null
}

export function memoryUriOf(uri: MemoryUri): string {
  return `svc://${[uri.tenantId, uri.scope, uri.type, uri.id].map(encodeURIComponent).join('/')}`
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}

/** The third part of a memory URI: our own types, then the older node types. */
export const RESOLVE_TYPES = [
  'memory',
  'claim',
  'guide',
  'run',
  'handoff',
  'event',
  'procedure',
  'evidence',
  'concept',
  'rule',
  'entity',
  'topic',
  'self_model',
] as const

/** The rules of a memory URI that a JSON Schema cannot carry. */
export const URI_RULES = {
  form: `Send a URI such as svc://tenant/scope/memory/id, its four parts percent-encoded; types are ${RESOLVE_TYPES.join(', ')}.`,
  tenant: 'The tenant of the URI and the tenant_id of the request must be the same: leave one of them out.',
  scope: 'The scope of the URI and the scope of the request must be the same: leave one of them out.',
} as const

export const ResolveRequest = request('The memory URI to resolve.', {
  uri: filled.describe(
    'svc://tenant/scope/type/id, parts percent-encoded. The scheme is not compared. Without tenant_id and scope in the body those of the URI count.',
  ),
  include_meta: optional(z.boolean(), 'Include lanes, owners, times and confidence. Default false.'),
  include_slots: optional(z.boolean(), 'Include all slots. Default false.'),
  include_slots_preview: optional(z.boolean(), 'Include the first slots as slots_preview. Default false.'),
  slots_preview_keys: optional(z.int().min(1).max(50), 'Slots in the preview, 1 to 50. Default 10.'),
})

const slots = z.record(z.string(), z.unknown())

const ResolvedNode = z.strictObject({
  id: z.string(),
  uri: z.string(),
  type: z.enum(RESOLVE_TYPES),
  client_id: nullableText,
  title: nullableText,
  text_summary: nullableText,
  disputes: disputes.optional().describe('Of a memory, claim or handoff.'),
  slots: slots.optional(),
  slots_preview: slots.optional(),
  memory_type: memoryType.optional().describe('With include_meta, as all that follows.'),
  domain: memoryDomain.optional(),
  lifecycle_state: lifecycleState.optional(),
  origin: z.enum(ORIGINS).optional(),
  memory_lane: z.enum(LANES).optional(),
  producer_agent_id: nullableText.optional(),
  owner_agent_id: nullableText.optional(),
  owner_team_id: nullableText.optional(),
  raw_ref: nullableText.optional(),
  evidence_ref: nullableText.optional(),
  confidence: share.optional(),
  created_at: isoTime.optional(),
  updated_at: isoTime.optional(),
  credit: OutcomeCredit.optional(),
  embedding_status: z
    .enum(['pending', 'ready', 'failed', 'skipped'])
    .optional()
    .describe('Only with a provider of embeddings, as the two that follow.'),
  embedding_reason: nullableText
    .optional()
    .describe('Why it failed or was skipped (`secret`, `auto_embed_false`, `no_text`).'),
  embedding_model: nullableText.optional(),
})

export const ResolveResponse = described('The evidence behind the URI.', {
  ...envelope('svc_memory_resolve_result_v1'),
  uri: z.string(),
  type: z.enum(RESOLVE_TYPES),
  node: ResolvedNode,
  resolve_summary: z.strictObject({
    summary_version: z.literal('resolve_summary_v1'),
    resolved_type: z.enum(RESOLVE_TYPES),
    payload_kind: z.string(),
    include_meta: z.boolean(),
    slots_mode: z.enum(['full', 'preview', 'none']),
    related_uris: strings,
    related_uri_count: count,
    object_keys: strings,
  }),
})
