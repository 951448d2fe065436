import type { MemoryDomain, MemoryType } from '../base/closed-sets.ts'

interface KindSpec {
  /** What a finding of this kind says about the text, one sentence. */
  readonly law: string
  /** Whether the text of runs, steps and commands is lowered by it as well. */
  readonly appliesToExecution: boolean
}

/** Everything screening can find. A kind is public (`content_screening:<kind>`): renaming one is a breaking change. */
export const FINDING_KINDS = {
  hidden_characters: {
    law: 'The text holds characters that a person does not see.',
    appliesToExecution: true,
  },
  forged_structure: {
    law: 'The text holds a role marker, a template mark or a heading that belongs to a prompt, not to content.',
    appliesToExecution: true,
  },
  instruction_override: {
    law: 'The text tells its reader to set earlier instructions, rules or limits aside.',
    appliesToExecution: true,
  },
  mixed_script: {
    law: 'A word is written with look-alike letters of another script.',
    appliesToExecution: false,
  },
  assistant_directive: {
    law: 'The text tells the assistant or its host how to behave, answer or decide.',
    appliesToExecution: false,
  },
  prompt_disclosure: {
    law: 'The text asks the assistant for its own instructions.',
    appliesToExecution: false,
  },
  embedded_request: {
    law: 'The text asks its reader to act on a named account, record, address or possession.',
    appliesToExecution: false,
  },
  exfiltration: {
    law: 'The text asks its reader to send something to an address which the query does not name.',
    appliesToExecution: false,
  },
  active_markup: {
    law: 'The text holds markup that runs code where it is shown.',
    appliesToExecution: false,
  },
  declared_obsolete: {
    law: 'The text says that what it tells of is no longer to be gone by.',
    appliesToExecution: false,
  },
  secret: {
    law: 'The text holds a key, a token, a private key block or a password.',
    appliesToExecution: false,
  },
} as const satisfies Record<string, KindSpec>

export type FindingKind = keyof typeof FINDING_KINDS

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
  return { kind, start, end, sentence: FINDING_KINDS[kind].law }
}
