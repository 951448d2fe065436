import { DEFAULT_SCOPE } from '../../contract/fields.ts'
import { blastRadiusText, externalText, guideText, memoryText, moveOf, READ_TABLES } from './read-text.ts'
import {
  type Answer,
  ClientError,
  isTrue,
  numberOf,
  PAGE_ITEMS,
  partOf,
  placeOf,
  Reader,
  RefusedRead,
  rowsOf,
  shownOf,
  textOf,
  wordsOf,
} from './reader.ts'
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
  const explained = textOf(report, 'explanation')
  const notes: readonly (readonly [boolean, string])[] = [
    [isTrue(report, 'held_out'), 'This guide withheld memory for a comparison: only warnings were shown.'],
    [explained === 'expired', 'Rules and reasons of that moment are kept no longer.'],
    [textOf(report, 'now_missing') === 'erased', QUERY_ERASED],
    [textOf(report, 'record_source') === 'supplied', 'Not held here: as supplied.'],
  ]
  return [
    paint('bold', `Guide ${shownOf(report, 'guide_trace_id')}`),
    ...columns(rows),
    ...notes.flatMap(([holds, note]) => (holds ? [`  ${note}`] : [])),
  ]
}

const QUERY_ERASED = 'Memory of this guide was erased since, and its query with it: it cannot be asked again.'

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
      ...(title === null ? [] : [`"${visible(title)}"`]),
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

/** JSON escapes control characters itself; what else a terminal or a reader would act on unseen is escaped as JSON can. */
export function safeJson(value: object): string {
  return JSON.stringify(value).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, utf16)
}

function utf16(character: string): string {
  let text = ''
  for (let at = 0; at < character.length; at++) {
    text += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`
  }
  return text
}

/** What is shown whole. */
export type Sought =
  | { readonly show: 'one'; readonly id: string }
  | { readonly show: 'explain'; readonly guideTraceId: string }
  /** What it asks about, as the operation names it. */
  | { readonly show: 'blast-radius'; readonly subject: Readonly<Record<string, string>> }

export const TRACE_PREFIX = 'guide_trace:'

/** Scopes in which an id is looked for: each of them is loaded for it. */
const SEARCHED_MAX = 500

/** How the service says that an id is not there, or that the key must not look there. */
const UNKNOWN: readonly (string | null)[] = [
  'guide_trace_not_found',
  'memory_not_found',
  'tenant_forbidden',
  'scope_forbidden',
]

/**
 * The lines that show what is sought, where the reader looks or, when it `isAnywhere`, in the one scope of the tenant that has it.
 * `paint` is null for JSON.
 * @throws RefusedRead when nothing is known by the id; ClientError when nobody answers, several scopes have it or too many are to be asked
 */
export async function linesOfId(
  reader: Reader,
  sought: Sought,
  isAnywhere: boolean,
  paint: Paint | null,
): Promise<readonly string[]> {
  try {
    return await linesAt(reader, sought, paint)
  } catch (error) {
    if (!isAnywhere || !isUnknown(error)) throw error
    const found: { readonly scope: string; readonly lines: readonly string[] }[] = []
    for (const scope of await otherScopes(reader, error)) {
      try {
        found.push({ scope, lines: await linesAt(reader.at(scope), sought, paint) })
      } catch (elsewhere) {
        if (!isUnknown(elsewhere)) throw elsewhere
      }
    }
    const [only, ...others] = found
    if (only === undefined) {
      const { tenant_id } = reader.place
      const hint = `It is in no scope of the tenant ${tenant_id ?? 'default: name another by --tenant'}.`
      throw new RefusedRead({ message: `${error.message} ${hint}` })
    }
    if (others.length === 0) return only.lines
    const names = found.map(({ scope }) => scope)
    throw new ClientError(`Several scopes have it, name one by --scope: ${names.join(', ')}.`)
  }
}

function isUnknown(error: unknown): error is RefusedRead {
  return error instanceof RefusedRead && UNKNOWN.includes(error.code)
}

/** The scopes of the tenant but for the one that was asked. `unknown` is why they are wanted. */
async function otherScopes(reader: Reader, unknown: RefusedRead): Promise<readonly string[]> {
  const { items, isCut } = await reader.items('listActors', {}, SEARCHED_MAX).catch((error: unknown) => {
    if (!(error instanceof RefusedRead)) throw error
    throw new RefusedRead({ message: `${unknown.message} Name its scope by --scope: ${error.message}` })
  })
  if (isCut)
    throw new ClientError(`There are more than ${SEARCHED_MAX} scopes: name the one of the id by --scope.`)
  const { scope: asked = DEFAULT_SCOPE } = reader.place
  return items.map((item) => textOf(item, 'scope') ?? '').filter((scope) => scope !== asked)
}

async function linesAt(reader: Reader, sought: Sought, paint: Paint | null): Promise<readonly string[]> {
  switch (sought.show) {
    case 'one':
      return oneLines(reader, sought.id, paint)
    case 'explain': {
      const asked = { replay_source: 'journal', guide_trace_id: sought.guideTraceId }
      return shownAs(await reader.page('flightRecorder', asked), explanation, paint)
    }
    case 'blast-radius':
      return shownAs(await reader.page('blastRadius', sought.subject), blastRadiusText, paint)
  }
}

function shownAs<Item extends object>(
  item: Item,
  text: (item: Item, paint: Paint) => readonly string[],
  paint: Paint | null,
): readonly string[] {
  return paint === null ? [safeJson(item)] : text(item, paint)
}

/** A guide trace id says so itself. Any other id is that of a memory or, where there is none, of a memory of another store or a run. */
async function oneLines(reader: Reader, id: string, paint: Paint | null): Promise<readonly string[]> {
  if (id.startsWith(TRACE_PREFIX)) {
    const page = await reader.page('listGuides', { guide_trace_id: id })
    return rowsOf(page, 'items').flatMap((item) => shownAs(item, guideText, paint))
  }
  try {
    const page = await reader.page('searchMemories', { memory_id: id })
    return rowsOf(page, 'items').flatMap((item) => shownAs(item, memoryText, paint))
  } catch (error) {
    if (!(error instanceof RefusedRead) || error.code !== 'memory_not_found') throw error
  }
  const external = await reader.items('listExternal', { external_memory_id: id }, PAGE_ITEMS)
  if (external.items.length > 0) return external.items.flatMap((item) => shownAs(item, externalText, paint))
  const run = { run_id: id }
  const memories = await reader.items('searchMemories', run, PAGE_ITEMS)
  const guides = await reader.items('listGuides', run, PAGE_ITEMS)
  if (memories.items.length + guides.items.length === 0) {
    throw new RefusedRead({
      error: 'memory_not_found',
      message: `Nothing is known by ${id} in this scope: it names no memory, also of another store, no guide and no run.`,
    })
  }
  return shownAs({ run_id: id, memories: memories.items, guides: guides.items }, runText, paint)
}

interface RunParts {
  readonly run_id: string
  readonly memories: readonly Answer[]
  readonly guides: readonly Answer[]
}

function runText({ run_id, memories, guides }: RunParts, paint: Paint): readonly string[] {
  return [
    paint('bold', `Run ${visible(run_id)}`),
    '',
    ...READ_TABLES.guides(guides, paint),
    '',
    ...READ_TABLES.memories(memories, paint),
  ]
}
