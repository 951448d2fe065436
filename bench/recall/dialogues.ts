import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One turn of a dialogue: one memory. */
export interface Turn {
  readonly id: string
  readonly session: number
  readonly speaker: string
  readonly text: string
}

export interface Question {
  readonly text: string
  /** Ids of the turns that hold the answer, at least one. */
  readonly evidence: readonly string[]
}

export interface Dialogue {
  readonly id: string
  readonly turns: readonly Turn[]
  readonly questions: readonly Question[]
}

interface RawDialogue {
  readonly id: string
  readonly docs: readonly Turn[]
  readonly qas: readonly { readonly q: string; readonly ev: readonly string[] }[]
}

/** Every dialogue of the JSON files in a folder; evidence that names no turn is left out, and so is a question without any. */
export function readDialogues(folder: string, fileNames: readonly string[]): readonly Dialogue[] {
  const raw = fileNames.flatMap(
    (name): readonly RawDialogue[] => JSON.parse(readFileSync(join(folder, name), 'utf8')) as RawDialogue[],
  )
  return raw.map(({ id, docs, qas }) => {
    const known = new Set(docs.map((turn) => turn.id))
    const questions = qas
      .map(({ q, ev }) => ({ text: q, evidence: [...new Set(ev)].filter((each) => known.has(each)) }))
      .filter(({ evidence }) => evidence.length > 0)
    return { id, turns: docs, questions }
  })
}
