import { OUR_ID } from '../base/ids.ts'
import { plainContent, plainRecord } from './compact-record.ts'
import type { Content, MemoryRecord } from './record.ts'
import { type ActorState, liveRecord } from './state.ts'
import { canSee, type Viewer } from './visibility.ts'

/** How a lifecycle request names memories. */
export interface References {
  readonly memoryIds: readonly string[]
  readonly clientIds: readonly string[]
  /** Memory ids, `claim:` or `handoff:` ids, or handoff anchors. */
  readonly anchors: readonly string[]
}

/**
 * The visible memories that a request names, without repeats, in its order; null eyes see the whole actor. An erased one is
 * still known by its id. Missing are unknown and invisible ones alike, as the caller named them.
 */
export function resolveReferences(state: ActorState, references: References, eyes: Viewer) {
  const records = new Set<MemoryRecord>()
  const missing: string[] = []
  const take = (name: string, found: readonly MemoryRecord[]): void => {
    const visible = found.filter((record) => canSee(eyes, record))
    if (visible.length === 0) missing.push(name)
    for (const record of visible) records.add(record)
  }
  for (const id of references.memoryIds) take(id, byId(state, id))
  for (const clientId of references.clientIds) take(clientId, byClient(state, clientId))
  for (const anchor of references.anchors) take(anchor, byAnchor(state, anchor, eyes))
  return { records: [...records], missing }
}

/** A memory by its id, or by the id of the claim or handoff that it holds. */
export function byId(state: ActorState, id: string): readonly MemoryRecord[] {
  const record = state.memories.get(bareId(id))
  return record === undefined ? [] : [record]
}

/**
 * Whether these eyes may be told a name that somebody wrote down. What looks like an id of ours and is no memory that
 * they see may not, whether it exists or not; any other name may. Null eyes see the whole actor.
 */
export function isKnownName(state: ActorState, name: string, eyes: Viewer): boolean {
  if (!OUR_ID.test(name)) return true
  return byId(state, name).some((record) => canSee(eyes, record))
}

/** What a memory was derived from, by its own list and by the relations that act. */
export function sourcesOf(
  { relationsBySource }: Pick<ActorState, 'relationsBySource'>,
  { memoryId, derivedFrom }: MemoryRecord,
): readonly string[] {
  const relations = relationsBySource.get(memoryId)
  if (relations === undefined) return derivedFrom
  const declared = relations.filter((relation) => relation.type === 'derived_from' && relation.effective)
  return [...derivedFrom, ...declared.map((relation) => relation.dstId)]
}

/** The memory without references that these eyes may not be told; the record itself when there is none in it. */
export function citingKnown(state: ActorState, record: MemoryRecord, eyes: Viewer): MemoryRecord {
  const { evidenceRefs, rawRef } = record.content
  // Most memories cite nothing.
  if (evidenceRefs.length === 0 && rawRef === null && record.revisions.length === 0) return record
  const isKnown = (name: string): boolean => isKnownName(state, name, eyes)
  const content = citing(record.content, isKnown)
  const revisions = record.revisions.map((revision) => {
    const cited = citing(revision.content, isKnown)
    return cited === revision.content ? revision : { ...revision, content: cited }
  })
  const isSame =
    content === record.content && revisions.every((revision, at) => revision === record.revisions[at])
  return isSame ? record : { ...plainRecord(record), content, revisions }
}

function citing(content: Content, isKnown: (name: string) => boolean): Content {
  const { evidenceRefs, rawRef } = content
  if ((rawRef === null || isKnown(rawRef)) && evidenceRefs.every(isKnown)) return content
  return {
    ...plainContent(content),
    evidenceRefs: evidenceRefs.filter(isKnown),
    rawRef: rawRef !== null && isKnown(rawRef) ? rawRef : null,
  }
}

/** What was erased is meant only when nothing else has that client id. */
function byClient(state: ActorState, clientId: string): readonly MemoryRecord[] {
  const ids = [...(state.byClientId.get(clientId) ?? [])]
  const live = ids.flatMap((id) => liveRecord(state, id) ?? [])
  return live.length > 0 ? live : ids.flatMap((id) => byId(state, id))
}

/** What an anchor names: a memory, or the newest handoff of that name that these eyes see: the active path. */
function byAnchor(state: ActorState, anchor: string, eyes: Viewer): readonly MemoryRecord[] {
  const direct = byId(state, anchor)
  if (direct.length > 0) return direct
  const handoffs = [...state.handoffs]
    .flatMap((id) => byId(state, id))
    .filter((record) => record.handoff?.anchor === anchor && canSee(eyes, record))
  return handoffs.toSorted((a, b) => a.ordinal - b.ordinal).slice(-1)
}

function bareId(id: string): string {
  if (id.startsWith('claim:')) return id.slice('claim:'.length)
  return id.startsWith('handoff:') ? id.slice('handoff:'.length) : id
}
