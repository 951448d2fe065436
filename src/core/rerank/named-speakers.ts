import type { MemoryColumns } from '../model/columns.ts'
import { namesAsked } from '../search/names.ts'

/** Which candidates are by somebody whom the query names. */
export class NamedSpeakers {
  readonly #columns: MemoryColumns
  readonly #named: ReadonlySet<string>
  /** By number of authors, as far as it was asked. */
  readonly #known: (-1 | 0 | 1 | undefined)[] = []

  /** `slots`: the candidates, the first `size` of them. When all are by the same author, that tells nothing. */
  constructor(columns: MemoryColumns, queryText: string, slots: Int32Array, size: number) {
    this.#columns = columns
    const numbers = new Set<number>()
    let last = -1
    for (let place = 0; place < size; place += 1) {
      const authors = columns.authorsOf(slots[place] ?? 0)
      if (authors !== last) numbers.add(authors)
      last = authors
    }
    const names = new Set<string>()
    for (const number of numbers) for (const name of columns.authorNames(number)) names.add(name)
    this.#named = names.size < 2 ? new Set() : namesAsked(queryText, names)
  }

  /** Whether the query names anybody. */
  get areNamed(): boolean {
    return this.#named.size > 0
  }

  /** 1: by whom the query names; -1: by somebody else; 0: it names nobody, or it is not known who wrote it. */
  of(slot: number): -1 | 0 | 1 {
    if (this.#named.size === 0) return 0
    const authors = this.#columns.authorsOf(slot)
    let speaker = this.#known[authors]
    if (speaker === undefined) {
      const names = this.#columns.authorNames(authors)
      speaker = names.length === 0 ? 0 : names.some((name) => this.#named.has(name)) ? 1 : -1
      this.#known[authors] = speaker
    }
    return speaker
  }
}
