import type { Client } from 'pg'
import { recordOf } from '../../core/base/collections.ts'
import type { ExposureRecord } from '../../core/model/events.ts'
import type { Grant, Ownership, Store, VectorRow } from '../../ports/store.ts'
import {
  STORED_KINDS,
  type StoredKind,
  type StoredSizes,
  type StoreReader,
} from '../../ports/store-reader.ts'
import { NO_IMAGES } from '../files/null-ports.ts'
import { over } from '../files/store-parts.ts'
import { placeOf } from './address.ts'
import { Database, refuseRead, rowsOf } from './database.ts'
import { knownSteps } from './migrate.ts'
import { askedOfFit, bundle, partsOver } from './store.ts'
import type { PostgresStoreOptions, PostgresTables } from './tables.ts'
import { vectorsIn } from './vectors.ts'

const TABLES: Readonly<Record<StoredKind, string>> = {
  turns: 'turn',
  snapshots: 'snapshot',
  exposures: 'exposure',
  notes: 'note',
  vectors: 'vector',
}
const BYTES = `select coalesce(sum(pg_total_relation_size(inhrelid)), 0)::bigint as bytes
    from pg_inherits where inhparent = ('memgov.' || $1)::regclass`
const TURNS = 'select count(*) as turns from memgov.turn'
/** No shard ever has it: a write by it finds nothing. */
const NO_EPOCH = -1

/** What looks takes of the options of a store: nothing by which it would be a node. */
export type PostgresReaderOptions = Omit<PostgresStoreOptions, 'exposureRetentionMs' | 'historyRetentionMs'>

export interface PostgresReader extends StoreReader {
  /** The bundle, without a right to write: every turn is refused, and nothing else leaves the process. */
  readonly store: Store
  readonly database: Database
  /** Has actors that are in memory read anew. */
  refresh(): void
}

/** Looks at the committed rows of a store. No lease is taken and no fence raised. Rejects with a StartError. */
export async function openPostgresReader(
  options: PostgresReaderOptions,
  limits: Pick<PostgresStoreOptions, 'exposureRetentionMs' | 'historyRetentionMs'> = FOREVER,
): Promise<PostgresReader> {
  const { shards, storeId } = await askedOfFit(options, await knownSteps(), identified)
  const database = await Database.over(options)
  // It never says that it lives.
  const parts = partsOver({ ...options, ...limits }, database, shards, 0)
  const ownership = lookingOwnership(parts.tables)
  const store = readOnly(
    bundle(parts, false, () => undefined),
    ownership,
    () => database.close(),
  )
  const { history, exposures, snapshots, journal } = parts
  const vectors = vectorsIn(parts.tables)
  return {
    place: placeOf(options.address),
    storeId,
    store,
    database,
    refresh: () => ownership.lose(),
    actors: () => store.directory.actors(),
    async headOf(actorKey) {
      const [stored] = await store.directory.turnsOf([actorKey])
      return stored?.turns ?? 0
    },
    snapshot: (actorKey) => snapshots.get(actorKey),
    turns: (actorKey, fromSeq) => journal.pages(actorKey, fromSeq, Number.MAX_SAFE_INTEGER),
    exposures: (actorKey): AsyncIterable<ExposureRecord> => exposures.newestFirst(actorKey),
    notes: async (actorKey) => (await history.notes(actorKey, Number.MAX_SAFE_INTEGER)).toReversed(),
    async vectors(actorKey) {
      const rows: VectorRow[] = []
      await vectors.load(actorKey, (row) => rows.push(row))
      return rows
    },
    isErasing: (actorKey) => store.erasureMarks.has(actorKey),
    sizes: () => sizesOf(database),
    close: () => store.close(),
  }
}

async function sizesOf(database: Database): Promise<StoredSizes> {
  const { rows } = await database.longQuery(TURNS, []).catch(refuseRead)
  const bytes = new Map<StoredKind, number>()
  for (const kind of STORED_KINDS) {
    const [row] = await rowsOf(database, BYTES, [TABLES[kind]])
    bytes.set(kind, Number(row?.['bytes'] ?? 0))
  }
  return {
    turns: Number(rows[0]?.['turns'] ?? 0),
    bytes: recordOf(STORED_KINDS, (kind) => bytes.get(kind) ?? 0),
  }
}

const FOREVER = {
  exposureRetentionMs: Number.POSITIVE_INFINITY,
  historyRetentionMs: Number.POSITIVE_INFINITY,
}

async function identified(client: Client) {
  const { rows } = await client.query<{ store_id: string; shards: number }>(
    'select store_id, shards from memgov.store',
  )
  const [row] = rows
  if (row === undefined) throw new Error('the tables of the store are empty: run memgov store setup again')
  return { shards: row.shards, storeId: row.store_id }
}

function lookingOwnership({ heads, shardOf }: PostgresTables): Ownership & { lose(): void } {
  const listeners: ((grant: Grant) => void)[] = []
  const held = new Map<string, Grant>()
  return {
    async acquire(actorKey) {
      const grant = { shard: shardOf(actorKey), epoch: NO_EPOCH }
      await heads.prime(grant, actorKey)
      held.set(actorKey, grant)
      return grant
    },
    held: (actorKey) => held.get(actorKey) ?? null,
    onLost: (listener) => void listeners.push(listener),
    attach: () => undefined,
    used: () => undefined,
    release(_grant, actorKey) {
      held.delete(actorKey)
      heads.forget(actorKey)
    },
    lose() {
      const lost = [...held.values()]
      held.clear()
      for (const grant of lost) for (const listener of listeners) listener(grant)
    },
  }
}

/** What serving keeps for later is not kept; turns are refused as by a store that is closed. */
function readOnly(store: Store, ownership: Ownership, close: () => Promise<void>): Store {
  const journal = over(store.journal, {
    append: () => Promise.reject(new Error('the store is only looked at')),
    health: () => ({ ...store.journal.health(), state: 'closed' }),
  })
  return {
    ...store,
    ownership,
    journal,
    snapshots: over(store.snapshots, { put: async () => ({ bytes: 0 }) }),
    recallImages: NO_IMAGES,
    ledger: over(store.ledger, { append: async () => undefined }),
    history: over(store.history, { note: () => undefined }),
    erasureMarks: over(store.erasureMarks, {
      async *marked() {},
      put: async () => undefined,
      remove: async () => undefined,
    }),
    cluster: null,
    close,
  }
}
