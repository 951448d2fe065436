import type { StateImage } from '../../core/model/image.ts'
import type { Codec } from '../../ports/codec.ts'
import type { Grant } from '../../ports/store.ts'
import type { Clock } from '../../ports/system.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import type { Schedule } from '../files/schedule.ts'
import type { Database, DatabaseOptions } from './database.ts'
import type { FencedWriter } from './fenced-writer.ts'
import type { Heads } from './heads.ts'
import type { SharedSettings, StoreSync } from './settings.ts'
import type { Step } from './steps.ts'

export interface SnapshotFormat {
  encode(actorKey: string, image: StateImage): Promise<Uint8Array>
  /** Rejects when the bytes are not those of a whole snapshot of the actor. */
  decode(actorKey: string, bytes: Uint8Array): Promise<StateImage>
}

export interface PostgresStoreOptions extends DatabaseOptions {
  readonly clock: Clock
  readonly codec: Codec
  readonly format: SnapshotFormat
  readonly telemetry: Pick<Telemetry, 'journalWrote'>
  readonly schedule: Schedule
  /** Milliseconds of a clock that nobody sets. */
  readonly monotonicMs: () => number
  readonly model: string | null
  readonly sync: StoreSync
  /** Settings that change answers: nodes of one store have the same. */
  readonly shared: SharedSettings
  readonly nodeUrl: string
  readonly version: string
  /** Those of this build, unless a test stands for another one. */
  readonly steps?: readonly Step[]
  readonly exposureRetentionMs: number
  readonly historyRetentionMs: number
  readonly copiesKeptMs: number
  /** How long a shard of which nothing is in memory stays with the node, and how long an answer about others counts. */
  readonly lingerMs?: number
  readonly elsewhereMs?: number
  /** Whether nodes share out what nobody has: they can send requests on to each other. */
  readonly isSharedOut?: boolean
  /** Whether a store that is on its way here is opened by what brings it; false unless given. */
  readonly isArriving?: boolean
  /** Whether what is older than retention stays, as for a command: nodes that serve remove it; false unless given. */
  readonly keepsAll?: boolean
  /** What stands between the store and its database: a test looks at statements there, or spoils them. */
  readonly around?: (database: Database) => Database
}

export interface PostgresTables extends PostgresStoreOptions {
  readonly database: Database
  readonly heads: Heads
  readonly writer: FencedWriter
  readonly shardOf: (actorKey: string) => number
  /** The shard belongs to somebody else, or nobody knows what became of a write: nothing known of it counts any more. */
  readonly onLost: (grant: Grant) => void
}
