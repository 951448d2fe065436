import type { Origin } from '../base/closed-sets.ts'
import type { MemoryRecord } from '../model/record.ts'
import type { ActorState } from '../model/state.ts'
import { isVisibleTo } from '../model/visibility.ts'
import { admissionIn } from '../policy/admission.ts'
import type { GuideCommand } from './command.ts'
import { usableLineChars } from './line.ts'

/** Standing memory that does not match what is asked: so many lines and characters, whatever the budget. */
export const STANDING_MEMORIES_MAX = 6
export const STANDING_CHARS_MAX = 1200

/** Preferences, rules and project context that may be used now. */
export interface StandingMemory {
  /** Already found by the words of the query. */
  readonly found: readonly MemoryRecord[]
  /** About a path or a type of file that the query names: paths first, then by authority. */
  readonly matching: readonly MemoryRecord[]
  /** The others: by authority, then by direct positives, then the oldest first; a few. */
  readonly others: readonly MemoryRecord[]
}

/** Who is heard first. An operator who activated a memory counts as a user. */
const AUTHORITY: Readonly<Record<Origin, number>> = {
  user: 0,
  verifier: 1,
  agent: 2,
  tool: 3,
  document: 4,
  external: 4,
  unknown: 4,
}
const AUTHORITIES = 5

/**
 * The standing memory of a guide. One that may not be used now is a candidate only where the query finds it, which is
 * not decided here.
 * @param isFound whether the words of the query found a memory
 */
export function standingMemory(
  state: ActorState,
  command: GuideCommand,
  nowMs: number,
  isFound: (record: MemoryRecord) => boolean,
): StandingMemory {
  const found: MemoryRecord[] = []
  const matching: MemoryRecord[][] = [[], []]
  // Memories are listed the oldest first, so that each group is in that order.
  const others: MemoryRecord[][] = Array.from({ length: AUTHORITIES }, () => [])
  if (state.standingMemories.length === 0) return { found, matching: [], others: [] }
  const asked = askedFiles(command.queryText)
  const isUsable = (record: MemoryRecord): boolean => isUsableNow(state, command, record, nowMs)
  for (const id of state.standingMemories) {
    const record = state.memories.get(id)
    if (record === undefined || !isVisibleTo(record.audience, command.consumer)) continue
    if (isFound(record)) {
      if (isUsable(record)) found.push(record)
      continue
    }
    const files = asked === null ? NO_FILES : filesMatched(asked, record)
    if (files === NO_FILES) others[authorityOf(record)]?.push(record)
    else if (isUsable(record)) matching[files]?.push(record)
  }
  const byAuthority = (a: MemoryRecord, b: MemoryRecord): number =>
    authorityOf(a) - authorityOf(b) || b.counters.positive - a.counters.positive
  return {
    found,
    matching: matching.flatMap((records) => records.sort(byAuthority)),
    others: fewOf(others, isUsable),
  }
}

/** The first that may be used, as many as the lines and characters allow. */
function fewOf(
  groups: readonly MemoryRecord[][],
  isUsable: (record: MemoryRecord) => boolean,
): readonly MemoryRecord[] {
  const few: MemoryRecord[] = []
  let left = STANDING_CHARS_MAX
  for (const group of groups) {
    if (group.some(({ counters }) => counters.positive > 0))
      group.sort((a, b) => b.counters.positive - a.counters.positive)
    for (const record of group) {
      if (!isUsable(record)) continue
      left -= usableLineChars(record)
      if (left < 0) return few
      few.push(record)
      if (few.length === STANDING_MEMORIES_MAX) return few
    }
  }
  return few
}

function isUsableNow(
  state: ActorState,
  { consumer }: GuideCommand,
  record: MemoryRecord,
  nowMs: number,
): boolean {
  return admissionIn(state, record, { nowMs, askedSignature: null, consumer }).surface === 'use_now'
}

function authorityOf({ origin, changes }: MemoryRecord): number {
  const isActivated = changes.some(({ cause }) => cause === 'operator_activation')
  return isActivated ? AUTHORITY.user : AUTHORITY[origin]
}

/** What a query names of files, in small letters. */
interface AskedFiles {
  readonly paths: readonly string[]
  /** `.ts` */
  readonly types: readonly string[]
}

/** A path or file name, or a type alone: `src/a.ts`, `a.ts`, `*.ts`, `.ts`. */
const FILE = /[\p{L}\p{N}_*./@-]*\.(\p{L}[\p{L}\p{N}]{0,7})(?![\p{L}\p{N}_./-])/gu

/** Null: it names none. */
function askedFiles(queryText: string): AskedFiles | null {
  const paths = new Set<string>()
  const types = new Set<string>()
  for (const [file, type = ''] of queryText.toLowerCase().matchAll(FILE)) {
    types.add(`.${type}`)
    if (!file.startsWith('.') && !file.includes('*')) paths.add(file.replace(/^\.?\//, ''))
  }
  return types.size === 0 ? null : { paths: [...paths], types: [...types] }
}

const BY_PATH = 0
const BY_TYPE = 1
const NO_FILES = 2

/** Whether a memory is about a path that is asked, about a type of file that is asked, or neither. */
function filesMatched({ paths, types }: AskedFiles, { content }: MemoryRecord): number {
  const targets = content.targetFiles.map((target) => target.toLowerCase())
  if (targets.some((target) => paths.some((path) => isSamePath(path, target)))) return BY_PATH
  if (targets.some((target) => types.some((type) => target.endsWith(type)))) return BY_TYPE
  const text = content.text.toLowerCase()
  return types.some((type) => namesType(text, type)) ? BY_TYPE : NO_FILES
}

/** The same, one the end of the other, or a file in a folder. */
function isSamePath(path: string, target: string): boolean {
  const folder = target.endsWith('/') ? target : `${target}/`
  return (
    path === target || path.endsWith(`/${target}`) || target.endsWith(`/${path}`) || path.startsWith(folder)
  )
}

/** `*.ts`, or `.ts` on its own; not the end of a file name. */
function namesType(text: string, type: string): boolean {
  for (let at = text.indexOf(type); at !== -1; at = text.indexOf(type, at + type.length)) {
    const before = text.charAt(at - 1)
    const after = text.charAt(at + type.length)
    if (!/[\p{L}\p{N}_)\]]/u.test(before) && !/[\p{L}\p{N}_]/u.test(after)) return true
  }
  return false
}
