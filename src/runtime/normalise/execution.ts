import type { WireExecution } from '../../contract/execution-input.ts'
import type { MemoryWrite } from '../../core/model/commands.ts'
import type { Content } from '../../core/model/record.ts'
import { distinct, filledItems, firstOf } from './absence.ts'
import { audienceOf, CONFIDENCE_DEFAULT, type Lanes, ownTask, type WriteContext } from './identity.ts'
import { coldPayload, referencesOf } from './memory.ts'
import { declaredLifecycles, outcomeOf, verifiersOf } from './words.ts'

/** Where a step of a run is told: the object of observe, or the body of finish. */
export type StepPlace = 'execution' | 'finish'

/** True when the step says something without input_text. */
export function executionSays(execution: WireExecution): boolean {
  return firstOf(execution.title, execution.summary, execution.outcome) !== null
}

/** One step of a run. `inputText` is its text, unless it belongs to a memory beside it; `place` is what warnings call it. */
export function executionInput(
  execution: WireExecution,
  lanes: Lanes,
  inputText: string | null,
  context: WriteContext,
  place: StepPlace,
): MemoryWrite {
  const task = ownTask(execution, context.task)
  const content = executionContent(execution, inputText, place, context.warnings)
  warnOfMuteFailure(content, place, context.warnings)
  return {
    clientId: execution.client_id ?? null,
    domain: 'execution',
    memoryType: 'execution_memory',
    kind: null,
    audience: audienceOf(lanes, place, context.warnings),
    producerAgentId: execution.agent_id ?? lanes.producerAgentId ?? context.producerAgentId,
    producerTeamId: execution.team_id ?? context.producerTeamId,
    actorName: context.actorName,
    origin: context.origin,
    derivedFrom: [],
    supersedes: referencesOf(execution.supersedes),
    runId: task.runId,
    taskId: task.taskId,
    taskFamily: task.taskFamily,
    taskSignature: task.taskSignature,
    workflowSignature: task.workflowSignature,
    content,
    declared: declaredLifecycles({ slots: execution.slots }, place, context.warnings),
    validUntilMs: null,
    observedAtMs: execution.observed_at ?? null,
  }
}

/** Of a failed run no text is shown to a later reader, but title, summary, files and checks are. */
function warnOfMuteFailure(content: Omit<Content, 'fullTextChars'>, place: string, warnings: string[]): void {
  const { outcome, title, summary, targetFiles, acceptanceChecks } = content
  if (outcome !== 'failed' && outcome !== 'blocked') return
  if (title !== null || summary !== null || targetFiles.length + acceptanceChecks.length > 0) return
  warnings.push(
    `${place} says that a run ${outcome === 'failed' ? 'failed' : 'was blocked'} and nothing that a later reader may be shown: send ${place}.title or ${place}.summary, target_files or acceptance_checks`,
  )
}

function executionContent(
  execution: WireExecution,
  inputText: string | null,
  place: string,
  warnings: string[],
): Omit<Content, 'fullTextChars'> {
  const title = firstOf(execution.title)
  const summary = firstOf(execution.summary)
  const rawRef = firstOf(execution.raw_ref)
  const steps = filledItems(execution.workflow_steps, execution.steps)
  const hints = distinct([execution.continuation_hint, execution.resume_hint, execution.reuse_hint])
  const isPointer = rawRef !== null || firstOf(execution.evidence_ref) !== null
  const fallback = isPointer ? null : firstOf(title, steps.join('\n'), hints[0])
  const { outcome, outcomeRaw } = outcomeOf(execution.outcome, place, warnings)
  return {
    title,
    titleIsCallers: title !== null,
    text: firstOf(inputText, summary, fallback) ?? '',
    summary,
    outcome,
    outcomeRaw,
    confidence: execution.confidence ?? CONFIDENCE_DEFAULT,
    targetFiles: distinct(execution.target_files, execution.files),
    acceptanceChecks: distinct(execution.acceptance_checks),
    workflowSteps: steps,
    tools: distinct(execution.tools, execution.tool_set),
    verifier: verifiersOf(execution.verifier, place, warnings),
    evidenceRefs: distinct([execution.evidence_ref], execution.evidence_refs),
    rawRef,
    nextAction: hints[0] ?? null,
    payload: coldPayload(null, {
      slots: execution.slots,
      verification: execution.verification,
      verifier: typeof execution.verifier === 'string' ? null : execution.verifier,
      evidence: execution.evidence,
      artifacts: execution.artifacts,
      salience: execution.salience,
      importance: execution.importance,
      further_hints: hints.length > 1 ? hints.slice(1) : null,
    }),
  }
}
