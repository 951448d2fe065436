import { Buffer } from 'node:buffer'
import { hash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { madeFolder } from '../../../adapters/files/folders.ts'
import type { Target } from './hosts.ts'
import { type Addition, hasOwn, holdsMemberAt, withAddition, withoutOwn } from './json-text.ts'
import {
  type FileRecord,
  type FileRecords,
  hasBlock,
  readStored,
  removeFolders,
  replaceFile,
  type StoredFile,
  withBlock,
  withoutBlock,
} from './stored-file.ts'

/** What is to become of one file. */
export type FileChange = Awaited<ReturnType<typeof changeOf>>

/** Permissions of a file that is made. */
const NEW_MODE = 0o644

/**
 * The file with our entries, or without them. Where it still is as init wrote it, the bytes of before are known; else our
 * entries are taken out of what it has become.
 * @throws FileRefusal
 */
export async function changeOf(
  target: Target,
  records: FileRecords,
  isUndone: boolean,
  project: string | null,
) {
  const file = await readStored(target.path, project)
  const record = await records.read(file.path)
  /** As it was before init came; null: there was none. */
  const base = baseOf(file, record, target)
  /** Null: there is to be none. */
  const after = isUndone ? base : withEntries(base, file.mark, target)
  /** `path`: as the program reads it, for people. */
  return { path: target.path, file, base, after, record }
}

function baseOf(file: StoredFile, record: FileRecord | null, target: Target): Buffer | null {
  if (file.bytes === null || file.text === null) return null
  if (record !== null && record.written === hash('sha256', file.bytes)) {
    return record.before === null ? null : Buffer.from(record.before, 'base64')
  }
  const text = 'table' in target ? withoutBlock(file.text) : withoutOwn(file.text, target.additions)
  return text === file.text ? file.bytes : Buffer.from(`${file.mark}${text}`)
}

function withEntries(base: Buffer | null, mark: string, target: Target): Buffer {
  const text = base === null ? '' : base.toString('utf8').slice(mark.length)
  const made =
    'table' in target
      ? withBlock(text, target.table, target.lines)
      : target.additions.reduce((made, addition) => withNeeded(made, addition), text)
  return Buffer.from(`${base === null ? '' : mark}${made}`)
}

/** What is no entry of ours, such as the version of a file, is added only where it is missing. */
function withNeeded(text: string, addition: Addition): string {
  const isPlain = typeof addition.value !== 'object'
  return isPlain && holdsMemberAt(text, addition) ? text : withAddition(text, addition)
}

/** True: entries of ours are in the file. */
export async function isSetUp(target: Target): Promise<boolean> {
  const { text } = await readStored(target.path, null)
  if (text === null) return false
  return 'table' in target ? hasBlock(text) : hasOwn(text, target.additions)
}

export function isChanged({ file, after }: FileChange): boolean {
  return after === null ? file.bytes !== null : file.bytes?.equals(after) !== true
}

/** Writes the file, and what undo has to know of it. */
export async function carryOut(change: FileChange, records: FileRecords, isUndone: boolean): Promise<void> {
  const { file, after, base, record } = change
  const { path } = file
  if (isUndone) {
    if (after === null) await rm(path)
    else await replaceFile(path, after, file.mode ?? NEW_MODE)
    await records.remove(path)
    if (after === null) await removeFolders(record?.folders ?? [])
    return
  }
  if (after === null) return
  const made = madeFolder(dirname(path))
  // Before the file: a record that nothing was written for says so by its hash.
  const before = base === null ? null : base.toString('base64')
  await records.write({
    path,
    written: hash('sha256', after),
    before,
    folders: [...(file.bytes === null ? [] : (record?.folders ?? [])), ...made],
  })
  await replaceFile(path, after, file.mode ?? NEW_MODE)
}
