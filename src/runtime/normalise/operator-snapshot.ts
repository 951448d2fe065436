import type { RequestOf } from '../../contract/operations.ts'
import type { WireObject } from '../../core/measure/wire-object.ts'
import type { Viewer } from '../../core/report/viewer.ts'
import { firstOf } from './absence.ts'
import { consumerOf, identityOf, isConsumerGiven, type SentConsumer, sentConsumerOf } from './identity.ts'
import { type TaskIdentity, taskOf } from './task.ts'

const SUPPLIED = [
  'agent_context',
  'guide_packet',
  'memory_use_receipt',
  'memory_decision_trace',
  'memory_decision_audit',
  'effect_report',
  'claim_ledger_projection',
  'execution_context',
] as const

/** What an operator snapshot is asked for. */
export interface SnapshotQuery {
  readonly tenantId: string
  readonly scope: string
  /** Null: an operator, or whoever the guide was made for. */
  readonly viewer: Viewer
  readonly sent: SentConsumer
  readonly task: TaskIdentity & { readonly agentRole: string | null }
  readonly guideTraceId: string | null
  readonly supplied: readonly { readonly name: string; readonly value: WireObject }[]
  readonly includeMarkdown: boolean
}

export function snapshotQuery(request: RequestOf<'operatorSnapshot'>): SnapshotQuery {
  const { tenantId, scope } = identityOf(request)
  return {
    tenantId,
    scope,
    viewer: isConsumerGiven(request) ? consumerOf(request) : null,
    sent: sentConsumerOf(request),
    task: { ...taskOf(request), agentRole: firstOf(request.agent_role, request.context?.agent_role) },
    guideTraceId: request.guide_trace_id ?? null,
    supplied: SUPPLIED.flatMap((name) => {
      const value = request[name] ?? null
      return value === null ? [] : [{ name, value }]
    }),
    includeMarkdown: request.include_markdown ?? false,
  }
}
