import type { AnswerOf, RequestOf } from '../contract/operations.ts'
import { isLongJson } from '../core/base/json-pieces.ts'
import type { HandoffInput, MemoryWrite, ObserveCommand } from '../core/model/commands.ts'
import type { ActorEvent } from '../core/model/events.ts'
import type { Finding } from '../core/screening/finding.ts'
import { screen } from '../core/screening/screen.ts'
import { type Decided, type Screener, screenedTexts } from '../core/write/decision.ts'
import { decideObserve, type ObserveEffect, observeSteps } from '../core/write/observe.ts'
import { claimMemory } from '../core/write/write-claim.ts'
import type { ScreenJob } from '../ports/compute.ts'
import { observeCommand } from './normalise/observe.ts'
import {
  type Call,
  envelopeOf,
  type Handler,
  type RuntimeParts,
  sourceMap,
  turnInSlicesOnce,
  turnOnce,
  warningsOf,
} from './parts.ts'
import { inPool } from './pooled.ts'

/** What is more than this takes too long for one turn. Characters of all texts, and memories. */
const ONE_TURN_CHARS_MAX = 16 * 1024
const ONE_TURN_MEMORIES_MAX = 8
/** Characters that go to the pool at once: rankings may come between. */
const BATCH_CHARS = 128 * 1024

/** Whether an observe is so large that its texts are screened in the pool and its turn is taken in slices. Mostly not. */
export function isLarge({ memories, handoff, claims }: ObserveCommand): boolean {
  if (memories.length + claims.length > ONE_TURN_MEMORIES_MAX) return true
  if (memories.some(hasLongPayload) || (handoff !== null && hasLongPayload(handoff.memory))) return true
  let chars = handoff === null ? 0 : charsOf(handoff.memory)
  const facts = handoff?.facts
  for (const told of [facts?.handoffText, facts?.targetAgentId, facts?.targetTeamId, facts?.targetRole])
    chars += told?.length ?? 0
  for (const memory of memories) chars += charsOf(memory)
  for (const { subjectKey, predicate, value } of claims) {
    chars += subjectKey.length + predicate.length
    chars += typeof value === 'string' ? value.length : JSON.stringify(value).length
  }
  return chars > ONE_TURN_CHARS_MAX
}

/** Nothing of it is read, but all of it is copied and written. */
function hasLongPayload({ content: { payload } }: MemoryWrite): boolean {
  return payload !== null && isLongJson(payload)
}

/** Of every text that is searched or screened. */
function charsOf({ content, runId }: MemoryWrite): number {
  const { text, title, summary, nextAction, rawRef } = content
  let chars = 0
  for (const told of [text, title, summary, nextAction, rawRef, runId]) chars += told?.length ?? 0
  for (const step of content.workflowSteps) chars += step.length
  for (const file of content.targetFiles) chars += file.length
  for (const check of content.acceptanceChecks) chars += check.length
  for (const tool of content.tools) chars += tool.length
  for (const reference of content.evidenceRefs) chars += reference.length
  return chars
}

/** All texts of a command that are screened. */
export function screenJobsOf(command: ObserveCommand): readonly ScreenJob[] {
  const jobs: ScreenJob[] = []
  const add = (input: MemoryWrite, facts: HandoffInput['facts'] | null): void => {
    const { context, texts } = screenedTexts(input, facts)
    for (const text of texts) jobs.push({ text, context })
  }
  const { memories, handoff, claims } = command
  for (const memory of memories) add(memory, null)
  if (handoff !== null) add(handoff.memory, handoff.facts)
  for (const claim of claims) add(claimMemory(command, claim), null)
  return jobs
}

/**
 * A screener that has read texts in the pool already; others it reads in the turn.
 * @throws overloaded, shutting_down
 */
