import { z } from 'zod'
import { LIFECYCLE_STATES, MEMORY_DOMAINS, MEMORY_TYPES, SURFACES } from '../domain/closed-sets.ts'

// Words that only answers use.

export const surface = z.enum(SURFACES)
export const memoryDomain = z.enum(MEMORY_DOMAINS)
export const memoryType = z.enum(MEMORY_TYPES)
export const lifecycleState = z.enum(LIFECYCLE_STATES)
export const riskLevel = z.enum(['low', 'medium', 'high'])
export const guidanceAuthority = z.enum(['trusted', 'advisory', 'candidate', 'blocked', 'none'])
export const recommendedPosture = z.enum([
  'reuse_supported_history',
  'use_as_context',
  'inspect_before_use',
  'rehydrate_before_use',
  'ignore_history',
])
export const decisionKind = z.enum(['used', 'downgraded', 'blocked', 'rehydrate', 'not_agent_facing'])
export const recallSource = z.strictObject({ kind: z.string(), score: z.number(), reason: z.string() })
export const decisionSurface = z.enum([...SURFACES, 'not_agent_facing'])
