import type { OptionRow } from './arguments.ts'
import { OFFLINE_FLAGS } from './offline-arguments.ts'
import { QUERY_FLAGS } from './query-arguments.ts'

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
    '  memgov explain GUIDE_TRACE_ID   ask a running service what a guide showed, why, and what came of it',
    '  memgov blast-radius MEMORY_ID   ask it what a memory has touched; also --origin, --source',
    '  memgov verify                   check every file of a data folder that no service uses; changes nothing',
    '  memgov repair                   set aside what is damaged, so that a service can start with what is whole',
    '  memgov inspect                  show what a data folder holds, also a damaged one; changes nothing',
    '  memgov export --out FILE        write every actor of a data folder that no service uses into one archive',
    '  memgov import --in FILE         put the actors of an archive into a data folder that no service uses',
    '  memgov backup --to DIR          copy the data folder of a running service, consistent and verified',
    '  memgov --help | --version',
    '',
    'Flags of serve (default in brackets); each can also be set in the environment, --data-dir as MEMGOV_DATA_DIR:',
    ...lines,
    '',
    'Flags of explain and blast-radius:',
    ...flagLines(QUERY_FLAGS, () => ''),
    '',
    'Flags of verify, repair, inspect, export, import and backup:',
    ...flagLines(OFFLINE_FLAGS, ({ commands }) => (commands.length === 1 ? `${commands[0]}: ` : '')),
    '',
    'A flag wins over the environment. Bounds of every option: docs/configuration.md',
    '',
  ].join('\n')
}

interface Described {
  readonly name: string
  readonly value: string
  readonly description: string
}

function flagLines<Flag extends Described>(flags: readonly Flag[], prefix: (flag: Flag) => string): string[] {
  const named = flags.map((flag) => `--${flag.name} ${flag.value}`.trimEnd())
  const width = Math.max(...named.map((name) => name.length))
  return flags.map((flag, at) => `  ${(named[at] ?? '').padEnd(width)}  ${prefix(flag)}${flag.description}`)
}