export async function screenerFor(parts: RuntimeParts, jobs: readonly ScreenJob[]): Promise<Screener> {
  // By context, then by text: no key is made of a text of megabytes.
  const known = new Map<string, Map<string, readonly Finding[]>>()
  for (let from = 0; from < jobs.length; ) {
    let chars = 0
    let to = from
    for (; to < jobs.length && (to === from || chars < BATCH_CHARS); to += 1)
      chars += jobs[to]?.text.length ?? 0
    const batch = jobs.slice(from, to)
    const here = () => batch.map(({ text, context }) => screen(text, context))
    const findings = await inPool(() => parts.compute.screen(batch), here, parts.log)
    for (const [place, { text, context }] of batch.entries()) {
      const byText = known.get(keyOf(context)) ?? new Map<string, readonly Finding[]>()
      known.set(keyOf(context), byText.set(text, findings[place] ?? []))
    }
    from = to
  }
  return (text, context) => known.get(keyOf(context))?.get(text) ?? screen(text, context)
}

function keyOf({ domain, declaredType, queryText }: ScreenJob['context']): string {
  return JSON.stringify([domain, declaredType, queryText])
}

type Said = ReturnType<typeof observeCommand>

/** Records evidence; the answer names every memory it wrote or found again. */
export const observe: Handler<'observe'> = async (parts, call) => {
  const said = observeCommand(call.request, call.principal)
  const { command } = said
  // The turn of a large request is taken in slices.
  const screener = isLarge(command) ? await screenerFor(parts, screenJobsOf(command)) : null
  const isWanted = call.request.auto_embed !== false
  return parts.registry.use(call.tenantId, call.scope, async (actor) => {
    const { similar, vectors } = actor
    const newIdAt = (nowMs: number) => () => parts.entropy.uuid(nowMs)
    const answered = ({ events, effect }: Decided<ObserveEffect>) => {
      vectors?.unwanted(isWanted ? NONE : writtenIn(events))
      const embedding = vectors === null ? null : isWanted && writtenIn(events).size > 0
      return { events, reply: bodyOf(call, said, effect, embedding) }
    }
    if (!actor.isSimilarReady) await actor.similarReady()
    const reply = await (screener === null
      ? turnOnce(parts, actor, call, (state, nowMs) =>
          answered(decideObserve(state, command, nowMs, newIdAt(nowMs), screen, similar)),
        )
      : turnInSlicesOnce(parts, actor, call, function* (state, nowMs) {
          return answered(yield* observeSteps(state, command, nowMs, newIdAt(nowMs), screener, similar))
        }))
    if (vectors !== null) await parts.registry.keepUnwanted(actor)
    return reply
  })
}

const NONE: ReadonlySet<string> = new Set()

/** Memories that have a new text. */
function writtenIn(events: readonly ActorEvent[]): ReadonlySet<string> {
  const ids = events.flatMap((event) => {
    if (event.type === 'memory_written') return [event.draft.memoryId]
    return event.type === 'memory_revised' ? [event.memoryId] : []
  })
  return new Set(ids)
}

function bodyOf(
  call: Call<RequestOf<'observe'>>,
  { command, warnings }: Said,
  effect: ObserveEffect,
  /** Whether anything will be embedded; null: there is no provider. */
  embedding: boolean | null,
): AnswerOf<'observe'> {
  const { contract_version, tenant_id, scope } = envelopeOf('svc_observe_result_v1', call)
  const body = {
    contract_version,
    tenant_id,
    scope,
    observed: {
      memory_written: effect.isMemoryWritten,
      handoff_stored: effect.handoffId !== null,
      general_memory_count: effect.generalCount,
      execution_memory_count: effect.executionCount,
      claim_count: effect.claimCount,
      echo_count: effect.echoCount,
    },
    memory_ids: effect.memoryIds,
    client_id_map: effect.clientIds,
    handoff_id: effect.handoffId,
    claim_ids: effect.claimIds,
  }
  const projections =
    embedding === null
      ? {}
      : {
          post_commit_projections: {
            semantic_commit: 'committed' as const,
            embedding: embedding ? ('scheduled' as const) : ('not_requested' as const),
          },
        }
  const source_map = sourceMap('/v1/observe', surfacesOf(command))
  return Object.assign(body, projections, { source_map }, warningsOf([...warnings, ...effect.warnings]))
}

function surfacesOf(command: ObserveCommand): readonly string[] {
  const used: string[] = []
  if (command.memories.length > 0) used.push('memory_write')
  if (command.handoff !== null) used.push('handoff_store')
  if (command.claims.length > 0) used.push('claim_ledger_write')
  if (command.edges.length > 0) used.push('relation_write')
  return used
}
