import { assert } from '../base/assert.ts'
import { gatherCandidates } from '../guide/candidates.ts'
import type { GuideCommand } from '../guide/command.ts'
import { compileGuide, type GuideOccasion, type GuideTools, type Recalled } from '../guide/compile.ts'
import { decisionOf, type GuideDecision } from '../guide/decision.ts'
import type { ExposedSet } from '../model/events.ts'
import type { ActorState } from '../model/state.ts'

/** What a recorded ask would give now. */
export interface GuideNow {
  readonly exposed: ExposedSet
  readonly decision: GuideDecision
  /** Whatever was considered, shown or not. */
  readonly candidateIds: ReadonlySet<string>
}

/** The ask of a recorded guide, as the request that it was. */
export function commandAgain({ ask }: GuideDecision, exposed: ExposedSet): GuideCommand {
  const { consumerAgentId, consumerTeamId, runId, taskSignature } = exposed
  const names = [taskSignature, ask.workflowSignature, ask.taskId, ask.taskFamily, runId]
  return {
    ...ask,
    consumer: { agentId: consumerAgentId, teamId: consumerTeamId },
    runId,
    taskSignature,
    includePackets: false,
    identifiers: [...new Set(names.filter((name) => name !== null))],
  }
}

/** Compiles as a guide does and drops the events: nothing is exposed by looking. */
export function guideNow(
  state: ActorState,
  command: GuideCommand,
  recalled: Recalled,
  occasion: GuideOccasion,
  tools: GuideTools,
): GuideNow {
  const [exposed, decided] = compileGuide(state, command, recalled, occasion, tools).events
  assert(exposed?.type === 'exposed' && decided?.type === 'guide_decided', 'a guide has two events')
  const candidateIds = new Set<string>()
  const { hits, near } = recalled
  for (const { record } of gatherCandidates(state, command, hits, occasion.nowMs, near)) {
    candidateIds.add(record.memoryId)
  }
  return { exposed, decision: decisionOf(decided, exposed), candidateIds }
}
