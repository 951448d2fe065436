import type { Actor } from '../../actor/actor.ts'
import { firstKeys } from '../../actor/actor-list.ts'
import { yieldToLoop } from '../../actor/yield-to-loop.ts'
import type { AnswerOf } from '../../contract/operations.ts'
import { PAIRS_MIN } from '../../core/measure/paired-outcomes.ts'
import { type TaskEffect, taskEffect } from '../../core/measure/task-effect.ts'
import { hourMsOf } from '../../core/model/rule-counts.ts'
import { guideArms } from '../guide-arms.ts'
import { isoOf } from '../iso-time.ts'
import { envelopeOf, type Handler, type RuntimeParts, sourceMap } from '../parts.ts'
import { cursorAt, type OperatorRead, operatorRead, textAt } from './read.ts'

type Answer = AnswerOf<'compareEffect'>

/** Runs that one page looks at: what is left goes on with the cursor. */
const RUNS_MAX = 5000
/** Tasks that one page looks at, with runs or without. */
const TASKS_MAX = 2000

/** What memory changed, task by task. */
export const compareEffect: Handler<'compareEffect'> = async (parts, { request }) => {
  const read = operatorRead('effect', request)
  const page = await parts.registry.look(read.tenantId, read.scope, (actor) =>
    effectPage(parts, actor, read, request.task_signature ?? null),
  )
  return {
    ...envelopeOf('svc_operator_effect_v1', read),
    ...page,
    source_map: sourceMap('/v1/operator/effect', ['run_records', 'exposure_ledger', 'feedback_marks']),
  }
}

async function effectPage(
  parts: RuntimeParts,
  actor: Actor,
  { limit, cursor, viewer }: OperatorRead,
  only: string | null,
): Promise<Pick<Answer, 'items' | 'next_cursor'>> {
  const arms = await guideArms(parts, actor)
  const after = cursor.position === null ? null : textAt(cursor.position, 0)
  // One more than are looked at, to know whether there is a next one.
  const signatures =
    only === null ? await firstKeys(actor.state.bySignature.keys(), after, TASKS_MAX + 1) : [only]
  const items: Answer['items'][number][] = []
  let runs = 0
  let last: string | null = null
  for (const signature of signatures.slice(0, TASKS_MAX)) {
    if (items.length === limit || runs > RUNS_MAX) break
    // A task is one turn: the steps of all its runs are read for it.
    if (last !== null) await yieldToLoop()
    const effect = await actor.read((state) => taskEffect(state, signature, arms, viewer))
    last = signature
    runs += effect?.lookedAt ?? 0
    if (effect !== null) items.push(itemOf(signature, effect, arms.isCut))
  }
  return {
    items,
    next_cursor: last === null || last === signatures.at(-1) ? null : cursorAt(cursor, [last]),
  }
}

function itemOf(signature: string, effect: TaskEffect, isGuidesCut: boolean): Answer['items'][number] {
  const { pairs } = effect
  return {
    task_signature: signature,
    with_memory: effect.withMemory,
    without_memory: effect.withoutMemory,
    pairs: {
      count: pairs.pair_count,
      needed: PAIRS_MIN,
      difference: pairs.difference,
      interval: pairs.interval,
    },
    verdict: pairs.direction === 'insufficient_evidence' ? 'not_enough_evidence' : pairs.direction,
    hours: effect.hours.map(({ hour, withMemory, withoutMemory }) => ({
      from: isoOf(hourMsOf(hour)),
      with_memory: withMemory,
      without_memory: withoutMemory,
    })),
    runs_cut: effect.isCut || isGuidesCut,
  }
}
