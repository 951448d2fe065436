import { assert } from '../base/assert.ts'
import type { CandidateDecision, CandidateFacts } from './govern.ts'
import { GOVERN_RULES } from './govern-rules.ts'
import type { GovernMode } from './govern-words.ts'

/** The first row of the table that holds and decides in this mode. */
export function decideByTable(facts: CandidateFacts, mode: GovernMode): CandidateDecision {
  for (const rule of GOVERN_RULES) {
    const surface = rule.actions[mode]
    if (surface === null || !rule.holds(facts)) continue
    return {
      facts,
      surface,
      ruleId: rule.id,
      reasonCode: rule.reasonCode,
      reason: rule.reason(facts, mode),
      storedMemoryId: null,
      disputes: [],
    }
  }
  return assert(false, 'the last row holds always') as never
}
