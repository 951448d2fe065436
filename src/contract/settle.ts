import { z } from 'zod'
import { VERDICTS } from '../core/write/settle.ts'
import { type Frozen, strings, writtenEnvelope } from './envelope.ts'
import { filled, id, required } from './fields.ts'
import { sharedFields } from './shared-request.ts'

export const SETTLE_RULES = {
  pair: 'The two memories dispute each other, or did when they were settled before.',
  anew: 'A later verdict takes back what the one before did: that is its undo. The same one again changes nothing.',
} as const

export const SettleRequest = z
  .object({
    ...sharedFields,
    memory_ids: required(
      z.tuple([id, id], { error: 'Send the ids of two memories that dispute each other, as [a, b].' }),
      'The two memories of a dispute, a and b.',
    ),
    verdict: required(
      z.enum(VERDICTS),
      'a or b: that one stands, the other is superseded. both: they do not contradict each other, for good. neither: both are suppressed.',
    ),
    reason: required(filled, 'Audit reason.'),
  })
  .meta({ description: 'Which side of a dispute stands.' })

export const SettleResponse = z
  .strictObject({
    ...writtenEnvelope('svc_settle_result_v1'),
    memory_ids: strings.meta({ description: 'a and b.' }),
    verdict: z.enum(VERDICTS),
    previous_verdict: z.enum(VERDICTS).nullable().meta({ description: 'What it replaces; null: nothing.' }),
    changed_memory_ids: strings.meta({ description: 'Memories whose state changed.' }),
  })
  .meta({ description: 'What was decided, and what it changed.' })

export type SettleRequest = z.output<typeof SettleRequest>
export type SettleResponse = Frozen<z.output<typeof SettleResponse>>
