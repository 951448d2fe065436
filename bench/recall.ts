// How good is recall? Long public dialogues, one turn a memory, one dialogue a scope, questions with known evidence; and
// what a scope shows to questions that are none of its business.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { isMain, tableText } from './measure.ts'
import { rankingOnly, WITHOUT } from './recall/ablation.ts'
import { type Dialogue, readDialogues } from './recall/dialogues.ts'
import { DEPTHS, foreignShare, type RecallFigures, recallOf, strangerShare } from './recall/figures.ts'
import { withScopes } from './recall/through-interface.ts'
import { progressOn } from './replay/progress.ts'
import { mulberry32 } from './synthetic-text.ts'

const DEFAULT_DATA = join('..', 'shared', 'data', 'locomo')
const STRANGERS = 1_000
const SEED = 7

interface Report {
  readonly interface: RecallFigures
  readonly foreign: { readonly asked: number; readonly exposed: number }
  readonly strangers: { readonly asked: number; readonly exposed: number }
  readonly ablation: readonly (readonly [string, RecallFigures])[]
}

async function run(folder: string): Promise<Report> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  const dialogues = readDialogues(folder, names)
  const [first] = dialogues
  if (first === undefined) throw new Error(`${folder} holds no dialogue`)
  const queries = strangerQueries(first)
  const questions = dialogues.reduce((sum, { questions: own }) => sum + own.length, 0)
  const steps = questions * (dialogues.length + Object.keys(WITHOUT).length) + queries.length
  const progress = progressOn(process.stderr, steps)
  const tick = (): void => progress.step()
  try {
    const whole = await withScopes(dialogues, async (scopes) => ({
      interface: await recallOf(dialogues, scopes, tick),
      foreign: await foreignShare(dialogues, scopes, tick),
      strangers: {
        asked: queries.length,
        exposed: await strangerShare(first, scopes, queries, tick),
      },
    }))
    const ranking = rankingOnly(dialogues)
    const ablation: [string, RecallFigures][] = []
    for (const [name, weights] of Object.entries(WITHOUT)) {
      ablation.push([name, await recallOf(dialogues, ranking(weights), tick)])
    }
    return { ...whole, ablation }
  } finally {
    progress.clear()
  }
}

/** Words made of syllables that no text of the dialogue begins with, twelve a query. */
function strangerQueries(dialogue: Dialogue): readonly string[] {
  const random = mulberry32(SEED)
  const known = new Set(dialogue.turns.flatMap(({ text }) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u)))
  const syllables = ['zor', 'qua', 'vex', 'lum', 'pyr', 'dro', 'nix', 'gal', 'thu', 'ork']
  const word = (): string => {
    for (;;) {
      const made = Array.from({ length: 3 }, () => syllables[Math.floor(random() * syllables.length)]).join(
        '',
      )
      if (!known.has(made)) return made
    }
  }
  return Array.from({ length: STRANGERS }, () => Array.from({ length: 12 }, word).join(' '))
}

function reportText(report: Report): string {
  const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`
  const row = (name: string, { recall, without }: RecallFigures): string[] => [
    name,
    ...recall.map((share) => share.toFixed(3)),
    String(without),
  ]
  const { foreign, strangers } = report
  return [
    `${report.interface.questions} questions; share of their evidence among the first k memories that a guide exposes`,
    tableText([
      ['ranking', ...DEPTHS.map((depth) => `@${depth}`), 'nothing exposed'],
      row('guide, all of it (goal 0.76 at 10, 0.94 at 200)', report.interface),
      ...report.ablation.map(([name, figures]) => row(`ranking only: ${name}`, figures)),
    ]),
    '',
    `questions of one dialogue asked in another: ${foreign.exposed} of ${foreign.asked} expose something, ${percent(foreign.exposed, foreign.asked)} (goal 30 %)`,
    `queries without a word in common with the scope: ${strangers.exposed} of ${strangers.asked} expose something, ${percent(strangers.exposed, strangers.asked)} (goal 1 %)`,
  ].join('\n')
}

if (isMain(import.meta.url)) {
  const { values } = parseArgs({ options: { data: { type: 'string' }, json: { type: 'boolean' } } })
  const folder = values.data ?? DEFAULT_DATA
  if (existsSync(folder)) {
    const report = await run(folder)
    process.stdout.write(`${values.json === true ? JSON.stringify(report) : reportText(report)}\n`)
  } else {
    process.stdout.write(
      `There is no folder ${folder}: name one with --data DIR. It holds JSON files of dialogues with questions.\n`,
    )
  }
}
