import { basename, join } from 'node:path'
import type { Files } from '../../ports/files.ts'
import { createDurably } from '../files/durable-file.ts'
import { doomedFiles } from '../files/retention.ts'
import type { LedgerFile } from './format.ts'

/** Removing goes down to this part of the budget, so that not every append removes a file. */
const BUDGET_PART_LEFT = 0.95

/** Files to remove, oldest first: all from before `keptFromMs`, then as many as the budget asks for. */
export function beyondRetention(
  files: readonly LedgerFile[],
  keptFromMs: number,
  budgetBytes: number,
): readonly LedgerFile[] {
  const judged = files.map((file) => ({ name: file.name, bytes: file.bytes, atMs: file.newestMs, file }))
  const isOver = judged.reduce((sum, { bytes }) => sum + bytes, 0) > budgetBytes
  const limits = {
    keptFromMs,
    budgetBytes: isOver ? budgetBytes * BUDGET_PART_LEFT : budgetBytes,
    fixedBytes: 0,
  }
  return doomedFiles([judged.sort((a, b) => a.atMs - b.atMs)], limits).map(({ file }) => file)
}

const MARK = /^removed-until\.(\d{1,16})$/
const MARK_DRAFT = 'removed-until'

/** The time in the name of a removal mark; null for any other path. */
export function removedUntilMsOf(path: string): number | null {
  const [, untilMs] = MARK.exec(basename(path)) ?? []
  return untilMs === undefined ? null : Number(untilMs)
}

export type RemovalMark = Awaited<ReturnType<typeof openRemovalMark>>

/**
 * Remembers, over restarts, the newest guide that retention removed: an empty file `removed-until.<ms>`. `names`: what lies in
 * `folder`. Of several marks, which a crash may leave, the highest counts.
 */
export async function openRemovalMark(files: Files, folder: string, names: readonly string[]) {
  const marks = names.flatMap((name) => removedUntilMsOf(name) ?? [])
  let removedUntilMs = Math.max(0, ...marks)
  const unlinkMark = (untilMs: number): Promise<void> =>
    files.unlink(join(folder, `${MARK_DRAFT}.${untilMs}`))
  for (const untilMs of marks) if (untilMs < removedUntilMs) await unlinkMark(untilMs)
  return {
    /** Time of that guide, 0 before the first removal. */
    get removedUntilMs() {
      return removedUntilMs
    },
    /** Resolves when durable; never goes back. */
    async raise(untilMs: number): Promise<void> {
      if (untilMs <= removedUntilMs) return
      const before = removedUntilMs
      const target = { folder, draftName: MARK_DRAFT, nameOf: () => `${MARK_DRAFT}.${untilMs}` }
      await createDurably(files, target, async () => undefined)
      removedUntilMs = untilMs
      if (before > 0) await unlinkMark(before)
    },
  }
}
