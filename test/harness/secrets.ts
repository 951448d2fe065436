import { randomBytes } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { createCodec } from '../../src/adapters/codec/codec.ts'
import { contentsBelow } from './data-folder.ts'

const codec = createCodec()

/** Words that occur nowhere else, each in one place of a request. */
export class Secrets {
  readonly words: string[] = []
  readonly #name: string

  constructor(name: string) {
    this.#name = name
  }

  /** A new one, in lower case, so that an index keeps it as it is. */
  word(): string {
    const word = `${this.#name}${randomBytes(10).toString('hex')}`
    this.words.push(word)
    return word
  }
}

/**
 * Where any of the needles stands in any byte of the folder, `needle in file` each; a needle is text or bytes. Text is
 * looked for in UTF-8 and in UTF-16, in which index files hold their words.
 */
export function foundIn(dir: string, needles: readonly (string | Uint8Array)[]): readonly string[] {
  const found: string[] = []
  const sought = needles.map((needle) =>
    typeof needle === 'string'
      ? { name: needle, forms: [Buffer.from(needle), Buffer.from(needle, 'utf16le')] }
      : { name: 'an answer', forms: [Buffer.from(needle)] },
  )
  for (const [path, bytes] of contentsBelow(dir)) {
    const inflated = inflatedParts(bytes)
    for (const { name, forms } of sought) {
      const isThere = forms.some(
        (form) => bytes.includes(form) || inflated.some((part) => part.includes(form)),
      )
      if (isThere) found.push(`${name} in ${path.slice(dir.length)}`)
    }
  }
  return found
}

const ANSWER_KEY = Buffer.from('answer')

/** The stored answers in a file: behind the key `answer` of an event stands msgpack's bin, then raw deflate. */
function inflatedParts(bytes: Buffer): readonly Buffer[] {
  const parts: Buffer[] = []
  for (let at = bytes.indexOf(ANSWER_KEY); at >= 0; at = bytes.indexOf(ANSWER_KEY, at + 1)) {
    const part = binAt(bytes, at + ANSWER_KEY.length)
    if (part !== null) parts.push(part)
  }
  return parts
}

function binAt(bytes: Buffer, at: number): Buffer | null {
  const kind = bytes[at]
  const width = kind === 0xc4 ? 1 : kind === 0xc5 ? 2 : kind === 0xc6 ? 4 : 0
  if (width === 0 || at + 1 + width > bytes.length) return null
  const length = bytes.readUIntBE(at + 1, width)
  try {
    return inflateRawSync(bytes.subarray(at + 1 + width, at + 1 + width + length))
  } catch {
    return null
  }
}

/** What a compressed answer says. */
export function answerText(answer: Uint8Array): string {
  return codec.decompress(answer)
}
