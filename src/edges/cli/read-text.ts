import { type Answer, isTrue, numberOf, partOf, placeOf, rowsOf, shownOf, textOf, wordsOf } from './reader.ts'
import { columns, type Paint, paintSurface, SURFACES, section, shown, visible } from './terminal-text.ts'

/** The lists of `memgov ls`. */
export const READ_LISTS = ['scopes', 'memories', 'guides', 'external', 'review'] as const
export type ReadList = (typeof READ_LISTS)[number]

/** Characters of a memory's text in a table. */
const CELL_CHARS = 72

type Table = (items: readonly Answer[], paint: Paint) => readonly string[]

/** How each list is printed for a person. */
export const READ_TABLES: Readonly<Record<ReadList, Table>> = {
  scopes: (items, paint) =>
    table(paint, ['SCOPE', 'MEMORIES', 'GUIDES', 'TURNS', 'LAST MEMORY'], items, (item) => [
      shownOf(item, 'scope'),
      countOr(item, 'memory_count'),
      countOr(item, 'guide_count'),
      String(numberOf(item, 'turn_count')),
      timeOf(item, 'last_memory_at'),
    ]),
  memories: (items, paint) =>
    table(
      paint,
      ['MEMORY', 'WRITTEN', 'STATE', 'RULE', 'TYPE', 'ORIGIN', 'TEXT'],
      items,
      (item) => [
        shownOf(item, 'memory_id'),
        timeOf(item, 'created_at'),
        stateOf(item),
        shownOf(item, 'rule_id'),
        shownOf(item, 'memory_type'),
        shownOf(item, 'origin'),
        saidIn(item),
      ],
      (item) => textOf(item, 'surface'),
    ),
  guides: (items, paint) =>
    table(
      paint,
      ['GUIDE', 'MADE', 'USE', 'INSPECT', 'REHYDRATE', 'WARNED', 'CONSUMER', 'RUN', 'TASK'],
      items,
      (item) => [
        shownOf(item, 'guide_trace_id'),
        timeOf(item, 'at'),
        ...SURFACES.map((surface) => String(numberOf(partOf(item, 'shown'), surface))),
        shownOf(item, 'consumer_agent_id'),
        shownOf(item, 'run_id'),
        shownOf(item, 'task_signature'),
      ],
    ),
  external: (items, paint) =>
    table(
      paint,
      ['BACKEND', 'MEMORY', 'STATE', 'GOVERNED', 'LAST', 'HELPED', 'HARMED'],
      items,
      (item) => [
        shownOf(item, 'source_backend'),
        shownOf(item, 'external_memory_id'),
        shownOf(item, 'standing'),
        countOr(item, 'governed_count'),
        timeOf(item, 'governed_at'),
        String(countedIn(item, ['positive'])),
        String(countedIn(item, ['negative_weak', 'negative_strong'])),
      ],
      (item) => textOf(item, 'surface'),
    ),
  review: (items, paint) => items.flatMap((item) => reviewLines(item, paint)),
}

function table(
  paint: Paint,
  heads: readonly string[],
  items: readonly Answer[],
  cellsOf: (item: Answer) => readonly string[],
  surfaceOf: (item: Answer) => string | null = () => null,
): readonly string[] {
  return columns([heads, ...items.map(cellsOf)], (row, line) => {
    if (row === 0) return paint('bold', line)
    const item = items[row - 1]
    return paintSurface(paint, item === undefined ? null : surfaceOf(item), line)
  })
}

/** Over all lanes. */
function countedIn(item: Answer, names: readonly string[]): number {
  let sum = 0
  for (const opinion of rowsOf(item, 'opinions'))
    for (const name of names) sum += numberOf(partOf(opinion, 'counters'), name)
  return sum
}

function reviewLines(item: Answer, paint: Paint): readonly string[] {
  const kind = textOf(item, 'kind') ?? '-'
  const dispute = partOf(item, 'dispute')
  const skill = partOf(item, 'skill')
  const yields = textOf(dispute, 'yields_memory_id')
  const about = textOf(dispute, 'kind') ?? textOf(skill, 'candidate_id')
  const memories = rowsOf(item, 'memories')
  return [
    paint('bold', about === null ? visible(kind) : `${visible(kind)} ${visible(about)}`),
    ...memories.map((memory) => {
      const id = textOf(memory, 'memory_id')
      const mark = yields === null ? '' : id === yields ? ' yields ' : ' stands '
      return `  ${shown(id)}${mark}  ${shownOf(memory, 'origin')}  ${saidIn(memory)}`
    }),
    ...memories.slice(0, yields === null ? 1 : 0).map((memory) => `  ${shownOf(memory, 'reason')}`),
    ...wordsOf(partOf(skill, 'trace_derived_skill'), 'procedure_steps').map((step) => `  ${visible(step)}`),
  ]
}

