import { z } from 'zod'
import { LIFECYCLE_OPERATIONS, LIFECYCLE_TARGETS, REHYDRATE_MODES } from '../core/base/closed-sets.ts'
import { ERRORS } from '../core/base/errors.ts'
import { FILTER_RULES, filterEffect, filterFields, triedFields } from './by-filter.ts'
import { described, writtenEnvelope } from './envelope.ts'
import { outcomeEvidence } from './feedback.ts'
import { filled, id, instant, isSent, optional, required, text } from './fields.ts'
import { ForgetEffect } from './lifecycle-effect.ts'
import { namesMemory, REFERENCE_REFUSAL, referenceFields } from './rehydrate.ts'
import { RehydrateResult } from './rehydrate-result.ts'
import { sharedFields } from './shared-request.ts'
import { feedbackOutcome, usedSurface } from './vocabulary.ts'

/** Older words for how a suppression learns; both keep the memory out of use. */
const SUPPRESS_MODES = ['shadow_learn', 'hard_freeze'] as const

export const FORGET_RULES = {
  filter: 'Send filter with operation suppress or unsuppress only, and without guide_trace_id.',
  dry: 'Send dry_run with suppress, unsuppress or the activation of an operator.',
  eyes: 'A key does not activate what it wrote itself: another operator does.',
} as const

export const ForgetRequest = z
  .object({
    ...sharedFields,
    operation: required(
      z.enum(LIFECYCLE_OPERATIONS),
      'suppress and unsuppress are idempotent; rehydrate does what /v1/rehydrate does; activate attributes an outcome.',
    ),
    target: required(z.enum(LIFECYCLE_TARGETS), 'Target class. Every class takes every kind of reference.'),
    reason: required(filled, 'Audit reason.'),
    ...referenceFields,
    guide_trace_id: optional(id, 'Guide that exposed the memory; for activate.'),
    until: optional(instant, 'Ends a suppression: ISO 8601, without a zone UTC. It must lie in the future.'),
    mode: optional(
      z.enum([...REHYDRATE_MODES, ...SUPPRESS_MODES]),
      'For rehydrate: how far to expand, default partial. shadow_learn and hard_freeze are accepted for suppress and mean the same.',
    ),
    include_linked_decisions: optional(z.boolean(), 'For rehydrate: include linked decisions. Default true.'),
    target_tier: optional(text, 'Accepted: rehydrated memory is resident either way.'),
    outcome: optional(feedbackOutcome, 'For activate: how it ended.'),
    used_surface: optional(usedSurface, 'For activate: surface actually used.'),
    ...outcomeEvidence,
    ...filterFields,
    dry_run: optional(z.boolean(), 'Tell what it would do, and change nothing. Default false.'),
  })
  .refine((body) => namesMemory(body) || isSent(body.filter), REFERENCE_REFUSAL)
  .refine((body) => !(namesMemory(body) && isSent(body.filter)), {
    path: ['filter'],
    error: FILTER_RULES.alone,
  })
  .refine((body) => body.dry_run !== true || body.operation !== 'rehydrate', {
    path: ['dry_run'],
    error: FORGET_RULES.dry,
  })
  .refine(
    ({ filter, operation, guide_trace_id }) =>
      !isSent(filter) || (['suppress', 'unsuppress'].includes(operation) && !isSent(guide_trace_id)),
    { path: ['filter'], error: FORGET_RULES.filter },
  )
  .refine(
    (body) =>
      body.operation !== 'activate' ||
      (body.outcome ?? 'neutral') === 'neutral' ||
      body.used_surface === 'use_now' ||
      body.used_surface === 'explicit_host_assertion',
    {
      path: ['used_surface'],
      error: ERRORS.feedback_surface_not_attributable.message,
      params: { code: 'feedback_surface_not_attributable' },
    },
  )
  .meta({ description: 'What to do with which memory, and why.' })

export const ForgetResponse = described('What the operation did.', {
  ...writtenEnvelope('svc_forget_result_v1'),
  operation: z.enum(LIFECYCLE_OPERATIONS),
  target: z.enum(LIFECYCLE_TARGETS),
  forget_effect: ForgetEffect,
  filter_effect: filterEffect.optional(),
  ...triedFields,
  result: RehydrateResult.optional().meta({ description: 'Only for operation rehydrate.' }),
})
