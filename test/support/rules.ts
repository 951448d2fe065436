import {
  CONTRADICTION_RULE,
  GOVERN_LAWS,
  GOVERN_RULES,
  STORED_MEMORY_RULE,
} from '../../src/core/external/govern-rules.ts'
import { LAWS, type Rule, rulesOf } from '../../src/core/laws/rules.ts'
import { TRANSITIONS } from '../../src/core/model/lifecycle.ts'
import { SURFACE_RULES } from '../../src/core/policy/admission.ts'

/** Every rule of the runtime: surface rules, facet transitions and laws. */
export function allRules(): readonly Rule[] {
  const surfaces = SURFACE_RULES.map(({ id, law }) => ({ id, law }))
  const transitions = TRANSITIONS.map(({ id, facet, cause, from, to }) => ({
    id,
    law: `The ${facet} of a memory moves from ${from.join(' or ')} to ${to} by ${cause}, and by no row else.`,
  }))
  const govern = [...GOVERN_RULES, STORED_MEMORY_RULE, CONTRADICTION_RULE].map(({ id, law }) => ({ id, law }))
  return [...surfaces, ...transitions, ...govern, ...LAWS, ...rulesOf(GOVERN_LAWS)]
}
