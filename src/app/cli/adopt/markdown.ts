import { type Entries, type Entry, PLAIN } from './changes.ts'

/** One that is closed in its own line is code in a line of text. */
const FENCE = /^\s*(`{3,}(?!.*`)|~{3,})/
/** Code in a line of text, in which nothing begins, or the mark of a comment. */
const CODE_OR_COMMENT = /(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)|<!--/g
const HEADING = /^ {0,3}(#{1,6})(?:\s|$)/
const UNDERLINE = /^ {0,3}(=+|-+)\s*$/
const RULE = /^ {0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/
const ITEM = /^(\s*)(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?(.*)$/
const QUOTE = /^\s{0,3}>\s?/
const TABLE_LINE = /^\s*\|(.*)\|\s*$/
const TABLE_RULE = /^[\s|:-]+$/
/** A line by which some programs take in another file. */
const IMPORT = /^@\S+$/

/** A longer entry takes no further block of code along. */
const WITH_CODE_CHARS_MAX = 32_000

/** What is being read: a paragraph, or an item of a list with the indent of its mark. */
interface Open {
  readonly line: number
  readonly indent: number | null
  readonly words: string[]
}

/**
 * The paragraphs, list items and table rows of a page, each with its headings as title. An item takes what is indented
 * below it along, and a block of code belongs to the entry before it under the same heading. Front matter and comments
 * are left out: whoever reads the page as it is shown does not see them.
 */
export function markdownEntries(text: string): Entries {
  const page = new Page()
  const lines = text.split(/\r\n|[\n\r]/)
  let at = frontMatterLines(lines)
  for (; at < lines.length; at += 1) page.read(lines[at] ?? '', at + 1)
  return page.ended()
}

/** How many lines it takes; none without an end. */
function frontMatterLines(lines: readonly string[]): number {
  if (lines[0]?.trim() !== '---') return 0
  const end = lines.findIndex((line, at) => at > 0 && line.trim() === '---')
  return end < 0 ? 0 : end + 1
}

/** The words of a heading without the marks that may close it. */
function withoutMarks(words: string): string {
  const text = words.trim()
  let end = text.length
  while (text[end - 1] === '#') end -= 1
  return end === text.length || (end > 0 && text[end - 1] !== ' ') ? text : text.slice(0, end).trim()
}

function commentAt(text: string): number {
  for (const { 0: found, index } of text.matchAll(CODE_OR_COMMENT)) if (found === '<!--') return index
  return -1
}

class Page {
  readonly #entries: Entry[] = []
  readonly #headings: string[] = []
  #open: Open | null = null
  #fence: string | null = null
  #isComment = false
  #isBlankBefore = true
  /** The next block of code belongs to the last entry. */
  #isCodeOurs = false
  #commentLines = 0
  #imports = 0

  read(raw: string, line: number): void {
    if (this.#fence !== null) return this.#code(raw)
    const shown = this.#withoutComments(raw)
    const fence = FENCE.exec(shown)?.[1]
    if (fence !== undefined) return this.#fenced(fence, shown, line)
    if (shown.trim() === '') {
      this.#isBlankBefore = true
      if (this.#open?.indent === null) this.#close()
      return
    }
    this.#text(shown, line)
    this.#isBlankBefore = false
  }

  ended(): Entries {
    this.#close()
    const told = [
      ...(this.#commentLines === 0 ? [] : [`${this.#commentLines} lines with comments`]),
      ...(this.#imports === 0 ? [] : [`${this.#imports} imports of other files: adopt each by its name`]),
    ]
    return { entries: this.#entries, leftOut: told }
  }

  #text(shown: string, line: number): void {
    const heading = HEADING.exec(shown)
    if (heading !== null) {
      return this.#heading(heading[1]?.length ?? 1, withoutMarks(shown.slice(heading[0].length)))
    }
    const underline = UNDERLINE.exec(shown)
    const open = this.#open
    if (underline !== null && open?.indent === null && open.words.length === 1 && !this.#isBlankBefore) {
      this.#open = null
      return this.#heading(underline[1]?.startsWith('=') === true ? 1 : 2, open.words[0] ?? '')
    }
    if (RULE.test(shown)) return this.#close()
    const item = ITEM.exec(shown)
    if (item !== null) return this.#item(item[1]?.length ?? 0, item[2] ?? '', shown, line)
    const row = TABLE_LINE.exec(shown)
    if (row !== null) return this.#row(row[1] ?? '', line)
    this.#line(shown, line)
  }

  #heading(level: number, words: string): void {
    this.#close()
    this.#isCodeOurs = false
    this.#headings.length = Math.min(this.#headings.length, level - 1)
    // A page may skip a level.
    while (this.#headings.length < level - 1) this.#headings.push('')
    this.#headings.push(words.trim())
  }

  #item(indent: number, words: string, shown: string, line: number): void {
    const open = this.#open
    if (open !== null && open.indent !== null && indent > open.indent + 1) {
      open.words.push(shown.trim())
      return
    }
    this.#close()
    this.#open = { line, indent, words: [words] }
  }

  #row(cells: string, line: number): void {
    this.#close()
    if (TABLE_RULE.test(cells)) return
    const words = cells.split('|').map((cell) => cell.trim())
    this.#open = { line, indent: null, words: [words.filter((word) => word !== '').join(' | ')] }
    this.#close()
  }

  #line(shown: string, line: number): void {
    const words = shown.replace(QUOTE, '').trim()
    const open = this.#open
    const isIndented = /^\s{2}|^\t/.test(shown)
    const goesOn = open !== null && (open.indent === null || isIndented || !this.#isBlankBefore)
    if (open !== null && goesOn) open.words.push(words)
    else {
      this.#close()
      this.#open = { line, indent: null, words: [words] }
    }
  }

  #fenced(fence: string, shown: string, line: number): void {
    this.#fence = fence
    // Of a paragraph that just ended it is the example.
    if (this.#open === null && this.#isCodeOurs) this.#reopen()
    if (this.#open === null) this.#open = { line, indent: null, words: [] }
    this.#open.words.push(shown.trim())
  }

  #code(raw: string): void {
    this.#open?.words.push(raw)
    const mark = this.#fence ?? ''
    const end = raw.trim()
    if (!end.startsWith(mark) || end.replaceAll(mark[0] ?? '', '') !== '') return
    this.#fence = null
    if (this.#open?.indent === null) this.#close()
  }

  #reopen(): void {
    const last = this.#entries.at(-1)
    if (last === undefined || last.text.length > WITH_CODE_CHARS_MAX) return
    this.#entries.pop()
    this.#open = { line: last.line, indent: null, words: [last.text] }
  }

  #close(): void {
    const open = this.#open
    this.#open = null
    const text = open?.words.join('\n').trim() ?? ''
    if (open === null || text === '') return
    if (IMPORT.test(text)) {
      this.#imports += 1
      return
    }
    const title = this.#headings.filter((heading) => heading !== '').join(' › ')
    this.#entries.push({ ...PLAIN, text, title: title === '' ? null : title, line: open.line })
    this.#isCodeOurs = true
  }

  #withoutComments(raw: string): string {
    let shown = ''
    let rest = raw
    if (this.#isComment || commentAt(raw) >= 0) this.#commentLines += 1
    for (;;) {
      const mark = this.#isComment ? '-->' : '<!--'
      const at = this.#isComment ? rest.indexOf(mark) : commentAt(rest)
      if (!this.#isComment) shown += at < 0 ? rest : rest.slice(0, at)
      if (at < 0) return shown
      rest = rest.slice(at + mark.length)
      this.#isComment = !this.#isComment
    }
  }
}
