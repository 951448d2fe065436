import type { AnswerOf, RequestOf } from '../contract/operations.ts'
import { GUIDE_TRACE_PREFIX } from '../core/base/ids.ts'
import type { GuideCommand } from '../core/guide/command.ts'
import { compileGuide } from '../core/guide/compile.ts'
import { isHeldOut } from './hold-out.ts'
import { once } from './idempotency.ts'
import { isoOf } from './iso-time.ts'
import { guideCommand } from './normalise/guide.ts'
import { type Call, envelopeOf, principalIdOf, type RuntimeParts, sourceMap, warningsOf } from './parts.ts'
import { recallFor } from './recalled.ts'
import { missWarning, type SemanticMiss } from './semantic.ts'

/** Compiles governed context and records what it exposed. */
export async function guide(parts: RuntimeParts, call: Call<RequestOf<'guide'>>): Promise<AnswerOf<'guide'>> {
  const { command, warnings } = guideCommand(call.request)
  const tools = { isoTime: isoOf, sha256: (text: string) => parts.codec.sha256(text) }
  return parts.registry.use(call.tenantId, call.scope, async (actor) => {
    const recall = recallFor(parts, actor, command)
    const early = recall.early === null ? null : await recall.early
    return actor.turn(
      once(
        parts.codec,
        call.operationKey,
        (state, nowMs) => {
          const recalled = recall.recalled(early)
          const guideTraceId = `${GUIDE_TRACE_PREFIX}${parts.entropy.uuid(nowMs)}`
          const heldOut = isHeldOut(parts.holdOut, call, command.runId, guideTraceId)
          const occasion = { nowMs, guideTraceId, heldOut }
          const { events, body } = compileGuide(state, command, recalled, occasion, tools)
          const semantic = parts.semantic === null ? null : { miss: recalled.miss }
          return { events, reply: replyOf(call, command, body, warnings, semantic) }
        },
        withoutPackets,
      ),
      principalIdOf(call),
    )
  })
}

function replyOf(
  call: Call<RequestOf<'guide'>>,
  command: GuideCommand,
  body: ReturnType<typeof compileGuide>['body'],
  warnings: readonly string[],
  /** Null: there is no provider of embeddings. */
  semantic: { readonly miss: SemanticMiss | null } | null,
): AnswerOf<'guide'> {
  const used = ['lexical_recall', 'admission', 'agent_context_compiler', 'exposure_ledger']
  if (command.fullPower) used.push('structured_execution_recall')
  const isSemantic = semantic !== null && semantic.miss === null
  if (isSemantic) used.push('semantic_recall')
  const warning = semantic === null || semantic.miss === null ? null : missWarning(semantic.miss)
  const omitted = [
    ...(isSemantic ? [] : ['semantic_recall']),
    ...(command.includePackets ? [] : ['memory_packet', 'guide_packet']),
  ]
  return Object.assign(
    envelopeOf('svc_guide_result_v1', call),
    body,
    { source_map: sourceMap('/v1/guide', used, omitted) },
    warningsOf(warning === null ? warnings : [...warnings, warning]),
  )
}

/** Packets are for debugging and large: a repeated request gets its answer without them. */
function withoutPackets(reply: object): object {
  return Object.fromEntries(
    Object.entries(reply).filter(([field]) => field !== 'memory_packet' && field !== 'guide_packet'),
  )
}
