import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Dialogue, readDialogues } from '../recall/dialogues.ts'

/** What one scope holds, and what is asked there. */
export interface Scope {
  readonly name: string
  readonly memories: readonly Memory[]
  readonly questions: readonly Question[]
}

export interface Memory {
  readonly id: string
  readonly text: string
  /** Null: its writer names none. */
  readonly run: string | null
  readonly speaker: string | null
}

export interface Question {
  readonly text: string
  /** Ids of the memories that answer it, at least one. */
  readonly evidence: readonly string[]
}

/** A set of questions, in one form of what the writer of its memories says of them. */
export interface QuestionSet {
  /** Unique; with its form. */
  readonly name: string
  /** Sets of one family tell of the same things, maybe in several languages. */
  readonly family: string
  /** As an ISO 639 code. */
  readonly language: string
  readonly scopes: readonly Scope[]
}

/**
 * The sets of a folder: each folder below `recall`, and the dialogues in `locomo`, each dialogue a scope of its own. A
 * set whose memories name runs is there with and without them.
 */
export function readSets(folder: string): readonly QuestionSet[] {
  const written = foldersOf(join(folder, 'recall')).flatMap((name) =>
    formsOf(readSet(join(folder, 'recall'), name)),
  )
  return [...written, ...dialogueSets(join(folder, 'locomo'))]
}

interface RawMemory {
  readonly id: string
  readonly text: string
  readonly run?: string
}
interface RawQuestion {
  readonly text: string
  readonly rel: readonly string[]
}

function readSet(folder: string, name: string): QuestionSet {
  const memories = linesOf<RawMemory>(join(folder, name, 'corpus.jsonl')).map(({ id, text, run }) => ({
    id,
    text,
    run: run ?? null,
    speaker: null,
  }))
  const questions = linesOf<RawQuestion>(join(folder, name, 'queries.jsonl')).map(({ text, rel }) => ({
    text,
    evidence: rel,
  }))
  const meta = JSON.parse(readFileSync(join(folder, name, 'meta.json'), 'utf8')) as { language?: string }
  return {
    name,
    family: name.split('-')[0] ?? name,
    language: meta.language ?? 'en',
    scopes: [{ name, memories, questions: answerable(memories, questions) }],
  }
}

function dialogueSets(folder: string): readonly QuestionSet[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  const scopes = readDialogues(folder, names).map(scopeOf)
  return formsOf({ name: 'dialogues', family: 'dialogues', language: 'en', scopes })
}

function scopeOf({ id, turns, questions }: Dialogue): Scope {
  return {
    name: `dialogue-${id}`,
    memories: turns.map((turn) => ({
      id: turn.id,
      text: turn.text,
      run: `session-${turn.session}`,
      speaker: turn.speaker,
    })),
    questions,
  }
}

/** The set as it is, and as writers tell it that name less. */
export function formsOf(set: QuestionSet): readonly QuestionSet[] {
  const has = (field: 'run' | 'speaker'): boolean =>
    set.scopes.some(({ memories }) => memories.some((memory) => memory[field] !== null))
  const forms: QuestionSet[] = []
  if (has('speaker')) forms.push({ ...set, name: `${set.name}, run and speaker` })
  if (has('run')) forms.push(formOf(set, 'run', (memory) => ({ ...memory, speaker: null })))
  forms.push(formOf(set, 'bare', (memory) => ({ ...memory, run: null, speaker: null })))
  return forms
}

function formOf(set: QuestionSet, form: string, told: (memory: Memory) => Memory): QuestionSet {
  const scopes = set.scopes.map((scope) => ({ ...scope, memories: scope.memories.map(told) }))
  return { ...set, name: `${set.name}, ${form}`, scopes }
}

/** Without evidence that no memory is, and without questions that then have none. */
function answerable(memories: readonly Memory[], questions: readonly Question[]): readonly Question[] {
  const known = new Set(memories.map(({ id }) => id))
  return questions
    .map(({ text, evidence }) => ({ text, evidence: evidence.filter((id) => known.has(id)) }))
    .filter(({ evidence }) => evidence.length > 0)
}

function foldersOf(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).filter((name) => existsSync(join(folder, name, 'corpus.jsonl')))
}

function linesOf<Row>(file: string): readonly Row[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as Row)
}
