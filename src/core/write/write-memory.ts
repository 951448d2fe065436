import type { LifecycleState } from '../base/closed-sets.ts'
import type { DeclaredLifecycle, MemoryWrite } from '../model/commands.ts'
import { contentOf } from '../model/compact-record.ts'
import { INITIAL_FACETS, lifecycleStateAt } from '../model/lifecycle.ts'
import { isLess, type Voice } from '../model/principal.ts'
import type { ClaimFacts, Consumer, Content, Facets, HandoffFacts } from '../model/record.ts'
import { liveRecord } from '../model/state.ts'
import { audienceKey } from '../model/visibility.ts'
import { condense } from '../text/condense.ts'
import { type Decision, findingsIn, isSameContent, type Seen, taskNamedAnew } from './decision.ts'
import { eyesOf, type Lineage, lineageOf, nameOf, relate, voiceOf } from './lineage.ts'

/** A longer text is kept whole as payload; the record holds a compact text. Characters. */
export const MEMORY_TEXT_MAX = 32_000
/** Length of that compact text. Characters. */
export const COMPACT_TEXT_MAX = 4_000

export interface Written {
  readonly memoryId: string
  /** False when the caller repeated what is already known. */
  readonly hasChanged: boolean
  readonly warnings: readonly string[]
}

/** What a claim or a handoff adds to a memory. */
export interface Extras {
  readonly source: 'observe' | 'claim' | 'handoff'
  readonly claim: (memoryId: string) => ClaimFacts | null
  readonly handoff: (memoryId: string) => HandoffFacts | null
}

export const PLAIN: Extras = { source: 'observe', claim: () => null, handoff: () => null }

/** Writes a memory, or a revision of the one with the same client id and audience, or nothing when it says the same. */
export function writeMemory(
  decision: Decision,
  input: MemoryWrite,
  viewpoint: Consumer,
  extras: Extras,
): Written {
  const eyes = eyesOf(viewpoint, input.audience)
  const lineage = lineageOf(decision, input, eyes)
  const known = input.clientId === null ? null : sameClient(decision, input, extras)
  // A handoff is carried on by whoever works on it.
  if (
    known !== null &&
    extras.source !== 'handoff' &&
    isLess(voiceOfInput(decision, input), voiceOf(decision, known))
  )
    return writeBeside(decision, input, viewpoint, known, extras)
  const written =
    known === null
      ? writeNew(decision, input, lineage, extras)
      : writeAgain(decision, input, lineage, extras, known)
  const warnings = [...lineage.warnings, ...applySupersedes(decision, input, written.memoryId, eyes)]
  if (known !== null && input.kind !== null && input.memoryType !== known.memoryType)
    warnings.push(
      `client_id ${input.clientId}: ${known.memoryId} stays of type ${known.memoryType}; one of type ${input.memoryType} needs another client_id`,
    )
  if (extras.source === 'observe') warnings.push(...outlasting(decision, input, written))
  return { ...written, warnings }
}

/** What somebody has said of a memory and its next text does not take back. */
const OUTLASTS_REVISION: ReadonlySet<LifecycleState> = new Set(['suppressed', 'failed', 'superseded'])

/** A warning when a revision, or a repeated handoff or claim, is not in force for what was said of its memory before. */
export function outlasting(
  decision: Decision,
  { clientId, declared }: MemoryWrite,
  { memoryId, hasChanged }: Outcome,
): readonly string[] {
  const seen = decision.seen(memoryId)
  const isTold = hasChanged || (seen !== null && sourceOf(seen) !== 'observe')
  if (!isTold || declared.length > 0 || !decision.state.memories.has(memoryId)) return []
  const state = lifecycleStateAt(seen?.facets ?? INITIAL_FACETS, decision.nowMs)
  if (!OUTLASTS_REVISION.has(state)) return []
  const said = hasChanged ? 'revision' : 'repeat'
  return [`client_id ${clientId}: ${memoryId} is ${state}, and a ${said} does not end that`]
}

/**
 * What has less authority than the memory of its client id is no revision of it: it is a memory of its own without that
 * id, and yields. Said twice it is stored once.
 */
