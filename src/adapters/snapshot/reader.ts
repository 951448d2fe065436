import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import type { ImageSection, StateImage } from '../../core/model/image.ts'
import type { Files } from '../../ports/files.ts'
import { createPacker } from '../binary/msgpack.ts'
import { DamagedFileError } from '../files/damage.ts'
import { type Head, namedNumbers } from '../record-file/format.ts'
import { withRecordFile } from '../record-file/reader.ts'
import { MemoryRows } from './memory-rows.ts'
import { CHUNK_HEAD_BYTES } from './writer.ts'

/** Whose snapshot a file is, as its content says. */
export interface SnapshotIdentity {
  readonly actorKey: string
  readonly seq: number
  readonly bytes: number
}

export interface ReadSnapshot extends SnapshotIdentity {
  readonly image: StateImage
}

/**
 * The whole snapshot, every checksum compared, with a turn of the event loop after every chunk. Rejects as `RecordFile`.
 */
export async function readSnapshot(files: Files, path: string): Promise<ReadSnapshot> {
  return withRecordFile(files, path, 'snapshot', async (file) => {
    const { head, fileBytes } = file.layout
    const { actorKey, sections: counts, ...identity } = headerIn(head)
    const sections = await readSections(file.records(), counts)
    return { actorKey, seq: head.seq, bytes: fileBytes, image: { ...identity, sections } }
  })
}

/** Compares every checksum and decodes no row: a small part of the work. Rejects as `readSnapshot` does. */
export async function checkSnapshot(files: Files, path: string): Promise<SnapshotIdentity> {
  return withRecordFile(files, path, 'snapshot', async (file) => {
    for await (const _ of file.records()) await nextTurnOfLoop()
    const { head, fileBytes } = file.layout
    return { actorKey: headerIn(head).actorKey, seq: head.seq, bytes: fileBytes }
  })
}

/** Only the header: whose snapshot it is. Rejects as `readSnapshot` does; says nothing of the rows. */
export async function readSnapshotKey(files: Files, path: string): Promise<string> {
  return withRecordFile(files, path, 'snapshot', async ({ layout }) => headerIn(layout.head).actorKey)
}

interface SectionCount {
  readonly name: string
  readonly rows: number
}

async function readSections(
  chunks: AsyncIterable<Buffer>,
  counts: readonly SectionCount[],
): Promise<readonly ImageSection[]> {
  const packer = createPacker({ isTabular: true })
  const sections = counts.map(({ name }): { name: string; rows: unknown[] } => ({ name, rows: [] }))
  const memories = new MemoryRows()
  let current = 0
  for await (const chunk of chunks) {
    if (chunk.length < CHUNK_HEAD_BYTES) throw new DamagedFileError('chunk: too short')
    const place = chunk.readUInt16LE(0)
    const section = sections[place]
    if (section === undefined || place < current) throw new DamagedFileError('chunk: not in order')
    const body = chunk.subarray(CHUNK_HEAD_BYTES)
    const rows = (section.name === 'memories' ? memories.read(body) : null) ?? unpackedRows(packer, body)
    if (!Array.isArray(rows) || rows.length !== chunk.readUInt16LE(2)) {
      throw new DamagedFileError('chunk: not the rows it announces')
    }
    current = place
    for (const row of rows) section.rows.push(row)
    await nextTurnOfLoop()
  }
  if (!sections.every((section, index) => section.rows.length === counts[index]?.rows)) {
    throw new DamagedFileError('not as many rows as the header counts')
  }
  return sections
}

function unpackedRows(packer: ReturnType<typeof createPacker>, body: Buffer): unknown {
  try {
    return packer.unpack(body)
  } catch (cause) {
    throw new DamagedFileError('chunk: not msgpack', { cause })
  }
}

/** An image without its rows. */
interface SnapshotHeader extends Omit<StateImage, 'sections'> {
  readonly actorKey: string
  readonly sections: readonly SectionCount[]
}

function headerIn(head: Head): SnapshotHeader {
  const { actorKey, seq } = head
  const { tenantId, scope, schema, stateHash } = head.facts
  if (
    actorKey === null ||
    typeof tenantId !== 'string' ||
    typeof scope !== 'string' ||
    typeof schema !== 'number' ||
    typeof stateHash !== 'string'
  ) {
    throw new DamagedFileError('header: a field is missing')
  }
  const sections = namedNumbers(head, 'sections').map(({ name, number: rows }) => ({ name, rows }))
  return { actorKey, tenantId, scope, schema, seq, stateHash, sections }
}
