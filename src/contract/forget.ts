import { z } from 'zod'
import { LIFECYCLE_OPERATIONS, LIFECYCLE_TARGETS, REHYDRATE_MODES } from '../core/base/closed-sets.ts'
import { isAttributable, NOT_ATTRIBUTABLE, outcomeEvidence } from './feedback.ts'
import { filled, ID_ITEMS_MAX, id, ids, instant, isSent, optional, request, text } from './fields.ts'
import { FILTER_RULE, memoryFilter } from './operator-lists.ts'
import { ForgetEffect, namesMemory, RehydrateResult, referenceFields, refusalBy } from './rehydrate.ts'
import {
  count,
  described,
  facetChanges,
  feedbackOutcome,
  isoTime,
  nullableText,
  strings,
  usedSurface,
  writtenEnvelope,
} from './vocabulary.ts'

// What erase and forget share: acting on whatever a filter finds.

/** Memories that one request acts on. */
export const FILTERED_MAX = 10_000
/** Ids that an answer lists. */
export const FILTERED_LISTED_MAX = 200

export const filterFields = {
  filter: optional(
    memoryFilter,
    `In place of references: what it finds, the newest ${FILTERED_MAX} at most. Try it with dry_run first.`,
  ),
  dry_run: optional(
    z.boolean(),
    'With filter, or of erase with external_ids: tell what it finds and change nothing. Default false.',
  ),
}

export const filterEffect = described('Only with filter.', {
  dry_run: z.boolean(),
  matched_count: count.describe(
    'Memories found that are not yet as asked for, with the procedures that are erased with their runs.',
  ),
  changed_count: count,
  memory_ids: strings.describe(`The newest ${FILTERED_LISTED_MAX} of them.`),
  more: z.boolean().describe('True: there are more. Send the request again, as another operation.'),
})

/** What a request that was only tried would do. */
export const triedFields = {
  dry_run: z.literal(true).optional().describe('Nothing was changed: dry_run was sent.'),
  changes: facetChanges.optional().describe('With dry_run: what it would do to memories.'),
}

export const FILTER_RULES = {
  empty: FILTER_RULE,
  alone: 'Send filter without references: it says by itself which memory is meant.',
  dry: 'Send dry_run with filter, or with external_ids alone: other references say themselves what is meant.',
} as const

/** Older words for how a suppression learns; both keep the memory out of use. */
const SUPPRESS_MODES = ['shadow_learn', 'hard_freeze'] as const

export const FORGET_RULES = {
  reference:
    'At least one reference is required: send memory_ids, node_ids, client_ids, anchor_id or anchor_uri; with suppress or unsuppress a filter.',
  filter: 'Send filter with operation suppress or unsuppress only, and without guide_trace_id.',
  dry: 'Send dry_run with suppress, unsuppress or the activation of an operator.',
  eyes: 'A key does not activate what it wrote itself: another operator does.',
} as const

export const ForgetRequest = request('What to do with which memory, and why.', {
  operation: z
    .enum(LIFECYCLE_OPERATIONS)
    .describe(
      'suppress and unsuppress are idempotent; rehydrate does what /v1/rehydrate does; activate attributes an outcome.',
    ),
  target: z.enum(LIFECYCLE_TARGETS).describe('Target class. Every class takes every kind of reference.'),
  reason: filled.describe('Audit reason.'),
  ...referenceFields,
  guide_trace_id: optional(id, 'Guide that exposed the memory; for activate.'),
  until: optional(instant, 'Ends a suppression: ISO 8601, without a zone UTC. It must lie in the future.'),
  mode: optional(
    z.enum([...REHYDRATE_MODES, ...SUPPRESS_MODES]),
    'For rehydrate: how far to expand, default partial. shadow_learn and hard_freeze are accepted for suppress and mean the same.',
  ),
  include_linked_decisions: optional(z.boolean(), 'For rehydrate: include linked decisions. Default true.'),
  target_tier: optional(text, 'Accepted: rehydrated memory is resident either way.'),
  outcome: optional(feedbackOutcome, 'For activate: how it ended.'),
  used_surface: optional(usedSurface, 'For activate: surface actually used.'),
  ...outcomeEvidence,
  ...filterFields,
  dry_run: optional(z.boolean(), 'Tell what it would do, and change nothing. Default false.'),
})
  .refine((body) => namesMemory(body) || isSent(body.filter), refusalBy(FORGET_RULES.reference))
  .refine((body) => !(namesMemory(body) && isSent(body.filter)), {
    path: ['filter'],
    error: FILTER_RULES.alone,
  })
  .refine((body) => body.dry_run !== true || body.operation !== 'rehydrate', {
    path: ['dry_run'],
    error: FORGET_RULES.dry,
  })
  .refine(
    ({ filter, operation, guide_trace_id }) =>
      !isSent(filter) || (['suppress', 'unsuppress'].includes(operation) && !isSent(guide_trace_id)),
    { path: ['filter'], error: FORGET_RULES.filter },
  )
  .refine((body) => body.operation !== 'activate' || isAttributable(body), NOT_ATTRIBUTABLE)

