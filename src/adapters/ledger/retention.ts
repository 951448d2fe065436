import { basename, join } from 'node:path'
import type { Files } from '../../ports/files.ts'
import { createDurably } from '../files/durable-file.ts'
import type { LedgerFile } from './format.ts'

/** Removing goes down to this part of the budget, so that not every append removes a file. */
const BUDGET_PART_LEFT = 0.95

/** Files to remove, oldest first: all from before `keptFromMs`, then as many as the budget asks for. */
export function doomedFiles(
  files: readonly LedgerFile[],
  keptFromMs: number,
  budgetBytes: number,
): readonly LedgerFile[] {
  const oldestFirst = files.toSorted((a, b) => a.newestMs - b.newestMs)
  let bytesLeft = files.reduce((sum, file) => sum + file.bytes, 0)
  const bytesAllowed = bytesLeft > budgetBytes ? budgetBytes * BUDGET_PART_LEFT : budgetBytes
  const doomed: LedgerFile[] = []
  for (const file of oldestFirst) {
    if (file.newestMs >= keptFromMs && bytesLeft <= bytesAllowed) break
    doomed.push(file)
    bytesLeft -= file.bytes
  }
  return doomed
}

/** Remembers, over restarts, the newest guide that retention removed: an empty file `removed-until.<ms>`. */
export interface RemovalMark {
  /** Time of that guide, 0 before the first removal. */
  readonly removedUntilMs: number
  /** Resolves when durable; never goes back. */
  raise(untilMs: number): Promise<void>
}

const MARK = /^removed-until\.(\d{1,16})$/
const MARK_DRAFT = 'removed-until'

/** The time in the name of a removal mark; null for any other path. */
export function removedUntilMsOf(path: string): number | null {
  const [, untilMs] = MARK.exec(basename(path)) ?? []
  return untilMs === undefined ? null : Number(untilMs)
}

/** `names`: what lies in `folder`. Of several marks, which a crash may leave, the highest counts. */
export async function openRemovalMark(
  files: Files,
  folder: string,
  names: readonly string[],
): Promise<RemovalMark> {
  const marks = names.flatMap((name) => removedUntilMsOf(name) ?? [])
  let removedUntilMs = Math.max(0, ...marks)
  const unlinkMark = (untilMs: number): Promise<void> =>
    files.unlink(join(folder, `${MARK_DRAFT}.${untilMs}`))
  for (const untilMs of marks) if (untilMs < removedUntilMs) await unlinkMark(untilMs)
  return {
    get removedUntilMs() {
      return removedUntilMs
    },
    async raise(untilMs) {
      if (untilMs <= removedUntilMs) return
      const before = removedUntilMs
      const target = { folder, draftName: MARK_DRAFT, nameOf: () => `${MARK_DRAFT}.${untilMs}` }
      await createDurably(files, target, async () => undefined)
      removedUntilMs = untilMs
      if (before > 0) await unlinkMark(before)
    },
  }
}
