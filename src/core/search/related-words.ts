import { listAt } from '../base/collections.ts'
import { fold } from '../text/unicode.ts'

const NONE: readonly string[] = []

/** A group of words, each of which asks for all of them, or words that ask for others. */
interface Line {
  readonly asking: readonly string[]
  readonly answering: readonly string[]
}

/** A stem begins as its word does, or as another word of its line. */
const KEY_CHARS = 2

/** Words of a related meaning in one language. Only what is asked for is stemmed: all of a list takes 20 ms in a new process. */
export class RelatedWords {
  readonly #spell: (word: string) => string
  /** By the first letters of a word that asks, without accents. */
  readonly #lines = new Map<string, Line[]>()
  /** The same by spelling, of first letters that were asked for. */
  readonly #bySpelling = new Map<string, ReadonlyMap<string, readonly Line[]>>()

  /** `lines`: as in core/text/related-words.ts. `spell`: how an index spells a word. */
  constructor(lines: string, spell: (word: string) => string) {
    this.#spell = spell
    for (const text of lines.split('|')) {
      const [asking = [], answering = asking] = text.split('>').map((side) => side.trim().split(/\s+/))
      for (const key of new Set(asking.map(keyOf))) listAt(this.#lines, key).push({ asking, answering })
    }
  }

  /** How an index spells the words that are related to one, which it spells like this. */
  of(spelling: string): readonly string[] {
    const key = keyOf(spelling)
    // What no line begins with is not kept: questions may begin with anything.
    const lines = this.#lines.has(key) ? this.#asking(key).get(spelling) : undefined
    if (lines === undefined) return NONE
    const found = new Set<string>()
    for (const { answering } of lines) for (const word of answering) found.add(this.#spell(word))
    found.delete(spelling)
    return [...found]
  }

  /** The lines of words that begin like this, by how an index spells them. */
  #asking(key: string): ReadonlyMap<string, readonly Line[]> {
    const known = this.#bySpelling.get(key)
    if (known !== undefined) return known
    const found = new Map<string, Line[]>()
    for (const line of this.#lines.get(key) ?? []) {
      const spellings = new Set(line.asking.filter((word) => keyOf(word) === key).map(this.#spell))
      for (const spelling of spellings) listAt(found, spelling).push(line)
    }
    this.#bySpelling.set(key, found)
    return found
  }
}

function keyOf(word: string): string {
  return fold(word.slice(0, KEY_CHARS)).slice(0, KEY_CHARS)
}