function writeBeside(
  decision: Decision,
  input: MemoryWrite,
  viewpoint: Consumer,
  known: Seen,
  extras: Extras,
): Written {
  const { memoryId } = known
  const content = compacted(input.content)
  const eyes = eyesOf(viewpoint, input.audience)
  const why = `client_id ${input.clientId ?? ''}: ${memoryId} is of more authority (${decision.authorityOf(known)}) than origin ${input.origin}`
  if (isSameContent(known.content, content)) {
    const isLowering = input.declared.some((word) => word !== 'active')
    const warnings = isLowering ? [`${why}; what was declared about it has no effect`] : []
    warnings.push(...applySupersedes(decision, input, memoryId, eyes))
    return { memoryId, hasChanged: false, warnings }
  }
  const warning = `${why}; it was kept without client_id and yields to that memory`
  const before = (decision.state.disputesByMemory.get(memoryId) ?? [])
    .flatMap(({ laterId }) => liveRecord(decision.state, laterId) ?? [])
    .find((other) => other.origin === input.origin && isSameContent(other.content, content))
  if (before !== undefined) return { memoryId: before.memoryId, hasChanged: false, warnings: [warning] }
  const written = writeMemory(decision, { ...input, clientId: null }, viewpoint, extras)
  decision.dispute(memoryId, written.memoryId, 'revision', 'later')
  return { ...written, warnings: [warning, ...written.warnings] }
}

/** Lets what stands for an input supersede what the input names. */
export function applySupersedes(
  decision: Decision,
  input: MemoryWrite,
  memoryId: string,
  eyes: readonly Consumer[],
): string[] {
  const warnings: string[] = []
  for (const ref of input.supersedes) {
    const source = decision.seen(memoryId)
    const target = decision.resolve(ref, eyes, input.audience)
    if (target === null || source === null)
      warnings.push(`supersedes ${nameOf(ref)}: no such memory; nothing was superseded`)
    else warnings.push(...relate(decision, 'supersedes', source, target, 1, voiceOfInput(decision, input)))
  }
  return warnings
}

function voiceOfInput({ isOperators }: Decision, { origin, memoryType }: MemoryWrite): Voice {
  return { authority: isOperators ? 'operator' : origin, memoryType }
}

/** General memory, runs, claims and handoffs have client ids of their own: a revision never changes what a record is. */
function sameClient(decision: Decision, input: MemoryWrite, extras: Extras): Seen | null {
  const key = audienceKey(input.audience)
  const matches = input.clientId === null ? [] : decision.withClientId(input.clientId)
  return (
    matches.find(
      (match) =>
        audienceKey(match.audience) === key &&
        sourceOf(match) === extras.source &&
        match.domain === input.domain,
    ) ?? null
  )
}

function sourceOf(seen: Seen): Extras['source'] {
  if (seen.claim !== null) return 'claim'
  return seen.handoff === null ? 'observe' : 'handoff'
}

type Outcome = Omit<Written, 'warnings'>

function writeNew(decision: Decision, input: MemoryWrite, lineage: Lineage, extras: Extras): Outcome {
  const memoryId = decision.newId()
  decision.write({
    memoryId,
    clientId: input.clientId,
    domain: input.domain,
    memoryType: input.memoryType,
    kind: input.kind,
    audience: input.audience,
    producerAgentId: input.producerAgentId,
    producerTeamId: input.producerTeamId,
    actorName: input.actorName,
    origin: input.origin,
    derivedFrom: lineage.derivedFrom,
    source: extras.source,
    runId: input.runId,
    taskId: input.taskId,
    taskFamily: input.taskFamily,
    taskSignature: input.taskSignature,
    workflowSignature: input.workflowSignature,
    content: compacted(input.content),
    claim: extras.claim(memoryId),
    handoff: extras.handoff(memoryId),
    facets: declaredFacets(input, lineage, decision.nowMs),
    findings: findingsIn(input, extras.handoff(memoryId), decision.screener),
    createdAtMs: decision.nowMs,
    observedAtMs: input.observedAtMs ?? decision.nowMs,
  })
  return { memoryId, hasChanged: true }
}

