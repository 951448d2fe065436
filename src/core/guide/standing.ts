import type { MemoryRecord } from '../model/record.ts'
import { type ActorState, isStandingType, liveRecord, standingInOrder } from '../model/state.ts'
import { isVisibleTo } from '../model/visibility.ts'
import { admissionIn } from '../policy/admission.ts'
import type { ScoredCandidate, TextHits } from '../rerank/signals.ts'
import { readPartOf } from '../search/query.ts'
import { entitiesIn } from '../text/identifiers.ts'
import type { GuideCommand } from './entry.ts'
import { isHeardFirst, saySame } from './fold.ts'
import { usableLineChars } from './line.ts'

/** Standing memory that does not match what is asked: so many lines and characters, whatever the budget. */
export const STANDING_MEMORIES_MAX = 6
export const STANDING_CHARS_MAX = 1200
/** Beside strong matches fewer lines, so that both together have so many; but never less than the least. */
export const STANDING_WITH_MATCHES = 7
export const STANDING_MEMORIES_LEAST = 4

/** Of these, so many first that share a word with the query, however weakly: it may be what they are a rule of. */
export const WEAKLY_MATCHING_MAX = 2

/** So many, by authority, are asked whether they are about the files of the query. */
const LOOKED_AT_MAX = 200

/** Preferences, rules and project context that may be used now and that the words of the query do not find. */
interface StandingMemory {
  /** About a path or a type of file that the query names: paths first, then by authority. */
  readonly matching: readonly MemoryRecord[]
  /** A few others: the best of the weak matches, then by authority, by direct positives, the oldest first. */
  readonly others: readonly MemoryRecord[]
}

type StandingMatch = Pick<ScoredCandidate, 'hit' | 'isWeak' | 'total'>

/**
 * @param matchOf how the words of the query found a memory
 * @param matches memories that match strongly, as far as they take lines from these
 */
export function standingMemory(
  state: ActorState,
  command: GuideCommand,
  nowMs: number,
  matchOf: (record: MemoryRecord) => StandingMatch | undefined,
  matches: number,
): StandingMemory {
  const inOrder = standingInOrder(state)
  const isCandidate = (record: MemoryRecord): boolean =>
    isVisibleTo(record.audience, command.consumer) &&
    matchOf(record)?.isWeak !== false &&
    isStandingNow(state, command, record, nowMs)
  const matching = aboutFiles(inOrder, command).filter(isCandidate)
  const known = new Set(matching)
  const isOther = (record: MemoryRecord): boolean => !known.has(record) && isCandidate(record)
  const first = weaklyMatching(inOrder, matchOf).filter(isOther).slice(0, WEAKLY_MATCHING_MAX)
  const most = linesBeside(matches + matching.length)
  return { matching, others: fewOf(state, [...new Set([...first, ...inOrder])], isOther, most) }
}

/** How many lines what does not match has beside so many that do. */
function linesBeside(matches: number): number {
  return Math.max(STANDING_MEMORIES_LEAST, Math.min(STANDING_MEMORIES_MAX, STANDING_WITH_MATCHES - matches))
}

/** The best first. */
function weaklyMatching(
  records: readonly MemoryRecord[],
  matchOf: (record: MemoryRecord) => StandingMatch | undefined,
): readonly MemoryRecord[] {
  const found: { readonly record: MemoryRecord; readonly total: number }[] = []
  for (const record of records) {
    const match = matchOf(record)
    if (match?.isWeak === true && match.hit !== null) found.push({ record, total: match.total })
  }
  return found.sort((a, b) => b.total - a.total).map(({ record }) => record)
}

/** Whether a memory is standing memory that may be used now: without a match of the query it is a candidate only then. */
export function isStandingNow(
  state: ActorState,
  { consumer }: GuideCommand,
  record: MemoryRecord,
  nowMs: number,
): boolean {
  if (!isStandingType(record)) return false
  return admissionIn(state, record, { nowMs, askedSignature: null, consumer }).surface === 'use_now'
}

/** The first candidates, as many as the lines and characters allow. Those that say the same have one line. */
function fewOf(
  state: Pick<ActorState, 'operatorMemories' | 'columns'>,
  records: readonly MemoryRecord[],
  isCandidate: (record: MemoryRecord) => boolean,
  most: number,
): readonly MemoryRecord[] {
  const few: MemoryRecord[] = []
  let left = STANDING_CHARS_MAX
  let looked = 0
  for (const record of records) {
    if (!isCandidate(record)) continue
    looked += 1
    const same = few.findIndex((other) => saySame(state, record, other))
    const known = few[same]
    const chars = usableLineChars(record) - (known === undefined ? 0 : usableLineChars(known))
    if (known === undefined) {
      if (chars > left) break
      few.push(record)
      left -= chars
    } else if (chars <= left && isHeardFirst(state, record, known)) {
      few[same] = record
      left -= chars
    }
    if (few.length === most || looked === LOOKED_AT_MAX) break
  }
  return few
}

/** What the consumer does not see takes no place of the bound. */
function aboutFiles(
  records: readonly MemoryRecord[],
  { queryText, consumer }: GuideCommand,
): readonly MemoryRecord[] {
  const asked = records.length === 0 ? null : askedFiles(readPartOf(queryText))
  if (asked === null) return []
  const matching: MemoryRecord[][] = [[], []]
  let looked = 0
  for (const record of records) {
    if (!isVisibleTo(record.audience, consumer)) continue
    matching[filesMatched(asked, record)]?.push(record)
    looked += 1
    if (looked === LOOKED_AT_MAX) break
  }
  return matching.flat()
}

/** What a query names of files, in small letters. */
interface AskedFiles {
  readonly paths: readonly string[]
  /** `.ts` */
  readonly types: readonly string[]
}

/** A path or file name, or a type alone: `src/a.ts`, `a.ts`, `*.ts`, `.ts`. Looked for from the start of a word only: once in each. */
const FILE = /(?<![\p{L}\p{N}_*./@-])[\p{L}\p{N}_*./@-]*\.(\p{L}[\p{L}\p{N}]{0,7})(?![\p{L}\p{N}_./-])/gu

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
