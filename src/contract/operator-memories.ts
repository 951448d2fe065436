import { z } from 'zod'
import {
  FACETS,
  LANES,
  LIFECYCLE_STATES,
  MEMORY_SOURCES,
  MEMORY_TYPES,
  ORIGINS,
  OUTCOMES,
  SURFACES,
} from '../core/base/closed-sets.ts'
import { count, described, isoTime, strings } from './envelope.ts'
import { filled, id, instant, isSent, optional, share } from './fields.ts'
import { pageOf, scopeReadFields } from './operator-page.ts'
import { FACET_FIELDS } from './rehydrate-result.ts'
import {
  counters,
  feedbackOutcome,
  lifecycleState,
  memoryDomain,
  memoryType,
  nullableText,
  shownCounts,
  surface,
  usedSurface,
  verifierStatus,
} from './vocabulary.ts'

/** Characters of a text in a list. */
export const LISTED_TEXT_CHARS = 400
const QUERY_CHARS_MAX = 1000

export const TEXT_MATCHES = ['substring', 'words'] as const

export const MEMORIES_RULES = {
  text: 'Free text is looked for by POST /v1/operator/memories only, so that it stands in no log of addresses.',
} as const

const filters = {
  surface: optional(z.enum(SURFACES), 'Surface of now, by the surface rules without a query.'),
  lifecycle_state: optional(z.enum(LIFECYCLE_STATES), 'Lifecycle state of now.'),
  memory_type: optional(z.enum(MEMORY_TYPES), 'Type of the memory.'),
  kind: optional(id, 'The kind as it was sent.'),
  origin: optional(z.enum(ORIGINS), 'Who said it.'),
  memory_lane: optional(z.enum(LANES), 'Lane of the memory.'),
  owner_agent_id: optional(id, 'Owner agent.'),
  owner_team_id: optional(id, 'Owner team.'),
  run_id: optional(id, 'The run that it was written in.'),
  task_signature: optional(id, 'Its task signature.'),
  workflow_signature: optional(id, 'Its workflow signature.'),
  file: optional(id, 'A path that stands in its target_files, spelled the same.'),
  created_from: optional(instant, 'Written at this time or later.'),
  created_to: optional(instant, 'Written before this time.'),
  observed_from: optional(instant, 'Observed at this time or later.'),
  observed_to: optional(instant, 'Observed before this time.'),
}

const texts = {
  text: optional(
    filled.max(QUERY_CHARS_MAX),
    'Looked for in title, whole text and summary, without regard to case.',
  ),
  text_match: optional(
    z.enum(TEXT_MATCHES),
    'substring: the text as it stands; words: each of its words, in any order. Default `substring`.',
  ),
}

const memory_id = optional(
  id,
  'One memory, or the claim or handoff that it holds, whole: text, revisions, outcomes, guides. Other filters are not read.',
)

export const FILTER_RULE = 'Send at least one filter: an empty one would mean every memory.'

/** The same filters where they say what is acted on. One that names nothing would mean everything. */
export const memoryFilter = z
  .strictObject({ ...filters, ...texts })
  .refine(
    (filter) => Object.entries(filter).some(([name, value]) => name !== 'text_match' && isSent(value)),
    {
      error: FILTER_RULE,
    },
  )
  .meta({ description: 'Which memory, by the filters of POST /v1/operator/memories.' })

export const ListMemoriesRequest = z
  .object({
    ...scopeReadFields,
    memory_id,
    ...filters,
    text: optional(z.unknown(), 'Refused here: see POST.'),
  })
  .refine(({ text }) => text === undefined || text === null, {
    path: ['text'],
    error: MEMORIES_RULES.text,
  })
  .meta({ description: 'Which memories to list. Query parameters.' })

export const SearchMemoriesRequest = z
  .object({
    ...scopeReadFields,
    memory_id,
    ...filters,
    ...texts,
  })
  .meta({ description: 'Which memories to list.' })

