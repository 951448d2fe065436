import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { madeFolder } from '../../src/adapters/files/folders.ts'
import { dataFolder } from '../harness/data-folder.ts'

const root = dataFolder()
describe('A folder is made with those above it', () => {
  test('and tells which were missing', () => {
    expect(madeFolder(join(root, 'a/b/c'))).toEqual(['a', 'a/b', 'a/b/c'].map((name) => join(root, name)))
    expect(existsSync(join(root, 'a/b/c'))).toBe(true)
    expect(madeFolder(join(root, 'a/b/d'))).toEqual([join(root, 'a/b/d')])
    expect(madeFolder(join(root, 'a/b/d'))).toEqual([])
  })

  test('not below a file', () => {
    writeFileSync(join(root, 'file'), '')
    expect(() => madeFolder(join(root, 'file/x'))).toThrow('ENOTDIR')
  })

  test.runIf(process.platform === 'linux')('not where a file system makes none, which ends at once', () => {
    expect(() => madeFolder('/proc/nope/x')).toThrow('ENOENT')
  })
})
