import {
  AGENT_ROLES,
  LIFECYCLE_STATES,
  MEMORY_TYPES,
  OUTCOMES,
  VERIFIER_STATUSES,
} from '../../core/base/closed-sets.ts'

/**
 * Fields of requests that know some words and take any other text. Their schemas say text, because nothing is refused,
 * and name the words in their description; an editor offers them.
 */
export const OPEN_WORDS: Readonly<Record<string, readonly string[]>> = {
  agent_role: AGENT_ROLES,
  kind: MEMORY_TYPES,
  lifecycle: LIFECYCLE_STATES,
  memory_kind: ['general_memory', 'execution_workflow'],
  outcome: OUTCOMES,
  status: VERIFIER_STATUSES,
  tier: ['hot', 'warm', 'cold', 'archive'],
}

/** The words of a field, or null: it is another field of that name, or takes no words. */
export function openWords(name: string, description: string): readonly string[] | null {
  const words = Object.hasOwn(OPEN_WORDS, name) ? OPEN_WORDS[name] : undefined
  return words?.every((word) => description.includes(word)) === true ? words : null
}
