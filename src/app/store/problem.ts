import { relative } from 'node:path'
import type { DamageKind, FileDamage } from '../../adapters/files/damage.ts'
import type { Store } from './read-store.ts'

/** Turns of one actor that a problem concerns; null when it is not known which. */
export interface ConcernedActor {
  /** `tenant/scope` */
  readonly key: string
  readonly turns: { readonly fromSeq: number; readonly toSeq: number } | null
}

/** One thing that is wrong with a store, as an operator reads it. */
export interface Problem {
  /** Inside the data folder. */
  readonly file: string
  /** Null when it concerns the file as a whole. */
  readonly offset: number | null
  readonly kind: DamageKind
  readonly what: string
  /** Empty: nobody can tell, or it concerns the store. */
  readonly actors: readonly ConcernedActor[]
  /** What to do about it. */
  readonly action: string
}

/** The part of a store that a file belongs to. */
export type StorePart =
  | 'format'
  | 'manifest'
  | 'lack'
  | 'journal'
  | 'snapshot'
  | 'ledger'
  | 'history'
  | 'notes'
  | 'chain'

const MENDED = 'memgov repair --dry-run says what can be kept; a backup of before may hold more'

const ACTIONS: Readonly<Record<StorePart, string>> = {
  format: 'memgov repair writes it again from the journal segments',
  manifest: 'memgov repair writes it again; whether newer parts are missing nobody can tell then',
  lack: 'put back the newest folder of this store; memgov repair goes on without it, when told so with --yes',
  journal: MENDED,
  snapshot: `memgov repair sets it aside; an older snapshot and the journal take its place, where they can`,
  ledger: 'memgov repair sets it aside and keeps its whole records; feedback on the other guides is refused',
  history: 'memgov repair sets it aside; no state depends on it, reads of history begin later',
  notes: 'memgov repair sets it aside and keeps its whole notes; no state depends on it',
  chain: 'find out who wrote to the folder; put back a backup whose chain holds the pinned head',
}

/** A problem with the words that say what to do about it. */
export function problemOf(
  store: Pick<Store, 'dir'>,
  part: StorePart,
  damage: FileDamage,
  actors: readonly ConcernedActor[] = [],
): Problem {
  const { kind, offset, what } = damage
  return { file: relative(store.dir, damage.path), offset, kind, what, actors, action: actionFor(part, kind) }
}

function actionFor(part: StorePart, kind: DamageKind): string {
  switch (kind) {
    case 'newer':
      return 'use the version of memgov that wrote it, or a later one; the file is not damaged'
    case 'foreign':
      return `put back the file of this store, or take it out of the folder; else ${ACTIONS[part]}`
    case 'unreadable':
      return 'look at the disk and the rights of the file, then try again; nothing is known of its content'
    case 'missing':
    case 'damaged':
      return ACTIONS[part]
  }
}
