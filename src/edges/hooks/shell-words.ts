/** Longer lines are cut there. */
const LINE_CHARS_MAX = 16_384
const COMMANDS_MAX = 16
/** What opens more than a simple command. */
const KEYWORDS = new Set(
  'for while until if case select function do done then else elif fi esac in { } ! [[ (( ( )'.split(' '),
)
const BLANK = /[ \t\r]/
/** Text of other commands, of a document or of a process follows: nothing behind it is read. */
const OPAQUE = ["$'", '$(', '`', '<<', '<(', '>(', '(', ')', '{', '}']

const SINGLE_QUOTED = /'(?<said>[^']*)'/y
/**
 * Commands inside of it are passed over if their end is plain: they have no quotes or comments, or print one document. Each sign is
 * matched in one way only: with two ways each command would double the time that a text without an end takes.
 */
const DOUBLE_QUOTED =
  /"(?<said>(?:[^"\\`$]|\\[^]|\$(?!\()|`[^`"'\\]*`|\$\({1,2}[^()"'`\\<#]*\)|\$\(cat <<-?(?<mark>['"]?)(?<end>\w+)\k<mark>(?=\n)(?:(?!\n\k<end>\n)[^])*\n\k<end>\n\s*\))*)"/y

/**
 * The simple commands of a line of a POSIX shell, each by its words, without redirections and comments. What it cannot read
 * it leaves out, with all that follows. A chain: all of it was read, and each runs only if the one before has succeeded.
 */
export function readShell(text: string) {
  const reader = new Reader(text.slice(0, LINE_CHARS_MAX))
  const isWhole = reader.read() && text.length <= LINE_CHARS_MAX
  return { commands: reader.commands, isChain: isWhole && reader.isChain }
}

class Reader {
  readonly commands: string[][] = []
  isChain = true
  readonly #text: string
  #at = 0
  #words: string[] = []
  #word: string | null = null
  #isTarget = false
  /** How what follows is joined to what was read. */
  #isAfterAnd = true

  constructor(text: string) {
    this.#text = text
  }

  /** False: there is something that it cannot read. */
  read(): boolean {
    while (this.#at < this.#text.length) {
      if (this.commands.length >= COMMANDS_MAX || !this.#step()) return this.#stop()
    }
    return this.#endCommand(true)
  }

  #stop(): false {
    // A word that is cut off says nothing.
    this.#word = null
    this.#endCommand(true)
    return false
  }

  #step(): boolean {
    const rest = this.#text.slice(this.#at, this.#at + 2)
    const sign = rest[0] ?? ''
    if (sign === '\\') return this.#escaped(rest)
    if (sign === "'" || sign === '"') return this.#quoted(sign)
    if (BLANK.test(sign)) return this.#endWord(1)
    if (sign === '#' && this.#word === null) return this.#comment()
    if (OPAQUE.some((opening) => rest.startsWith(opening)) && !this.#isInsideWord(sign)) return false
    if (sign === '>' || sign === '<') return this.#redirection()
    if (rest === '&>') return this.#redirection()
    if (rest === '&&') return this.#joined(2, true)
    // It runs on, and nobody waits for its end.
    if (sign === '&') this.isChain = false
    if (sign === ';' || sign === '|' || sign === '&' || sign === '\n')
      return this.#joined(rest === '||' || rest === ';;' ? 2 : 1, false)
    this.#word = (this.#word ?? '') + sign
    this.#at += 1
    return true
  }

  /** Braces inside of a word are a part of it. */
  #isInsideWord(sign: string): boolean {
    return (sign === '{' || sign === '}') && this.#word !== null
  }

  #escaped(rest: string): boolean {
    this.#at += 2
    if (rest[1] !== '\n') this.#word = (this.#word ?? '') + (rest[1] ?? '')
    return true
  }

  #quoted(quote: string): boolean {
    const pattern = quote === '"' ? DOUBLE_QUOTED : SINGLE_QUOTED
    pattern.lastIndex = this.#at
    const said = pattern.exec(this.#text)?.groups?.['said']
    if (said === undefined) return false
    this.#word = (this.#word ?? '') + (quote === '"' ? said.replace(/\\([^])/g, '$1') : said)
    this.#at = pattern.lastIndex
    return true
  }

  #comment(): boolean {
    const end = this.#text.indexOf('\n', this.#at)
    this.#at = end < 0 ? this.#text.length : end
    return true
  }

  /** The number before it and the file behind it are no words of the command. */
  #redirection(): boolean {
    if (this.#word !== null && /^\d+$/.test(this.#word)) this.#word = null
    this.#endWord(0)
    while (['>', '<', '&', '|'].includes(this.#text[this.#at] ?? '')) this.#at += 1
    this.#isTarget = true
    return true
  }

  #endWord(signs: number): boolean {
    this.#at += signs
    if (this.#word === null) return true
    if (this.#isTarget) this.#isTarget = false
    else this.#words.push(this.#word)
    this.#word = null
    return true
  }

  #joined(signs: number, isAnd: boolean): boolean {
    this.#at += signs
    return this.#endCommand(isAnd)
  }

  /** False for a command that is none of the simple ones. */
  #endCommand(isAnd: boolean): boolean {
    this.#endWord(0)
    this.#isTarget = false
    const words = this.#words
    this.#words = []
    if (words.length === 0) return true
    if (KEYWORDS.has(words[0] ?? '')) return false
    if (!this.#isAfterAnd) this.isChain = false
    this.#isAfterAnd = isAnd
    this.commands.push(words)
    return true
  }
}
