import { z } from 'zod'
import { LIFECYCLE_TARGETS, REHYDRATE_MODES } from '../core/base/closed-sets.ts'
import { described, writtenEnvelope } from './envelope.ts'
import { filled, id, ids, optional, required, text } from './fields.ts'
import { ForgetEffect } from './lifecycle-effect.ts'
import { RehydrateResult } from './rehydrate-result.ts'
import { sharedFields } from './shared-request.ts'

/** How a lifecycle request names memory. */
export const referenceFields = {
  memory_ids: optional(ids, 'Memory ids.'),
  node_ids: optional(ids, 'Older name of `memory_ids`; both count.'),
  client_ids: optional(ids, 'Client ids given at the write.'),
  used_memory_ids: optional(ids, 'Counts when no other reference is given.'),
  anchor_id: optional(id, 'A memory id, a claim: or handoff: id, or the anchor of a handoff.'),
  anchor_uri: optional(id, 'The same as a URI: svc://tenant/scope/type/id, parts percent-encoded.'),
}

type References = {
  readonly [name in keyof typeof referenceFields]?: string | readonly string[] | null | undefined
}

/** The rule of references that a JSON Schema cannot carry. */
export const REFERENCE_RULE =
  'At least one reference is required: send memory_ids, node_ids, client_ids, anchor_id or anchor_uri.'

export const REFERENCE_REFUSAL = {
  path: ['memory_ids'],
  error: REFERENCE_RULE,
  params: { code: 'reference_required' },
}

/** True when the request names something. */
export function namesMemory(body: References): boolean {
  const { memory_ids, node_ids, client_ids, used_memory_ids, anchor_id, anchor_uri } = body
  return [memory_ids, node_ids, client_ids, used_memory_ids, anchor_id, anchor_uri].some(
    (reference) => (reference?.length ?? 0) > 0,
  )
}

export const RehydrateRequest = z
  .object({
    ...sharedFields,
    reason: required(filled, 'Why the evidence is needed.'),
    ...referenceFields,
    mode: optional(
      z.enum(REHYDRATE_MODES),
      'summary_only: title, summary, lifecycle, provenance. partial (default): also text and linked decisions. full: also payload, revisions, evidence, counters; it alone shows the values of secrets. differential: what changed.',
    ),
    target: optional(z.enum(LIFECYCLE_TARGETS), 'Target class. Default memory.'),
    target_tier: optional(text, 'warm or hot. Accepted: rehydrated memory is resident either way.'),
    include_linked_decisions: optional(
      z.boolean(),
      'Include linked guide and lifecycle decisions. Default true.',
    ),
    guide_trace_id: optional(id, 'Guide that exposed the memory; differential compares with it.'),
  })
  .refine(namesMemory, REFERENCE_REFUSAL)
  .meta({ description: 'Which evidence to expand, and how far.' })

export const RehydrateResponse = described('Expanded evidence.', {
  ...writtenEnvelope('svc_rehydrate_result_v1'),
  operation: z.literal('rehydrate'),
  target: z.enum(LIFECYCLE_TARGETS),
  forget_effect: ForgetEffect,
  result: RehydrateResult,
})
