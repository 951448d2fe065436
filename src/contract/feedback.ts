import { z } from 'zod'
import { TOOL_STATUSES } from '../core/base/closed-sets.ts'
import { ERRORS } from '../core/base/errors.ts'
import { filled, id, ids, optional, request, SIGNAL_REFS_MAX, text } from './fields.ts'
import { ownerFields } from './memory-input.ts'
import { ForgetEffect } from './rehydrate.ts'
import {
  described,
  feedbackOutcome,
  nullableText,
  strings,
  usedSurface,
  verifierStatus,
  writtenEnvelope,
} from './vocabulary.ts'

export const outcomeEvidence = {
  verifier_status: optional(verifierStatus, 'What a verifier said.'),
  tool_status: optional(z.enum(TOOL_STATUSES), 'How the tool ended.'),
  runtime_signal_refs: optional(
    z.array(text).max(SIGNAL_REFS_MAX),
    'References to runtime signals that show the failure.',
  ),
}

/** The rules of feedback that a JSON Schema cannot carry. */
export const FEEDBACK_RULES = {
  surface: ERRORS.feedback_surface_not_attributable.message,
  reference:
    'Non-neutral feedback names at least one memory: send used_memory_ids, memory_ids, node_ids or client_ids.',
  external:
    'With the guide_trace_id of a govern request the ids are external ids, and the outcome is about them alone. A lane says whose later govern requests it counts for; without one that of the govern request does.',
} as const

/** What says nothing for or against a memory may come from any surface. */
export function isAttributable({ outcome, used_surface }: OutcomeSaid): boolean {
  const isNeutral = (outcome ?? 'neutral') === 'neutral'
  return isNeutral || used_surface === 'use_now' || used_surface === 'explicit_host_assertion'
}

interface OutcomeSaid {
  readonly outcome?: string | null | undefined
  readonly used_surface?: string | null | undefined
}

export const NOT_ATTRIBUTABLE = {
  path: ['used_surface'],
  error: FEEDBACK_RULES.surface,
  params: { code: 'feedback_surface_not_attributable' },
}

const isNamed = (list: readonly string[] | null | undefined): boolean => (list ?? []).length > 0

export const FeedbackRequest = request('An outcome, and the memory it is attributed to.', {
  reason: filled.describe('Outcome reason.'),
  run_id: id.describe('Run that produced the outcome.'),
  outcome: feedbackOutcome.describe('How it ended.'),
  used_surface: usedSurface.describe(
    'Surface actually used. Non-neutral feedback needs use_now or explicit_host_assertion; use the latter for memory that was inspected first.',
  ),
  target: optional(text, 'Target class. Default `memory`.'),
  guide_trace_id: optional(id, 'Guide that exposed the memory; every attributed id must be in its exposure.'),
  used_memory_ids: optional(
    ids,
    'Memory exposed by that guide: of a success what was used, of a failure only what it speaks against.',
  ),
  memory_ids: optional(ids, 'Counts when `used_memory_ids` is absent.'),
  node_ids: optional(ids, 'Counts when `used_memory_ids` and `memory_ids` are absent.'),
  client_ids: optional(ids, 'Client ids of the memory that was used.'),
  ...outcomeEvidence,
  ...ownerFields,
})
  .refine(isAttributable, NOT_ATTRIBUTABLE)
  .refine(
    ({ outcome, used_memory_ids, memory_ids, node_ids, client_ids }) =>
      outcome === 'neutral' || [used_memory_ids, memory_ids, node_ids, client_ids].some(isNamed),
    { path: ['used_memory_ids'], error: FEEDBACK_RULES.reference, params: { code: 'reference_required' } },
  )

export const FeedbackResponse = described('What the outcome was attributed to and what it changed.', {
  ...writtenEnvelope('svc_feedback_result_v1'),
  operation: z.literal('activate'),
  target: z.string(),
  run_id: z.string(),
  outcome: feedbackOutcome,
  used_surface: usedSurface,
  guide_trace_id: nullableText,
  used_memory_ids: strings.describe('Memory the outcome was attributed to.'),
  forget_effect: ForgetEffect,
})
