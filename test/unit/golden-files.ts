import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Kind } from '../../src/adapters/record-file/format.ts'

export interface GoldenStore {
  /** Of each actor, when the store was made. */
  readonly digests: Readonly<Record<string, string>>
  /** Feedback on a guide that only the ledger knows. */
  readonly feedback: object
  /** Compressed with gzip, in base64. */
  readonly files: Readonly<Record<string, string>>
}

// A data folder of format 1 as a crash left it, written by the first release that had every kind of file. It stays as it
// is: whoever changes what is written makes a golden store of the next format beside it, and an old layout.
export const GOLDEN: GoldenStore = JSON.parse(
  readFileSync(new URL('../fixtures/store-v1.json', import.meta.url), 'utf8'),
)

export function goldenContent(name: string): Buffer {
  return gunzipSync(Buffer.from(GOLDEN.files[name] ?? '', 'base64'))
}

const SUFFIXES: readonly (readonly [string, Kind])[] = [
  ['.snap', 'snapshot'],
  ['.led', 'exposures'],
  ['.hist', 'history'],
  ['.log', 'notes'],
  ['.vec', 'vectors'],
]

/** The smallest golden file of each kind that is still read. */
export function oldFiles(): readonly {
  readonly kind: Kind
  readonly name: string
  readonly content: Buffer
}[] {
  return SUFFIXES.map(([suffix, kind]) => {
    const names = Object.keys(GOLDEN.files).filter((name) => name.endsWith(suffix))
    const [name = ''] = names.sort((a, b) => goldenContent(a).length - goldenContent(b).length)
    return { kind, name: name.replace(/.*\//, ''), content: goldenContent(name) }
  })
}
