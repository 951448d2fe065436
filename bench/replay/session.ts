import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { JsonClient } from '../json-client.ts'
import type { Run } from './recording.ts'
import { guideBody, observeBody } from './requests.ts'
import { type KnownRun, type ShownGuide, type Tally, tally } from './tally.ts'

/** Trials that are told to the service, and the one before which it is asked. */
const OBSERVED_TRIALS = [0, 1]
const GUIDED_TRIAL = 2

export interface Plan {
  readonly observed: readonly Run[]
  readonly guided: readonly Run[]
}

export interface Outcome {
  readonly tally: Tally
  /** One round trip each, in milliseconds. */
  readonly observeMs: readonly number[]
  readonly guideMs: readonly number[]
}

/** The service answered, but not as its contract says. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError'
}

const Observed = z.looseObject({ memory_ids: z.tuple([z.string()]) })
const Guided = z.looseObject({
  agent_context: z.looseObject({
    use_now_memory_ids: z.array(z.string()),
    do_not_use_memory_ids: z.array(z.string()),
  }),
})

/** Which runs are told and which are asked for. A trial without a word of the user cannot be asked for. */
export function planOf(runs: readonly Run[]): Plan {
  return {
    observed: runs.filter((run) => OBSERVED_TRIALS.includes(run.trial)),
    guided: runs.filter((run) => run.trial === GUIDED_TRIAL && run.firstUserMessage !== ''),
  }
}

/**
 * Tells the service every observed run, then asks it before every guided one, in a scope that nobody else uses.
 * `onStep` is called after each request. Rejects with AnswerError, or with what the connection failed of.
 */
export async function replay(plan: Plan, client: JsonClient, onStep: () => void): Promise<Outcome> {
  const scope = `replay-${randomUUID()}`
  const observeMs: number[] = []
  const guideMs: number[] = []
  const known: KnownRun[] = []
  const shown: ShownGuide[] = []
  for (const run of plan.observed) {
    const { taskId, trial, isSuccess } = run
    const answer = await ask(client, '/v1/observe', observeBody(scope, run), Observed, observeMs)
    known.push({ taskId, trial, isSuccess, memoryId: answer.memory_ids[0] })
    onStep()
  }
  for (const run of plan.guided) {
    const { agent_context } = await ask(client, '/v1/guide', guideBody(scope, run), Guided, guideMs)
    shown.push({
      taskId: run.taskId,
      useNow: agent_context.use_now_memory_ids,
      doNotUse: agent_context.do_not_use_memory_ids,
    })
    onStep()
  }
  return { tally: tally(known, shown), observeMs, guideMs }
}

async function ask<Schema extends z.ZodType>(
  client: JsonClient,
  path: string,
  body: object,
  schema: Schema,
  timesMs: number[],
): Promise<z.output<Schema>> {
  const bodyText = JSON.stringify(body)
  const startedAt = performance.now()
  const { status, text } = await client.post(path, bodyText)
  timesMs.push(performance.now() - startedAt)
  if (status !== 200) throw new AnswerError(`${path} was answered ${status}: ${text.slice(0, 300)}`)
  try {
    return schema.parse(JSON.parse(text))
  } catch (error) {
    throw new AnswerError(`${path} was answered with what is no answer of the service`, { cause: error })
  }
}
