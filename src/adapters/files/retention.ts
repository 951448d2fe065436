import type { Clock } from '../../ports/system.ts'
import type { DataFolder } from './whole-file.ts'

/** A folder of files that go by age, and by the bytes of all. */
export interface RetainedFolder extends DataFolder {
  readonly clock: Clock
  /** Files whose newest content is older are removed. */
  readonly retentionMs: number
  /** Of the whole node; over it the oldest files are removed. */
  readonly budgetBytes: number
}

/** A file that may go, with the time by which it is judged. */
export interface KeptFile {
  readonly name: string
  readonly bytes: number
  readonly atMs: number
}

interface RetentionLimits {
  readonly keptFromMs: number
  readonly budgetBytes: number
  /** Bytes of files that cannot go, counted too. */
  readonly fixedBytes: number
}

/**
 * Files to remove, the oldest first: all from before `keptFromMs`, then as many as the budget asks for. Of each of
 * the lists only a beginning goes, whatever a clock that was set back has written into them.
 */
export function doomedFiles<File extends KeptFile>(
  lists: readonly (readonly File[])[],
  limits: RetentionLimits,
): readonly File[] {
  // Taken from their ends: a long list that loses its beginning is copied each time.
  const queues = lists.map((list) => list.toReversed())
  let bytesLeft = limits.fixedBytes + lists.flat().reduce((sum, file) => sum + file.bytes, 0)
  const doomed: File[] = []
  for (;;) {
    const waiting = queues.filter((queue) => queue.length > 0)
    const [oldest] = waiting.toSorted((a, b) => (a.at(-1)?.atMs ?? 0) - (b.at(-1)?.atMs ?? 0))
    const file = oldest?.at(-1)
    if (file === undefined) return doomed
    if (file.atMs >= limits.keptFromMs && bytesLeft <= limits.budgetBytes) return doomed
    oldest?.pop()
    doomed.push(file)
    bytesLeft -= file.bytes
  }
}