const ErasedTombstone = z
  .strictObject({ at: isoTime, reason: z.string(), by: nullableText })
  .nullable()
  .meta({ description: 'What is left of an erased memory beside its ids and counters.' })

const ListedDispute = z.strictObject({
  memory_id: z.string(),
  kind: z.string(),
  yields: z.boolean().meta({ description: 'Whether this memory yields to the other.' }),
})

const Revision = z.strictObject({
  revision: count,
  at: isoTime,
  title: nullableText,
  text: z.string(),
  summary: nullableText,
})

export const Change = z.strictObject({
  at: isoTime,
  facet: z.enum(FACETS),
  from: z.string(),
  to: z.string(),
  cause: z.string(),
  reason: z.string(),
  by_memory_id: nullableText,
})

export const OutcomeMark = z.strictObject({
  at: isoTime,
  run_id: z.string(),
  outcome: feedbackOutcome,
  used_surface: usedSurface,
  verifier_status: verifierStatus.nullable(),
  strong: z.boolean(),
  direct: z.boolean(),
  guide_trace_id: nullableText,
  reason: z.string(),
})

const ShowingGuide = z.strictObject({
  guide_trace_id: z.string(),
  at: isoTime,
  surface,
  consumer_agent_id: z.string(),
  consumer_team_id: nullableText,
  run_id: nullableText,
})

const MemoryDetail = described('Only where one memory is asked for.', {
  summary: nullableText,
  facets: z.strictObject(FACET_FIELDS),
  derived_from: strings,
  acceptance_checks: strings,
  workflow_steps: strings,
  tools: strings,
  evidence_refs: strings,
  next_action: nullableText,
  revisions: z.array(Revision).meta({ description: 'Earlier contents, oldest first.' }),
  changes: z.array(Change).meta({ description: 'Changes of its facets, oldest first; 64 are kept.' }),
  outcomes: z.array(OutcomeMark).meta({ description: 'Reports about it, oldest first; 256 are kept.' }),
  guides: z.array(ShowingGuide).meta({ description: 'Guides that showed it, the newest first.' }),
  guides_cut: z.boolean().meta({ description: 'There are more guides than were looked at or are listed.' }),
})

export const ListedMemory = described('One memory, for an operator.', {
  memory_id: z.string(),
  client_id: nullableText,
  claim_id: nullableText,
  handoff_id: nullableText,
  domain: memoryDomain,
  memory_type: memoryType,
  kind: nullableText,
  source: z.enum(MEMORY_SOURCES),
  lifecycle_state: lifecycleState,
  surface: surface.meta({ description: 'Of now, by the surface rules without a query.' }),
  rule_id: z.string().meta({ description: 'The rule that decided the surface.' }),
  reason_codes: strings,
  reason: z.string(),
  origin: z.enum(ORIGINS),
  memory_lane: z.enum(LANES),
  owner_agent_id: nullableText,
  owner_team_id: nullableText,
  producer_agent_id: nullableText,
  actor: nullableText,
  run_id: nullableText,
  task_signature: nullableText,
  workflow_signature: nullableText,
  outcome: z.enum(OUTCOMES).nullable(),
  target_files: strings,
  confidence: share,
  title: nullableText,
  text: nullableText.meta({
    description: `At most ${LISTED_TEXT_CHARS} characters, whole where one memory is asked for; secrets are masked. Null: it was erased.`,
  }),
  text_chars: count,
  findings: strings.meta({ description: 'What content screening found.' }),
  counters: counters,
  shown: shownCounts,
  disputes: z.array(ListedDispute),
  created_at: isoTime,
  observed_at: isoTime,
  updated_at: isoTime,
  revision: count,
  erased: ErasedTombstone,
  detail: MemoryDetail.optional(),
})

export const ListMemoriesResponse = pageOf('svc_operator_memories_v1', ListedMemory).meta({
  description: 'Memories in the order of writing, the newest first. Not for the agent.',
})

export type MemoryFilterFields = z.output<typeof memoryFilter>
