import type { Json, Known, Request } from './known.ts'
import type { Random } from './random.ts'

export type Fields = Record<string, unknown>
export type Ask = (random: Random, known: Known) => Request

export const PROFILES = [
  'general',
  'coding_verifier',
  'document_integrity',
  'long_qa',
  'multi_agent_handoff',
  'loop_engineering',
] as const
export const ROLES = ['agent', 'planner', 'worker', 'verifier', 'reviewer', 'captain'] as const

export const guideIdOf = (guide: Json | null): string => {
  const id = guide?.['guide_trace_id']
  return typeof id === 'string' ? id : 'guide_trace:nothing'
}
/** A memory id; before any memory was written one that names nothing. */
export const someId = (random: Random, known: Known): string => random.maybe(known.memoryIds) ?? 'no-such-id'

/** How a run ended, in the fields of feedback. */
export function outcome(random: Random): Fields {
  const word = random.pick(['positive', 'positive', 'negative', 'neutral'])
  const surfaces =
    word === 'neutral'
      ? (['inspect_before_use', 'do_not_use', 'use_now'] as const)
      : (['use_now', 'explicit_host_assertion'] as const)
  return {
    outcome: word,
    used_surface: random.pick(surfaces),
    ...random.some(0.5, {
      verifier_status: () => random.pick(['passed', 'passed', 'failed', 'not_run', 'unknown']),
      tool_status: () => random.pick(['succeeded', 'failed', 'not_run', 'unknown']),
    }),
    ...random.some(0.15, { runtime_signal_refs: () => ['signal-1', 'signal-2'] }),
  }
}
