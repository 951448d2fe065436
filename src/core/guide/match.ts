import type { MemoryRecord } from '../model/record.ts'
import type { Match } from '../policy/admission.ts'
import { type Entities, namesOthers } from '../text/identifiers.ts'
import type { Candidate } from './entry.ts'

/** Characters of candidates in which a guide looks for other entities than those it asks for, the best candidates first. */
const NAMING_CHARS_MAX = 200_000
/** Entities asked for that are looked for in so many characters; of more in fewer, which takes as long. */
const NAMED_AT_ONCE = 16

/** Whether memories are about other entities than the query, read within a bound for all of them. */
export class Naming {
  readonly #asked: Entities | null
  #left: number

  constructor(asked: Entities | null) {
    this.#asked = asked
    this.#left = NAMING_CHARS_MAX / Math.max(1, [...(asked?.values() ?? [])].flat().length / NAMED_AT_ONCE)
  }

  isOther(record: MemoryRecord): boolean {
    if (this.#asked === null || this.#left <= 0) return false
    const text = namingTexts(record)
    this.#left -= text.length
    return this.#left > 0 && namesOthers(this.#asked, text)
  }
}

/** How a query found a memory. A class: to make an object with a getter of its own takes longer than most rules. */
export class CandidateMatch implements Match {
  readonly isWeak: boolean
  readonly #naming: Naming
  readonly #record: MemoryRecord

  constructor({ isWeak, record }: Candidate, naming: Naming) {
    this.isWeak = isWeak
    this.#naming = naming
    this.#record = record
  }

  /** Reading the text takes longer than all rules, and most memories are decided by a rule before. */
  get isOtherEntity(): boolean {
    return this.#naming.isOther(this.#record)
  }
}

/** What a memory names is read in all that is printed of it, and in its files. */
function namingTexts({ content }: MemoryRecord): string {
  return [content.title ?? '', content.text, content.summary ?? '', ...content.targetFiles].join('\n')
}
