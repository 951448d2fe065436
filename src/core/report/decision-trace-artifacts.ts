import type { GuideStory } from '../guide/story.ts'
import {
  amountOf,
  fieldOf,
  isObject,
  objectsOf,
  partOf,
  textOf,
  textsOf,
  type WireObject,
} from '../measure/wire-object.ts'
import type { MemoryRecord } from '../model/record.ts'
import { type ActorState, CHANGES_MAX } from '../model/state.ts'
import { type ArtifactMismatch, mismatchesOf, readArtifact } from './artifact.ts'
import { isFeedback, judgeFeedback, type ReportHistory, saidIn } from './decision-trace-feedback.ts'
import type { MemoryOutcome } from './outcomes.ts'

/** Differences that a trace lists. */
export const MISMATCHES_MAX = 200

/** One thing of a supplied artifact that the record can neither confirm nor deny. */
export interface UnverifiedArtifact {
  readonly artifact: string
  readonly field: string
}

export interface Comparison {
  readonly mismatches: readonly ArtifactMismatch[]
  readonly unverified: readonly UnverifiedArtifact[]
}

/** One object of `product_trace` beside its guides, under the name of its field. */
export interface SuppliedAnswer {
  readonly name: string
  readonly value: WireObject
}

type Place = Pick<ActorState, 'tenantId' | 'scope'>

/** A guide response, whole or in part, against the record of the guide that it is said to be. */
export function compareGuide(
  name: string,
  value: WireObject,
  story: GuideStory,
  place: Place,
  hashOf: (text: string) => string,
): Comparison {
  const receipt = fieldOf(value, 'memory_use_receipt')
  const context = fieldOf(value, 'agent_context')
  const views: readonly (readonly [string, WireObject])[] = [
    [name, value],
    ...(isObject(receipt) && isObject(context) ? [[`${name}.memory_use_receipt`, receipt] as const] : []),
    ...(isObject(receipt) && objectsOf(receipt, 'decision_summaries').length > 0
      ? [
          [
            `${name}.memory_use_receipt.decision_summaries`,
            { memory_decisions: objectsOf(receipt, 'decision_summaries') },
          ] as const,
        ]
      : []),
  ]
  const found = views.flatMap(([artifact, view]) => viewMismatches(artifact, view, story, place, hashOf))
  const isUnread =
    story.decision === null && typeof fieldOf(partOf(value, 'agent_context'), 'prompt_text') === 'string'
  return {
    mismatches: unique(found),
    unverified: isUnread ? [{ artifact: name, field: 'prompt_text' }] : [],
  }
}

function viewMismatches(
  artifact: string,
  view: WireObject,
  story: GuideStory,
  place: Place,
  hashOf: (text: string) => string,
): readonly ArtifactMismatch[] {
  const { exposure, decision } = story
  const guide_trace_id = exposure.guideTraceId
  const read = { ...readArtifact(artifact, view, hashOf), outcome: null, usedMemoryIds: null }
  // What is said to be this guide and names another one is a difference, too.
  const isOther = read.guideTraceId !== null && read.guideTraceId !== guide_trace_id
  const fields: string[] = isOther ? ['guide_trace_id'] : []
  for (const row of mismatchesOf({ ...read, guideTraceId: null }, story, [])) fields.push(row.field)
  const says = (name: string, recorded: string | null): void => {
    const said = textOf(view, name)
    if (said !== null && said !== recorded) fields.push(name)
  }
  says('tenant_id', place.tenantId)
  says('scope', place.scope)
  says('consumer_agent_id', exposure.consumerAgentId)
  says('consumer_team_id', exposure.consumerTeamId)
  for (const [part, name] of [
    [view, 'exposed_memory_ids'],
    [partOf(view, 'agent_context'), 'memory_ids'],
  ] as const) {
    if (!Array.isArray(fieldOf(part, name))) continue
    if (!isSameList(textsOf(part, name), exposure.memoryIds)) fields.push(name)
  }
  const chars = amountOf(view, 'prompt_char_count')
  if (chars !== null && decision !== null && chars !== decision.promptChars) fields.push('prompt_char_count')
  return fields.map((field) => ({ artifact, field, guide_trace_id }))
}

/** A feedback or lifecycle response against what was recorded of the guide and of its memory. */
export function compareAnswer(
  { name, value }: SuppliedAnswer,
  story: GuideStory,
  outcomes: readonly MemoryOutcome[],
  history: ReportHistory | null,
  memories: ActorState['memories'],
): Comparison {
  const { exposure } = story
  const differs = (field: string): Comparison => ({
    mismatches: [{ artifact: name, field, guide_trace_id: exposure.guideTraceId }],
    unverified: [],
  })
  if (!isFeedback(value)) {
    return isUnrecordedSuppression(value, memories) ? differs('affected_memory_ids') : AGREED
  }
  const verdict = judgeFeedback(saidIn(value), exposure, outcomes, history, memories)
  if (verdict.status === 'differs') return differs(verdict.field)
  if (verdict.status === 'agrees') return AGREED
  return { mismatches: [], unverified: [{ artifact: name, field: 'outcome' }] }
}

const AGREED: Comparison = { mismatches: [], unverified: [] }

/** Every suppression leaves a change on its memory, as long as the memory keeps its changes. */
function isUnrecordedSuppression(value: WireObject, memories: ActorState['memories']): boolean {
  const effect = partOf(value, 'forget_effect')
  if ((textOf(value, 'operation') ?? textOf(effect, 'action')) !== 'suppress') return false
  return textsOf(effect, 'affected_memory_ids').some((id) => !mayHaveBeenSuppressed(memories.get(id)))
}

function mayHaveBeenSuppressed(record: MemoryRecord | undefined): boolean {
  if (record === undefined) return false
  return (
    record.changes.length >= CHANGES_MAX ||
    record.changes.some((change) => change.facet === 'suppression' && change.to === 'suppressed')
  )
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id, at) => id === other[at])
}

function unique(rows: readonly ArtifactMismatch[]): readonly ArtifactMismatch[] {
  return [...new Map(rows.map((row) => [`${row.artifact} ${row.field}`, row])).values()]
}
