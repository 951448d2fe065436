import { z } from 'zod'
import { FILTER_RULES, filterEffect, filterFields } from './by-filter.ts'
import { count, described, isoTime, strings, writtenEnvelope } from './envelope.ts'
import { filled, ID_ITEMS_MAX, id, ids, isSent, optional, required } from './fields.ts'
import { namesMemory, REFERENCE_REFUSAL, referenceFields } from './rehydrate.ts'
import { sharedFields } from './shared-request.ts'
import { nullableText } from './vocabulary.ts'

const { used_memory_ids: _evidence, ...references } = referenceFields

export const EXTERNAL_RULE =
  'Send external_ids without consumer fields: what is kept of them goes for every lane.'

const CONSUMER_FIELDS = ['consumer_agent_id', 'agent_id', 'consumer_team_id', 'team_id'] as const

const ExternalReference = z.strictObject({
  source_backend: required(filled, 'As govern was told.'),
  external_memory_id: required(id, 'As govern was told.'),
})

export const EraseRequest = z
  .object({
    ...sharedFields,
    reason: required(filled, 'Audit reason. It stays in the tombstone: do not repeat what is erased.'),
    ...references,
    guide_trace_ids: optional(ids, 'Guides: query, explanation and exposure go, no memory does.'),
    run_ids: optional(ids, 'The same for every guide that these runs had so far.'),
    external_ids: optional(
      z.array(ExternalReference).max(ID_ITEMS_MAX),
      'Memory of other stores, by the names of govern candidates: everything that was kept of it goes.',
    ),
    ...filterFields,
  })
  .refine((body) => namesAnything(body) || isSent(body.filter), REFERENCE_REFUSAL)
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
    error: EXTERNAL_RULE,
  })
  .meta({ description: 'Which memory to erase, and why.' })

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
  reason: z.string().meta({ description: 'Reason of the request that erased it.' }),
  actor: nullableText.meta({ description: 'Who asked for it.' }),
})

const GuideEffect = described('Only with guide_trace_ids or run_ids.', {
  erased_guide_count: count,
  erased_guide_trace_ids: strings.meta({ description: 'The newest 200 of them.' }),
  erased_run_ids: strings,
  already_erased: strings,
  missing: strings.meta({ description: 'Guides and runs that name nothing this consumer can see.' }),
})

const ExternalEffect = z
  .strictObject({
    erased_count: count.meta({ description: 'Named by this request for the first time.' }),
    already_erased_count: count,
    held_count: count.meta({ description: 'Of the erased ones those of which something was known here.' }),
    dry_run: z.literal(true).optional().meta({ description: 'Only tried: nothing was erased.' }),
  })
  .meta({ description: 'Only with external_ids. Their names are not repeated: they are erased too.' })

const Purged = described('What this request did on disk; all zero when nothing was left to do.', {
  snapshots: count.meta({ description: 'Snapshots removed, damaged ones that were set aside included.' }),
  journal_segments: count.meta({ description: 'Journal segments removed.' }),
  history_files: count.meta({ description: 'History files rewritten or removed.' }),
  copies_until: isoTime
    .optional()
    .meta({ description: 'With a shared store: until then logs and backups of the database may hold it.' }),
})

export const EraseResponse = described('What was erased. It holds no text of it.', {
  ...writtenEnvelope('svc_erase_result_v1'),
  agent_prompt_included: z.literal(false),
  erased_memory_ids: strings.meta({
    description: 'Erased by this request; with filter the newest 200 of them, as tombstones.',
  }),
  already_erased_memory_ids: strings.meta({ description: 'Erased by an earlier one.' }),
  missing_memory_ids: strings.meta({ description: 'References that name nothing this consumer can see.' }),
  tombstones: z.array(Tombstone).meta({ description: 'What stays of each, beside its ids and counters.' }),
  purged: Purged,
  filter_effect: filterEffect.optional(),
  guide_effect: GuideEffect.optional(),
  external_effect: ExternalEffect.optional(),
})