export const ForgetResponse = described('What the operation did.', {
  ...writtenEnvelope('svc_forget_result_v1'),
  operation: z.enum(LIFECYCLE_OPERATIONS),
  target: z.enum(LIFECYCLE_TARGETS),
  forget_effect: ForgetEffect,
  filter_effect: filterEffect.optional(),
  ...triedFields,
  result: RehydrateResult.optional().describe('Only for operation rehydrate.'),
})

const { used_memory_ids: _evidence, ...references } = referenceFields

export const ERASE_RULES = {
  reference:
    'Say what to erase: send memory_ids, node_ids, client_ids, anchor_id, anchor_uri, guide_trace_ids, run_ids or external_ids, or a filter.',
  external: 'Send external_ids without consumer fields: what is kept of them goes for every lane.',
} as const

const CONSUMER_FIELDS = ['consumer_agent_id', 'agent_id', 'consumer_team_id', 'team_id'] as const

const ExternalReference = z.strictObject({
  source_backend: filled.describe('As govern was told.'),
  external_memory_id: id.describe('As govern was told.'),
})

export const EraseRequest = request('Which memory to erase, and why.', {
  reason: filled.describe('Audit reason. It stays in the tombstone: do not repeat what is erased.'),
  ...references,
  guide_trace_ids: optional(ids, 'Guides: query, explanation and exposure go, no memory does.'),
  run_ids: optional(ids, 'The same for every guide that these runs had so far.'),
  external_ids: optional(
    z.array(ExternalReference).max(ID_ITEMS_MAX),
    'Memory of other stores, by the names of govern candidates: everything that was kept of it goes.',
  ),
  ...filterFields,
})
  .refine((body) => namesAnything(body) || isSent(body.filter), refusalBy(ERASE_RULES.reference))
  .refine((body) => !(namesAnything(body) && isSent(body.filter)), {
    path: ['filter'],
    error: FILTER_RULES.alone,
  })
  .refine((body) => body.dry_run !== true || isSent(body.filter) || namesOnlyExternal(body), {
    path: ['dry_run'],
    error: FILTER_RULES.dry,
  })
  .refine((body) => !(namesExternal(body) && CONSUMER_FIELDS.some((field) => isSent(body[field]))), {
    path: ['external_ids'],
    error: ERASE_RULES.external,
  })

type Named = Parameters<typeof namesMemory>[0] & {
  readonly [name in 'guide_trace_ids' | 'run_ids' | 'external_ids']?: readonly unknown[] | null | undefined
}

function namesAnything(body: Named): boolean {
  return namesMemory(body) || namesGuides(body) || namesExternal(body)
}

function namesOnlyExternal(body: Named): boolean {
  return namesExternal(body) && !namesMemory(body) && !namesGuides(body)
}

export function namesExternal({ external_ids }: Named): boolean {
  return (external_ids?.length ?? 0) > 0
}

export function namesGuides({ guide_trace_ids, run_ids }: Named): boolean {
  return (guide_trace_ids?.length ?? 0) + (run_ids?.length ?? 0) > 0
}

const Tombstone = z.strictObject({
  memory_id: z.string(),
  erased_at: isoTime,
  reason: z.string().describe('Reason of the request that erased it.'),
  actor: nullableText.describe('Who asked for it.'),
})

const GuideEffect = described('Only with guide_trace_ids or run_ids.', {
  erased_guide_count: count,
  erased_guide_trace_ids: strings.describe('The newest 200 of them.'),
  erased_run_ids: strings,
  already_erased: strings,
  missing: strings.describe('Guides and runs that name nothing this consumer can see.'),
})

const ExternalEffect = described(
  'Only with external_ids. Their names are not repeated: they are erased too.',
  {
    erased_count: count.describe('Named by this request for the first time.'),
    already_erased_count: count,
    held_count: count.describe('Of the erased ones those of which something was known here.'),
    dry_run: z.literal(true).optional().describe('Only tried: nothing was erased.'),
  },
)

const Purged = described('What this request did on disk; all zero when nothing was left to do.', {
  snapshots: count.describe('Snapshots removed, damaged ones that were set aside included.'),
  journal_segments: count.describe('Journal segments removed.'),
  history_files: count.describe('History files rewritten or removed.'),
  copies_until: isoTime
    .optional()
    .describe('With a shared store: until then logs and backups of the database may hold it.'),
})

export const EraseResponse = described('What was erased. It holds no text of it.', {
  ...writtenEnvelope('svc_erase_result_v1'),
  agent_prompt_included: z.literal(false),
  erased_memory_ids: strings.describe(
    'Erased by this request; with filter the newest 200 of them, as tombstones.',
  ),
  already_erased_memory_ids: strings.describe('Erased by an earlier one.'),
  missing_memory_ids: strings.describe('References that name nothing this consumer can see.'),
  tombstones: z.array(Tombstone).describe('What stays of each, beside its ids and counters.'),
  purged: Purged,
  filter_effect: filterEffect.optional(),
  guide_effect: GuideEffect.optional(),
  external_effect: ExternalEffect.optional(),
})
