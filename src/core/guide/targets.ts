import type { Surface } from '../base/closed-sets.ts'
import type { Content } from '../model/record.ts'
import { clip, foldText } from '../text/escape.ts'

export const TARGETS_PER_MEMORY_MAX = 8
const PATH_CHARS_MAX = 256

/** What of an entry tells its target paths: a memory's, or a candidate's. */
export interface TargetEntry {
  readonly surface: Surface
  readonly record: { readonly memoryId: string; readonly content: Pick<Content, 'targetFiles'> }
}

export interface TargetOwner<Entry> {
  readonly target: string
  readonly entry: Entry
}

/** Target paths of the memories of one surface, each path once with the best ranked memory that names it. */
export function targetsOf<Entry extends TargetEntry>(
  printed: readonly Entry[],
  surface: Surface,
  targetsMax: number,
): readonly TargetOwner<Entry>[] {
  const owners = new Map<string, Entry>()
  for (const entry of printed) {
    if (entry.surface !== surface) continue
    for (const target of foldedTargets(entry)) if (!owners.has(target)) owners.set(target, entry)
    if (owners.size >= targetsMax) break
  }
  if (owners.size === 0) return []
  return Array.from(owners, ([target, entry]) => ({ target, entry })).slice(0, targetsMax)
}

/** The first target paths of a memory, folded. */
export function foldedTargets(entry: Pick<TargetEntry, 'record'>): readonly string[] {
  const { targetFiles } = entry.record.content
  if (targetFiles.length === 0) return targetFiles
  return targetFiles
    .slice(0, TARGETS_PER_MEMORY_MAX)
    .map((path) => clip(foldText(path), PATH_CHARS_MAX))
    .filter((path) => path !== '')
}
