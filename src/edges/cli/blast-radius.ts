import { type Answer, isTrue, numberOf, partOf, placeOf, rowsOf, shownOf, textOf, wordsOf } from './reader.ts'
import { columns, type Paint, paintSurface, section, shown, visible } from './terminal-text.ts'

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
    ...section(paint, counted('Memories', report, 'memory_count', 'memories'), memoryLines(report), 'None.'),
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
      'None.',
    ),
    ...section(
      paint,
      counted('Runs that told an outcome', runs, 'count', 'entries'),
      runLines(runs, paint),
      'None.',
    ),
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
    return `  ${name}  ${shownOf(row, 'standing')}, governed ${numberOf(row, 'governed_count')} times`
  })
  const held = rowsOf(report, 'memories').flatMap((row) => {
    const written = partOf(row, 'written')
    const by = textOf(written, 'producer_agent_id') ?? textOf(written, 'actor')
    const run = textOf(written, 'run_id')
    const outcome = textOf(row, 'outcome')
    const ended = outcome === null ? '' : `, the run ${visible(outcome)}`
    return [
      `  ${shownOf(row, 'memory_id')}  ${shownOf(row, 'lifecycle_state')}, ${shownOf(row, 'trust')}${ended}${titleOf(row)}`,
      `    written ${shownOf(written, 'at')} by ${shown(by)}, origin ${shownOf(written, 'origin')}${run === null ? '' : `, run ${visible(run)}`}`,
      ...sourcesOf(row),
    ]
  })
  return [...external, ...held]
}

function derivedLines(report: Answer): readonly string[] {
  return rowsOf(report, 'derivatives').flatMap((row) => [
    `  ${shownOf(row, 'memory_id')}  step ${numberOf(row, 'depth')}, ${shownOf(row, 'lifecycle_state')}, stays ${shownOf(row, 'trust_if_suppressed')}${titleOf(row)}`,
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
