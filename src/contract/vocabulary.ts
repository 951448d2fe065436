import { z } from 'zod'
import {
  GUIDANCE_AUTHORITIES,
  LIFECYCLE_STATES,
  MEMORY_DOMAINS,
  MEMORY_TYPES,
  OMITTED_REASONS,
  RECOMMENDED_POSTURES,
  SURFACES,
} from '../core/base/closed-sets.ts'

// Words that only answers use.

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
export const decisionSurface = z.enum([...SURFACES, 'not_agent_facing'])
