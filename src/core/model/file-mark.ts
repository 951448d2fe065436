import { isLess, voiceOf } from './authority.ts'
import type { MemoryRecord } from './record.ts'
import type { ActorState } from './state.ts'
import { canSee, isVisibleTo, type Viewer } from './visibility.ts'
import type { FileReport } from './workspace.ts'

/** What happened to a file of a memory since it was observed. */
export interface FileMark {
  readonly path: string
  readonly isGone: boolean
  readonly sinceMs: number
  readonly sinceSeq: number
}

/** Files of one memory that are looked at. */
const FILES_ASKED_MAX = 64

/**
 * The change of a file that a memory names, as these eyes may know: one that is gone first, then the newest. It counts when its
 * reporter sees the memory and has no less authority, after the memory was written and in another run. Null eyes see the
 * whole actor.
 */
export function fileMarkOf(
  state: Pick<ActorState, 'workspace' | 'operatorMemories'>,
  record: MemoryRecord,
  eyes: Viewer,
): FileMark | null {
  const { targetFiles } = record.content
  if (targetFiles.length === 0 || state.workspace.size === 0) return null
  let mark: FileMark | null = null
  for (const file of targetFiles.slice(0, FILES_ASKED_MAX)) {
    const path = workspacePath(file)
    const report = newestAbout(state, record, path, eyes)
    if (report === null) continue
    const { sinceMs, sinceSeq } = report
    const found = { path, isGone: report.digest === null, sinceMs, sinceSeq }
    if (mark === null || isBefore(found, mark)) mark = found
  }
  return mark
}

function isBefore(a: FileMark, b: FileMark): boolean {
  return a.isGone === b.isGone ? a.sinceSeq > b.sinceSeq : a.isGone
}

function newestAbout(
  state: Pick<ActorState, 'workspace' | 'operatorMemories'>,
  record: MemoryRecord,
  path: string,
  eyes: Viewer,
): FileReport | null {
  const voice = voiceOf(state, record)
  let newest: FileReport | null = null
  for (const report of state.workspace.ofPath(path)) {
    if (newest !== null && report.seq < newest.seq) continue
    const { reporter, authority, runId, sinceSeq } = report
    if (!canSee(eyes, report) || !isVisibleTo(record.audience, reporter)) continue
    if (isLess({ authority, memoryType: record.memoryType }, voice)) continue
    if (sinceSeq <= record.seq || (runId !== null && runId === record.runId)) continue
    newest = report
  }
  return newest
}

/** A file as workspaces name it: `./src\a.ts` is `src/a.ts`. */
export function workspacePath(file: string): string {
  const slashed = file.includes('\\') ? file.replaceAll('\\', '/') : file
  return slashed.startsWith('./') ? slashed.slice(2) : slashed
}