function writeAgain(
  decision: Decision,
  input: MemoryWrite,
  lineage: Lineage,
  extras: Extras,
  known: Seen,
): Outcome {
  const { memoryId } = known
  const content = compacted(input.content)
  const [claim, handoff] = [extras.claim(memoryId), extras.handoff(memoryId)]
  const isSame =
    isSameContent(known.content, content) &&
    isSameClaim(known.claim, claim) &&
    JSON.stringify(known.handoff) === JSON.stringify(handoff) &&
    known.facets.validUntilMs === input.validUntilMs
  if (!isSame) {
    decision.revise({
      type: 'memory_revised',
      memoryId,
      content,
      claim,
      handoff,
      origin: input.origin,
      derivedFrom: [...new Set([...known.derivedFrom, ...lineage.derivedFrom])],
      runId: input.runId,
      observedAtMs: input.observedAtMs ?? decision.nowMs,
      validUntilMs: input.validUntilMs,
      findings: findingsIn(input, handoff, decision.screener),
      ...taskNamedAnew(input, known),
    })
    if (content.outcome === 'succeeded' && known.domain === 'execution') {
      const reason = 'a newer revision of the run succeeded'
      decision.move(memoryId, { facet: 'standing', to: 'active', cause: 'succeeded_revision', reason })
    }
    if (!lineage.isTrusted) {
      const reason = `revised from an origin that is not confirmed (${input.origin})`
      decision.move(memoryId, { facet: 'trust', to: 'candidate', cause: 'declared', reason })
    }
  }
  const isDeclared = input.declared.map((word) => declare(decision, memoryId, word)).some((moved) => moved)
  return { memoryId, hasChanged: !isSame || isDeclared }
}

/** The memory that was written beside a claim is where it came from, not what it says. */
function isSameClaim(a: ClaimFacts | null, b: ClaimFacts | null): boolean {
  if (a === null || b === null) return a === b
  return JSON.stringify({ ...a, sourceMemoryId: null }) === JSON.stringify({ ...b, sourceMemoryId: null })
}

/** The text by which a memory with this content is found; see `Content.fullTextChars`. */
export function heldText(text: string): string {
  return text.length > MEMORY_TEXT_MAX ? condense(text, COMPACT_TEXT_MAX) : text
}

/** Keeps a long text whole in the payload; what is ranked and printed is compact. */
function compacted(content: MemoryWrite['content']): Content {
  if (content.text.length <= MEMORY_TEXT_MAX) return contentOf(content, null)
  const { payload, text } = content
  // A field of the caller by that name stays what it is, one level down.
  const own = payload !== null && Object.hasOwn(payload, 'full_text') ? { payload } : payload
  return {
    ...content,
    text: heldText(text),
    payload: { ...own, full_text: text },
    fullTextChars: text.length,
  }
}

/** Declared words set the facet that they name; without one the origin decides the trust. */
function declaredFacets(input: MemoryWrite, lineage: Lineage, nowMs: number): Facets {
  const has = (word: DeclaredLifecycle): boolean => input.declared.includes(word)
  const reason = 'declared when it was observed'
  return {
    ...INITIAL_FACETS,
    trust: lineage.isTrusted && !has('candidate') ? 'trusted' : 'candidate',
    standing: has('failed')
      ? 'failed'
      : has('contested')
        ? 'contested'
        : has('demoted')
          ? 'demoted'
          : 'active',
    validity: has('superseded') ? 'superseded' : has('expired') ? 'expired' : 'live',
    validUntilMs: input.validUntilMs,
    availability: has('archived') ? 'archived' : 'resident',
    suppression: has('suppressed') ? { reason, by: input.actorName, sinceMs: nowMs, untilMs: null } : null,
  }
}

const DECLARED_MOVES = {
  candidate: { facet: 'trust', to: 'candidate' },
  contested: { facet: 'standing', to: 'contested' },
  demoted: { facet: 'standing', to: 'demoted' },
  failed: { facet: 'standing', to: 'failed' },
  superseded: { facet: 'validity', to: 'superseded' },
  expired: { facet: 'validity', to: 'expired' },
  archived: { facet: 'availability', to: 'archived' },
} as const

function declare(decision: Decision, memoryId: string, word: DeclaredLifecycle): boolean {
  const reason = 'declared by a later observation'
  if (word === 'active') return false
  if (word === 'suppressed') {
    return decision.suppress(
      memoryId,
      { reason, by: null, sinceMs: decision.nowMs, untilMs: null },
      'declared',
    )
  }
  return decision.move(memoryId, { ...DECLARED_MOVES[word], cause: 'declared', reason })
}
