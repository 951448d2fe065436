import type { Dialogue } from './dialogues.ts'
import type { Scopes } from './through-interface.ts'

export const DEPTHS = [5, 10, 20, 200] as const

export interface RecallFigures {
  readonly questions: number
  /** Mean share of a question's evidence among the first k memories, for each of DEPTHS. */
  readonly recall: readonly number[]
  /** Questions for which nothing was exposed. */
  readonly without: number
}

/** Asks each dialogue its own questions. */
export async function recallOf(
  dialogues: readonly Dialogue[],
  scopes: Scopes,
  tick: () => void,
): Promise<RecallFigures> {
  const sums = DEPTHS.map(() => 0)
  let questions = 0
  let without = 0
  for (const dialogue of dialogues) {
    const ids = scopes.idsOf(dialogue)
    for (const { text, evidence } of dialogue.questions) {
      const exposed = await scopes.ask(dialogue, text)
      questions += 1
      if (exposed.length === 0) without += 1
      for (const [place, depth] of DEPTHS.entries()) {
        const first = new Set(exposed.slice(0, depth))
        const found = evidence.filter((turn) => first.has(ids.get(turn) ?? '')).length
        sums[place] = (sums[place] ?? 0) + found / evidence.length
      }
      tick()
    }
  }
  return { questions, recall: sums.map((sum) => sum / questions), without }
}

/** Share of questions that expose something in a dialogue that they do not belong to. */
export async function foreignShare(
  dialogues: readonly Dialogue[],
  scopes: Scopes,
  tick: () => void,
): Promise<{ readonly asked: number; readonly exposed: number }> {
  let asked = 0
  let exposed = 0
  for (const dialogue of dialogues) {
    for (const { text } of dialogue.questions) {
      for (const other of dialogues) {
        if (other === dialogue) continue
        asked += 1
        if ((await scopes.ask(other, text)).length > 0) exposed += 1
        tick()
      }
    }
  }
  return { asked, exposed }
}

/** Of queries without a word in common with a scope, how many expose anything. */
export async function strangerShare(
  dialogue: Dialogue,
  scopes: Scopes,
  queries: readonly string[],
  tick: () => void,
): Promise<number> {
  let exposed = 0
  for (const query of queries) {
    if ((await scopes.ask(dialogue, query)).length > 0) exposed += 1
    tick()
  }
  return exposed
}
