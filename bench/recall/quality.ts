import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime, type MemgovRuntime } from '../../src/index.ts'
import { tableText } from '../measure.ts'
import { LANGUAGES, QUESTION_FORMS, type QualityMemory, readQualitySet } from './quality-set.ts'

// From dist/bench/recall.
const FOLDER = new URL('../../../bench/quality/', import.meta.url)
const SCOPE = 'quality'
const ALL = { limit: 200, context_char_budget: 1_000_000 }
const DEPTHS = [5, 10] as const

export interface QualityFigures {
  readonly questions: number
  /** Mean share of the answers among the first k memories, for each of DEPTHS. */
  readonly recall: readonly number[]
  /** Mean of 1 / place of the first answer; 0 where none is exposed. */
  readonly reciprocalRank: number
  /** Questions for which nothing but preferences was exposed: those stand beside any question, nothing passed the floor. */
  readonly without: number
}

export interface QualityReport {
  readonly memories: number
  readonly all: QualityFigures
  readonly byForm: readonly (readonly [string, QualityFigures])[]
  readonly byKind: readonly (readonly [string, QualityFigures])[]
  readonly byLanguage: readonly (readonly [string, QualityFigures])[]
  /** Questions that find no answer among the first ten. */
  readonly missed: readonly string[]
}

interface Asked {
  readonly text: string
  readonly form: string
  readonly language: string
  readonly kinds: readonly string[]
  /** Place of each answer among the exposed memories, from 1; 0: not exposed. */
  readonly places: readonly number[]
  /** Something that is not a standing memory was exposed. */
  readonly isFound: boolean
}

/** Observes the project's own set into one scope and asks its questions, as any host would; the floor is on. */
export async function qualityReport(): Promise<QualityReport> {
  const { memories, questions } = readQualitySet(FOLDER)
  const dataDir = await mkdtemp(join(tmpdir(), 'memgov-quality-'))
  const runtime = await createRuntime({ dataDir, durability: 'none', logLevel: 'warn' })
  try {
    const ids = new Map<string, string>()
    const kinds = new Map(memories.map(({ id, kind }) => [id, kind]))
    const standing = new Set<string>()
    for (const memory of memories) {
      const memoryId = await observed(runtime, memory)
      ids.set(memory.id, memoryId)
      if (memory.kind === 'preference') standing.add(memoryId)
    }
    const asked: Asked[] = []
    for (const { text, form, language, answers } of questions) {
      const { agent_context } = await runtime.guide({ scope: SCOPE, query_text: text, ...ALL })
      const exposed = agent_context.memory_ids
      const places = answers.map((answer) => exposed.indexOf(ids.get(answer) ?? '') + 1)
      const kindsOfAnswers = [...new Set(answers.flatMap((answer) => kinds.get(answer) ?? []))]
      const isFound = exposed.some((memoryId) => !standing.has(memoryId))
      asked.push({ text, form, language, kinds: kindsOfAnswers, places, isFound })
    }
    return reportOf(memories, asked)
  } finally {
    await runtime.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function observed(runtime: MemgovRuntime, memory: QualityMemory): Promise<string> {
  const { memory_ids } = await runtime.observe({ scope: SCOPE, ...bodyOf(memory) })
  const [memoryId] = memory_ids
  if (memoryId === undefined) throw new Error(`${memory.id} was not stored`)
  return memoryId
}

function bodyOf({ kind, run, files, text }: QualityMemory): object {
  if (kind === 'failed_route') {
    return { execution: { run_id: run, summary: text, outcome: 'failed', target_files: files } }
  }
  const type = kind === 'procedure' || kind === 'preference' ? kind : 'fact'
  return { run_id: run, memory: { text, type, target_files: files } }
}

function reportOf(memories: readonly QualityMemory[], asked: readonly Asked[]): QualityReport {
  const by = (names: readonly string[], belongs: (each: Asked, name: string) => boolean) =>
    names.map((name) => [name, figuresOf(asked.filter((each) => belongs(each, name)))] as const)
  const kinds = [...new Set(memories.map(({ kind }) => kind))]
  return {
    memories: memories.length,
    all: figuresOf(asked),
    byForm: by(QUESTION_FORMS, (each, name) => each.form === name),
    byKind: by(kinds, (each, name) => each.kinds.includes(name)),
    byLanguage: by(LANGUAGES, (each, name) => each.language === name),
    missed: asked.filter(({ places }) => !places.some(isWithin(10))).map(({ text }) => text),
  }
}

function figuresOf(asked: readonly Asked[]): QualityFigures {
  const mean = (figure: (each: Asked) => number): number =>
    asked.reduce((sum, each) => sum + figure(each), 0) / asked.length
  return {
    questions: asked.length,
    recall: DEPTHS.map((depth) =>
      mean(({ places }) => places.filter(isWithin(depth)).length / places.length),
    ),
    reciprocalRank: mean(({ places }) => 1 / Math.min(...places.map((place) => place || Infinity))),
    without: asked.filter(({ isFound }) => !isFound).length,
  }
}

function isWithin(depth: number): (place: number) => boolean {
  return (place) => place > 0 && place <= depth
}

export function qualityText(report: QualityReport): string {
  const row = ([name, figures]: readonly [string, QualityFigures]): string[] => [
    name,
    String(figures.questions),
    ...figures.recall.map((share) => share.toFixed(3)),
    figures.reciprocalRank.toFixed(3),
    String(figures.without),
  ]
  return [
    `own set: ${report.memories} engineering notes in one scope, through observe and guide`,
    tableText([
      ['questions', '', ...DEPTHS.map((depth) => `@${depth}`), 'MRR', 'below the floor'],
      row(['all', report.all]),
      ['by form of the question'],
      ...report.byForm.map(row),
      ['by kind of the answer'],
      ...report.byKind.map(row),
      ['by language'],
      ...report.byLanguage.map(row),
    ]),
    `no answer among the first ten: ${report.missed.length === 0 ? 'none' : report.missed.map((text) => `"${text}"`).join(', ')}`,
  ].join('\n')
}
