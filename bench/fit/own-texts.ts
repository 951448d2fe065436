import { existsSync, readFileSync } from 'node:fs'
import type { Memory, Question, Scope } from '../recall-sets/sets.ts'

// The texts stand beside the source, not in dist/bench/fit.
const BESIDE = new URL('./', import.meta.url)
const FOLDER = existsSync(new URL('articles.txt', BESIDE))
  ? BESIDE
  : new URL('../../../bench/fit/', import.meta.url)

/** The text of a file beside this one. */
export function ownText(name: string): string {
  return readFileSync(new URL(name, FOLDER), 'utf8')
}

interface OwnScopes {
  /** Of short turns. */
  readonly dialogues: readonly Scope[]
  /** Of long turns that tell and ask at once. */
  readonly chats: readonly Scope[]
  readonly articles: Scope
}

/** What was written for the fit: each dialogue a scope, all texts together one. How they are written down: the heads of the files. */
export function ownScopes(): OwnScopes {
  const read = (name: string): readonly Scope[] => scopesIn(ownText(name))
  const articles = read('articles.txt')
  return {
    dialogues: read('dialogues.txt'),
    chats: read('chats.txt'),
    articles: {
      name: 'articles',
      memories: articles.flatMap(({ memories }) => memories),
      questions: articles.flatMap(({ questions }) => questions),
    },
  }
}

/** Throws where a question names evidence that is not there. */
export function scopesIn(text: string): readonly Scope[] {
  const labels = new Map<string, string>()
  const parts = text.split(/^= /m).slice(1)
  return parts.map((part) => {
    const [name = '', ...lines] = part.split('\n')
    return scopeOf(name.trim(), lines, labels)
  })
}

/** A line "? question > labels" asks; "-" begins another run; any other line is a memory. */
function scopeOf(name: string, lines: readonly string[], labels: Map<string, string>): Scope {
  const memories: Memory[] = []
  const questions: Question[] = []
  let run = 0
  for (const line of lines) {
    const asked = /^\? (.+) > (.+)$/.exec(line)
    if (asked !== null) questions.push({ text: asked[1] ?? '', evidence: evidenceOf(asked[2] ?? '', labels) })
    else if (line === '-') run += 1
    else if (line !== '') {
      const [, speaker, label, text = ''] = LINE.exec(line) ?? []
      const id = `${name}-${memories.length}`
      if (label !== undefined) labels.set(label, id)
      memories.push(
        speaker === undefined
          ? { id, text, run: `${name}-${run}`, speaker: null }
          : { id, text: `${speaker}: ${text}`, run: `${name}-${run}`, speaker },
      )
    }
  }
  return { name, memories, questions }
}

/** A speaker, who is named at the beginning of a dialogue's lines, and a label; both may be missing. */
const LINE = /^(?:(\p{Lu}\p{L}+)(?= \{|:))?(?: ?\{([^}]+)\})?:? ?(.+)$/u

function evidenceOf(named: string, labels: ReadonlyMap<string, string>): readonly string[] {
  return named.split(', ').map((label) => {
    const id = labels.get(label)
    if (id === undefined) throw new Error(`no line is named ${label}`)
    return id
  })
}