/** One memory, whole. */
export function memoryText(item: Answer, paint: Paint): readonly string[] {
  const detail = partOf(item, 'detail')
  const surface = textOf(item, 'surface') ?? '-'
  const rows = [
    ['state', stateOf(item)],
    ['surface', `${visible(surface)}: ${shownOf(item, 'rule_id')}, ${shownOf(item, 'reason')}`],
    ['type', `${shownOf(item, 'memory_type')}, lane ${shownOf(item, 'memory_lane')}`],
    [
      'origin',
      `${shownOf(item, 'origin')} by ${shown(textOf(item, 'producer_agent_id') ?? textOf(item, 'actor'))}`,
    ],
    ['written', `${shownOf(item, 'created_at')}, revision ${numberOf(item, 'revision')}`],
    ['run', `${shownOf(item, 'run_id')}, task ${shownOf(item, 'task_signature')}`],
    ['files', wordsOf(item, 'target_files').map(visible).join(', ') || '-'],
    ['evidence', wordsOf(detail, 'evidence_refs').map(visible).join(', ') || '-'],
    ...erasedRows(item),
  ]
  return [
    paint('bold', `Memory ${shownOf(item, 'memory_id')}`),
    ...columns(rows, (row, line) => (row === 1 ? paintSurface(paint, surface, line) : line)),
    ...section(paint, 'Text', textLines(textOf(item, 'text'))),
    ...section(
      paint,
      'Disputes',
      rowsOf(item, 'disputes').map((row) => {
        const verb = isTrue(row, 'yields') ? 'yields to' : 'stands against'
        return `  ${verb} ${shownOf(row, 'memory_id')}  ${shownOf(row, 'kind')}`
      }),
    ),
    ...section(
      paint,
      'Earlier revisions',
      rowsOf(detail, 'revisions').flatMap((row) => [
        `  ${numberOf(row, 'revision')}  ${shownOf(row, 'at')}`,
        ...textLines(textOf(row, 'text')).map((line) => `  ${line}`),
      ]),
    ),
    ...section(paint, 'Changes', rowsOf(detail, 'changes').map(changeLine)),
    ...section(paint, 'Outcomes', rowsOf(detail, 'outcomes').map(outcomeLine)),
    ...section(
      paint,
      'Guides that showed it',
      rowsOf(detail, 'guides').map((row) => {
        const line = `${shownOf(row, 'at')}  ${shownOf(row, 'guide_trace_id')}  ${shownOf(row, 'surface')}`
        return `  ${paintSurface(paint, textOf(row, 'surface'), line)}`
      }),
    ),
  ]
}

/** What is known of a memory of another store: what its govern requests found, and what the runs of each lane said. */
export function externalText(item: Answer, paint: Paint): readonly string[] {
  const surface = textOf(item, 'surface') ?? '-'
  const rows = [
    ['state', shownOf(item, 'standing')],
    ['surface', `${visible(surface)}, where it stood last`],
    ['governed', `${countOr(item, 'governed_count')} times, last ${shownOf(item, 'governed_at')}`],
    ['text', `${shownOf(item, 'text_hash')}, a hash: the text is not kept`],
  ]
  const name = `${shownOf(item, 'external_memory_id')} of ${shownOf(item, 'source_backend')}`
  return [
    paint('bold', `External memory ${name}`),
    ...columns(rows, (row, line) => (row === 1 ? paintSurface(paint, surface, line) : line)),
    ...rowsOf(item, 'opinions').flatMap((opinion) => {
      const owner = textOf(opinion, 'owner_agent_id') ?? textOf(opinion, 'owner_team_id')
      const lane = `${shownOf(opinion, 'memory_lane')}${owner === null ? '' : ` of ${visible(owner)}`}`
      return [
        ...section(paint, `Changes, lane ${lane}`, rowsOf(opinion, 'changes').map(changeLine)),
        ...section(paint, `Outcomes, lane ${lane}`, rowsOf(opinion, 'outcomes').map(outcomeLine)),
      ]
    }),
  ]
}

function changeLine(row: Answer): string {
  return `  ${shownOf(row, 'at')}  ${moveOf(row)} (${shownOf(row, 'cause')})`
}

export function moveOf(row: Answer): string {
  return `${shownOf(row, 'facet')} ${shownOf(row, 'from')} -> ${shownOf(row, 'to')}`
}

function erasedRows(item: Answer): readonly (readonly string[])[] {
  const erased = partOf(item, 'erased')
  const at = textOf(erased, 'at')
  return at === null ? [] : [['erased', `${visible(at)}: ${shownOf(erased, 'reason')}`]]
}

