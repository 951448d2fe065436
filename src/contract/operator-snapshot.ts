import { z } from 'zod'
import { envelope, type Frozen } from './envelope.ts'
import { id, jsonObject, optional } from './fields.ts'
import { OperatorSnapshot } from './operator-snapshot-report.ts'
import { sharedFields } from './shared-request.ts'

const GUIDE_OBJECT =
  'Compared with the record when this actor holds the guide, shown as supplied when it does not.'

export const OperatorSnapshotRequest = z
  .object({
    ...sharedFields,
    guide_trace_id: optional(
      id,
      'The guide to show. Then the request acts with the consumer of that guide. Default: the latest guide of `run_id`, else of `task_signature`, else of the actor.',
    ),
    agent_context: optional(jsonObject, `As the guide answered it. ${GUIDE_OBJECT}`),
    guide_packet: optional(jsonObject, `As the guide answered it. ${GUIDE_OBJECT}`),
    memory_use_receipt: optional(jsonObject, `As the guide answered it. ${GUIDE_OBJECT}`),
    memory_decision_trace: optional(jsonObject, `A decision trace. ${GUIDE_OBJECT}`),
    memory_decision_audit: optional(jsonObject, `A decision audit. ${GUIDE_OBJECT}`),
    effect_report: optional(jsonObject, 'As measure answered it; shown as supplied.'),
    claim_ledger_projection: optional(jsonObject, 'A claim ledger; its memory ids are shown as supplied.'),
    execution_context: optional(
      jsonObject,
      'Lists `active_path`, `passed_solutions`, `failed_branches` of the caller; shown as supplied behind those of the record.',
    ),
    include_markdown: optional(z.boolean(), 'Add the snapshot as a page of Markdown. Default false.'),
    source_map: optional(jsonObject, 'Accepted and not used.'),
  })
  .meta({
    description:
      'Which work or guide to show. Nothing is required: without consumer fields the whole actor is shown.',
  })

export const OperatorSnapshotResponse = z
  .strictObject({
    ...envelope('svc_operator_snapshot_result_v1'),
    operator_snapshot: OperatorSnapshot,
    markdown: z.string().min(1).optional().meta({ description: 'Only with include_markdown.' }),
  })
  .meta({ description: 'The state of an actor for an operator. Not for the agent.' })

export type OperatorSnapshotRequest = z.output<typeof OperatorSnapshotRequest>
export type OperatorSnapshotResponse = Frozen<z.output<typeof OperatorSnapshotResponse>>
