import type { OptionRow } from './arguments.ts'
import { QUERY_FLAGS } from './query-arguments.ts'

/** The text of `memgov --help`. */
export function helpText(rows: readonly OptionRow[]): string {
  const flagWidth = Math.max(...rows.map((row) => row.flag.length))
  const lines = rows.map((row) => {
    const unit = row.unit === null ? '' : ` ${row.unit}`
    return `  ${row.flag.padEnd(flagWidth)}  ${row.description} (${row.defaultText}${unit})`
  })
  const named = QUERY_FLAGS.map((flag) => `--${flag.name} ${flag.value}`.trimEnd())
  const queryWidth = Math.max(...named.map((name) => name.length))
  const queryLines = QUERY_FLAGS.map(
    (flag, at) => `  ${(named[at] ?? '').padEnd(queryWidth)}  ${flag.description}`,
  )
  return [
    'memgov: the memory governance runtime for software agents',
    '',
    'Usage:',
    '  memgov serve [flags]            start the service',
    '  memgov serve --print-config     print the effective configuration and its sources, start nothing',
    '  memgov explain GUIDE_TRACE_ID   ask a running service what a guide showed, why, and what came of it',
    '  memgov blast-radius MEMORY_ID   ask it what a memory has touched; also --origin, --source',
    '  memgov --help | --version',
    '',
    'Flags of serve (default in brackets); each can also be set in the environment, --data-dir as MEMGOV_DATA_DIR:',
    ...lines,
    '',
    'Flags of explain and blast-radius:',
    ...queryLines,
    '',
    'A flag wins over the environment. Bounds of every option: docs/configuration.md',
    '',
  ].join('\n')
}
