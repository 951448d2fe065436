import type { Actor } from '../../actor/actor.ts'
import { yieldToLoop } from '../../actor/yield-to-loop.ts'
import type { AnswerOf } from '../../contract/operations.ts'
import { DomainError } from '../../core/base/errors.ts'
import type { ExposureRecord } from '../../core/model/events.ts'
import { byId } from '../../core/model/references.ts'
import { canSee } from '../../core/model/visibility.ts'
import { listedMemory, listedOn, type MemoryFilter, type MemoryWalk } from '../../core/report/memory-list.ts'
import { filterOf } from '../normalise/memory-filter.ts'
import { envelopeOf, type Handler, type RuntimeParts, sourceMap } from '../parts.ts'
import { GUIDES_SCANNED_MAX, guidesNewestFirst, isMadeFor } from '../reports/guide-records.ts'
import { type MemoryItem, memoryItem, type ShowingGuides, wholeMemoryItem } from './memory-items.ts'
import { cursorAt, numberAt, type OperatorRead, operatorRead } from './read.ts'

type Answer = AnswerOf<'listMemories'>

/** What one turn may spend before others are served, in units of looking at one memory: some milliseconds at most. */
const SLICE_UNITS = 2_000
/** Slices of a page: a filter that little fits goes on with its cursor. */
const SLICES_MAX = 64
/** Items made in one turn: each is a memory judged and written out. */
const SLICE_ITEMS = 50
/** Guides of one memory that are listed. */
const GUIDES_LISTED_MAX = 50

/** Memories of a scope, the newest first; one that is named, whole. @throws memory_not_found */
export const listMemories: Handler<'listMemories' | 'searchMemories'> = async (parts, { request }) => {
  const read = operatorRead('memories', request)
  const memoryId = request.memory_id ?? null
  const page = await parts.registry.look(read.tenantId, read.scope, (actor) =>
    memoryId === null
      ? memoriesPage(actor, read, filterOf(request))
      : oneMemory(parts, actor, read, memoryId),
  )
  return {
    ...envelopeOf('svc_operator_memories_v1', read),
    ...page,
    source_map: sourceMap('/v1/operator/memories', ['memory_lookup', 'admission'], ['raw_payloads']),
  }
}

type Page = Pick<Answer, 'items' | 'next_cursor'>

/** In slices: whatever the filter, others are served meanwhile, and what they write is no part of the list. */
async function memoriesPage(actor: Actor, read: OperatorRead, filter: MemoryFilter): Promise<Page> {
  const { limit, viewer, cursor } = read
  const items: MemoryItem[] = []
  const start = cursor.position === null ? null : numberAt(cursor.position, 0)
  let walk: MemoryWalk | null = null
  for (let slice = 0; slice < SLICES_MAX; slice += 1) {
    if (slice > 0) await yieldToLoop()
    walk = await actor.read((state, nowMs) => {
      const from = { slot: walk?.slot ?? start ?? state.records.length - 1, allowance: SLICE_UNITS }
      const view = { state, viewer, nowMs }
      const wanted = Math.min(SLICE_ITEMS, limit - items.length)
      for (const listed of listedOn(view, filter, from, wanted)) items.push(memoryItem(view, listed))
      return from
    })
    if (walk.slot < 0 || items.length >= limit) break
  }
  return { items, next_cursor: walk === null || walk.slot < 0 ? null : cursorAt(cursor, [walk.slot]) }
}

async function oneMemory(
  parts: Pick<RuntimeParts, 'ledger'>,
  actor: Actor,
  { viewer }: OperatorRead,
  memoryId: string,
): Promise<Page> {
  const [found] = byId(actor.state, memoryId)
  if (found === undefined || !canSee(viewer, found)) {
    throw new DomainError('memory_not_found', { memory_id: memoryId })
  }
  const showing = await guidesShowing(parts, actor, found.memoryId, viewer)
  return actor.read((state, nowMs) => {
    const view = { state, viewer, nowMs }
    const record = state.memories.get(found.memoryId) ?? found
    return { items: [wholeMemoryItem(view, listedMemory(view, record), showing)], next_cursor: null }
  })
}

/** Guides of the viewer that showed a memory, the newest first, as far as they are held and looked at. */
async function guidesShowing(
  parts: Pick<RuntimeParts, 'ledger'>,
  actor: Actor,
  memoryId: string,
  viewer: OperatorRead['viewer'],
): Promise<ShowingGuides> {
  const guides: ExposureRecord[] = []
  let scanned = 0
  for await (const guide of guidesNewestFirst(parts, actor)) {
    if (scanned === GUIDES_SCANNED_MAX) return { guides, isCut: true }
    scanned += 1
    if (!guide.memoryIds.includes(memoryId) || !isMadeFor(guide, viewer)) continue
    if (guides.length === GUIDES_LISTED_MAX) return { guides, isCut: true }
    guides.push(guide)
  }
  return { guides, isCut: scanned < actor.state.exposureCount }
}
