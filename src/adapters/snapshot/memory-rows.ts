import {
  CompactContent,
  CompactRecord,
  compactHistory,
  type OwnFields,
  RecentParts,
} from '../../core/model/compact-record.ts'
import {
  CONTENT_FIELDS,
  type Codec,
  type History,
  MEMORY_FIELDS,
  type Part,
  type Provenance,
  RecentPart,
  type Remarks,
  sharedFacets,
} from '../../core/model/memory-fields.ts'
import type { Audience, Facets } from '../../core/model/record.ts'
import { type Span, TableCursor, UnreadTable } from '../binary/table-cursor.ts'

type Row = Record<string, unknown>
type Table = Readonly<Record<string, { readonly codec: Codec; readonly part: Part }>>

/**
 * Rows of memories as the records that the state keeps. Of a row that says the same as the one before, but for its text,
 * id and times, nothing else is made: a million rows as objects of their own take a gigabyte that the collector goes
 * through again and again while they are read.
 */
export class MemoryRows {
  readonly #cursor = new TableCursor()
  readonly #contents = new TableRows(this.#cursor, CONTENT_FIELDS, () => this.#content())
  readonly #records = new TableRows(this.#cursor, MEMORY_FIELDS, () => this.#content())
  readonly #parts = new RecentParts()
  readonly #audiences = new RecentPart<Audience>(['lane', 'ownerAgentId', 'ownerTeamId'], (own) => own)
  #remarks: Remarks | null = null
  #common: CommonParts | null = null

  /** The records of a chunk. Null: it holds something else than records as they are written now. */
  read(body: Buffer): readonly CompactRecord[] | null {
    const records: CompactRecord[] = []
    const cursor = this.#cursor
    try {
      cursor.begin(body)
      for (let left = cursor.list(); left > 0; left -= 1) records.push(this.#record())
      return cursor.isAtEnd ? records : null
    } catch (error) {
      if (error instanceof UnreadTable) return null
      throw error
    }
  }

  #record(): CompactRecord {
    const rows = this.#records
    const row = rows.read()
    if (rows.hasChanged || this.#common === null) this.#common = this.#commonOf(rows.repeated())
    const { audience, facets, provenance, history } = this.#common
    // The table says what each field holds, and the cursor that a row has these fields.
    const { content, ...own } = row as Omit<OwnFields, 'audience' | 'facets'> & { content: CompactContent }
    return new CompactRecord({ ...own, audience, facets }, content, provenance, history)
  }

  #commonOf(row: Row): CommonParts {
    const fields = row as Provenance & History & { audience: Audience; facets: Facets }
    return {
      audience: this.#audiences.same(fields.audience),
      facets: sharedFacets(fields.facets),
      provenance: this.#parts.provenances.same(fields),
      history: compactHistory(fields),
    }
  }

  #content(): CompactContent {
    const rows = this.#contents
    const { text, title } = rows.read() as { text: string; title: string | null }
    if (rows.hasChanged || this.#remarks === null)
      this.#remarks = this.#parts.remarks.same(rows.repeated() as Remarks)
    return new CompactContent(text, title, this.#remarks)
  }
}

interface CommonParts {
  readonly audience: Audience
  readonly facets: Facets
  readonly provenance: Provenance
  readonly history: History
}

/** Fields that stand beside one another and are read alike: one by one, or all of them as in the row before. */
interface Run {
  readonly isRepeated: boolean
  readonly names: readonly string[]
}

/** Rows of one table of fields. A field that is not of each memory alone is read again only where its bytes differ. */
class TableRows {
  readonly #cursor: TableCursor
  readonly #table: Table
  readonly #names: readonly string[]
  readonly #runs: readonly Run[]
  readonly #spans: (Span<Row> | null)[]
  readonly #readContent: () => unknown
  #keys: readonly string[] = []
  hasChanged = false

  constructor(cursor: TableCursor, table: Table, readContent: () => unknown) {
    this.#cursor = cursor
    this.#table = table
    this.#names = Object.keys(table)
    this.#runs = runsOf(table)
    this.#spans = this.#runs.map(() => null)
    this.#readContent = readContent
  }

  read(): Row {
    this.#readKeys()
    const own: Row = {}
    this.hasChanged = false
    for (let at = 0; at < this.#runs.length; at += 1) {
      const run = this.#runs[at]
      if (run === undefined) continue
      if (!run.isRepeated) {
        this.#readInto(own, run)
        continue
      }
      const before = this.#spans[at] ?? null
      const span = this.#cursor.again(before, () => this.#readInto({}, run))
      this.hasChanged ||= span !== before
      this.#spans[at] = span
    }
    return own
  }

  repeated(): Row {
    return Object.assign({}, ...this.#spans.map((span) => span?.value))
  }

  /** A list of keys is that of a shape: compared once for all rows that have it. */
  #readKeys(): void {
    const keys = this.#cursor.record()
    if (keys === this.#keys) return
    const isSame = keys.length === this.#names.length && keys.every((key, at) => key === this.#names[at])
    if (!isSame) throw new UnreadTable('a record of other keys')
    this.#keys = keys
  }

  #readInto(row: Row, { names }: Run): Row {
    for (const name of names) row[name] = this.#value(this.#table[name]?.codec ?? 'any')
    return row
  }

  #value(codec: Codec): unknown {
    switch (codec) {
      case 'text':
        return this.#cursor.text()
      case 'number':
        return this.#cursor.number()
      case 'content':
        return this.#readContent()
      default:
        return this.#cursor.value()
    }
  }
}

function runsOf(table: Table): readonly Run[] {
  const runs: { isRepeated: boolean; names: string[] }[] = []
  for (const [name, { part }] of Object.entries(table)) {
    const isRepeated = part !== 'own'
    const last = runs.at(-1)
    if (last?.isRepeated === isRepeated) last.names.push(name)
    else runs.push({ isRepeated, names: [name] })
  }
  return runs
}
