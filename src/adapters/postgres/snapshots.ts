import { assert } from '../../core/base/assert.ts'
import { messageOf } from '../../core/base/errors.ts'
import type { SnapshotStore } from '../../ports/store.ts'
import { rowsOf } from './database.ts'
import { fencedStatement, type PostgresTables } from './tables.ts'

const PART_BYTES = 1024 * 1024
const PAGE_PARTS = 4

// Part by part, each behind the fence: a transaction over all of them would hold the shard for as long as its node stands
// still. What counts is the row of the actor, which changes last.
const PART = fencedStatement(`done as (
      insert into memgov.snapshot (shard, actor, seq, part, bytes)
      select $1, $3, $4, $5, $6 from owned
      on conflict (shard, actor, seq, part) do update set bytes = excluded.bytes returning 1)`)
const COVER = fencedStatement(`done as (
      insert into memgov.actor as a (shard, actor, is_written, covered, snapshot_bytes)
      select $1, $3, true, $4, $5 from owned
      on conflict (shard, actor) do update set is_written = true, covered = $4, snapshot_bytes = $5,
        covered_before = case when a.covered < $4 then a.covered else a.covered_before end
      returning covered, covered_before),
    gone as (
      delete from memgov.snapshot s using done
       where s.shard = $1 and s.actor = $3 and s.seq not in (done.covered, done.covered_before))`)
const KNOWN = 'select covered, covered_before from memgov.actor where shard = $1 and actor = $2'
const PARTS = `select part, bytes from memgov.snapshot
    where shard = $1 and actor = $2 and seq = $3 and part >= $4 order by part limit $5`

/** The newest snapshot of each actor and the one before it. */
export function snapshotsIn(tables: PostgresTables): SnapshotStore {
  const { database, writer, heads, format, clock, log, shardOf } = tables
  let lastAtMs: number | null = null

  const coveredSeqOf = (actorKey: string): number => heads.get(actorKey)?.covered ?? 0
  const storedBytes = async (actorKey: string, seq: number): Promise<Uint8Array> => {
    const pieces: Buffer[] = []
    for (;;) {
      const values = [shardOf(actorKey), actorKey, seq, pieces.length, PAGE_PARTS]
      const rows = await rowsOf(database, PARTS, values)
      for (const { part, bytes } of rows) {
        if (Number(part) !== pieces.length || !Buffer.isBuffer(bytes)) return Buffer.alloc(0)
        pieces.push(bytes)
      }
      if (rows.length < PAGE_PARTS) return Buffer.concat(pieces)
    }
  }

  return {
    async put(grant, actorKey, image) {
      const { seq } = image
      assert(seq >= coveredSeqOf(actorKey), 'a snapshot is not older than the one before it')
      const bytes = await format.encode(actorKey, image)
      for (let at = 0, part = 0; at < bytes.length; at += PART_BYTES, part += 1) {
        const piece = bytes.subarray(at, at + PART_BYTES)
        await writer.write(PART, grant, [actorKey, seq, part, piece])
      }
      await writer.write(COVER, grant, [actorKey, seq, bytes.length])
      const head = heads.under(grant, actorKey)
      if (head !== null) {
        head.covered = seq
        head.seq = Math.max(head.seq, seq)
        head.snapshotBytes = bytes.length
      }
      lastAtMs = clock.nowMs()
      return { bytes: bytes.length }
    },
    async get(actorKey) {
      const [row] = await rowsOf(database, KNOWN, [shardOf(actorKey), actorKey])
      const { covered, covered_before: before } = row ?? {}
      for (const seq of [Number(covered ?? 0), Number(before ?? 0)]) {
        if (seq === 0) continue
        const bytes = await storedBytes(actorKey, seq)
        try {
          return { seq, image: await format.decode(actorKey, bytes) }
        } catch (error) {
          log.error(
            { actor: actorKey, seq, cause: messageOf(error) },
            'a snapshot in the database is damaged',
          )
        }
      }
      return null
    },
    bytesOf: (actorKey) => heads.get(actorKey)?.snapshotBytes ?? 0,
    coveredSeqOf,
    lastAtMs: () => lastAtMs,
  }
}
