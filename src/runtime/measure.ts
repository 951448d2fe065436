import type { Actor } from '../actor/actor.ts'
import type { MeasureRequest } from '../contract/measure.ts'
import { eyesOf, type GuideStory } from '../core/guide/story.ts'
import { recordedGuide, runtimeRecords } from '../core/measure/records.ts'
import type { TaskRef } from '../core/model/task-ref.ts'
import { traceInputOf } from '../core/report/decision-trace-input.ts'
import { type MeasureTask, measured } from '../core/report/measurement.ts'
import { guideArms } from './guide-arms.ts'
import { type MeasureCommand, measureCommand } from './normalise/measure.ts'
import { envelopeOf, type RuntimeParts, sourceMap, warningsOf } from './parts.ts'
import { inPool } from './pooled.ts'
import { traceSourcesOf } from './trace-sources.ts'

const SURFACES_USED = ['exposure_ledger', 'guide_decisions', 'feedback_marks', 'run_records']

/** Reports what memory changed, as far as the records of this actor support it. Changes nothing. */
export async function measure(parts: RuntimeParts, request: MeasureRequest): Promise<object> {
  const hashOf = eachOnce((text) => parts.codec.sha256(text))
  const command = measureCommand(request, hashOf)
  const { task, warnings } = await parts.registry.use(command.tenantId, command.scope, (actor) =>
    measureTask(parts, actor, command, hashOf),
  )
  // Scoring needs nothing of the actor: nobody waits there for it.
  const measurement = await inPool(
    () => parts.compute.score(task),
    () => measured(task),
    parts.log,
  )
  return {
    ...envelopeOf('svc_measure_result_v1', command),
    ...measurement,
    source_map: sourceMap('/v1/measure', SURFACES_USED),
    ...warningsOf(warnings),
  }
}

interface PreparedTask {
  readonly task: MeasureTask
  readonly warnings: readonly string[]
}

/** The job with everything that the actor holds about it. */
async function measureTask(
  parts: RuntimeParts,
  actor: Actor,
  { job, productTrace, eyes, warnings }: MeasureCommand,
  hashOf: (promptText: string) => string,
): Promise<PreparedTask> {
  const ask = { guideTraceId: null, productTrace, consumer: eyes }
  const sources = productTrace === null ? null : await traceSourcesOf(parts, actor, ask, hashOf)
  const stories = [sources?.before.story, sources?.after.story].flatMap((story) => story ?? [])
  const last = stories.at(-1)
  const arms = await guideArms(parts, actor)
  return actor.turn((state, nowMs) => {
    const trace = sources === null ? null : traceInputOf(state, sources, nowMs)
    const query = {
      task: last === undefined ? job.task : completed(job.task, last),
      guides: stories.map(recordedGuide),
      arms,
      memories: trace?.driftFacts ?? [],
      eyes: eyes ?? (last === undefined ? null : eyesOf(last)),
    }
    const found = runtimeRecords(state, query, nowMs)
    const task = { job: { ...job, task: query.task, records: found.records }, trace }
    return { events: [], reply: { task, warnings: [...warnings, ...found.warnings] } }
  })
}

/** A prompt is asked for in several places, and is long. */
function eachOnce(hashOf: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>()
  return (text) => {
    const hash = known.get(text) ?? hashOf(text)
    known.set(text, hash)
    return hash
  }
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
