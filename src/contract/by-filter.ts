import { z } from 'zod'
import { FACETS } from '../core/base/closed-sets.ts'
import { count, described, strings } from './envelope.ts'
import { optional } from './fields.ts'
import { FILTER_RULE, memoryFilter } from './operator-memories.ts'
import { nullableText } from './vocabulary.ts'

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
  matched_count: count.meta({ description: 'Memories found that are not yet as asked for.' }),
  changed_count: count,
  memory_ids: strings.meta({ description: `The newest ${FILTERED_LISTED_MAX} of them.` }),
  more: z
    .boolean()
    .meta({ description: 'True: there are more. Send the request again, as another operation.' }),
})

/** What a request that was only tried would do. */
export const triedFields = {
  dry_run: z.literal(true).optional().meta({ description: 'Nothing was changed: dry_run was sent.' }),
  changes: z
    .array(
      z.strictObject({
        memory_id: z.string(),
        facet: z.enum(FACETS),
        to: nullableText,
        cause: z.string(),
      }),
    )
    .optional()
    .meta({ description: 'With dry_run: what it would do to memories.' }),
}

export const FILTER_RULES = {
  empty: FILTER_RULE,
  alone: 'Send filter without references: it says by itself which memory is meant.',
  dry: 'Send dry_run with filter, or with external_ids alone: other references say themselves what is meant.',
} as const
