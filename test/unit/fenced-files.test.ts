import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fencedFiles, nodeFiles } from '../../src/adapters/files/node-files.ts'
import { dataFolder } from '../harness/data-folder.ts'

const BYTES = Buffer.from('kept')

test('a fence lets what is under way end, refuses every later change and no read', async () => {
  const dir = dataFolder()
  const { files, fence } = fencedFiles(nodeFiles)
  const path = join(dir, 'one')
  const fd = await files.open(path, 'create')
  let isWritten = false
  const writing = files.pwrite(fd, BYTES, 0).then(() => {
    isWritten = true
  })
  await fence()
  expect(isWritten).toBe(true)
  await writing
  const changes: readonly (() => Promise<unknown>)[] = [
    () => files.open(join(dir, 'two'), 'create'),
    () => files.open(path, 'write'),
    () => files.open(path, 'replace'),
    () => files.pwrite(fd, BYTES, 4),
    () => files.rename(path, join(dir, 'three')),
    () => files.unlink(path),
    () => files.mkdir(join(dir, 'four')),
    () => files.truncate(fd, 0),
  ]
  for (const change of changes) await expect(change()).rejects.toThrow('was given back')
  await files.close(fd)
  expect(await files.readdir(dir)).toEqual(['one'])
  const reading = await files.open(path, 'read')
  const into = new Uint8Array(8)
  expect(await files.pread(reading, into, 0)).toBe(BYTES.length)
  expect(Buffer.from(into.subarray(0, 4))).toEqual(BYTES)
  await files.close(reading)
})

test('a change that fails is not waited for again', async () => {
  const { files, fence } = fencedFiles(nodeFiles)
  await expect(files.unlink(join(dataFolder(), 'absent'))).rejects.toThrow('ENOENT')
  await fence()
})
