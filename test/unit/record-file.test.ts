import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createDurably, DamagedFileError, NewerFileError } from '../../src/adapters/files/whole-file.ts'
import {
  encodeHead,
  encodeRecord,
  type Head,
  KINDS,
  type Kind,
  RecordWriter,
} from '../../src/adapters/record-file/format.ts'
import { type RecordFile, withRecordFile } from '../../src/adapters/record-file/reader.ts'
import { MemoryDisk } from '../crash/snapshot-disk.ts'
import { provingAsync } from '../support/prove.ts'
import { oldFiles } from './golden-files.ts'
import { ofNewerVersion } from './record-file-fixtures.ts'

const PATH = '/data/file'
const GROWING: readonly Kind[] = ['vectors', 'notes']
const SEARCHED: readonly Kind[] = ['exposures', 'history', 'pack']
const kinds = Object.keys(KINDS) as readonly Kind[]
const whole = kinds.filter((kind) => !GROWING.includes(kind))

/** Keys in the order of a directory. */
const keyOf = (place: number) => ({
  key: (place >> 1).toString(16).padStart(32, '0'),
  number: place % 2 === 0 ? 1 : 2 ** 40,
})
const BODIES = [Buffer.from('one'), Buffer.from('and two'), Buffer.alloc(40, 7), Buffer.from('x')]

function headOf(kind: Kind): Head {
  return { kind, actorKey: 'tenant/scope', seq: 77, facts: { name: 'a fact', count: 3 } }
}

async function contentOf(kind: Kind, bodies: readonly Uint8Array[] = BODIES): Promise<Buffer> {
  if (GROWING.includes(kind)) {
    return Buffer.concat([encodeHead(headOf(kind)), ...bodies.map((body) => encodeRecord(body))])
  }
  const disk = new MemoryDisk('/data')
  await createDurably(
    disk.files,
    { folder: '/data', draftName: 'file', nameOf: () => 'file' },
    async (file) => {
      const writer = await RecordWriter.begin(file, headOf(kind))
      for (const [place, body] of bodies.entries()) {
        if (kind === 'recall_index')
          await writer.appendPieces(body.length, [body.subarray(0, 1), body.subarray(1)])
        else await writer.append(encodeRecord(body), SEARCHED.includes(kind) ? keyOf(place) : null)
      }
      await writer.end()
    },
  )
  return Buffer.from(disk.bytesAt(PATH))
}

/** What a full read gives, in any of the ways in which files are read. */
interface Told {
  readonly head: Head
  readonly bodies: readonly string[]
  /** Records that were passed over, and bytes that end the file without being one. */
  readonly damaged: number
  readonly rest: number
}

async function told(kind: Kind, content: Uint8Array): Promise<Told> {
  const disk = new MemoryDisk('/data')
  await disk.files.close(await disk.files.open(PATH, 'create'))
  disk.damage(PATH, content)
  try {
    return await withRecordFile(disk.files, PATH, kind, (file) => readAll(kind, file))
  } finally {
    expect(disk.openFiles).toBe(0)
  }
}

async function readAll(kind: Kind, file: RecordFile): Promise<Told> {
  const { head, recordsAt, fileBytes } = file.layout
  const bodies: string[] = []
  if (GROWING.includes(kind)) {
    let [damaged, until] = [0, recordsAt]
    for await (const { body, end } of file.grown()) {
      until = end
      if (body === null) damaged += 1
      else bodies.push(body.toString('hex'))
    }
    return { head, bodies, damaged, rest: fileBytes - until }
  }
  const memory = kind === 'recall_index' ? new SharedArrayBuffer(fileBytes - recordsAt) : null
  const isSearched = file.entries > 0
  // Exposure sets of version 1 have no length of their own.
  if (file.layout.frame.bodyBytesOf !== null) {
    for await (const body of file.records(memory)) bodies.push(body.toString('hex'))
  }
  const found: string[] = []
  for await (const { entry, record } of file.stored()) {
    found.push(file.bodyOf(record).toString('hex'))
    expect(await file.placeOf(entry.key, entry.number)).toBe(found.length - 1)
  }
  if (isSearched && file.layout.frame.bodyBytesOf !== null) expect(found).toEqual(bodies)
  return { head, bodies: isSearched ? found : bodies, damaged: 0, rest: 0 }
}

