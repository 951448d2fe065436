import { z } from 'zod'
import { LANES, MEMORY_DOMAINS, STANDINGS } from '../core/base/closed-sets.ts'
import { count, described, isoTime } from './envelope.ts'
import { filled, id, optional } from './fields.ts'
import { Change, OutcomeMark } from './operator-memories.ts'
import { pageOf, scopeReadFields } from './operator-page.ts'
import { counters, nullableText, surface } from './vocabulary.ts'

export const ListExternalRequest = z
  .object({
    ...scopeReadFields,
    source_backend: optional(filled, 'Only of this backend.'),
    external_memory_id: optional(id, 'Only with this id.'),
    standing: optional(z.enum(STANDINGS), 'Only what govern judges so.'),
  })
  .meta({ description: 'Which memory of other stores to list. Query parameters.' })

const Opinion = described('What the runs of one lane said.', {
  memory_lane: z.enum(LANES),
  owner_agent_id: nullableText,
  owner_team_id: nullableText,
  standing: z.enum(STANDINGS),
  counters: counters,
  changes: z.array(Change),
  outcomes: z.array(OutcomeMark),
})

export const ExternalMemoryItem = z
  .strictObject({
    source_backend: z.string(),
    external_memory_id: z.string(),
    text_hash: z
      .string()
      .meta({ description: 'Of the text that was governed last, under a key of the scope.' }),
    domain: z.enum(MEMORY_DOMAINS),
    standing: z.enum(STANDINGS).meta({ description: 'The least usable of its opinions.' }),
    surface: surface.meta({ description: 'Where it stood last.' }),
    governed_count: count,
    governed_at: isoTime,
    opinions: z.array(Opinion),
  })
  .meta({ description: 'What is known of a memory of another store. Its text is not kept.' })

export const ListExternalResponse = pageOf('svc_operator_external_v1', ExternalMemoryItem).meta({
  description: 'Memory of other stores in the order of its names. Not for the agent.',
})
