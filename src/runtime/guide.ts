import { yieldToLoop } from '../actor/yield-to-loop.ts'
import type { GuidePromptResponse } from '../contract/guide.ts'
import { isLongJson } from '../contract/json-pieces.ts'
import type { AnswerOf, AnyAnswerOf, RequestOf } from '../contract/operations.ts'
import { GUIDE_TRACE_PREFIX } from '../core/base/ids.ts'
import { compileGuide, compilePrompt } from '../core/guide/compile.ts'
import type { GuideCommand } from '../core/guide/entry.ts'
import { isHeldOut } from './hold-out.ts'
import { isoOf } from './iso-time.ts'
import { guideCommand } from './normalise/guide.ts'
import { type Call, envelopeOf, type Handler, sourceMap, turnOnce, warningsOf } from './parts.ts'
import { recallFor } from './recalled.ts'
import { missWarning, type SemanticMiss } from './semantic.ts'

/** Compiles governed context and records what it exposed. */
export const guide: Handler<'guide'> = async (parts, call) => {
  const { command, warnings } = guideCommand(call.request)
  const isPromptView = call.request.view === 'prompt'
  const tools = { isoTime: isoOf, sha256: (text: string) => parts.codec.sha256(text) }
  const queryHash = tools.sha256(command.queryText)
  // Of megabytes the hash takes as long as the rest of the guide.
  if (isLongJson(command.queryText)) await yieldToLoop()
  return parts.registry.use(call.tenantId, call.scope, async (actor) => {
    const recall = recallFor(parts, actor, command)
    const early = recall.early === null ? null : await recall.early
    return turnOnce<AnyAnswerOf<'guide'>>(
      parts,
      actor,
      call,
      (state, nowMs) => {
        const recalled = recall.recalled(early)
        const guideTraceId = `${GUIDE_TRACE_PREFIX}${parts.entropy.uuid(nowMs)}`
        const heldOut = isHeldOut(parts.holdOut, call, command.runId, guideTraceId)
        const occasion = { nowMs, guideTraceId, heldOut, queryHash }
        const semantic = parts.semantic === null ? null : { miss: recalled.miss }
        const told = withMiss(warnings, semantic)
        if (isPromptView) {
          const { events, body } = compilePrompt(state, command, recalled, occasion, tools)
          return { events, reply: promptOf(call, body, told) }
        }
        const { events, body } = compileGuide(state, command, recalled, occasion, tools)
        return { events, reply: replyOf(call, command, body, told, semantic) }
      },
      withoutPackets,
    )
  })
}

/** Whether the embeddings took part. Null: there is no provider of them. */
type Semantically = { readonly miss: SemanticMiss | null } | null

function withMiss(warnings: readonly string[], semantic: Semantically): readonly string[] {
  const warning = semantic === null || semantic.miss === null ? null : missWarning(semantic.miss)
  return warning === null ? warnings : [...warnings, warning]
}

function promptOf(
  call: Call<RequestOf<'guide'>>,
  { guide_trace_id, agent_context }: ReturnType<typeof compilePrompt>['body'],
  warnings: readonly string[],
): GuidePromptResponse {
  const { contract_version, tenant_id, scope } = envelopeOf('svc_guide_prompt_v1', call)
  const said = warningsOf(warnings)
  return { contract_version, tenant_id, scope, guide_trace_id, ...said, agent_context }
}

function replyOf(
  call: Call<RequestOf<'guide'>>,
  command: GuideCommand,
  body: ReturnType<typeof compileGuide>['body'],
  warnings: readonly string[],
  semantic: Semantically,
): AnswerOf<'guide'> {
  const used = ['lexical_recall', 'admission', 'agent_context_compiler', 'exposure_ledger']
  if (command.fullPower) used.push('structured_execution_recall')
  const isSemantic = semantic !== null && semantic.miss === null
  if (isSemantic) used.push('semantic_recall')
  const omitted = [
    ...(isSemantic ? [] : ['semantic_recall']),
    ...(command.includePackets ? [] : ['memory_packet', 'guide_packet']),
  ]
  return Object.assign(
    envelopeOf('svc_guide_result_v1', call),
    body,
    { source_map: sourceMap('/v1/guide', used, omitted) },
    warningsOf(warnings),
  )
}

/** Packets are for debugging and large: a repeated request gets its answer without them. */
function withoutPackets(reply: object): object {
  return Object.fromEntries(
    Object.entries(reply).filter(([field]) => field !== 'memory_packet' && field !== 'guide_packet'),
  )
}
