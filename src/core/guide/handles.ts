import type { Surface } from '../base/closed-sets.ts'
import type { ExposedSet } from '../model/events.ts'
import { inPrintingOrder } from './sections.ts'

// A guide may print `[m1]`, `[m2]` … in place of memory ids. Which memory a handle means follows from the exposure set:
// its memories in printing order are numbered on from its first handle. So the order of the sections may not change as
// long as exposure sets of before are kept.

const HANDLE = /^m[1-9]\d{0,8}$/
/** What reads as a handle in brackets, whatever stands before it. */
const BRACKETED_HANDLE = /\[( ?m\d+)(?![\p{L}\p{N}_])( ?\])?/giu

export const FIRST_HANDLE = 1

export function handleOf(number: number): string {
  return `m${number}`
}

/** What a handle stands for. */
export interface Handled {
  readonly memoryId: string
  readonly surface: Surface
}

type Numbered = Pick<ExposedSet, 'memoryIds' | 'surfaces' | 'firstHandle'>

/** The handles of a guide in printing order; none when it printed ids. */
export function handlesOf({ memoryIds, surfaces, firstHandle }: Numbered): ReadonlyMap<string, Handled> {
  if (firstHandle === undefined) return new Map()
  const printed = memoryIds.map((memoryId, rank) => ({ memoryId, surface: surfaces[rank] ?? 'do_not_use' }))
  return new Map(inPrintingOrder(printed).map((each, at) => [handleOf(firstHandle + at), each]))
}

/** How a request names memory, as far as a handle may stand there. */
interface Naming {
  readonly memoryIds: readonly string[]
  readonly anchors?: readonly string[]
}

/** The request with the memory ids that its handles mean. A handle that the guide did not print stays what it is. */
export function withoutHandles<Request extends Naming>(request: Request, exposure: Numbered | null): Request {
  if (exposure?.firstHandle === undefined) return request
  const handles = handlesOf(exposure)
  const idOf = (name: string): string => handles.get(name)?.memoryId ?? name
  const { memoryIds, anchors } = request
  const anchored = anchors === undefined ? {} : { anchors: anchors.map(idOf) }
  return { ...request, memoryIds: [...new Set(memoryIds.map(idOf))], ...anchored }
}

/** What to send where names that mean nothing look like handles; null: none of them does. */
export function handleAdvice(unknown: readonly string[], guideTraceId: string | null): string | null {
  const names = unknown.filter((name) => HANDLE.test(name))
  if (names.length === 0) return null
  const isOne = names.length === 1
  const named = names.join(', ')
  if (guideTraceId === null)
    return `${named} ${isOne ? 'is a handle: name its' : 'are handles: name their'} guide_trace_id`
  return `${named} ${isOne ? 'is no handle' : 'are no handles'} of that guide: send what stands in the brackets of its lines`
}

/** A refusal with that advice before it. */
export function advised(message: string, unknown: readonly string[], guideTraceId: string | null): string {
  const advice = handleAdvice(unknown, guideTraceId)
  return advice === null ? message : `${advice}. ${message}`
}

/** Warnings with that advice, where a request could do without the names. */
export function withHandleAdvice(
  warnings: readonly string[],
  unknown: readonly string[],
  guideTraceId: string | null,
): readonly string[] {
  const advice = handleAdvice(unknown, guideTraceId)
  return advice === null ? warnings : [...warnings, advice]
}

/** A line behind its own handle, so that no text in it reads as one; its length stays. */
export function disarmHandles(line: string): string {
  if (!line.includes('[')) return line
  return line.replace(BRACKETED_HANDLE, (_, name: string, close: string | undefined) =>
    close === undefined ? `(${name}` : `(${name}${close.replace(']', ')')}`,
  )
}
