import { readFileSync } from 'node:fs'

/** A fenced block of a page. */
export interface Block {
  /** `sh`, `js`, `text` … */
  readonly language: string
  /** What stands behind the language: the name of a file, or how a command is treated. */
  readonly note: string
  readonly text: string
}

/** A command with the output that the page shows right behind it, if it shows any. */
export interface ShownCommand {
  readonly text: string
  readonly output: Block | null
}

/** What a page has readers type, in its order. */
export interface DocumentedPage {
  /** Files that the reader writes: `js agent.mjs`. */
  readonly files: readonly Block[]
  readonly commands: readonly ShownCommand[]
  /** `sh by-hand`: what needs a registry, a container or another machine. */
  readonly byHand: readonly Block[]
  /** TypeScript and JavaScript without a file name: parts of a program. */
  readonly fragments: readonly Block[]
}

const FENCE = /^```(\w+)(?: ([^\n]*))?\n([\s\S]*?)^```$/gm
const OUTPUT = new Set(['text', 'json'])
const CODE = new Set(['js', 'ts'])

export function readDocumentedPage(url: URL): DocumentedPage {
  const blocks = [...readFileSync(url, 'utf8').matchAll(FENCE)].map(
    ([, language = '', note = '', text = '']): Block => ({ language, note, text }),
  )
  const commands = blocks.flatMap((block, at): readonly ShownCommand[] => {
    if (block.language !== 'sh' || block.note !== '') return []
    const next = blocks[at + 1]
    const isOutput = next !== undefined && OUTPUT.has(next.language) && next.note === ''
    return [{ text: block.text, output: isOutput ? next : null }]
  })
  return {
    files: blocks.filter(({ language, note }) => language !== 'sh' && note !== ''),
    commands,
    byHand: blocks.filter(({ language, note }) => language === 'sh' && note !== ''),
    fragments: blocks.filter(({ language, note }) => CODE.has(language) && note === ''),
  }
}

/** What differs from run to run: ids, times, keys, ports, versions and how far columns are apart. */
const MASKS: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>'],
  [/\b[0-9a-f]{32}\b/g, '<hash>'],
  [/\bmg_\w{12}_[\w-]+/g, '<key>'],
  [/\b[a-z0-9]{12}(?= +valid\b)/g, '<key id>'],
  [/\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)?/g, '<time>'],
  [/127\.0\.0\.1:\d+/g, '<address>'],
  [/process \d+ on \S+/g, 'process <id>'],
  [/Node \d+\.\d+\.\d+/g, 'Node <version>'],
  [/memgov \d+\.\d+\.\d+/g, 'memgov <version>'],
  [/\d+\.\d\d(?= )/g, '<ms>'],
  [/\b\d+ (?=(?:segments|turns|actors|rows|exposure sets|snapshots|note files)\b)/g, '<number> '],
  [/\b[0-9a-f]{64}\b/g, '<hash>'],
  [/ {2,}/g, ' '],
  [/ +$/gm, ''],
]

export function masked(text: string): string {
  return MASKS.reduce((rest, [pattern, word]) => rest.replace(pattern, word), text).trim()
}

/** JSON with every text masked. */
export function maskedJson(text: string): unknown {
  return JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? masked(value) : value))
}
