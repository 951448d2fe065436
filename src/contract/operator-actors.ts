import { z } from 'zod'
import { count, described, isoTime } from './envelope.ts'
import { pageFields, pageOf } from './operator-page.ts'
import { sharedFields } from './shared-request.ts'

export const ListActorsRequest = z
  .object({ ...sharedFields, ...pageFields })
  .meta({ description: 'Which tenant to list. Query parameters; the scope is not read.' })

const nullableCount = count.nullable()

export const ListedActor = described('One scope of a tenant.', {
  scope: z.string(),
  resident: z.boolean().meta({ description: 'Whether it is in memory. Listing loads none.' }),
  turn_count: count.meta({ description: 'Turns that are on disk: writes and guides.' }),
  snapshot_turn_count: count.meta({
    description: 'Turns that the newest snapshot covers; 0: there is none.',
  }),
  snapshot_bytes: count,
  memory_count: nullableCount.meta({
    description: 'Without erased ones. Null, as what follows: not known of an actor that is not in memory.',
  }),
  erased_memory_count: nullableCount,
  guide_count: nullableCount,
  dispute_count: nullableCount.meta({ description: 'Disputes on record, also those that are over.' }),
  last_memory_at: isoTime.nullable().meta({ description: 'Null also where there is no memory.' }),
})

export const ListActorsResponse = pageOf('svc_operator_actors_v1', ListedActor).meta({
  description: 'The scopes of a tenant in the order of their names, by code unit. Not for the agent.',
})
