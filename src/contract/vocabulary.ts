import { z } from 'zod'
import {
  FEEDBACK_OUTCOMES,
  GUIDANCE_AUTHORITIES,
  LIFECYCLE_STATES,
  MEMORY_DOMAINS,
  MEMORY_TYPES,
  OMITTED_REASONS,
  RECOMMENDED_POSTURES,
  SURFACES,
  USED_SURFACES,
  VERIFIER_STATUSES,
} from '../core/base/closed-sets.ts'
import { ATTRIBUTION_STRENGTHS } from '../core/report/credit.ts'
import { count, described, strings } from './envelope.ts'

// Words and parts that answers share.

export const nullableText = z.string().nullable()
export const nullableCount = count.nullable()
export const idList = (description: string) => strings.meta({ description })

/** An object that is not for the agent, and that nothing follows from. */
export const readOnly = {
  agent_prompt_included: z.literal(false),
  runtime_mutation: z.literal(false),
}

export const surface = z.enum(SURFACES)
export const omittedReason = z.enum(OMITTED_REASONS)
export const memoryDomain = z.enum(MEMORY_DOMAINS)
export const memoryType = z.enum(MEMORY_TYPES)
export const lifecycleState = z.enum(LIFECYCLE_STATES)
export const riskLevel = z.enum(['low', 'medium', 'high'])
export const guidanceAuthority = z.enum(GUIDANCE_AUTHORITIES)
export const recommendedPosture = z.enum(RECOMMENDED_POSTURES)
export const decisionKind = z.enum(['used', 'downgraded', 'blocked', 'rehydrate', 'not_agent_facing'])
export const recallSource = z.strictObject({ kind: z.string(), score: z.number(), reason: z.string() })
export const feedbackOutcome = z.enum(FEEDBACK_OUTCOMES)
export const usedSurface = z.enum(USED_SURFACES)
export const verifierStatus = z.enum(VERIFIER_STATUSES)
export const attributionStrength = z.enum(ATTRIBUTION_STRENGTHS)
export const decisionSurface = z.enum([...SURFACES, 'not_agent_facing'])

/** The disputes of one memory. */
export const disputes = z
  .array(
    z.strictObject({
      memory_id: z.string().meta({ description: 'The other memory.' }),
      kind: z.string().meta({ description: 'What they disagree about, or the relation that was claimed.' }),
      yields: z
        .boolean()
        .meta({ description: 'True: this memory yields and is to be inspected; false: it stands.' }),
    }),
  )
  .meta({ description: 'Memories in force that say otherwise, as far as the consumer sees them.' })

/** What runs reported about a memory. */
export const counters = z.strictObject({
  positive: count,
  negative_weak: count,
  negative_strong: count,
  neutral: count,
  observed_positive: count,
})

/** How often something stood on each surface. */
export const shownCounts = z.strictObject({
  use_now: count,
  inspect_before_use: count,
  rehydrate: count,
  do_not_use: count,
})

/** Memory that newer memory may have left behind, for whoever reads a report. */
export const driftFields = {
  present: z.boolean(),
  candidate_memory_ids: strings,
  authority_mutation: z.literal(false),
  explanation: z.string(),
}

export const idsBySurface = {
  use_now_memory_ids: strings,
  inspect_before_use_memory_ids: strings,
  do_not_use_memory_ids: strings,
  rehydrate_memory_ids: strings,
}

/** Fields of supplied artifacts that say something else than the record. */
export const mismatches = z.array(
  z.strictObject({ artifact: z.string(), field: z.string(), guide_trace_id: z.string() }),
)

export const seenAs = described('Who reads; both null for an operator, who sees the whole actor.', {
  consumer_agent_id: nullableText,
  consumer_team_id: nullableText,
})

export const namedTask = z.strictObject({
  task_id: nullableText,
  run_id: nullableText,
  task_signature: nullableText,
  task_family: nullableText,
})