/** No read gives anything but what was written; `full` tells whether something of it is missing. */
async function expectHonest(kind: Kind, content: Uint8Array, full: Told, what: string): Promise<void> {
  const found = await told(kind, content).catch((error: unknown) => error)
  if (found instanceof Error) {
    expect(found, what).toBeInstanceOf(DamagedFileError)
    return
  }
  const { head, bodies, damaged, rest } = found as Told
  expect(GROWING.includes(kind), `${what} is passed over in silence`).toBe(true)
  expect(head, what).toEqual(full.head)
  for (const body of bodies) expect(full.bodies, what).toContain(body)
  expect(damaged + rest, what).toBeGreaterThan(0)
}

describe.each(kinds)('a record file of %s', (kind) => {
  test('gives back its header and every record, however many and long they are', async () => {
    const body = fc.uint8Array({ minLength: 1, maxLength: 3000 })
    await provingAsync(15)(fc.array(body, { maxLength: 90 }), async (bodies) => {
      const found = await told(kind, await contentOf(kind, bodies))
      const hex = bodies.map((each) => Buffer.from(each).toString('hex'))
      expect(found).toEqual({ head: headOf(kind), bodies: hex, damaged: 0, rest: 0 })
    })
  })

  test('with any byte changed says that it is damaged, and gives nothing that was not written', async () => {
    const content = await contentOf(kind)
    const full = await told(kind, content)
    for (let at = 0; at < content.length; at += 1) {
      for (const flip of [0x01, 0x80, 0xff]) {
        const changed = Buffer.from(content)
        changed[at] = (changed[at] ?? 0) ^ flip
        await expectHonest(kind, changed, full, `byte ${at} ^ ${flip}`)
      }
    }
  })

  test('cut off or continued anywhere says so; one that grows is whole where a record ends', async () => {
    const content = await contentOf(kind)
    const full = await told(kind, content)
    const ends = GROWING.includes(kind)
      ? [0, 1, 2, 3, 4].map((count) => content.length - tailBytes(count))
      : []
    for (let bytes = 0; bytes < content.length; bytes += 1) {
      if (ends.includes(bytes)) {
        const { bodies, rest } = await told(kind, content.subarray(0, bytes))
        expect(full.bodies.slice(0, bodies.length)).toEqual(bodies)
        expect(rest).toBe(0)
      } else await expectHonest(kind, content.subarray(0, bytes), full, `cut at ${bytes}`)
    }
    for (const more of [Buffer.alloc(1), Buffer.alloc(5000), Buffer.alloc(9, 1), content]) {
      await expectHonest(kind, Buffer.concat([content, more]), full, `${more.length} more`)
    }
  })

  test('of a newer version is no damage, and of another kind is', async () => {
    const content = await contentOf(kind)
    await expect(told(kind, ofNewerVersion(content))).rejects.toThrow(NewerFileError)
    for (const other of kinds) {
      if (other !== kind) await expect(told(other, content)).rejects.toThrow(DamagedFileError)
    }
  })
})

/** Bytes of the last so many records. */
function tailBytes(count: number): number {
  return BODIES.slice(BODIES.length - count).reduce((sum, body) => sum + 8 + body.length, 0)
}

test.each(whole)('two whole files of %s put together of their halves are damaged', async (kind) => {
  const [a, b] = [await contentOf(kind), await contentOf(kind, [...BODIES].reverse())]
  const full = await told(kind, a)
  expect(a).toHaveLength(b.length)
  for (let at = 1; at < a.length; at += 1) {
    const mixed = Buffer.concat([a.subarray(0, at), b.subarray(at)])
    if (!mixed.equals(a) && !mixed.equals(b)) await expectHonest(kind, mixed, full, `joined at ${at}`)
  }
})

describe('a file of version 1', () => {
  test.each(oldFiles())(
    '$kind $name is damaged when a byte is changed or it is cut off',
    async ({ kind, content }) => {
      const full = await told(kind, content)
      expect(full.bodies.length).toBeGreaterThan(0)
      const stride = Math.max(1, Math.floor(content.length / 600))
      for (let at = 0; at < content.length; at += at < 100 || at > content.length - 100 ? 1 : stride) {
        const changed = Buffer.from(content)
        changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
        // The version of a note file had no checksum: a changed one is taken for that of a newer program, or means nothing.
        if (kind !== 'notes' || at < 4 || at >= 8) await expectHonest(kind, changed, full, `byte ${at}`)
      }
      for (let bytes = 0; bytes < content.length; bytes += stride) {
        const found = await told(kind, content.subarray(0, bytes)).catch((error: unknown) => error)
        if (found instanceof Error) expect(found).toBeInstanceOf(DamagedFileError)
        else expect(full.bodies.slice(0, (found as Told).bodies.length)).toEqual((found as Told).bodies)
      }
    },
  )
})
