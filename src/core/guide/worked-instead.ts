import type { Consumer, MemoryRecord } from '../model/record.ts'
import type { ActorState } from '../model/state.ts'
import { isVisibleTo } from '../model/visibility.ts'
import type { GuideEntry } from './entry.ts'

/**
 * For the task of each warning that no shown memory has solved: the newest run that did, when the consumer sees it and
 * may use it. A guide that recalls a failed branch then says what worked, also when that was not recalled.
 */
export function workedElsewhere(
  state: Pick<ActorState, 'memories' | 'bySignature'>,
  shown: readonly GuideEntry[],
  consumer: Consumer,
  isUsable: (record: MemoryRecord) => boolean,
): ReadonlyMap<string, MemoryRecord> {
  const solved = new Set<string | null>([null])
  for (const { surface, record } of shown)
    if (surface === 'use_now' && record.content.outcome === 'succeeded') solved.add(record.taskSignature)
  const found = new Map<string, MemoryRecord>()
  for (const { surface, record } of shown) {
    const task = record.taskSignature
    if (surface !== 'do_not_use' || task === null || solved.has(task)) continue
    solved.add(task)
    const newest = newestSuccess(state, task, consumer, isUsable)
    if (newest !== null) found.set(task, newest)
  }
  return found
}

function newestSuccess(
  state: Pick<ActorState, 'memories' | 'bySignature'>,
  task: string,
  consumer: Consumer,
  isUsable: (record: MemoryRecord) => boolean,
): MemoryRecord | null {
  let newest: MemoryRecord | null = null
  // Mostly the newest last: once one may be used, no older one is judged.
  for (const memoryId of [...(state.bySignature.get(task) ?? [])].reverse()) {
    const record = state.memories.get(memoryId)
    if (record === undefined || record.content.outcome !== 'succeeded') continue
    if (newest !== null && record.ordinal < newest.ordinal) continue
    // The lookup keeps memories that have another signature since.
    if (record.taskSignature !== task || !isVisibleTo(record.audience, consumer) || !isUsable(record))
      continue
    newest = record
  }
  return newest
}
