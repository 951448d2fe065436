import { z } from 'zod'
import {
  FACETS,
  LANES,
  LIFECYCLE_STATES,
  MEMORY_DOMAINS,
  MEMORY_SOURCES,
  MEMORY_TYPES,
  ORIGINS,
  OUTCOMES,
  STANDINGS,
  SURFACES,
} from '../core/base/closed-sets.ts'
import { REVIEW_KINDS, REVIEW_ORDERS } from '../core/report/review-list.ts'
import { filled, id, instant, isSent, optional, request, scopeName, share } from './fields.ts'
import { FACET_FIELDS } from './rehydrate.ts'
import { SkillCandidateItem } from './skills.ts'
import {
  count,
  counters,
  described,
  envelope,
  isoTime,
  lifecycleState,
  memoryDomain,
  memoryType,
  nullableCount,
  nullableText,
  outcomeFields,
  shownCounts,
  strings,
  surface,
} from './vocabulary.ts'

// What the operator reads share: a page of items, with a cursor to the next one.

export const PAGE_LIMIT_MAX = 200
export const PAGE_LIMIT = 50
/** A scope of 256 characters, escaped, with room. */
const CURSOR_CHARS_MAX = 4096

export const pageFields = {
  cursor: optional(
    id.max(CURSOR_CHARS_MAX),
    'The `next_cursor` of the page before; everything else but `limit` must be as it was then.',
  ),
  limit: optional(
    z.int().min(1).max(PAGE_LIMIT_MAX),
    `Items of a page, 1 to ${PAGE_LIMIT_MAX}. Default ${PAGE_LIMIT}.`,
  ),
}

/** What a read of one scope says otherwise than other requests, and its page. */
export const scopeReadFields = {
  scope: scopeName.describe('The scope that is read.'),
  consumer_agent_id: optional(id, 'Only what this agent sees. Without consumer fields every lane is shown.'),
  consumer_team_id: optional(id, 'Only what this team sees.'),
  ...pageFields,
}

/** An answer of a read: fewer items than the limit, also none, do not say that it is the last page. */
export function pageOf<Version extends string, Item extends z.ZodType>(version: Version, item: Item) {
  return z.strictObject({
    ...envelope(version),
    items: z.array(item).max(PAGE_LIMIT_MAX),
    next_cursor: nullableText.describe('Send it as `cursor` for the next page. Null: there is none.'),
  })
}

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
export const memoryFilter = described('Which memory, by the filters of POST /v1/operator/memories.', {
  ...filters,
  ...texts,
}).refine(
  (filter) => Object.entries(filter).some(([name, value]) => name !== 'text_match' && isSent(value)),
  {
    error: FILTER_RULE,
  },
)

export const ListMemoriesRequest = request('Which memories to list. Query parameters.', {
  ...scopeReadFields,
  memory_id,
  ...filters,
  text: optional(z.unknown(), 'Refused here: see POST.'),
}).refine(({ text }) => text === undefined || text === null, {
  path: ['text'],
  error: MEMORIES_RULES.text,
})

export const SearchMemoriesRequest = request('Which memories to list.', {
  ...scopeReadFields,
  memory_id,
  ...filters,
  ...texts,
})

const ErasedTombstone = z
  .strictObject({ at: isoTime, reason: z.string(), by: nullableText })
  .nullable()
  .describe('What is left of an erased memory beside its ids and counters.')

