import type { MemoryRecord } from '../model/record.ts'
import { type ActorState, liveRecord } from '../model/state.ts'
import { isVisibleTo } from '../model/visibility.ts'
import type { TextHits } from '../rerank/signals.ts'
import { entitiesIn } from '../text/entities.ts'
import type { GuideCommand } from './entry.ts'

// What a task changed tells which of the many memories that share little with its question are about it: those that name
// the same file.

/** Of a text that is read for paths, the beginning: of what the task did, and of the hits. Characters. */
const TASK_CHARS_MAX = 300
const READ_CHARS_MAX = 1_000
/** Of the memory of the task, the first. */
const TASK_MEMORIES_MAX = 8
/** Files of the asked task. */
const FILES_MAX = 32
/** A file that more of the hits name, like a list of dependencies, tells nothing of one of them. */
const NAMED_BY_MAX = 3
/** Memories that are found so. */
export const TASK_FILE_MEMORIES_MAX = 4

/**
 * General memories among the hits that name a file of what the asked task did, in the order of the hits. A name without a
 * folder is too common to tell.
 * @param ofTask memory of the asked task that may be acted on
 */
export function aboutTaskFiles(
  state: ActorState,
  { consumer }: GuideCommand,
  { slots }: TextHits,
  ofTask: readonly MemoryRecord[],
): readonly MemoryRecord[] {
  const files = [
    ...new Set(ofTask.slice(0, TASK_MEMORIES_MAX).flatMap((record) => filesOf(record, TASK_CHARS_MAX))),
  ].slice(0, FILES_MAX)
  if (files.length === 0) return []
  const naming = new Map<string, MemoryRecord[]>()
  for (let place = 0; place < slots.length; place += 1) {
    const memoryId = state.records[slots[place] ?? -1]?.memoryId
    const record = memoryId === undefined ? undefined : liveRecord(state, memoryId)
    if (record === undefined || record.domain !== 'general' || !isVisibleTo(record.audience, consumer))
      continue
    for (const file of filesNamed(record, files)) naming.set(file, [...(naming.get(file) ?? []), record])
  }
  const telling = [...naming.values()].filter(({ length }) => length <= NAMED_BY_MAX)
  return [...new Set(telling.flat())].slice(0, TASK_FILE_MEMORIES_MAX)
}

/** Those of the files that a memory names. */
function filesNamed(record: MemoryRecord, files: readonly string[]): readonly string[] {
  const { text, targetFiles } = record.content
  // Most texts name none, which is seen faster than what they name.
  const read = (targetFiles.join('\n') + text.slice(0, READ_CHARS_MAX)).toLowerCase()
  if (!files.some((file) => read.includes(file))) return []
  const named = filesOf(record, READ_CHARS_MAX)
  return files.filter((file) => named.includes(file))
}

/** Paths with a folder, in small letters and from the first letter on: a text is read so. */
function filesOf({ content }: MemoryRecord, charsMax: number): readonly string[] {
  const told = [
    content.title ?? '',
    content.text.slice(0, charsMax),
    (content.summary ?? '').slice(0, charsMax),
  ].join('\n')
  const inText = entitiesIn(told, (kind) => kind === 'path')?.get('path') ?? []
  const files = [...content.targetFiles.map((file) => file.toLowerCase().replace(/^[./]+/, '')), ...inText]
  return files.filter((file) => file.includes('/'))
}
