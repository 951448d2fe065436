import { readdirSync } from 'node:fs'
import process from 'node:process'
import { tableText } from '../measure.ts'
import { progressOn } from '../replay/progress.ts'
import { mulberry32 } from '../synthetic-text.ts'
import { rankingOnly, WITHOUT } from './ablation.ts'
import { type Dialogue, readDialogues } from './dialogues.ts'
import { DEPTHS, foreignShare, type RecallFigures, recallOf, strangerShare } from './figures.ts'
import { type Scopes, withScopes } from './through-interface.ts'

const STRANGERS = 1_000
const SEED = 7

interface Share {
  readonly asked: number
  readonly exposed: number
}

export interface DialogueReport {
  readonly recall: {
    readonly interface: RecallFigures
    readonly ablation: readonly (readonly [string, RecallFigures])[]
  } | null
  readonly floor: { readonly foreign: Share; readonly strangers: Share } | null
}

/** Every dialogue of a folder observed into a scope of its own: what its questions find, and what others' find there. */
export async function dialogueReport(
  folder: string,
  parts: { readonly recall: boolean; readonly floor: boolean; readonly ablation: boolean },
): Promise<DialogueReport> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  const dialogues = readDialogues(folder, names)
  const [first] = dialogues
  if (first === undefined) throw new Error(`${folder} holds no dialogue`)
  const questions = dialogues.reduce((sum, { questions: own }) => sum + own.length, 0)
  const ablations = parts.recall && parts.ablation ? Object.entries(WITHOUT) : []
  const recallSteps = parts.recall ? questions * (1 + ablations.length) : 0
  const floorSteps = parts.floor ? questions * (dialogues.length - 1) + STRANGERS : 0
  const progress = progressOn(process.stderr, recallSteps + floorSteps)
  const tick = (): void => progress.step()
  try {
    return await withScopes(dialogues, async (scopes) => ({
      recall: parts.recall
        ? {
            interface: await recallOf(dialogues, scopes, tick),
            ablation: await ablated(dialogues, ablations, tick),
          }
        : null,
      floor: parts.floor ? await floorOf(dialogues, first, scopes, tick) : null,
    }))
  } finally {
    progress.clear()
  }
}

async function ablated(
  dialogues: readonly Dialogue[],
  ablations: readonly (readonly [string, (typeof WITHOUT)[string]])[],
  tick: () => void,
): Promise<(readonly [string, RecallFigures])[]> {
  if (ablations.length === 0) return []
  const ranking = rankingOnly(dialogues)
  const rows: (readonly [string, RecallFigures])[] = []
  for (const [name, weights] of ablations) {
    rows.push([name, await recallOf(dialogues, ranking(weights), tick)])
  }
  return rows
}

async function floorOf(
  dialogues: readonly Dialogue[],
  first: Dialogue,
  scopes: Scopes,
  tick: () => void,
): Promise<{ readonly foreign: Share; readonly strangers: Share }> {
  const queries = strangerQueries(first)
  return {
    foreign: await foreignShare(dialogues, scopes, tick),
    strangers: { asked: queries.length, exposed: await strangerShare(first, scopes, queries, tick) },
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

export function dialogueText({ recall, floor }: DialogueReport): string {
  const percent = ({ asked, exposed }: Share): string => `${((100 * exposed) / asked).toFixed(1)} %`
  const row = (name: string, figures: RecallFigures): string[] => [
    name,
    ...figures.recall.map((share) => share.toFixed(3)),
    String(figures.without),
  ]
  const lines: string[] = []
  if (recall !== null) {
    lines.push(
      `${recall.interface.questions} questions; share of their evidence among the first k memories that a guide exposes`,
      tableText([
        ['ranking', ...DEPTHS.map((depth) => `@${depth}`), 'nothing exposed'],
        row('guide, all of it (goal 0.76 at 10, 0.94 at 200)', recall.interface),
        ...recall.ablation.map(([name, figures]) => row(`ranking only: ${name}`, figures)),
      ]),
    )
  }
  if (floor !== null) {
    const { foreign, strangers } = floor
    lines.push(
      `questions of one dialogue asked in another: ${foreign.exposed} of ${foreign.asked} expose something, ${percent(foreign)} (goal 30 %)`,
      `queries without a word in common with the scope: ${strangers.exposed} of ${strangers.asked} expose something, ${percent(strangers)} (goal 1 %)`,
    )
  }
  return lines.join('\n')
}
