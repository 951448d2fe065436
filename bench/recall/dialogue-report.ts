import { readdirSync } from 'node:fs'
import { type Figure, figureOf } from '../result.ts'
import { mulberry32 } from '../synthetic-text.ts'
import { type Dialogue, readDialogues } from './dialogues.ts'
import { type Scopes, withScopes } from './through-interface.ts'

const STRANGERS = 1_000
const SEED = 7
/** Depths of recall, and the share that is aimed at. */
const DEPTHS = [
  { depth: 5, least: null },
  { depth: 10, least: 0.76 },
  { depth: 20, least: null },
  { depth: 200, least: 0.94 },
] as const
const FOREIGN_GOAL = { bound: 'most', value: 0.3 } as const
const STRANGER_GOAL = { bound: 'most', value: 0.01 } as const

/** Every dialogue of a folder observed into a scope of its own: what its questions find, and what others' find there. */
export function dialogueFigures(folder: string): Promise<Figure[]> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  const dialogues = readDialogues(folder, names)
  const [first] = dialogues
  if (first === undefined) throw new Error(`${folder} holds no dialogue`)
  return withScopes(dialogues, async (scopes) => {
    const foreign = await foreignShare(dialogues, scopes)
    const strangers = await exposedShare(strangerQueries(first), (query) => scopes.ask(first, query))
    return [
      ...(await recallFigures(dialogues, scopes)),
      figureOf('dialogues, exposed to questions of another dialogue', 'share', [foreign], {
        goal: FOREIGN_GOAL,
      }),
      figureOf('dialogues, exposed to queries without a word in common', 'share', [strangers], {
        goal: STRANGER_GOAL,
      }),
    ]
  })
}

/** The mean share of a question's evidence among the first memories that a guide exposes. */
async function recallFigures(dialogues: readonly Dialogue[], scopes: Scopes): Promise<Figure[]> {
  const shares: (readonly number[])[] = []
  for (const dialogue of dialogues) {
    const ids = scopes.idsOf(dialogue)
    for (const { text, evidence } of dialogue.questions) {
      const exposed = await scopes.ask(dialogue, text)
      shares.push(
        DEPTHS.map(({ depth }) => {
          const nearest = new Set(exposed.slice(0, depth))
          return evidence.filter((turn) => nearest.has(ids.get(turn) ?? '')).length / evidence.length
        }),
      )
    }
  }
  return DEPTHS.map(({ depth, least }, place) => {
    const mean = shares.reduce((sum, each) => sum + (each[place] ?? 0), 0) / shares.length
    const goal = least === null ? undefined : ({ bound: 'least', value: least } as const)
    return figureOf(`dialogues, recall@${depth} of ${shares.length} questions`, 'share', [mean], { goal })
  })
}

/** Share of questions that expose something in a dialogue that they do not belong to. */
function foreignShare(dialogues: readonly Dialogue[], scopes: Scopes): Promise<number> {
  const pairs = dialogues.flatMap((dialogue) =>
    dialogue.questions.flatMap(({ text }) =>
      dialogues.filter((other) => other !== dialogue).map((other) => ({ other, text })),
    ),
  )
  return exposedShare(pairs, ({ other, text }) => scopes.ask(other, text))
}

async function exposedShare<Query>(
  queries: readonly Query[],
  ask: (query: Query) => Promise<readonly string[]>,
): Promise<number> {
  let exposed = 0
  for (const query of queries) if ((await ask(query)).length > 0) exposed += 1
  return exposed / queries.length
}

/** Words made of syllables that no text of the dialogue begins with, twelve a query. */
function strangerQueries(dialogue: Dialogue): readonly string[] {
  const random = mulberry32(SEED)
  const known = new Set(dialogue.turns.flatMap(({ text }) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u)))
  const syllables = ['zor', 'qua', 'vex', 'lum', 'pyr', 'dro', 'nix', 'gal', 'thu', 'ork']
  const syllable = () => syllables[Math.floor(random() * syllables.length)] ?? ''
  const word = (): string => {
    for (;;) {
      const made = Array.from({ length: 3 }, syllable).join('')
      if (!known.has(made)) return made
    }
  }
  return Array.from({ length: STRANGERS }, () => Array.from({ length: 12 }, word).join(' '))
}
