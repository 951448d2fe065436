import { type ListSkillsRequest, type ProposeSkillsRequest, SKILLS_LISTED } from '../../contract/skills.ts'
import { GUIDE_TRACE_PREFIX } from '../../core/base/ids.ts'
import {
  fieldOf,
  isObject,
  objectsOf,
  partOf,
  textsOf,
  type WireObject,
} from '../../core/measure/wire-object.ts'
import { SIGNATURE_KINDS, type SkillStatus } from '../../core/model/skill-candidate.ts'
import type { Viewer } from '../../core/model/visibility.ts'
import { originIn, type SkillAsk } from '../../core/skills/derive.ts'
import { consumerOf, identityOf, isConsumerGiven } from './identity.ts'
import { taskOf } from './task.ts'

/** Skills of a supplied report that are looked at; a report of ours holds one for each kernel at most. */
const SUPPLIED_MAX = 4
/** Guides of a supplied report that are looked up for the consumer who was measured. */
const GUIDES_MAX = 4

export interface ProposeCommand {
  /** Null: an operator, unless a guide of the supplied report names its consumer. */
  readonly eyes: Viewer
  /** Guides that the supplied report names as its evidence. */
  readonly guideTraceIds: readonly string[]
  /** What is asked for, once it is known with whose eyes. */
  readonly asksFor: (eyes: Viewer) => readonly SkillAsk[]
  readonly includeMarkdown: boolean
}

/** A supplied report counts before the signatures that the request itself names. */
export function proposeCommand(request: ProposeSkillsRequest): ProposeCommand {
  const report = suppliedReport(request)
  return {
    eyes: isConsumerGiven(request) ? consumerOf(request) : null,
    guideTraceIds: report === null ? [] : guidesOf(report),
    asksFor: (eyes) => (report === null ? namedAsks(request, eyes) : suppliedAsks(report, eyes)),
    includeMarkdown: request.include_markdown ?? false,
  }
}

export interface ListCommand {
  readonly tenantId: string
  readonly scope: string
  readonly eyes: Viewer
  readonly status: SkillStatus | 'all'
  readonly limit: number
  readonly includeMarkdown: boolean
}

export function listCommand(request: ListSkillsRequest): ListCommand {
  const { tenantId, scope } = identityOf(request)
  return {
    tenantId,
    scope,
    eyes: isConsumerGiven(request) ? consumerOf(request) : null,
    status: request.status ?? 'pending_review',
    limit: request.limit ?? SKILLS_LISTED,
    includeMarkdown: request.include_markdown ?? false,
  }
}

function suppliedReport(request: ProposeSkillsRequest): WireObject | null {
  if (isObject(request.effect_report)) return request.effect_report
  return isObject(request.measure_result) ? partOf(request.measure_result, 'effect_report') : null
}

function guidesOf(report: WireObject): readonly string[] {
  return textsOf(partOf(report, 'evidence'), 'evidence_ids')
    .filter((id) => id.startsWith(GUIDE_TRACE_PREFIX))
    .slice(0, GUIDES_MAX)
}

function suppliedAsks(report: WireObject, derivedFor: Viewer): readonly SkillAsk[] {
  return objectsOf(report, 'training_candidates')
    .flatMap((candidate) => {
      const supplied = fieldOf(candidate, 'trace_derived_skill')
      return isObject(supplied) ? [{ origin: originIn(supplied, derivedFor), supplied }] : []
    })
    .slice(0, SUPPLIED_MAX)
}

function namedAsks(request: ProposeSkillsRequest, derivedFor: Viewer): readonly SkillAsk[] {
  const { taskSignature, workflowSignature } = taskOf(request)
  const named = { task_signature: taskSignature, workflow_signature: workflowSignature }
  return SIGNATURE_KINDS.flatMap((signatureKind) => {
    const signature = named[signatureKind]
    return signature === null ? [] : [{ origin: { signatureKind, signature, derivedFor }, supplied: null }]
  })
}
