import type { Actor } from '../../actor/actor.ts'
import { type ActorSketch, firstKeys } from '../../actor/known-actors.ts'
import { yieldToLoop } from '../../actor/waiting.ts'
import type { AnswerOf } from '../../contract/operations.ts'
import { OUTCOME_GUIDES } from '../../contract/operator-events.ts'
import { actorKeyOf } from '../../core/base/ids.ts'
import { PAIRS_MIN } from '../../core/measure/paired-outcomes.ts'
import { type TaskEffect, taskEffect } from '../../core/measure/task-effect.ts'
import { hourMsOf, type RuleCounts } from '../../core/model/rule-counts.ts'
import { SURFACE_RULES } from '../../core/policy/admission.ts'
import { outcomesOf, recordedGuide } from '../../core/report/guide-record.ts'
import { guideArms } from '../measure.ts'
import { envelopeOf, type Handler, isoOf, type RuntimeParts, sourceMap } from '../parts.ts'
import { guidesNewestFirst, withDecision } from '../reports/guide-records.ts'
import { cursorAt, type OperatorRead, operatorRead, textAt } from './read.ts'

/** The scopes of a tenant. Loads none, and makes none more recent. */
export const listActors: Handler<'listActors'> = async ({ registry }, { request }) => {
  const read = operatorRead('actors', request)
  const { position } = read.cursor
  const after = position === null ? null : actorKeyOf(read.tenantId, textAt(position, 0))
  // One more than a page, to know whether there is a next one.
  const found = await registry.actorsOf(read.tenantId, after, read.limit + 1)
  const page = found.slice(0, read.limit)
  const last = page.at(-1)
  return {
    ...envelopeOf('svc_operator_actors_v1', read),
    items: page.map(actorItem),
    next_cursor: found.length > read.limit && last !== undefined ? cursorAt(read.cursor, [last.scope]) : null,
    source_map: sourceMap('/v1/operator/actors', ['actor_directory', 'actor_states']),
  }
}

function actorItem(sketch: ActorSketch): AnswerOf<'listActors'>['items'][number] {
  const state = sketch.resident?.state ?? null
  return {
    scope: sketch.scope,
    resident: state !== null,
    turn_count: sketch.turns,
    snapshot_turn_count: sketch.snapshotTurns,
    snapshot_bytes: sketch.snapshotBytes,
    memory_count: state === null ? null : state.memories.size - state.erasures.size,
    erased_memory_count: state?.erasures.size ?? null,
    guide_count: state?.exposureCount ?? null,
    dispute_count: state?.disputes.size ?? null,
    last_memory_at: isoOf(state?.records.at(-1)?.createdAtMs ?? null),
  }
}

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

type Item = AnswerOf<'countRules'>['items'][number]

/** How often each surface rule decided, in the order in which rules are asked. */
export const countRules: Handler<'countRules'> = async (parts, { request }) => {
  const { registry } = parts
  const read = operatorRead('rules', request)
  const all = await registry.look(read.tenantId, read.scope, async (actor) => {
    const counted = await actor.read((state) => itemsOf(state.ruleCounts))
    if (request.outcomes !== true) return counted
    const outcomes = await outcomesByRule(parts, actor)
    return counted.map((rule) => ({ ...rule, outcomes: outcomes.get(rule.rule_id) ?? NO_OUTCOMES }))
  })
  const meant = request.rule_id == null ? all : all.filter(({ rule_id }) => rule_id === request.rule_id)
  const { position } = read.cursor
  const before = position === null ? null : textAt(position, 0)
  const rest = before === null ? meant : meant.slice(1 + meant.findIndex(({ rule_id }) => rule_id === before))
  const items = rest.slice(0, read.limit)
  const last = items.at(-1)
  const isMore = rest.length > items.length && last !== undefined
  return {
    ...envelopeOf('svc_operator_rules_v1', read),
    items,
    next_cursor: isMore ? cursorAt(read.cursor, [last.rule_id]) : null,
    source_map: sourceMap('/v1/operator/rules', ['rule_counts']),
  }
}

type Outcomes = NonNullable<Item['outcomes']>
const NO_OUTCOMES: Outcomes = { positive: 0, negative: 0, neutral: 0 }
const BREATH_GUIDES = 50

/**
 * What was reported about memory that guides showed, by the rule that decided its surface there. A report that names a run
 * and no guide counts once, for the last guide of that run.
 */
async function outcomesByRule(parts: RuntimeParts, actor: Actor): Promise<ReadonlyMap<string, Outcomes>> {
  const found = new Map<string, Outcomes>()
  const counted = new Set<string>()
  let scanned = 0
  for await (const exposure of guidesNewestFirst(parts, actor, Number.MAX_SAFE_INTEGER)) {
    scanned += 1
    if (scanned > OUTCOME_GUIDES) break
    if (scanned % BREATH_GUIDES === 0) await yieldToLoop()
    const outcomes = outcomesOf(actor.state, exposure)
    if (outcomes.length === 0) continue
    const { shown } = recordedGuide(await withDecision(parts, actor, exposure))
    const rules = new Map(shown.map(({ memoryId, ruleId }) => [memoryId, ruleId]))
    for (const { memoryId, mark } of outcomes) {
      const rule = rules.get(memoryId)
      const report = `${memoryId} ${mark.seq}`
      if (rule == null || counted.has(report)) continue
      counted.add(report)
      const sum = found.get(rule) ?? NO_OUTCOMES
      found.set(rule, { ...sum, [mark.outcome]: sum[mark.outcome] + 1 })
    }
  }
  return found
}

/** Every rule of now, also one that has never decided; then those that are no more. */
function itemsOf(counts: RuleCounts): readonly Item[] {
  const rows = counts.rows()
  const counted = new Set(rows.flatMap(([, rules]) => rules))
  const known = SURFACE_RULES.map(({ id, reasonCode, surface, law }) => {
    return { rule_id: id, reason_code: reasonCode, surface, law }
  })
  const gone = [...counted]
    .filter((id) => !SURFACE_RULES.some((rule) => rule.id === id))
    .sort()
    .map((id) => ({ rule_id: id, reason_code: null, surface: null, law: null }))
  return [...known, ...gone].map((rule) => {
    const found = rows.flatMap(([hour, rules, numbers]) => {
      const count = numbers[rules.indexOf(rule.rule_id)] ?? 0
      return count === 0 ? [] : [{ hour, count }]
    })
    return {
      ...rule,
      hours: found.flatMap(({ hour, count }) =>
        hour === null ? [] : [{ from: isoOf(hourMsOf(hour)), count }],
      ),
      count: found.reduce((sum, { count }) => sum + count, 0),
    }
  })
}
