import {
  type Answer,
  isTrue,
  numberOf,
  partOf,
  placeOf,
  rowsOf,
  shownOf,
  textOf,
  wordsOf,
} from './answer-fields.ts'
import { columns, type Paint, paintSurface, SURFACES, section, visible } from './terminal-text.ts'

/** A flight recorder report for a person: what the agent saw and why, what came of it, and what would differ now. */
export function explanation(answer: Answer, paint: Paint): readonly string[] {
  const report = partOf(answer, 'agent_flight_recorder')
  return [
    ...head(report, placeOf(answer), paint),
    ...section(paint, 'What the agent saw', shownLines(report, paint), 'No memory.'),
    ...section(paint, 'What was blocked', blockedLines(report, paint), 'Nothing.'),
    ...section(paint, 'What was left out', omittedLines(report), 'Nothing.'),
    ...governed(report, paint),
    ...section(paint, 'What happened after', afterLines(report, paint), 'No outcome and no change.'),
    ...section(
      paint,
      'What changed since',
      changedLines(report, paint),
      textOf(report, 'now_missing') === null
        ? 'Nothing: the same guide now shows the same.'
        : 'Not known: the guide was not asked again.',
    ),
  ]
}

function head(report: Answer, place: string | null, paint: Paint): readonly string[] {
  const view = partOf(report, 'agent_view')
  const team = textOf(report, 'consumer_team_id')
  const consumer = `${shownOf(report, 'consumer_agent_id')}${team === null ? '' : ` of team ${visible(team)}`}`
  const rows = [
    ...(place === null ? [] : [['Scope', visible(place)]]),
    ['For', consumer],
    ['Run', shownOf(report, 'run_id')],
    ['At', shownOf(report, 'guide_at')],
    [
      'Prompt',
      `${numberOf(view, 'prompt_char_count')} characters, posture ${shownOf(view, 'recommended_posture')}`,
    ],
  ]
  const notes = [
    ...(isTrue(report, 'held_out')
      ? ['This guide withheld memory for a comparison: only warnings were shown.']
      : []),
    ...(textOf(report, 'explanation') === 'expired'
      ? ['Rules and reasons of that moment are kept no longer.']
      : []),
    ...(textOf(report, 'now_missing') === 'erased'
      ? ['Memory of this guide was erased since, and its query with it: it cannot be asked again.']
      : []),
    ...(textOf(report, 'record_source') === 'supplied' ? ['Not held here: as supplied.'] : []),
  ]
  return [
    paint('bold', `Guide ${shownOf(report, 'guide_trace_id')}`),
    ...columns(rows),
    ...notes.map((note) => `  ${note}`),
  ]
}

/** In the order of the prompt, each with the rule that decided. */
function shownLines(report: Answer, paint: Paint): readonly string[] {
  const view = partOf(report, 'agent_view')
  const surfaceOf = new Map(
    SURFACES.flatMap((surface) => wordsOf(view, `${surface}_memory_ids`).map((id) => [id, surface] as const)),
  )
  const ruleOf = new Map(rowsOf(view, 'rules_by_memory_id').map((row) => [textOf(row, 'memory_id'), row]))
  const erased = erasedTimes(report)
  const ids = wordsOf(view, 'exposed_memory_ids')
  const rows = ids.map((id) => {
    const rule = ruleOf.get(id) ?? {}
    const why = [textOf(rule, 'rule_id') ?? '', ...wordsOf(rule, 'reason_codes'), ...erasedNote(erased, id)]
    return [surfaceOf.get(id) ?? '', visible(id), visible(why.filter((word) => word !== '').join(' '))]
  })
  return columns(rows, (row, line) => paintSurface(paint, rows[row]?.[0], line))
}

/** When memory of the guide was erased since, by its id. */
function erasedTimes(report: Answer): ReadonlyMap<string | null, string | null> {
  return new Map(
    rowsOf(report, 'erased_memories').map((row) => [textOf(row, 'memory_id'), textOf(row, 'erased_at')]),
  )
}

function erasedNote(erased: ReadonlyMap<string | null, string | null>, id: string | null): readonly string[] {
  return erased.has(id) ? [`(erased ${erased.get(id) ?? 'since'})`] : []
}

function blockedLines(report: Answer, paint: Paint): readonly string[] {
  const erased = erasedTimes(report)
  return rowsOf(report, 'blocked_or_suppressed').flatMap((row) => {
    const title = textOf(row, 'title')
    const words = [textOf(row, 'rule_id') ?? '', ...wordsOf(row, 'reason_codes')]
    const rule = [...words, ...erasedNote(erased, textOf(row, 'memory_id'))].filter((word) => word !== '')
    const line = [
      shownOf(row, 'memory_id'),
      shownOf(row, 'lifecycle_state'),
      visible(rule.join(' ')),
      ...(title === null ? [] : [quoted(title)]),
    ].join('  ')
    const reason = textOf(row, 'reason')
    return [`  ${paint('red', line)}`, ...(reason === null ? [] : [`    ${visible(reason)}`])]
  })
}

