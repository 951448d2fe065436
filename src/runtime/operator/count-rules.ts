import type { Actor } from '../../actor/actor.ts'
import { yieldToLoop } from '../../actor/yield-to-loop.ts'
import type { AnswerOf } from '../../contract/operations.ts'
import { OUTCOME_GUIDES } from '../../contract/operator-counts.ts'
import { hourMsOf, type RuleCounts } from '../../core/model/rule-counts.ts'
import { SURFACE_RULES } from '../../core/policy/admission.ts'
import { outcomesOf, recordedGuide } from '../../core/report/guide-record.ts'
import { isoOf } from '../iso-time.ts'
import { envelopeOf, type Handler, type RuntimeParts, sourceMap } from '../parts.ts'
import { guidesNewestFirst, withDecision } from '../reports/guide-records.ts'
import { cursorAt, operatorRead, textAt } from './read.ts'

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

/** What was reported about memory that guides showed, by the rule that decided its surface there. */
async function outcomesByRule(parts: RuntimeParts, actor: Actor): Promise<ReadonlyMap<string, Outcomes>> {
  const found = new Map<string, Outcomes>()
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
      if (rule == null) continue
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
