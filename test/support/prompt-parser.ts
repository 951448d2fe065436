// Reads a prompt text back as an agent would, knowing nothing of how it was made: a heading is a line that starts with
// `## `, an entry is a line that starts with `[id] `, and an id is any bracketed UUID anywhere.

export interface ParsedPrompt {
  readonly header: readonly string[]
  /** Section name, as far as the colon, to the entries under it. */
  readonly sections: ReadonlyMap<string, readonly ParsedLine[]>
  /** Every bracketed UUID in the text, wherever it stands, but for those that a line says are against it. */
  readonly bracketedIds: readonly string[]
}

interface ParsedLine {
  readonly id: string
  readonly line: string
}

const ANY_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/u
const BRACKETED_ID =
  /(?<! \| disputed by )\[\s*([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\s*\]/giu

export function parsePrompt(promptText: string): ParsedPrompt {
  const header: string[] = []
  const sections = new Map<string, ParsedLine[]>()
  let current: ParsedLine[] | null = null
  for (const line of promptText.split(ANY_BREAK)) {
    if (line.trim() === '') continue
    const heading = /^\s*#+\s*([^:]*)/u.exec(line)
    if (heading !== null) {
      const name = heading[1] ?? ''
      if (sections.has(name)) throw new Error(`two sections ${name}`)
      current = []
      sections.set(name, current)
    } else if (current === null) {
      header.push(line)
    } else {
      const entry = /^\[([^\]]+)\] /u.exec(line)
      if (entry === null) throw new Error(`a line without an id: ${line}`)
      current.push({ id: entry[1] ?? '', line })
    }
  }
  return {
    header,
    sections,
    bracketedIds: [...promptText.matchAll(BRACKETED_ID)].map((found) => found[1] ?? ''),
  }
}

export function idsUnder(parsed: ParsedPrompt, section: string): readonly string[] {
  return (parsed.sections.get(section) ?? []).map((entry) => entry.id)
}
