import type { VectorKey, VectorStore } from '../../ports/store.ts'
import { type Database, packed, pagedRows, type Row, rowsOf } from './database.ts'
import { fencedStatement, type PostgresTables } from './tables.ts'

const APPEND = fencedStatement(`done as (
      insert into memgov.vector (shard, actor, memory_id, ordinal, updated_at_ms, model, vector)
      select $1, $3, r.memory_id, r.ordinal, r.updated_at_ms, $4,
             case when r.bytes > 0 then substring($8::bytea from r.at for r.bytes) end
        from owned, unnest($5::text[], $6::bigint[], $7::bigint[], $9::int[], $10::int[])
          as r (memory_id, ordinal, updated_at_ms, at, bytes)
      on conflict (shard, actor, memory_id) do update set ordinal = excluded.ordinal,
        updated_at_ms = excluded.updated_at_ms, model = excluded.model, vector = excluded.vector returning 1)`)
const DROP = fencedStatement(`done as (
      delete from memgov.vector v using owned
       where v.shard = $1 and v.actor = $3 and v.memory_id = any ($4::text[]) returning 1)`)
const LOAD = `select memory_id, ordinal, updated_at_ms, vector from memgov.vector
    where shard = $1 and actor = $2 and memory_id > $3 and (vector is null or model = $4)
    order by memory_id limit 500`
const KEYS = `select memory_id, ordinal, updated_at_ms from memgov.vector
    where shard = $1 and actor = $2 and memory_id > $3 order by memory_id limit 5000`
const ANY = 'select exists (select from memgov.vector) as there'
const PIECE_ROWS = 200

export async function hasVectors(database: Database): Promise<boolean> {
  const [row] = await rowsOf(database, ANY, [])
  return row?.['there'] === true
}

export function vectorsIn({ database, writer, shardOf, ...tables }: PostgresTables): VectorStore {
  /** Empty: rows are only taken away, and those that want no vector written. */
  const model = tables.model ?? ''
  const stored = (statement: string, actorKey: string, more: readonly unknown[]): AsyncGenerator<Row> => {
    const shard = shardOf(actorKey)
    return pagedRows(database, statement, (last) => [shard, actorKey, last?.['memory_id'] ?? '', ...more])
  }

  return {
    async load(actorKey, take) {
      for await (const row of stored(LOAD, actorKey, [model])) {
        const { vector } = row
        take({ ...keyIn(row), vector: Buffer.isBuffer(vector) ? floatsIn(vector) : null })
      }
    },
    async append(grant, actorKey, rows) {
      const newest = [...new Map(rows.map((row) => [row.memoryId, row])).values()]
      for (let from = 0; from < newest.length; from += PIECE_ROWS) {
        const piece = newest.slice(from, from + PIECE_ROWS)
        const { bytes, places, sizes } = packed(piece.map(({ vector }) => bytesOf(vector)))
        await writer.write(APPEND, grant, [
          actorKey,
          model,
          piece.map(({ memoryId }) => memoryId),
          piece.map(({ ordinal }) => ordinal),
          piece.map(({ updatedAtMs }) => updatedAtMs),
          bytes,
          places,
          sizes,
        ])
      }
    },
    async keepOnly(grant, actorKey, keeps) {
      const gone: string[] = []
      for await (const row of stored(KEYS, actorKey, [])) {
        const key = keyIn(row)
        if (!keeps(key)) gone.push(key.memoryId)
      }
      // Without a row to take out the grant is still looked at: a write is refused to whoever is not the owner.
      return (await writer.write(DROP, grant, [actorKey, gone])) > 0 ? 1 : 0
    },
  }
}

function keyIn(row: Row): VectorKey {
  return {
    memoryId: String(row['memory_id']),
    ordinal: Number(row['ordinal']),
    updatedAtMs: Number(row['updated_at_ms']),
  }
}

function bytesOf(vector: Float32Array | null): Buffer {
  return vector === null ? Buffer.alloc(0) : Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
}

/** Memory of its own, on a boundary of four bytes. */
function floatsIn(bytes: Buffer): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer)
}
