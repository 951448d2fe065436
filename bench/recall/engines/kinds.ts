import type { EngineKind } from './engine.ts'
import { flexsearch } from './flexsearch.ts'
import { memgov } from './memgov.ts'
import { minisearch } from './minisearch.ts'
import { orama } from './orama.ts'
import { sqlite } from './sqlite.ts'

export const ENGINE_NAMES = ['memgov', 'FlexSearch', 'FTS5', 'MiniSearch', 'Orama'] as const
export type EngineName = (typeof ENGINE_NAMES)[number]

export const ENGINES: Readonly<Record<EngineName, EngineKind>> = {
  memgov,
  FlexSearch: flexsearch,
  FTS5: sqlite,
  MiniSearch: minisearch,
  Orama: orama,
}
