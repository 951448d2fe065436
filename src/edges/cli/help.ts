import type { OptionRow } from './arguments.ts'

/** The text of `memgov --help`. */
export function helpText(rows: readonly OptionRow[]): string {
  const flagWidth = Math.max(...rows.map((row) => row.flag.length))
  const lines = rows.map((row) => {
    const unit = row.unit === null ? '' : ` ${row.unit}`
    return `  ${row.flag.padEnd(flagWidth)}  ${row.description} (${row.defaultText}${unit})`
  })
  return [
    'memgov: the memory governance runtime for software agents',
    '',
    'Usage:',
    '  memgov serve [flags]            start the service',
    '  memgov serve --print-config     print the effective configuration and its sources, start nothing',
    '  memgov --help | --version',
    '',
    'Flags of serve (default in brackets); each can also be set in the environment, --data-dir as MEMGOV_DATA_DIR:',
    ...lines,
    '',
    'A flag wins over the environment. Bounds of every option: docs/configuration.md',
    '',
  ].join('\n')
}
