import { z } from 'zod'
import { ORIGINS, RELATION_TYPES } from '../core/base/closed-sets.ts'
import { ClaimObject } from './claim-input.ts'
import { count, strings, writtenEnvelope } from './envelope.ts'
import { ExecutionObject } from './execution-input.ts'
import { CLAIMS_MAX, LIST_ITEMS_MAX, optional, required, share, text } from './fields.ts'
import { HandoffObject } from './handoff-input.ts'
import { laneFields, MemoryNode, MemoryObject, Reference } from './memory-input.ts'
import { sharedFields } from './shared-request.ts'
import { nullableText } from './vocabulary.ts'
import { workspaceFields } from './workspace-changes.ts'

export const EdgeObject = z
  .looseObject({
    type: required(z.enum(RELATION_TYPES), 'What the source is to the target.'),
    src: required(Reference, 'Source: {id} or {client_id}.'),
    dst: required(Reference, 'Target: {id} or {client_id}.'),
    confidence: optional(share, 'From 0 to 1. Default 0.75.'),
  })
  .meta({ description: 'A relation between two memories.' })

/** The rule of observe that a JSON Schema cannot carry. */
export const OBSERVE_RULE =
  'At least one of these is required: input_text, memory with text, title or summary, execution with title, summary or outcome, nodes, edges, a handoff, claims or workspace_changes.'

export const ObserveRequest = z
  .object({
    ...sharedFields,
    input_text: optional(
      text,
      'The text of the memory, or of the step when `execution` is sent. Empty counts as none.',
    ),
    memory: optional(MemoryObject, 'Ordinary memory: facts, preferences, project context.'),
    execution: optional(ExecutionObject, 'Execution evidence of a run, branch or validator.'),
    handoff: optional(HandoffObject, 'Handoff for another session or agent; needs no input_text.'),
    claims: optional(
      z.array(ClaimObject).max(CLAIMS_MAX),
      'Claim ledger writes. Each claim is also a memory in the lane of the request.',
    ),
    nodes: optional(z.array(MemoryNode).max(LIST_ITEMS_MAX), 'Further memories.'),
    edges: optional(z.array(EdgeObject).max(LIST_ITEMS_MAX), 'Relations between memories.'),
    memory_kind: optional(text, 'Older classification of input_text: general_memory or execution_workflow.'),
    ...workspaceFields,
    ...laneFields,
    origin: optional(
      z.enum(ORIGINS),
      'Who says so, for everything in the request that does not say it itself. Default agent.',
    ),
    auto_embed: optional(
      z.boolean(),
      'False: what is written is not sent to the provider of embeddings. Without a provider it changes nothing. Default true.',
    ),
  })
  .meta({ description: 'What to record.' })

export const ObserveResponse = z
  .strictObject({
    ...writtenEnvelope('svc_observe_result_v1'),
    observed: z.strictObject({
      memory_written: z.boolean().meta({ description: 'A memory or a revision was written.' }),
      handoff_stored: z.boolean().meta({ description: 'A handoff was stored.' }),
      general_memory_count: count.meta({ description: 'Memories written that are not execution memory.' }),
      execution_memory_count: count.meta({ description: 'Execution memories written.' }),
      claim_count: count.meta({ description: 'Claims written.' }),
      echo_count: count.meta({
        description: 'Texts that only repeat a line a guide exposed and were not stored again.',
      }),
    }),
    memory_ids: strings.meta({
      description: 'In order of writing; for an echo the id of the exposed memory.',
    }),
    client_id_map: z
      .record(z.string(), z.string())
      .meta({ description: 'Memory id for each client id of the request.' }),
    handoff_id: nullableText.meta({ description: '`handoff:<uuid>`, or null without a handoff.' }),
    claim_ids: strings.meta({ description: '`claim:<uuid>` for each claim of the request, in order.' }),
    post_commit_projections: z
      .strictObject({
        semantic_commit: z.literal('committed'),
        embedding: z.enum(['scheduled', 'not_requested']),
      })
      .optional()
      .meta({
        description:
          'What follows in the background. Only with a provider of embeddings; `embedding_status` of each memory is told by resolve.',
      }),
  })
  .meta({ description: 'What was recorded.' })
