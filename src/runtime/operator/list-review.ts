import type { Actor } from '../../actor/actor.ts'
import { yieldToLoop } from '../../actor/waiting.ts'
import type { AnswerOf } from '../../contract/operations.ts'
import { type SkillCandidate, statusOf } from '../../core/model/skill-candidate.ts'
import { listedMemory } from '../../core/report/memory-list.ts'
import {
  type ReviewKind,
  type ReviewOrder,
  type ReviewWalk,
  WALKED,
  type WaitingMemory,
  waitingOn,
} from '../../core/report/review-list.ts'
import type { ReportView } from '../../core/report/viewer.ts'
import { isCandidateKnownTo } from '../../core/skills/settle.ts'
import { envelopeOf, type Handler, sourceMap } from '../parts.ts'
import { skillView } from '../skills.ts'
import { memoryItem } from './list-memories.ts'
import { cursorAt, numberAt, type OperatorRead, operatorRead, type Position, textAt } from './read.ts'

type Answer = AnswerOf<'listReview'>
type ReviewItem = Answer['items'][number]
type Page = Pick<Answer, 'items' | 'next_cursor'>

/** Memories looked at in one turn, and turns of one page. */
const SLICE_MEMORIES = 4000
const SLICES_MAX = 32
const SLICE_ITEMS = 25

/** What of a scope waits for a person. */
export const listReview: Handler<'listReview'> = async ({ registry }, { request }) => {
  const read = operatorRead('review', request)
  const asked = { kind: request.kind ?? null, order: request.order ?? 'newest' }
  const page = await registry.look(read.tenantId, read.scope, (actor) => reviewPage(actor, read, asked))
  return {
    ...envelopeOf('svc_operator_review_v1', read),
    ...page,
    source_map: sourceMap('/v1/operator/review', ['memory_lookup', 'skill_review']),
  }
}

interface Asked {
  readonly kind: ReviewKind | null
  readonly order: ReviewOrder
}

async function reviewPage(actor: Actor, read: OperatorRead, asked: Asked): Promise<Page> {
  const { kind, order } = asked
  const { limit, cursor, viewer } = read
  const items: ReviewItem[] = []
  let walk = walkFrom(cursor.position, asked)
  for (let slice = 0; slice < SLICES_MAX && walk?.slot !== WALKED && items.length < limit; slice += 1) {
    if (slice > 0) await yieldToLoop()
    walk = await actor.read((state, nowMs) => {
      const first = order === 'newest' || state.records.length === 0 ? state.records.length - 1 : 0
      const next = { ...(walk ?? { order, slot: first, told: 0 }), allowance: SLICE_MEMORIES }
      const view = { state, viewer, nowMs }
      const wanted = Math.min(SLICE_ITEMS, limit - items.length)
      for (const waiting of waitingOn(view, kind, next, wanted)) items.push(memoryReview(view, waiting))
      return next
    })
  }
  if (walk !== null && walk.slot >= 0) {
    return { items, next_cursor: cursorAt(cursor, [walk.slot, walk.told]) }
  }
  if (kind !== null && kind !== 'skill') return { items, next_cursor: null }
  return skillsPage(actor, read, order, items)
}

/** Null: it begins with the first memory of its order. Skills come when all memories were looked at. */
function walkFrom(position: Position | null, { kind, order }: Asked): ReviewWalk | null {
  if (position === null) return kind === 'skill' ? { order, slot: WALKED, told: 0, allowance: 0 } : null
  return { order, slot: Math.max(WALKED, numberAt(position, 0)), told: numberAt(position, 1), allowance: 0 }
}

/** The last page of memories goes on with skills, in the same order; a position below the first memory is one among them. */
function skillsPage(
  actor: Actor,
  { limit, cursor, viewer }: OperatorRead,
  order: ReviewOrder,
  items: ReviewItem[],
): Promise<Page> {
  const { position } = cursor
  const isAmongSkills = position !== null && numberAt(position, 0) < 0 && position.length > 2
  const last = isAmongSkills ? { seq: numberAt(position, 1), candidateId: textAt(position, 2) } : null
  const inOrder = order === 'newest' ? newestFirst : (a: Placed, b: Placed) => newestFirst(b, a)
  return actor.read((state, nowMs) => {
    const waiting = [...state.skills.values()]
      .filter((skill) => statusOf(skill) === 'pending_review' && isCandidateKnownTo(state, skill, viewer))
      .filter((skill) => last === null || inOrder(last, skill) < 0)
      .sort(inOrder)
    const page = waiting.slice(0, limit - items.length)
    for (const skill of page) {
      const view = skillView(state, skill, viewer, false, nowMs)
      items.push({ kind: 'skill', memories: [], dispute: null, skill: view })
    }
    const end = page.at(-1)
    const at: Position = end === undefined ? [WALKED, 0] : [WALKED, end.seq, end.candidateId]
    return { items, next_cursor: page.length === waiting.length ? null : cursorAt(cursor, at) }
  })
}

type Placed = Pick<SkillCandidate, 'seq' | 'candidateId'>

function newestFirst(a: Placed, b: Placed): number {
  if (a.seq !== b.seq) return b.seq - a.seq
  return a.candidateId === b.candidateId ? 0 : a.candidateId < b.candidateId ? -1 : 1
}

function memoryReview(view: ReportView, waiting: WaitingMemory): ReviewItem {
  const item = memoryItem(view, listedMemory(view, waiting.record))
  if (waiting.kind !== 'dispute') return { kind: waiting.kind, memories: [item], dispute: null, skill: null }
  const { record, other, side } = waiting
  return {
    kind: 'dispute',
    memories: [item, memoryItem(view, listedMemory(view, other))],
    dispute: {
      kind: side.kind,
      yields_memory_id: side.yields ? record.memoryId : other.memoryId,
      seq: side.seq,
    },
    skill: null,
  }
}