function outcomeLine(row: Answer): string {
  return `  ${shownOf(row, 'at')}  ${shownOf(row, 'outcome')}  run ${shownOf(row, 'run_id')}  ${shownOf(row, 'reason')}`
}

/** One guide, whole: what was asked, its prompt, and why each memory stood in it. */
export function guideText(item: Answer, paint: Paint): readonly string[] {
  const detail = partOf(item, 'detail')
  const prompt = partOf(detail, 'prompt')
  const gap = textOf(prompt, 'gap')
  const rows = [
    ['made', shownOf(item, 'at')],
    ['for', shownOf(item, 'consumer_agent_id')],
    ['run', shownOf(item, 'run_id')],
    ['task', shownOf(item, 'task_signature')],
    ['asked', shown(textOf(partOf(detail, 'asked'), 'query_text'))],
  ]
  return [
    paint('bold', `Guide ${shownOf(item, 'guide_trace_id')}`),
    ...columns(rows),
    ...section(
      paint,
      gap === null ? 'Prompt, as it was answered' : `Prompt: not as it was answered (${visible(gap)})`,
      textLines(textOf(prompt, 'text')),
      'It cannot be rendered again.',
    ),
    ...section(
      paint,
      'Why',
      rowsOf(detail, 'memories').map((row) => {
        const surface = textOf(row, 'surface') ?? '-'
        const erased = textOf(partOf(row, 'erased'), 'erased_at')
        const left = textOf(row, 'omitted')
        const why = erased === null ? shownOf(row, 'reason') : `erased ${visible(erased)}`
        const line = `${visible(surface)}  ${shownOf(row, 'memory_id')}  ${shownOf(row, 'rule_id')}  ${why}`
        return `  ${paintSurface(paint, surface, left === null ? line : `${line} (left out: ${visible(left)})`)}`
      }),
      'No memory.',
    ),
    ...section(paint, 'Outcomes', rowsOf(detail, 'outcomes').map(outcomeLine)),
  ]
}

/** A new memory or guide on one line. */
export function tailLine(item: Answer, paint: Paint): string {
  const memoryId = textOf(item, 'memory_id')
  if (memoryId !== null) {
    const line = `${shownOf(item, 'created_at')}  memory  ${visible(memoryId)}  ${stateOf(item)}  ${saidIn(item)}`
    return paintSurface(paint, textOf(item, 'surface'), line)
  }
  const shown = SURFACES.map((surface) => numberOf(partOf(item, 'shown'), surface)).join('/')
  return `${shownOf(item, 'at')}  guide   ${shownOf(item, 'guide_trace_id')}  ${shown}  for ${shownOf(item, 'consumer_agent_id')}, run ${shownOf(item, 'run_id')}`
}

/** What is erased has no other state for a person. */
function stateOf(item: Answer): string {
  const isErased = item['erased'] === true || textOf(partOf(item, 'erased'), 'at') !== null
  return isErased ? 'erased' : shownOf(item, 'lifecycle_state')
}

/** What a memory says, on one line, as long as a table bears. */
function saidIn(item: Answer): string {
  const title = textOf(item, 'title')
  const text = textOf(item, 'text') ?? ''
  const said = (text === '' ? (title ?? '') : text).replaceAll(/\s+/gu, ' ')
  return visible(said.length > CELL_CHARS ? `${said.slice(0, CELL_CHARS - 1).toWellFormed()}…` : said)
}

/** A text as lines that a terminal shows as they are. */
function textLines(text: string | null): readonly string[] {
  return text === null || text === '' ? [] : text.split('\n').map((line) => `  ${visible(line)}`)
}

function countOr(item: Answer, name: string): string {
  return typeof item[name] === 'number' ? String(item[name]) : '-'
}

/** A time to the minute. */
function timeOf(item: Answer, name: string): string {
  const text = textOf(item, name)
  return text === null ? '-' : visible(text.slice(0, 16).replace('T', ' '))
}

/** A blast radius for a person: who wrote it, what came of it, who was shown it, and what suppressing it would change. */
export function blastRadiusText(answer: Answer, paint: Paint): readonly string[] {
  const report = partOf(answer, 'blast_radius')
  const asked = partOf(report, 'asked')
  const guides = partOf(report, 'guides')
  const runs = partOf(report, 'runs')
  const dryRun = partOf(report, 'dry_run')
  const place = placeOf(answer)
  return [
    paint(
      'bold',
      `Blast radius of ${shownOf(asked, 'by')} ${shownOf(asked, 'value')}${place === null ? '' : ` in ${visible(place)}`}`,
    ),
    ...section(paint, counted('Memories', report, 'memory_count', 'memories'), memoryLines(report)),
    ...section(
      paint,
      counted('Derived from it', report, 'derivative_count', 'derivatives'),
      derivedLines(report),
      'Nothing.',
    ),
    ...section(
      paint,
      `${counted('Guides that showed it', guides, 'count', 'entries')}${isTrue(guides, 'is_cut') ? ', older ones were not looked at' : ''}`,
      guideLines(guides, paint),
    ),
    ...section(paint, counted('Runs that told an outcome', runs, 'count', 'entries'), runLines(runs, paint)),
    ...section(paint, 'If it were suppressed', dryRunLines(dryRun, paint), 'No recorded guide would differ.'),
    '',
    paint('dim', visible(textOf(dryRun, 'note') ?? '')),
  ]
}