const ListedDispute = z.strictObject({
  memory_id: z.string(),
  kind: z.string(),
  yields: z.boolean().describe('Whether this memory yields to the other.'),
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
  ...outcomeFields,
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
  revisions: z.array(Revision).describe('Earlier contents, oldest first.'),
  changes: z.array(Change).describe('Changes of its facets, oldest first; 64 are kept.'),
  outcomes: z.array(OutcomeMark).describe('Reports about it, oldest first; 256 are kept.'),
  guides: z.array(ShowingGuide).describe('Guides that showed it, the newest first.'),
  guides_cut: z.boolean().describe('There are more guides than were looked at or are listed.'),
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
  surface: surface.describe('Of now, by the surface rules without a query.'),
  rule_id: z.string().describe('The rule that decided the surface.'),
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
  text: nullableText.describe(
    `At most ${LISTED_TEXT_CHARS} characters, whole where one memory is asked for; secrets are masked. Null: it was erased.`,
  ),
  text_chars: count,
  findings: strings.describe('What content screening found.'),
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

export const ListMemoriesResponse = pageOf('svc_operator_memories_v1', ListedMemory).describe(
  'Memories in the order of writing, the newest first. Not for the agent.',
)

export type MemoryFilterFields = z.output<typeof memoryFilter>

export const ListExternalRequest = request('Which memory of other stores to list. Query parameters.', {
  ...scopeReadFields,
  source_backend: optional(filled, 'Only of this backend.'),
  external_memory_id: optional(id, 'Only with this id.'),
  standing: optional(z.enum(STANDINGS), 'Only what govern judges so.'),
})

const Opinion = described('What the runs of one lane said.', {
  memory_lane: z.enum(LANES),
  owner_agent_id: nullableText,
  owner_team_id: nullableText,
  standing: z.enum(STANDINGS),
  counters: counters,
  changes: z.array(Change),
  outcomes: z.array(OutcomeMark),
})

export const ExternalMemoryItem = described(
  'What is known of a memory of another store. Its text is not kept.',
  {
    source_backend: z.string(),
    external_memory_id: z.string(),
    text_hash: z.string().describe('Of the text that was governed last, under a key of the scope.'),
    domain: z.enum(MEMORY_DOMAINS),
    standing: z.enum(STANDINGS).describe('The least usable of its opinions.'),
    surface: surface.describe('Where it stood last.'),
    governed_count: count.nullable().describe('Null for a consumer: others govern it, too.'),
    governed_at: isoTime.nullable(),
    opinions: z.array(Opinion),
  },
)

export const ListExternalResponse = pageOf('svc_operator_external_v1', ExternalMemoryItem).describe(
  'Memory of other stores in the order of its names. Not for the agent.',
)

export const ListReviewRequest = request('What of a scope waits for a person. Query parameters.', {
  ...scopeReadFields,
  kind: optional(z.enum(REVIEW_KINDS), 'Only what waits for this reason.'),
  order: optional(z.enum(REVIEW_ORDERS), 'Default `newest`.'),
})

export const ReviewItem = described('One thing that waits for a person.', {
  kind: z
    .enum(REVIEW_KINDS)
    .describe(
      'dispute: two memories that cannot both hold; contested: evidence speaks against it; incident: verified failures took it out of use; demoted: reported failures lowered it; candidate: it is not trusted yet, or screening found something; skill: a procedure that nobody has judged.',
    ),
  memories: z
    .array(ListedMemory)
    .max(2)
    .describe('Of a dispute both, the one that was written later first; of a skill none.'),
  dispute: z
    .strictObject({
      kind: z.string().describe('What they disagree about.'),
      yields_memory_id: z.string().describe('The one that is held back meanwhile.'),
      seq: count.describe('The turn that found it.'),
    })
    .nullable(),
  skill: SkillCandidateItem.nullable(),
})

export const ListReviewResponse = pageOf('svc_operator_review_v1', ReviewItem).describe(
  'Memory in the order asked for, then skills in the same. Not for the agent.',
)

export const ListActorsRequest = request('Which tenant to list. Query parameters; the scope is not read.', {
  ...pageFields,
})

export const ListedActor = described('One scope of a tenant.', {
  scope: z.string(),
  resident: z.boolean().describe('Whether it is in memory. Listing loads none.'),
  turn_count: count.describe('Turns that are on disk: writes and guides.'),
  snapshot_turn_count: count.describe('Turns that the newest snapshot covers; 0: there is none.'),
  snapshot_bytes: count,
  memory_count: nullableCount.describe(
    'Without erased ones. Null, as what follows: not known of an actor that is not in memory.',
  ),
  erased_memory_count: nullableCount,
  guide_count: nullableCount,
  dispute_count: nullableCount.describe('Disputes on record, also those that are over.'),
  last_memory_at: isoTime.nullable().describe('Null also where there is no memory.'),
})

export const ListActorsResponse = pageOf('svc_operator_actors_v1', ListedActor).describe(
  'The scopes of a tenant in the order of their names, by code unit. Not for the agent.',
)
