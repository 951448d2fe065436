import { endianness } from 'node:os'
import process from 'node:process'
import { packageVersion } from '../adapters/files/package-file.ts'
import type { IndexMaker } from '../adapters/recall/store.ts'

/** Another release may read words in another way; so may another Unicode, by which texts are folded and split. */
export function indexMaker(): IndexMaker {
  const unicode = process.versions['unicode'] ?? 'none'
  return { builtBy: `memgov ${packageVersion()}, Unicode ${unicode}`, byteOrder: endianness() }
}
