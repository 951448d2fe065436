import { createRuntime, type MemgovRuntime } from '../../src/index.ts'
import { type Figure, figureOf, type Outcome } from '../result.ts'
import { withFolder } from '../suite/folder.ts'
import { LANGUAGES, QUESTION_FORMS, type QualityMemory, readQualitySet } from './quality-set.ts'

// From dist/bench/recall.
const FOLDER = new URL('../../../bench/quality/', import.meta.url)
const SCOPE = 'quality'
const ALL = { limit: 200, context_char_budget: 1_000_000 }

interface Asked {
  readonly text: string
  readonly form: string
  readonly language: string
  /** Place of each answer among the exposed memories, from 1; 0: not exposed. */
  readonly places: readonly number[]
}

/** Observes the project's own set into one scope and asks its questions, as any host would; the floor is on. */
export function qualityFigures(): Promise<Pick<Outcome, 'figures' | 'notes'>> {
  return withFolder('quality', async (dataDir) => {
    const { memories, questions } = readQualitySet(FOLDER)
    const runtime = await createRuntime({ dataDir, durability: 'none', logLevel: 'warn' })
    try {
      const ids = new Map<string, string>()
      for (const memory of memories) ids.set(memory.id, await observed(runtime, memory))
      const asked: Asked[] = []
      for (const { text, form, language, answers } of questions) {
        const { agent_context } = await runtime.guide({ scope: SCOPE, query_text: text, ...ALL })
        const places = answers.map((answer) => agent_context.memory_ids.indexOf(ids.get(answer) ?? '') + 1)
        asked.push({ text, form, language, places })
      }
      return reportOf(asked)
    } finally {
      await runtime.close()
    }
  })
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

function reportOf(asked: readonly Asked[]): Pick<Outcome, 'figures' | 'notes'> {
  const missed = asked.filter(({ places }) => !places.some(isWithin(10))).map(({ text }) => `"${text}"`)
  return {
    figures: [
      ...figuresOf('all questions', asked),
      ...QUESTION_FORMS.flatMap((form) =>
        figuresOf(
          form,
          asked.filter((each) => each.form === form),
        ),
      ),
      ...LANGUAGES.flatMap((language) =>
        figuresOf(
          language,
          asked.filter((each) => each.language === language),
        ),
      ),
    ],
    notes: missed.length === 0 ? [] : [`No answer among the first ten: ${missed.join(', ')}.`],
  }
}

/** The mean share of the answers among the first, and the mean of 1 / place of the first answer. */
function figuresOf(name: string, asked: readonly Asked[]): Figure[] {
  const mean = (figure: (each: Asked) => number): number =>
    asked.reduce((sum, each) => sum + figure(each), 0) / asked.length
  const recall = (depth: number) =>
    mean(({ places }) => places.filter(isWithin(depth)).length / places.length)
  const reciprocal = mean(({ places }) => 1 / Math.min(...places.map((place) => place || Infinity)))
  return [
    figureOf(`quality, ${name}, recall@5`, 'share', [recall(5)]),
    figureOf(`quality, ${name}, recall@10`, 'share', [recall(10)]),
    figureOf(`quality, ${name}, reciprocal rank`, 'share', [reciprocal]),
  ]
}

function isWithin(depth: number): (place: number) => boolean {
  return (place) => place > 0 && place <= depth
}
