// Is what reaches use_now right? Over recorded statements, records, histories and runs, of which it is known what should
// happen to them: each figure is a share, with its count and its goal.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import type { z } from 'zod'
import type { MemgovRuntime } from '../src/index.ts'
import { feedback, Topic } from './judgement/blame.ts'
import { AgentRuns, conversations, DOUBTED, runs, screening } from './judgement/corpora.ts'
import { atMost, type Findings, joined, shareOfAll } from './judgement/counts.ts'
import { HistoryStep, history, Question, Sequence, sequences, Task } from './judgement/histories.ts'
import { withRuntime } from './judgement/host.ts'
import { Harmless, harmless, Labelled, near, Pair, pairs, records, Variant } from './judgement/statements.ts'
import { isMain } from './measure.ts'
import { readDialogues } from './recall/dialogues.ts'
import { progressOn } from './replay/progress.ts'
import type { Outcome } from './result.ts'
import { readSamples } from './screening/samples.ts'
import { dataFolder } from './suite/folder.ts'
import { readJsonLines } from './suite/json-lines.ts'
import { partsOf } from './suite/parts.ts'
import { printOutcome } from './suite/text.ts'

type Part = (runtime: MemgovRuntime) => Promise<Findings>

/** Of conversations, agent runs and screening texts together. */
const DOUBTED_GOAL = atMost(0.005)

/** A file that a part needs is not there. */
class MissingData extends Error {}

/** Every part by name: it reads its texts from the folder and measures in a runtime of its own. */
const PARTS: Readonly<Record<string, (folder: string) => Part>> = {
  pairs: (folder) => {
    const all = rows(folder, 'pairs-dev.jsonl', Pair)
    return (runtime) => pairs(runtime, all)
  },
  records: (folder) => {
    const all = rows(folder, 'records-dev.jsonl', Labelled)
    return (runtime) => records(runtime, all)
  },
  harmless: (folder) => {
    const all = rows(folder, 'harmless-dev.jsonl', Harmless)
    return (runtime) => harmless(runtime, all)
  },
  near: (folder) => {
    const all = rows(folder, 'near-dev.jsonl', Variant)
    return (runtime) => near(runtime, all)
  },
  history: (folder) => {
    const steps = rows(folder, 'history-coding.jsonl', HistoryStep)
    const tasks = rows(folder, 'history-coding-queries.jsonl', Task)
    const questions = rows(folder, 'history-coding-questions.jsonl', Question)
    return (runtime) => history(runtime, { steps, tasks, questions })
  },
  feedback: (folder) => {
    const all = rows(folder, 'feedback-topics.jsonl', Topic)
    return (runtime) => feedback(runtime, all)
  },
  sequences: (folder) => {
    const all = rows(folder, 'sequences-dev.jsonl', Sequence)
    return (runtime) => sequences(runtime, all)
  },
  screening: (folder) => {
    const path = join(folder, 'screening')
    const samples = readSamples(path)
    if (samples === null) throw new MissingData(join(path, 'texts.jsonl'))
    return (runtime) => screening(runtime, samples)
  },
  conversations: (folder) => {
    const path = present(join(folder, 'locomo'))
    const dialogues = readDialogues(path, jsonFilesOf(path))
    return (runtime) => conversations(runtime, dialogues)
  },
  runs: (folder) => {
    const path = present(join(folder, 'agent-runs'))
    const all = jsonFilesOf(path).flatMap((name) =>
      AgentRuns.parse(JSON.parse(readFileSync(join(path, name), 'utf8'))),
    )
    return (runtime) => runs(runtime, all)
  },
}
const NAMES = Object.keys(PARTS)

async function run(names: readonly string[], data: string | null): Promise<Outcome> {
  const settings = { parts: names.join(' ') }
  const ask =
    'Name the folder above judgement, screening, locomo and agent-runs with --data DIR or BENCH_DATA.'
  if (data === null)
    return { settings, figures: [], notes: [`Nothing is judged: no folder is named. ${ask}`] }
  const progress = progressOn(process.stderr, names.length, 'parts')
  const found: Findings[] = []
  const notes: string[] = []
  for (const name of names) {
    try {
      const part = PARTS[name]?.(data)
      if (part !== undefined) found.push(await withRuntime(part))
    } catch (error) {
      if (!(error instanceof MissingData)) throw error
      notes.push(`The part ${name} is skipped: there is no ${error.message}. ${ask}`)
    }
    progress.step()
  }
  progress.clear()
  const all = joined(found)
  const { figures } = shareOfAll('all texts: put in doubt', DOUBTED, all, DOUBTED_GOAL)
  return { settings, figures: [...all.figures, ...figures], notes }
}

function rows<Row extends z.ZodType>(folder: string, name: string, row: Row): readonly z.output<Row>[] {
  const file = join(folder, 'judgement', name)
  const found = readJsonLines(file, row)
  if (found === null) throw new MissingData(file)
  return found
}

function present(path: string): string {
  if (!existsSync(path)) throw new MissingData(path)
  return path
}

function jsonFilesOf(path: string): readonly string[] {
  return readdirSync(path).filter((name) => name.endsWith('.json'))
}

/** What is asked for in seconds: everything but the recorded texts in bulk. */
const QUICK = ['pairs', 'records', 'harmless', 'near', 'history', 'feedback', 'sequences']

if (isMain(import.meta.url)) {
  const flag = { type: 'boolean' } as const
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      only: { type: 'string', multiple: true },
      quick: flag,
      json: flag,
    },
  })
  const names = partsOf(NAMES, values.only, values.quick === true ? QUICK : NAMES)
  printOutcome('judgement', await run(names, dataFolder(values.data)))
}
