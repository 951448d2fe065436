import type { Actor } from '../../actor/actor.ts'
import { yieldToLoop } from '../../actor/yield-to-loop.ts'
import type { AnswerOf, RequestOf } from '../../contract/operations.ts'
import { type SkillCandidate, statusOf } from '../../core/model/skill-candidate.ts'
import { listedMemory } from '../../core/report/memory-list.ts'
import {
  type ReviewKind,
  type ReviewWalk,
  type WaitingMemory,
  waitingOn,
} from '../../core/report/review-list.ts'
import type { ReportView } from '../../core/report/viewer.ts'
import { isCandidateKnownTo } from '../../core/skills/review.ts'
import { envelopeOf, type RuntimeParts, sourceMap } from '../parts.ts'
import { skillView } from '../skill-view.ts'
import { cursorAt, numberAt, type Position, textAt } from './cursor.ts'
import { memoryItem } from './memory-items.ts'
import { type OperatorRead, operatorRead } from './read.ts'

type Answer = AnswerOf<'listReview'>
type ReviewItem = Answer['items'][number]
type Page = Pick<Answer, 'items' | 'next_cursor'>

/** Memories looked at in one turn, and turns of one page. */
const SLICE_MEMORIES = 4000
const SLICES_MAX = 32
const SLICE_ITEMS = 25

/** What of a scope waits for a person. */
export async function listReview(
  { registry }: Pick<RuntimeParts, 'registry'>,
  request: RequestOf<'listReview'>,
): Promise<Answer> {
  const read = operatorRead('review', request)
  const kind = request.kind ?? null
  const page = await registry.look(read.tenantId, read.scope, (actor) => reviewPage(actor, read, kind))
  return {
    ...envelopeOf('svc_operator_review_v1', read),
    ...page,
    source_map: sourceMap('/v1/operator/review', ['memory_lookup', 'skill_review']),
  }
}

async function reviewPage(actor: Actor, read: OperatorRead, kind: ReviewKind | null): Promise<Page> {
  const { limit, cursor, viewer } = read
  const items: ReviewItem[] = []
  let walk = walkFrom(cursor.position, kind)
  for (let slice = 0; slice < SLICES_MAX && walk?.slot !== -1 && items.length < limit; slice += 1) {
    if (slice > 0) await yieldToLoop()
    walk = await actor.turn((state, nowMs) => {
      const next = { ...(walk ?? { slot: state.records.length - 1, told: 0 }), allowance: SLICE_MEMORIES }
      const view = { state, viewer, nowMs }
      const wanted = Math.min(SLICE_ITEMS, limit - items.length)
      for (const waiting of waitingOn(view, kind, next, wanted)) items.push(memoryReview(view, waiting))
      return { events: [], reply: next }
    })
  }
  if (walk !== null && walk.slot >= 0) {
    return { items, next_cursor: cursorAt(cursor, [walk.slot, walk.told]) }
  }
  if (kind !== null && kind !== 'skill') return { items, next_cursor: null }
  return skillsPage(actor, read, items)
}

/** Null: it begins with the newest memory. Skills come when all memories were looked at. */
function walkFrom(position: Position | null, kind: ReviewKind | null): ReviewWalk | null {
  if (position === null) return kind === 'skill' ? { slot: -1, told: 0, allowance: 0 } : null
  return { slot: Math.max(-1, numberAt(position, 0)), told: numberAt(position, 1), allowance: 0 }
}

/** The last page of memories goes on with skills; a position below the first memory is one among them. */
function skillsPage(
  actor: Actor,
  { limit, cursor, viewer }: OperatorRead,
  items: ReviewItem[],
): Promise<Page> {
  const { position } = cursor
  const isAmongSkills = position !== null && numberAt(position, 0) < 0 && position.length > 2
  const lastSeq = isAmongSkills ? numberAt(position, 1) : Number.MAX_SAFE_INTEGER
  const lastId = isAmongSkills ? textAt(position, 2) : ''
  return actor.turn((state, nowMs) => {
    const waiting = [...state.skills.values()]
      .filter((skill) => statusOf(skill) === 'pending_review' && isCandidateKnownTo(state, skill, viewer))
      .filter(({ seq, candidateId }) => seq < lastSeq || (seq === lastSeq && candidateId > lastId))
      .sort(newestFirst)
    const page = waiting.slice(0, limit - items.length)
    for (const skill of page) {
      const view = skillView(state, skill, viewer, false, nowMs)
      items.push({ kind: 'skill', memories: [], dispute: null, skill: view })
    }
    const last = page.at(-1)
    const at: Position = last === undefined ? [-1, 0] : [-1, last.seq, last.candidateId]
    const next_cursor = page.length === waiting.length ? null : cursorAt(cursor, at)
    return { events: [], reply: { items, next_cursor } }
  })
}

function newestFirst(a: SkillCandidate, b: SkillCandidate): number {
  return b.seq - a.seq || (a.candidateId < b.candidateId ? -1 : 1)
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
