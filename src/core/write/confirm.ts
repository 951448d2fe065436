import { type Origin, TRUSTED_ORIGINS } from '../base/closed-sets.ts'
import { type Cause, isSuppressed, validityAt } from '../model/lifecycle.ts'
import type { Consumer, MemoryRecord } from '../model/record.ts'
import { byId } from '../model/references.ts'
import { liveRecord } from '../model/state.ts'
import { isSeenByAllWhoSee, isVisibleTo } from '../model/visibility.ts'
import { CONFIDENCE_MIN, isTrustedThrough } from '../policy/admission.ts'
import type { Decision, Seen } from './decision.ts'
import { wasShown } from './echo.ts'
import { isSaidWhole, type Similar } from './similar.ts'

/** Who speaks from knowledge of its own, even of what a guide has shown. */
const FIRST_HAND: readonly Origin[] = ['user', 'verifier', 'tool']
/** Candidates that one memory confirms, the newest first. */
const CONFIRMED_MAX = 256

/**
 * Candidates that a written or repeated memory says independently become trusted. Everyone who sees the candidate
 * sees the memory as well; an agent that may have read the candidate from a guide confirms nothing.
 */
export function confirmSame(decision: Decision, similar: Similar, voice: Seen): void {
  const { text } = voice.content
  if (text === '' || !isSaidWhole(voice) || !isTrustedVoice(decision, voice)) return
  const holds = (memoryId: string): boolean => {
    const record = decision.state.memories.get(memoryId)
    const seen = decision.seen(memoryId)
    if (record === undefined || memoryId === voice.memoryId || !isSaidWhole(record)) return false
    if (seen?.facets.trust !== 'candidate' || seen.content !== record.content) return false
    if (!isSeenByAllWhoSee(voice.audience, record.audience)) return false
    return FIRST_HAND.includes(voice.origin) || !wasShown(decision, record)
  }
  const same = [...similar.exact(text).filter(holds), ...similar.nearDuplicates(text, holds)]
  for (const memoryId of same.slice(0, CONFIRMED_MAX)) {
    const reason = `${voice.memoryId} (origin: ${voice.origin}) says the same independently`
    confirm(decision, memoryId, voice, 'confirmed_independently', reason)
  }
}

/** Candidates that a succeeded run with a passed verifier names as evidence become trusted. */
export function confirmUsed(decision: Decision, voice: Seen, eyes: readonly Consumer[]): void {
  const { content } = voice
  if (content.evidenceRefs.length === 0 || !isVerifiedSuccess(decision, voice)) return
  for (const ref of content.evidenceRefs) {
    const used = recordNamed(decision, ref)
    if (used === null || used.memoryId === voice.memoryId) continue
    if (!eyes.some((consumer) => isVisibleTo(used.audience, consumer))) continue
    if (!isSeenByAllWhoSee(voice.audience, used.audience)) continue
    const reason = `the run ${voice.memoryId} used it, succeeded and was verified`
    confirm(decision, used.memoryId, voice, 'verified_use', reason)
  }
}

function confirm(decision: Decision, memoryId: string, voice: Seen, cause: Cause, reason: string): void {
  decision.move(memoryId, { facet: 'trust', to: 'trusted', cause, reason, byMemoryId: voice.memoryId })
}

/** A run that succeeded, was verified, and may speak for other memory. */
export function isVerifiedSuccess(decision: Decision, voice: Seen): boolean {
  if (voice.domain !== 'execution' || voice.content.outcome !== 'succeeded' || !isVerified(voice))
    return false
  return isTrustedVoice(decision, voice)
}

/** A memory that may speak for another: of a trusted origin and lineage, in force, and without a finding. */
export function isTrustedVoice(decision: Decision, voice: Seen): boolean {
  const { facets, content } = voice
  if (!TRUSTED_ORIGINS.includes(voice.origin) || voice.findings.length > 0) return false
  if (facets.trust !== 'trusted' || facets.standing !== 'active') return false
  if (isSuppressed(facets, decision.nowMs) || validityAt(facets, decision.nowMs) !== 'live') return false
  if (content.outcome === 'failed' || content.outcome === 'blocked') return false
  if (content.confidence < CONFIDENCE_MIN) return false
  return sourcesOf(decision, voice).every((sourceId) => isTrustedSource(decision, sourceId))
}

/** Declared sources and those of edges, also of this request. */
function sourcesOf(decision: Decision, voice: Seen): readonly string[] {
  const sources = [...voice.derivedFrom]
  for (const event of decision.events) {
    if (event.type !== 'relation_recorded' || event.relationType !== 'derived_from') continue
    if (event.srcId === voice.memoryId) sources.push(event.dstId)
  }
  for (const { type, dstId } of decision.state.relationsBySource.get(voice.memoryId) ?? [])
    if (type === 'derived_from') sources.push(dstId)
  return sources
}

/** What is written in the same request confirms nothing yet: one request is one voice. */
function isTrustedSource(decision: Decision, sourceId: string): boolean {
  const record = liveRecord(decision.state, sourceId)
  if (record === undefined || decision.seen(sourceId)?.facets.trust !== 'trusted') return false
  return isTrustedThrough(decision.state, record, null)
}

/** A verifier passed, and none failed. */
export function isVerified({ content }: Seen): boolean {
  const statuses = content.verifier.map((verifier) => verifier.status)
  return statuses.includes('passed') && !statuses.includes('failed')
}

const URI = /^svc:\/\/([^/]+)\/([^/]+)\/[^/]+\/([^/]+)$/i

/** The memory that an evidence reference names: its id, or its URI in this actor; null for anything else. */
function recordNamed(decision: Decision, ref: string): MemoryRecord | null {
  const { state } = decision
  const [, tenantId, scope, id] = (URI.exec(ref) ?? []).map(decoded)
  const isElsewhere = id !== undefined && (tenantId !== state.tenantId || scope !== state.scope)
  const named = isElsewhere ? undefined : byId(state, id ?? ref)[0]
  return named === undefined ? null : (liveRecord(state, named.memoryId) ?? null)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
