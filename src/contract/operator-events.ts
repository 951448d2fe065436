import { z } from 'zod'
import { FACETS, SURFACES } from '../core/base/closed-sets.ts'
import { TURN_EVENTS } from '../core/report/turn-events.ts'
import { described, type Frozen, isoTime, strings } from './envelope.ts'
import { optional, required, scopeName, tenantId } from './fields.ts'
import { consumerFields } from './shared-request.ts'
import { nullableText } from './vocabulary.ts'

/** Streams that may be open at once. */
export const LISTENERS_MAX = 16
/** Events that a reader who comes back is told anew. */
export const REPLAYED_MAX = 1000
/** Events that wait for a slow reader. */
export const QUEUED_MAX = 256

export const STREAM_RULES = {
  place: 'tenant_id and scope are both sent.',
  names: `The name of an event is one of ${TURN_EVENTS.join(', ')}; data is the object of this answer as JSON, in one line.`,
  back: `With the header Last-Event-ID, or last_event_id, what was missed is told first, at most ${REPLAYED_MAX} events and each once; with more, or where history does not reach, one event named gap with its reason, and then what is new.`,
  slow: `For a reader that does not keep up ${QUEUED_MAX} events wait: the oldest go, and an event named dropped says how many, as {"dropped": n}.`,
  end: 'An event named end says why the stream ends: {"reason": "shutting_down"}, {"reason": "unauthorized"}, or {"reason": "not_owner"}: another node has the scope now, ask again.',
  many: `At most ${LISTENERS_MAX} streams are open at once; one more is answered overloaded.`,
} as const

/** `<turn>.<place in the turn>` */
export const EVENT_ID = /^(0|[1-9]\d{0,14})\.(0|[1-9]\d{0,5})$/

export const FollowEventsRequest = z
  .object({
    tenant_id: required(tenantId, 'The tenant that is followed.'),
    scope: required(scopeName, 'The scope that is followed.'),
    ...consumerFields,
    last_event_id: optional(
      z.string().regex(EVENT_ID, { error: 'Send the id of an event of this stream as it came, or none.' }),
      'The last event that came, as the header `Last-Event-ID`, which counts where both are sent.',
    ),
    include_text: optional(
      z.boolean(),
      'Also the texts of its memories, 400 characters each, as they are when the event is sent. Default false.',
    ),
  })
  .meta({ description: 'What to follow. Query parameters.' })

export const OperatorEvent = described('One event of a scope.', {
  contract_version: z.literal('svc_operator_events_v1'),
  tenant_id: z.string(),
  scope: z.string(),
  event: z.enum(TURN_EVENTS),
  at: isoTime,
  key_id: nullableText.meta({ description: 'The key by which it was asked for; null: without keys.' }),
  memory_ids: strings,
  guide_trace_ids: strings,
  run_id: nullableText,
  consumer_agent_id: nullableText,
  consumer_team_id: nullableText,
  what: nullableText.meta({
    description:
      'Outcome of a feedback, kind of a dispute, which side of it stands, verdict on a skill, operation of a forget.',
  }),
  skill_id: nullableText,
  shown: z
    .array(z.strictObject({ surface: z.enum(SURFACES), rule_id: z.string(), count: z.int().min(1) }))
    .meta({
      description:
        'Lines of a guide in rank order: the surface and rule of the first `count` of memory_ids, then of the next ones.',
    }),
  screened: z
    .array(z.strictObject({ memory_id: z.string(), findings: strings }))
    .meta({ description: 'What screening found in what was written.' }),
  changes: z
    .array(
      z.strictObject({
        memory_id: z.string(),
        facet: z.enum(FACETS),
        to: nullableText,
        cause: z.string(),
      }),
    )
    .meta({ description: 'What it did to memories, in the words of their facets.' }),
  texts: z
    .array(z.strictObject({ memory_id: z.string(), text: nullableText }))
    .optional()
    .meta({ description: 'With include_text; null: it is erased.' }),
})
export type OperatorEvent = Frozen<z.output<typeof OperatorEvent>>
