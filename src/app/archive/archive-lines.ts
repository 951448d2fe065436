import { createHash, type Hash } from 'node:crypto'
import { z } from 'zod'
import { SCOPE, TENANT_ID } from '../../contract/fields.ts'
import { assert } from '../../core/base/assert.ts'

const DAMAGED = 'it is not what was written: take another copy of the archive, or export again'

/** An archive that cannot be imported: its file, the line, what is wrong with it and what to do. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
  readonly line: number

  constructor(path: string, line: number, what: string, action: string = DAMAGED) {
    super(`${path} line ${line}: ${what}; ${action}`)
    this.line = line
  }
}

// JSON has no bytes. An object whose only key is `$b64` stands for them; an object of a caller that looks like this gets
// one more `$` in front of its key, and loses it again.
//
//   bytes                {"$b64":"AQID"}
//   {"$b64": value}      {"$$b64": value}
const BYTES_KEY = '$b64'
const LOOKS_TAGGED = /^\$+b64$/

/** A row or an exposure as JSON takes it. Throws an InvariantError on what the store would not take either. */
export function toJson(value: unknown): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') {
    assert(Number.isFinite(value), 'only finite numbers are archived')
    return value
  }
  if (value instanceof Uint8Array) return { [BYTES_KEY]: Buffer.from(value).toString('base64') }
  if (Array.isArray(value)) return value.map(toJson)
  assert(typeof value === 'object', `a value of type ${typeof value} is not archived`)
  const entries = Object.entries(value)
  const isTagged = entries.length === 1 && LOOKS_TAGGED.test(entries[0]?.[0] ?? '')
  // fromEntries defines its keys, so that `__proto__` is an ordinary one.
  return Object.fromEntries(entries.map(([key, item]) => [isTagged ? `$${key}` : key, toJson(item)]))
}

/** The value that `toJson` was given. Bytes come back as Buffers. */
export function fromJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromJson)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const [key, item]: readonly unknown[] = entries.length === 1 ? (entries[0] ?? []) : []
  if (key === BYTES_KEY && typeof item === 'string') return Buffer.from(item, 'base64')
  const isTagged = typeof key === 'string' && LOOKS_TAGGED.test(key)
  return Object.fromEntries(entries.map(([name, each]) => [isTagged ? name.slice(1) : name, fromJson(each)]))
}

export const ARCHIVE_FORMAT = 'memgov archive'
export const ARCHIVE_VERSION = 1

const count = z.int().min(0)
const tenantId = z.string().regex(TENANT_ID)
const scope = z.string().regex(SCOPE)

// An archive: one JSON object a line, UTF-8, each line ended by a line feed.
//
//   archive                        which store, when, by whom
//   actor                          begins an actor
//   row          0 or more         of its state image, in the order of sections
//   exposure     0 or more         of its ledger, in the order of guide traces
//   actor_end                      ends it, sealed
//   … more actors
//   manifest                       the last line, sealed
//
// A seal is the SHA-256 over the bytes before `,"sha256":"` in the sealed line and over what it seals: `actor_end` its
// own lines from `actor` on; `manifest` the `archive` line and every `actor_end` line. So each byte of the file is under one.
export const HeadLine = z.strictObject({
  kind: z.literal('archive'),
  format: z.literal(ARCHIVE_FORMAT),
  version: z.literal(ARCHIVE_VERSION),
  store_id: z.string(),
  created_at: z.string(),
  package_version: z.string(),
  /** The only tenant and scope that were asked for; null: all. */
  tenant_id: z.string().nullable(),
  scope: z.string().nullable(),
  /** Exposure sets of this moment and before may be gone; 0: none is. */
  exposures_removed_until_ms: count,
})
export type HeadLine = z.output<typeof HeadLine>

export const ActorLine = z.strictObject({
  kind: z.literal('actor'),
  tenant_id: tenantId,
  scope,
  seq: count,
  schema: count,
  /** Of the whole state, as a snapshot has it. */
  digest: z.string(),
  /** Every section of the state image with its number of rows, in order. */
  sections: z.array(z.tuple([z.string(), count])),
  /** Memories that must not be embedded: id, ordinal and moment of the writing. Absent: none. */
  not_embedded: z.array(z.tuple([z.string(), count, count])).optional(),
})
export type ActorLine = z.output<typeof ActorLine>

export const RowLine = z.strictObject({ kind: z.literal('row'), section: z.string(), row: z.unknown() })
export const ExposureLine = z.strictObject({ kind: z.literal('exposure'), exposure: z.unknown() })

export const ActorEndLine = z.strictObject({
  kind: z.literal('actor_end'),
  rows: count,
  exposures: count,
  sha256: z.string(),
})

export const LeftOut = z.strictObject({ tenant_id: z.string(), scope: z.string(), reason: z.string() })
export type LeftOut = z.output<typeof LeftOut>

export const ManifestLine = z.strictObject({
  kind: z.literal('manifest'),
  actors: count,
  rows: count,
  exposures: count,
  /** Damaged actors that are not in the archive. */
  left_out: z.array(LeftOut),
  sha256: z.string(),
})
export type ManifestLine = z.output<typeof ManifestLine>

/** What an exposure set must have to be found again; the rest is kept as it is. */
export const ExposureShape = z.looseObject({
  guideTraceId: z.string(),
  memoryIds: z.array(z.string()),
  surfaces: z.array(z.string()),
  consumerAgentId: z.string(),
  atMs: z.number(),
  seq: z.int().min(1),
})

export class LineSum {
  readonly #hash: Hash = createHash('sha256')

  add(line: string): void {
    this.#hash.update(`${line}\n`)
  }

  /** The line of `fields` with the seal over everything added and over itself. Adds nothing; use it last. */
  sealed(fields: object): string {
    const open = JSON.stringify(fields).slice(0, -1)
    return `${open},"sha256":"${this.#hash.update(open).digest('hex')}"}`
  }

  /** True when the line carries the seal that `sealed` would give it. Use it last. */
  seals(line: string): boolean {
    const [, open, sum] = SEALED.exec(line) ?? []
    return open !== undefined && this.#hash.update(open).digest('hex') === sum
  }
}

const SEALED = /^(.*),"sha256":"([0-9a-f]{64})"\}$/s
