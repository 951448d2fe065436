import { compilePrompt, type GuideTools, type Recalled } from '../guide/compile.ts'
import type { StoredGuide } from '../guide/stored-guide.ts'
import type { ActorState } from '../model/state.ts'
import { erasedSince } from './guide-record.ts'
import { commandAgain } from './replay.ts'

/** Why the prompt of a recorded guide is not there, or not the one that was answered. */
export const PROMPT_GAPS = [
  /** It was not asked for. */
  'not_asked',
  /** Its explanation is kept no longer. */
  'explanation_gone',
  /** A memory that it decided about was erased since, and what it was asked with that. */
  'erased',
  'history_incomplete',
  'too_many_turns',
  /** It was recalled by embeddings, which are not kept as they were. */
  'semantic_recall',
  /** Rendered again it has another hash. */
  'differs',
] as const
export type PromptGap = (typeof PROMPT_GAPS)[number]

/** Why a guide cannot even be tried again; null: it can. */
export function gapBefore(
  { exposure, decision }: StoredGuide,
  now: Pick<ActorState, 'erasures'>,
): PromptGap | null {
  if (decision === null) return 'explanation_gone'
  if (erasedSince({ exposure, decision }, now).length > 0 || decision.ask.queryText === '') return 'erased'
  const memories = [...decision.printed, ...decision.omitted]
  const isSemantic = memories.some(({ signals }) => signals.some(({ kind }) => kind === 'semantic'))
  return isSemantic ? 'semantic_recall' : null
}

export interface PromptAgain {
  readonly text: string
  readonly isReproduced: boolean
}

/** The prompt of a guide, rendered on the state before it. Nothing is exposed by that. */
export function promptAgain(
  past: ActorState,
  { exposure, decision }: StoredGuide & { readonly decision: NonNullable<StoredGuide['decision']> },
  recalled: Recalled,
  tools: GuideTools,
): PromptAgain {
  const { guideTraceId, heldOut, atMs: nowMs } = exposure
  const command = commandAgain(decision, exposure)
  const { body } = compilePrompt(past, command, recalled, { nowMs, guideTraceId, heldOut }, tools)
  const text = body.agent_context.prompt_text
  return { text, isReproduced: tools.sha256(text) === decision.promptHash }
}