/** The heading with the number found, and how many of them are listed when those are fewer. */
function counted(title: string, value: Answer, count: string, list: string): string {
  const found = numberOf(value, count)
  const listed = rowsOf(value, list).length
  return listed < found ? `${title}: ${found}, of which ${listed} are listed` : `${title}: ${found}`
}

function memoryLines(report: Answer): readonly string[] {
  const external = rowsOf(report, 'external_memories').map((row) => {
    const name = `${shownOf(row, 'external_memory_id')} of ${shownOf(row, 'source_backend')}`
    return `  ${name}  ${shownOf(row, 'standing')}, governed ${countOr(row, 'governed_count')} times`
  })
  const held = rowsOf(report, 'memories').flatMap((row) => {
    const written = partOf(row, 'written')
    const by = textOf(written, 'producer_agent_id') ?? textOf(written, 'actor')
    const run = textOf(written, 'run_id')
    const outcome = textOf(row, 'outcome')
    const ended = outcome === null ? '' : `, the run ${visible(outcome)}`
    return [
      `  ${shownOf(row, 'memory_id')}  ${stateOf(row)}, ${shownOf(row, 'trust')}${ended}${titleOf(row)}`,
      `    written ${shownOf(written, 'at')} by ${shown(by)}, origin ${shownOf(written, 'origin')}${run === null ? '' : `, run ${visible(run)}`}`,
      ...sourcesOf(row),
    ]
  })
  return [...external, ...held]
}

function derivedLines(report: Answer): readonly string[] {
  return rowsOf(report, 'derivatives').flatMap((row) => [
    `  ${shownOf(row, 'memory_id')}  step ${numberOf(row, 'depth')}, ${stateOf(row)}, stays ${shownOf(row, 'trust_if_suppressed')}${titleOf(row)}`,
    ...sourcesOf(row),
  ])
}

function sourcesOf(row: Answer): readonly string[] {
  const sources = wordsOf(row, 'derived_from')
  return sources.length === 0 ? [] : [`    from ${sources.map(visible).join(', ')}`]
}

function guideLines(guides: Answer, paint: Paint): readonly string[] {
  return rowsOf(guides, 'entries').flatMap((row) => [
    `  ${shownOf(row, 'at')}  ${shownOf(row, 'guide_trace_id')}  for ${shownOf(row, 'consumer_agent_id')}, run ${shownOf(row, 'run_id')}`,
    ...rowsOf(row, 'exposed').map((line) => {
      const surface = textOf(line, 'surface') ?? '-'
      const derived = isTrue(line, 'is_derivative') ? ' (derived)' : ''
      return `    ${paintSurface(paint, surface, `${visible(surface)}  ${shownOf(line, 'memory_id')}${derived}`)}`
    }),
  ])
}

function runLines(runs: Answer, paint: Paint): readonly string[] {
  return rowsOf(runs, 'entries').flatMap((row) => [
    `  ${shownOf(row, 'run_id')}  ended ${shownOf(row, 'ended')}`,
    ...rowsOf(row, 'outcomes').map((outcome) => {
      const word = textOf(outcome, 'outcome')
      const line = `${shownOf(outcome, 'at')}  ${shown(word)}  ${shownOf(outcome, 'memory_id')}`
      return `    ${word === 'negative' ? paint('red', line) : line}`
    }),
  ])
}

function dryRunLines(dryRun: Answer, paint: Paint): readonly string[] {
  const rows = rowsOf(dryRun, 'entries').flatMap((row) =>
    rowsOf(row, 'lines').map((line) => [
      shownOf(row, 'guide_trace_id'),
      shownOf(line, 'memory_id'),
      `${shownOf(line, 'surface')} -> ${shownOf(line, 'surface_if_suppressed')}, ${numberOf(row, 'usable_left')} usable left`,
    ]),
  )
  return columns(rows, (_row, line) => paint('yellow', line))
}

function titleOf(row: Answer): string {
  const title = textOf(row, 'title')
  return title === null ? '' : `  "${visible(title)}"`
}
