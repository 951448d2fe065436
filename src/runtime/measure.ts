import type { Actor } from '../actor/actor.ts'
import type { MeasureRequest } from '../contract/measure.ts'
import { eyesOf, type GuideStory } from '../domain/audit/story.ts'
import type { MeasureJob } from '../domain/measure/job.ts'
import { measure as score } from '../domain/measure/measure.ts'
import { recordedGuide } from '../domain/measure/recorded-guide.ts'
import { runtimeRecords } from '../domain/measure/records.ts'
import type { TaskRef } from '../domain/measure/task-ref.ts'
import { guideArms } from './guide-arms.ts'
import { type MeasureCommand, measureCommand } from './normalise/measure.ts'
import { envelopeOf, type RuntimeParts, sourceMap, warningsOf } from './parts.ts'
import { inPool } from './pooled.ts'
import { heldStory } from './story.ts'

/** Reports what memory changed, as far as the records of this actor support it. Changes nothing. */
export async function measure(parts: RuntimeParts, request: MeasureRequest): Promise<object> {
  const command = measureCommand(request, (text) => parts.codec.sha256(text))
  const { job, warnings } = await parts.registry.use(command.tenantId, command.scope, (actor) =>
    measureJob(parts, actor, command),
  )
  // Scoring needs nothing of the actor: nobody waits there for it.
  const measurement = await inPool(
    () => parts.compute.score(job),
    () => score(job),
    parts.log,
  )
  return {
    ...envelopeOf('svc_measure_result_v1', command),
    ...measurement,
    source_map: sourceMap('/v1/measure', [
      'exposure_ledger',
      'guide_decisions',
      'feedback_marks',
      'run_records',
    ]),
    ...warningsOf(warnings),
  }
}

interface PreparedJob {
  readonly job: MeasureJob
  readonly warnings: readonly string[]
}

/** The job with everything that the actor holds about it. */
async function measureJob(parts: RuntimeParts, actor: Actor, command: MeasureCommand): Promise<PreparedJob> {
  const stories: GuideStory[] = []
  for (const id of command.guideTraceIds) {
    const story = await heldStory(parts, actor, id, command.eyes)
    if (story !== null) stories.push(story)
  }
  const last = stories.at(-1)
  const arms = await guideArms(parts, actor)
  const query = {
    task: last === undefined ? command.job.task : completed(command.job.task, last),
    guides: stories.map(recordedGuide),
    arms,
    eyes: command.eyes ?? (last === undefined ? null : eyesOf(last)),
  }
  return actor.turn((state, nowMs) => {
    const { records, warnings } = runtimeRecords(state, query, nowMs)
    const job = { ...command.job, task: query.task, records }
    return { events: [], reply: { job, warnings: [...command.warnings, ...warnings] } }
  })
}

/** What the request does not say of the work, the guide was asked with. The run stays what the request says. */
function completed(task: TaskRef, { exposure, decision }: GuideStory): TaskRef {
  const ask = decision?.ask
  return {
    runId: task.runId,
    taskSignature: task.taskSignature ?? exposure.taskSignature,
    workflowSignature: task.workflowSignature ?? ask?.workflowSignature ?? null,
    taskId: task.taskId ?? ask?.taskId ?? null,
    taskFamily: task.taskFamily ?? ask?.taskFamily ?? null,
  }
}
