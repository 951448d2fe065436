import { readFileSync } from 'node:fs'

export const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'ru', 'zh', 'ja'] as const

export const MEMORY_KINDS = [
  'error',
  'path',
  'symbol',
  'decision',
  'failed_route',
  'procedure',
  'fact',
  'preference',
] as const

/**
 * What makes a question hard: an exact name, the words of the memory, other forms of them, accents left out, a typo in a
 * rare word, several memories to find, and partly other words.
 */
export const QUESTION_FORMS = [
  'identifier',
  'words',
  'inflection',
  'accents',
  'typo',
  'across',
  'other_words',
] as const

export interface QualityMemory {
  readonly id: string
  readonly kind: (typeof MEMORY_KINDS)[number]
  readonly language: (typeof LANGUAGES)[number]
  readonly run: string
  readonly files: readonly string[]
  readonly text: string
}

export interface QualityQuestion {
  readonly language: (typeof LANGUAGES)[number]
  readonly form: (typeof QUESTION_FORMS)[number]
  /** Ids of the memories that answer it. */
  readonly answers: readonly string[]
  readonly text: string
}

/** Notes of an invented parcel service and questions about them, written for this benchmark; nothing is tuned on them. */
export function readQualitySet(folder: URL): {
  readonly memories: readonly QualityMemory[]
  readonly questions: readonly QualityQuestion[]
} {
  return {
    memories: linesOf<QualityMemory>(new URL('memories.jsonl', folder)),
    questions: linesOf<QualityQuestion>(new URL('questions.jsonl', folder)),
  }
}

function linesOf<Row>(file: URL): readonly Row[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Row)
}
