import type { MemoryDomain, MemoryType } from '../base/closed-sets.ts'

/**
 * Everything screening can find, and what a finding says about the text, in one sentence. A kind is public
 * (`content_screening:<kind>`): renaming one is a breaking change.
 */
export const FINDING_KINDS = {
  hidden_characters: 'The text holds characters that a person does not see.',
  forged_structure:
    'The text holds a role marker, a template mark or a heading that belongs to a prompt, not to content.',
  instruction_override: 'The text tells its reader to set earlier instructions, rules or limits aside.',
  mixed_script: 'A word is written with look-alike letters of another script.',
  assistant_directive: 'The text tells the assistant or its host how to behave, answer or decide.',
  prompt_disclosure: 'The text asks the assistant for its own instructions.',
  embedded_request: 'The text asks its reader to act on a named account, record, address or possession.',
  exfiltration: 'The text asks its reader to send something to an address which the query does not name.',
  active_markup: 'The text holds markup that runs code where it is shown.',
  declared_obsolete: 'The text says that what it tells of is no longer to be gone by.',
  secret: 'The text holds a key, a token, a private key block or a password.',
} as const

export type FindingKind = keyof typeof FINDING_KINDS

/** Kinds that lower the text of runs, steps and commands as well. */
export const EXECUTION_KINDS: ReadonlySet<FindingKind> = new Set([
  'hidden_characters',
  'forged_structure',
  'instruction_override',
])

export interface Finding {
  readonly kind: FindingKind
  /** UTF-16 offset of the first unit in the screened text. */
  readonly start: number
  /** UTF-16 offset after the last unit; greater than `start`. */
  readonly end: number
  /** What was found, without any word of the text, fit for a prompt or a log. */
  readonly sentence: string
}

export interface ScreeningContext {
  readonly domain: MemoryDomain
  /** Null: unknown, treated as a fact. */
  readonly declaredType: MemoryType | null
  /** Addresses that the query itself names are not foreign. Null: it names none. */
  readonly queryText: string | null
}

export function findingOf(kind: FindingKind, start: number, end: number): Finding {
  return { kind, start, end, sentence: FINDING_KINDS[kind] }
}
