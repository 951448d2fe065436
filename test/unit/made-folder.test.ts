import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, describe, expect, test } from 'vitest'
import { madeFolder } from '../../src/adapters/files/made-folder.ts'

const root = mkdtempSync(join(tmpdir(), 'made-folder-'))
afterAll(() => rmSync(root, { recursive: true }))

describe('A folder is made with those above it', () => {
  test('and names the uppermost one that was missing', () => {
    expect(madeFolder(join(root, 'a/b/c'))).toBe(join(root, 'a'))
    expect(existsSync(join(root, 'a/b/c'))).toBe(true)
    expect(madeFolder(join(root, 'a/b/d'))).toBe(join(root, 'a/b/d'))
    expect(madeFolder(join(root, 'a/b/d'))).toBeNull()
  })

  test('not below a file', () => {
    writeFileSync(join(root, 'file'), '')
    expect(() => madeFolder(join(root, 'file/x'))).toThrow('ENOTDIR')
  })

  test.runIf(process.platform === 'linux')('not where a file system makes none, which ends at once', () => {
    expect(() => madeFolder('/proc/nope/x')).toThrow('ENOENT')
  })
})
