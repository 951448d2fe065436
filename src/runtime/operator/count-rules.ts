import type { AnswerOf, RequestOf } from '../../contract/operations.ts'
import { hourMsOf, type RuleCounts } from '../../core/model/rule-counts.ts'
import { SURFACE_RULES } from '../../core/policy/admission.ts'
import { isoOf } from '../iso-time.ts'
import { envelopeOf, type RuntimeParts, sourceMap } from '../parts.ts'
import { cursorAt, textAt } from './cursor.ts'
import { operatorRead } from './read.ts'

type Item = AnswerOf<'countRules'>['items'][number]

/** How often each surface rule decided, in the order in which rules are asked. */
export async function countRules(
  { registry }: Pick<RuntimeParts, 'registry'>,
  request: RequestOf<'countRules'>,
): Promise<AnswerOf<'countRules'>> {
  const read = operatorRead('rules', request)
  const all = await registry.look(read.tenantId, read.scope, (actor) =>
    actor.turn((state) => ({ events: [], reply: itemsOf(state.ruleCounts) })),
  )
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
