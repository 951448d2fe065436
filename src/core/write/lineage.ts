import { type RelationType, TRUSTED_ORIGINS } from '../base/closed-sets.ts'
import type { EdgeInput, MemoryRef } from '../model/commands.ts'
import { isLess, type Voice } from '../model/principal.ts'
import type { Audience, Consumer } from '../model/record.ts'
import { isSeenByAllWhoSee } from '../model/visibility.ts'
import type { Decision, Seen } from './decision.ts'

/** The eyes of a writer: who asks, and whoever the written memory belongs to. */
export function eyesOf(viewpoint: Consumer, audience: Audience): readonly Consumer[] {
  const owner = {
    agentId: audience.ownerAgentId ?? viewpoint.agentId,
    teamId: audience.ownerTeamId ?? viewpoint.teamId,
  }
  return [viewpoint, owner]
}

export interface Lineage {
  readonly derivedFrom: readonly string[]
  /** False when the origin, a source, or a missing source is not trusted. */
  readonly isTrusted: boolean
  readonly warnings: readonly string[]
}

/** Resolves the declared sources of a memory; a missing one stays as it was named, and counts as untrusted. */
export function lineageOf(
  decision: Decision,
  input: {
    readonly origin: Seen['origin']
    readonly derivedFrom: readonly MemoryRef[]
    readonly audience: Audience
  },
  eyes: readonly Consumer[],
): Lineage {
  let isTrusted = TRUSTED_ORIGINS.includes(input.origin)
  const derivedFrom: string[] = []
  const warnings: string[] = []
  for (const ref of input.derivedFrom) {
    const source = decision.resolve(ref, eyes, input.audience)
    derivedFrom.push(source?.memoryId ?? nameOf(ref))
    if (source === null)
      warnings.push(`derived_from ${nameOf(ref)}: no such memory; kept as named, not trusted`)
    if (source?.facets.trust !== 'trusted') isTrusted = false
  }
  return { derivedFrom, isTrusted, warnings }
}

const MOVES = {
  supersedes: { facet: 'validity', to: 'superseded', cause: 'superseded_by_relation' },
  invalidates: { facet: 'validity', to: 'superseded', cause: 'superseded_by_relation' },
  contradicts: { facet: 'standing', to: 'contested', cause: 'contradicted' },
} as const

/**
 * Records a relation between two known memories and lets it act when everyone who sees the target sees the source, and
 * nobody of less authority says so.
 * @param by who says so, where that may be somebody else than the source
 */
export function relate(
  decision: Decision,
  type: RelationType,
  source: Seen,
  target: Seen,
  confidence: number,
  by: Voice | null = null,
): string[] {
  const isActing = type === 'supersedes' || type === 'invalidates' || type === 'contradicts'
  const from = by ?? voiceOf(decision, source)
  const to = voiceOf(decision, target)
  const isTooLow = isActing && isLess(from, to)
  const isAnnexed = type === 'derived_from' && isOwnWord(decision, source, to)
  const isSeen = isSeenByAllWhoSee(source.audience, target.audience)
  const isEffective = !isTooLow && !isAnnexed && isSeen && source.memoryId !== target.memoryId
  if (isRepeated(decision, type, source, target, confidence)) return []
  decision.events.push({
    type: 'relation_recorded',
    relationType: type,
    srcId: source.memoryId,
    dstId: target.memoryId,
    confidence,
    effective: isEffective,
  })
  if (isTooLow) return [yieldTo(decision, type, from, source, target)]
  if (isAnnexed)
    return [
      `${type} ${target.memoryId}: kept without effect, ${to.authority} has less authority than ${from.authority}`,
    ]
  if (source.memoryId === target.memoryId)
    return [`${type} ${target.memoryId}: kept without effect, both ends are the same memory`]
  if (!isEffective)
    return [`${type} ${target.memoryId}: kept without effect, not everyone who sees it sees the source`]
  if (!isActing) return []
  const reason = `${source.memoryId} ${type} it`
  decision.move(target.memoryId, { ...MOVES[type], reason, byMemoryId: source.memoryId })
  // A contradiction says that one of the two is wrong, not which one; less authority says nothing against more.
  if (type === 'contradicts' && !isLess(to, from) && isSeenByAllWhoSee(target.audience, source.audience)) {
    const back = `it contradicts ${target.memoryId}`
    decision.move(source.memoryId, { ...MOVES.contradicts, reason: back, byMemoryId: target.memoryId })
  }
  if (type === 'contradicts' || source.facets.validity !== 'superseded') return []
  return [`${type} ${target.memoryId}: ${source.memoryId} is superseded itself, so neither is in force`]
}

/**
 * A user's or operator's word that was said before: nobody makes it as doubtful as a source of less authority by saying
 * afterwards that it was derived from it.
 */
function isOwnWord(decision: Decision, source: Seen, target: Voice): boolean {
  const voice = voiceOf(decision, source)
  if (voice.authority !== 'user' && voice.authority !== 'operator') return false
  return !decision.isSaidAnew(source.memoryId) && isLess(target, voice)
}

/** What has less authority than its target lowers itself: where everyone who sees it sees the target too. */
function yieldTo(decision: Decision, type: RelationType, from: Voice, source: Seen, target: Seen): string {
  const to = voiceOf(decision, target)
  // Who only repeats a memory of more authority than his own does not lower it either.
  const isOwn = isLess(voiceOf(decision, source), to)
  if (isOwn && isSeenByAllWhoSee(target.audience, source.audience))
    decision.dispute(target.memoryId, source.memoryId, type, 'later')
  const outcome = isOwn ? 'the source yields to it' : 'nothing was lowered'
  return `${type} ${target.memoryId}: kept without effect, ${from.authority} has less authority than ${to.authority}; ${outcome}`
}

/** True when the source, unchanged since, has said this of the target before: saying it again is no new evidence. */
function isRepeated(
  decision: Decision,
  type: RelationType,
  source: Seen,
  target: Seen,
  confidence: number,
): boolean {
  const record = decision.state.memories.get(source.memoryId)
  if (record === undefined || decision.seen(source.memoryId) !== record) return false
  return (decision.state.relationsBySource.get(source.memoryId) ?? []).some(
    (said) =>
      said.type === type &&
      said.dstId === target.memoryId &&
      said.confidence === confidence &&
      said.seq >= record.seq,
  )
}

/** An edge between memories of this or an earlier request; a reference that is missing or invisible to these eyes is named. */
export function applyEdge(
  decision: Decision,
  edge: EdgeInput,
  eyes: readonly Consumer[],
  requestAudience: Audience,
): string[] {
  const source = decision.resolve(edge.src, eyes, requestAudience)
  if (source === null)
    return [`edge ${edge.type}: no such memory: ${nameOf(edge.src)}; the edge was not written`]
  const target = decision.resolve(edge.dst, eyes, source.audience)
  if (target === null)
    return [`edge ${edge.type}: no such memory: ${nameOf(edge.dst)}; the edge was not written`]
  return relate(decision, edge.type, source, target, edge.confidence)
}

export function nameOf(ref: MemoryRef): string {
  return 'id' in ref ? ref.id : ref.clientId
}

/** A memory as its authority is compared. */
export function voiceOf(decision: Decision, seen: Seen): Voice {
  return { authority: decision.authorityOf(seen), memoryType: seen.memoryType }
}
