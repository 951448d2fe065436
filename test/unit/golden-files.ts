import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
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

/** A data folder of format 2, written by the last release of that, which knew no packs. It stays as it is too. */
export const GOLDEN_2: GoldenStore = JSON.parse(
  readFileSync(new URL('../fixtures/store-v2.json', import.meta.url), 'utf8'),
)

export function goldenContent(name: string, store: GoldenStore = GOLDEN): Buffer {
  return gunzipSync(Buffer.from(store.files[name] ?? '', 'base64'))
}

/** Writes a golden store into an empty folder. */
export function unpackGolden(store: GoldenStore, dir: string): string {
  for (const name of Object.keys(store.files)) {
    mkdirSync(join(dir, dirname(name)), { recursive: true })
    writeFileSync(join(dir, name), goldenContent(name, store))
  }
  return dir
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
