import type { Actor } from '../../actor/actor.ts'
import type { AnswerOf } from '../../contract/operations.ts'
import { compilePrompt } from '../../core/guide/compile.ts'
import type { StoredGuide } from '../../core/guide/stored-guide.ts'
import { erasedSince } from '../../core/report/guide-record.ts'
import { commandAgain, guideNow } from '../../core/report/replay.ts'
import { isoOf } from '../iso-time.ts'
import type { RuntimeParts } from '../parts.ts'
import { recallFor } from '../recalled.ts'

type GuideDetail = NonNullable<AnswerOf<'listGuides'>['items'][number]['detail']>

/** What the ask of a guide would show now. Null: the ask is gone. Nothing is exposed by looking. */
export async function guideAsNow(
  parts: RuntimeParts,
  actor: Actor,
  stored: StoredGuide,
): Promise<NonNullable<GuideDetail['now']> | null> {
  const { exposure, decision } = stored
  if (decision === null || decision.ask.queryText === '') return null
  // What its run had seen by then says nothing of now.
  const command = { ...commandAgain(decision, exposure), omitShownIn: null }
  const recall = recallFor(parts, actor, command)
  const early = recall.early === null ? null : await recall.early
  const tools = { isoTime: isoOf, sha256: (text: string) => parts.codec.sha256(text) }
  return actor.turn((state, nowMs) => {
    if (erasedSince(stored, state).length > 0) return { events: [], reply: null }
    const { guideTraceId, heldOut } = exposure
    const recalled = recall.recalled(early)
    const occasion = { nowMs, guideTraceId, heldOut, queryHash: decision.queryHash }
    const { body } = compilePrompt(state, command, recalled, occasion, tools)
    const { printed } = guideNow(state, command, recalled, occasion, tools).decision
    const memories = printed.map((memory) => ({
      memory_id: memory.memoryId,
      surface: memory.surface,
      rule_id: memory.ruleId,
      reason_codes: memory.reasonCodes,
      reason: memory.reason,
      lifecycle_state: memory.lifecycleState,
    }))
    return { events: [], reply: { text: body.agent_context.prompt_text, memories } }
  })
}
