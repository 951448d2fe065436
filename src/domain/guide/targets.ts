import type { Surface } from '../closed-sets.ts'
import { clip, foldText } from '../prompt/escape.ts'
import type { GuideEntry } from './entry.ts'

export const TARGETS_PER_MEMORY_MAX = 8
const PATH_CHARS_MAX = 256

export interface TargetOwner {
  readonly target: string
  readonly entry: GuideEntry
}

/** Target paths of the memories of one surface, each path once with the best ranked memory that names it. */
export function targetsOf(
  printed: readonly GuideEntry[],
  surface: Surface,
  targetsMax: number,
): readonly TargetOwner[] {
  const owners = new Map<string, GuideEntry>()
  for (const entry of printed) {
    if (entry.surface !== surface) continue
    for (const target of foldedTargets(entry)) if (!owners.has(target)) owners.set(target, entry)
    if (owners.size >= targetsMax) break
  }
  return Array.from(owners, ([target, entry]) => ({ target, entry })).slice(0, targetsMax)
}

/** The first target paths of a memory, folded. */
export function foldedTargets(entry: GuideEntry): readonly string[] {
  const { targetFiles } = entry.record.content
  if (targetFiles.length === 0) return targetFiles
  return targetFiles
    .slice(0, TARGETS_PER_MEMORY_MAX)
    .map((path) => clip(foldText(path), PATH_CHARS_MAX))
    .filter((path) => path !== '')
}
