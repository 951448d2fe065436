import { z } from 'zod'
import { envelope } from './envelope.ts'
import { id, optional, required, scopeName } from './fields.ts'
import { actorFields, consumerFields, sharedFields } from './shared-request.ts'
import { nullableText } from './vocabulary.ts'

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

/** Fields of a read of one scope. */
export const scopeReadFields = {
  ...sharedFields,
  tenant_id: actorFields.tenant_id,
  scope: required(scopeName, 'The scope that is read.'),
  consumer_agent_id: optional(id, 'Only what this agent sees. Without consumer fields every lane is shown.'),
  agent_id: consumerFields.agent_id,
  consumer_team_id: optional(id, 'Only what this team sees.'),
  team_id: consumerFields.team_id,
  ...pageFields,
}

/** An answer of a read: fewer items than the limit, also none, do not say that it is the last page. */
export function pageOf<Version extends string, Item extends z.ZodType>(version: Version, item: Item) {
  return z.strictObject({
    ...envelope(version),
    items: z.array(item).max(PAGE_LIMIT_MAX),
    next_cursor: nullableText.meta({
      description: 'Send it as `cursor` for the next page. Null: there is none.',
    }),
  })
}