/** Memory of other stores that was judged for the same run, each by its id there. */
function governed(report: Answer, paint: Paint): readonly string[] {
  const rows = rowsOf(report, 'govern_decisions').flatMap((decision) =>
    rowsOf(decision, 'candidates').map((row) => [
      shownOf(row, 'admission_action'),
      shownOf(row, 'external_memory_id'),
      [shownOf(row, 'rule_id'), ...wordsOf(row, 'reason_codes').map(visible)].join(' '),
    ]),
  )
  if (rows.length === 0) return []
  const lines = columns(rows, (row, line) => paintSurface(paint, rows[row]?.[0], line))
  const hint = '  memgov show ID tells what came of one, where it was recorded.'
  return section(paint, 'What was governed', [...lines, paint('dim', hint)], 'Nothing.')
}

function omittedLines(report: Answer): readonly string[] {
  const erased = erasedTimes(report)
  return columns(
    rowsOf(report, 'omitted').map((row) => [
      shownOf(row, 'agent_surface'),
      shownOf(row, 'memory_id'),
      shownOf(row, 'rule_id'),
      [shownOf(row, 'omitted'), ...erasedNote(erased, textOf(row, 'memory_id')).map(visible)].join(' '),
    ]),
  )
}

function afterLines(report: Answer, paint: Paint): readonly string[] {
  const effects = partOf(report, 'effects')
  const outcomes = rowsOf(effects, 'outcomes')
  const told = columns(
    outcomes.map((row) => [
      shownOf(row, 'at'),
      shownOf(row, 'outcome'),
      shownOf(row, 'memory_id'),
      `run ${shownOf(row, 'run_id')}, ${outcomeNote(row)}`,
    ]),
    (at, line) => paintOutcome(paint, textOf(outcomes[at] ?? {}, 'outcome'), line),
  )
  const moved = columns(
    rowsOf(effects, 'facet_changes').map((row) => [
      shownOf(row, 'at'),
      shownOf(row, 'memory_id'),
      `${moveOf(row)} (${shownOf(row, 'cause')})`,
    ]),
  )
  const unnamed = columns(
    rowsOf(effects, 'unnamed_outcomes').map((row) => [
      shownOf(row, 'at'),
      shownOf(row, 'outcome'),
      `no memory named, run ${shownOf(row, 'run_id')}, ${outcomeNote(row)}`,
    ]),
  )
  const later = rowsOf(effects, 'later_guides').length
  return [...told, ...unnamed, ...moved, ...(later === 0 ? [] : [`  later guides of the same run: ${later}`])]
}

function outcomeNote(row: Answer): string {
  const verifier = textOf(row, 'verifier_status')
  const words = [
    `used as ${shownOf(row, 'used_surface')}`,
    ...(verifier === null ? [] : [`verifier ${visible(verifier)}`]),
    ...(isTrue(row, 'direct') ? ['direct'] : []),
    ...(isTrue(row, 'strong') ? ['strong'] : []),
  ]
  return words.join(', ')
}

function paintOutcome(paint: Paint, outcome: string | null, line: string): string {
  if (outcome === 'negative') return paint('red', line)
  return outcome === 'positive' ? paint('green', line) : line
}

/** Memory that the same guide would show otherwise now. Another order alone is not worth a line. */
function changedLines(report: Answer, paint: Paint): readonly string[] {
  const changed = rowsOf(report, 'differences').filter(
    (row) => !['same', 'order_changed'].includes(textOf(row, 'change') ?? 'same'),
  )
  return changed.flatMap((row) => {
    const before = textOf(partOf(row, 'before'), 'agent_surface') ?? 'not shown'
    const now = textOf(partOf(row, 'now'), 'agent_surface') ?? 'not shown'
    const line = `${shownOf(row, 'memory_id')}  ${visible(before)} -> ${visible(now)}`
    return [
      `  ${paintSurface(paint, now, line)}`,
      ...rowsOf(row, 'causes').map((cause) => `    ${causeLine(cause)}`),
    ]
  })
}

function causeLine(cause: Answer): string {
  const at = textOf(cause, 'at')
  const parts = [
    ...(at === null ? [] : [visible(at)]),
    shownOf(cause, 'kind'),
    ...(textOf(cause, 'facet') === null ? [] : [moveOf(cause)]),
    ...(textOf(cause, 'cause') === null ? [] : [`(${shownOf(cause, 'cause')})`]),
    ...(textOf(cause, 'by_memory_id') === null ? [] : [`by ${shownOf(cause, 'by_memory_id')}`]),
  ]
  return parts.join(' ')
}

function moveOf(row: Answer): string {
  return `${shownOf(row, 'facet')} ${shownOf(row, 'from')} -> ${shownOf(row, 'to')}`
}

function quoted(text: string): string {
  return `"${visible(text)}"`
}
