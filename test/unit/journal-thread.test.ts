import { statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { nodeFiles } from '../../src/adapters/files/node-files.ts'
import { openJournal } from '../../src/adapters/journal/file-journal.ts'
import { createWorkerIo } from '../../src/adapters/journal/journal-io.ts'
import { readPositions } from '../../src/adapters/journal/record-index.ts'
import type { JournalRecord } from '../../src/ports/store.ts'
import { GRANT, recordsOf, silentLog } from '../crash/journal-life.ts'
import { dataFolder } from '../harness/data-folder.ts'

describe('journal on a real disk, written by its thread', () => {
  let dir = ''
  beforeEach(() => {
    dir = dataFolder()
  })

  test('records of several segments come back after a restart', async () => {
    const options = { dir, log: silentLog, segmentBytes: 64 * 1024 }
    const journal = await openJournal(options)
    for (let round = 0; round < 5; round += 1) {
      const seqs = [1, 2, 3, 4].map((i) => round * 4 + i)
      const appends = seqs.map((actorSeq) =>
        journal.append(GRANT, { actorKey: 'a/x', actorSeq, payload: new Uint8Array(9000).fill(actorSeq) }),
      )
      await Promise.all(appends)
    }
    expect(journal.segmentCount()).toBeGreaterThan(1)
    await journal.close()

    const next = await openJournal(options)
    const records = await recordsOf(next, 'a/x')
    expect(records.map(({ actorSeq }) => actorSeq)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1))
    expect(records.every(({ actorSeq, payload }) => payload.every((byte) => byte === actorSeq))).toBe(true)
    const read: JournalRecord[] = []
    for await (const record of readPositions(nodeFiles, next.positionsOf('a/x', 1))) read.push(record)
    expect(read).toEqual(records)
    await next.close()
  })

  test('writes that are done at once leave the event loop its turns', async () => {
    const io = createWorkerIo()
    const path = join(dir, 'file')
    const fd = await nodeFiles.open(path, 'create')
    let turns = 0
    const counting = setInterval(() => (turns += 1), 0)
    for (let written = 0; written < 256 && turns === 0; written += 1) {
      io.reserve(512)
      const write = io.write(fd, written * 512, 512, false)
      // What is in the file was answered a moment later: by then this thread has looked at it some more times.
      for (let after = 0; after < 100; after += 1) while (statSync(path).size <= written * 512) continue
      await write
    }
    clearInterval(counting)
    expect(turns).toBeGreaterThan(0)
    await nodeFiles.close(fd)
    await io.close()
  })

  test('the thread reports the error of the system call, and ends when closed', async () => {
    const io = createWorkerIo()
    const path = join(dir, 'file')
    await nodeFiles.close(await nodeFiles.open(path, 'create'))
    const fd = await nodeFiles.open(path, 'read')
    io.reserve(512)
    await expect(io.write(fd, 0, 512, true)).rejects.toMatchObject({ code: 'EBADF' })
    await nodeFiles.close(fd)
    await io.close()
    await io.close()
    await expect(io.write(fd, 0, 512, true)).rejects.toThrow('the journal thread ended')
  })
})
