import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ERASING_FOLDER, listErasureMarks } from '../../src/adapters/erasure/marks.ts'
import { actorKeyHashOf } from '../../src/adapters/files/actor-folders.ts'
import { nodeFiles } from '../../src/adapters/files/node-files.ts'
import { dataFolder } from '../harness/data-folder.ts'

test('an erasure that ends while the marks are read is none of those under way', async () => {
  const dir = dataFolder()
  const folder = join(dir, ERASING_FOLDER)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${actorKeyHashOf('pier/boats')}.erasing`), 'pier/boats')
  const gone = `${actorKeyHashOf('pier/gone')}.erasing`
  const readdir = async (path: string) => [gone, ...(await nodeFiles.readdir(path))]
  const stat = async (path: string) => (await nodeFiles.stat(path)) ?? { bytes: 9, isDirectory: false }
  for (const files of [
    { ...nodeFiles, readdir },
    { ...nodeFiles, readdir, stat },
  ])
    expect(await listErasureMarks(files, dir)).toEqual({ keys: ['pier/boats'], drafts: [], others: [] })
})
