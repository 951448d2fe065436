import type { RequestOf } from '../../contract/operations.ts'
import type { FeedbackOutcome, Outcome } from '../../core/base/closed-sets.ts'
import { GUIDE_TRACE_PREFIX } from '../../core/base/ids.ts'
import type { ExposureRecord } from '../../core/model/events.ts'
import type { Principal } from '../../core/model/principal.ts'
import type { FinishCommand } from '../../core/write/finish.ts'
import { distinct, firstOf } from './absence.ts'
import { namesLane, outcomeAudience, type Reading, taskOf } from './identity.ts'
import { observeCommand } from './observe.ts'

/** What the end of a run says of the memory that it used. */
const SAID_BY: Readonly<Record<Outcome, FeedbackOutcome>> = {
  succeeded: 'positive',
  failed: 'negative',
  blocked: 'neutral',
  interrupted: 'neutral',
  unknown: 'neutral',
}

export interface FinishReading extends Reading<FinishCommand> {
  readonly outcome: Outcome
}

/** What a finish request means: who acted, for which task and in which run its guide says. */
export function finishCommand(
  request: RequestOf<'finish'>,
  exposure: ExposureRecord,
  principal: Principal | null = null,
): FinishReading {
  const runId = runIdOf(request, exposure)
  const consumer = { agentId: exposure.consumerAgentId, teamId: exposure.consumerTeamId }
  const { command: run, warnings } = observeCommand(asObserved(request, exposure, runId), principal, 'finish')
  const outcome = run.memories[0]?.content.outcome ?? 'unknown'
  const use = {
    viewpoint: run.viewpoint,
    consumerGiven: true,
    runId,
    outcome: SAID_BY[outcome],
    guideTraceId: exposure.guideTraceId,
    memoryIds: distinct(request.used_memory_ids),
    clientIds: [],
    reason: firstOf(request.reason) ?? `the run ended: ${outcome}`,
    actorName: firstOf(request.actor),
    verifierStatus: request.verifier_status ?? null,
    toolStatus: null,
    runtimeSignalRefs: [],
    ...(namesLane(request) ? { audience: outcomeAudience(request, consumer) } : {}),
  }
  return { command: { run, use }, outcome, warnings: [...warnings, ...overruled(request, exposure)] }
}

/** One guide gives one run where nobody names any: a repeat means the same one. */
export function runIdOf(request: Pick<RequestOf<'finish'>, 'run_id'>, exposure: ExposureRecord): string {
  const { runId, guideTraceId } = exposure
  return request.run_id ?? runId ?? `run:${guideTraceId.slice(GUIDE_TRACE_PREFIX.length)}`
}

/** The run as observe takes it. */
function asObserved(
  request: RequestOf<'finish'>,
  exposure: ExposureRecord,
  runId: string,
): RequestOf<'observe'> {
  const { consumerAgentId, consumerTeamId, taskSignature } = exposure
  const { actor, context, workflow_signature, task_id, task_family } = request
  const { memory_lane, owner_agent_id, owner_team_id, verifier_status } = request
  const { title, summary, outcome, target_files, acceptance_checks, workspace_changes } = request
  return {
    actor,
    context,
    workflow_signature,
    task_id,
    task_family,
    run_id: runId,
    task_signature: taskSignature ?? request.task_signature,
    consumer_agent_id: consumerAgentId,
    consumer_team_id: consumerTeamId,
    memory_lane,
    owner_agent_id,
    owner_team_id,
    workspace_changes,
    execution: {
      title,
      summary,
      outcome,
      target_files,
      acceptance_checks,
      verifier: verifier_status == null ? null : { status: verifier_status },
    },
  }
}

function overruled(request: RequestOf<'finish'>, { taskSignature }: ExposureRecord): readonly string[] {
  const said = taskOf(request).taskSignature
  if (said === null || taskSignature === null || said === taskSignature) return []
  return ['task_signature differs from that of the guide, which counts']
}
