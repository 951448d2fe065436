import { ALIASES, type CommandFlag, flagsOf } from './command-flags.ts'
import { COMMANDS, type Command } from './command-names.ts'
import { EXAMPLES, type OptionRow, usageOf } from './commands.ts'

/** One flag of a command as a person reads it. */
export interface FlagLine {
  /** `--url URL` */
  readonly flag: string
  readonly meaning: string
}

/** The text of `memgov --help`: every command, and where its flags are. */
export function helpText(): string {
  return [
    'memgov: the memory governance runtime for software agents',
    '',
    'Usage:',
    ...inColumns(COMMANDS.flatMap(usageRows), 3),
    '  memgov --help | --version',
    '',
    'memgov COMMAND --help tells the flags of a command, with an example.',
    '',
  ].join('\n')
}

/** The text of `memgov COMMAND --help`. */
export function commandHelp(command: Command, options: readonly OptionRow[]): string {
  const lines = flagLines(command, options).map(({ flag, meaning }) => [flag, meaning] as const)
  const examples = EXAMPLES[command]
  return [
    'Usage:',
    ...inColumns(usageRows(command), 3),
    ...(lines.length === 0 ? [] : ['', 'Flags:', ...inColumns(lines)]),
    '',
    examples.length === 1 ? 'Example:' : 'Examples:',
    ...examples.map((example) => `  memgov ${example}`),
    ...(command === 'serve' ? ['', SERVE_NOTE] : []),
    '',
  ].join('\n')
}

const SERVE_NOTE =
  'Defaults are in brackets. A flag wins over the environment (--data-dir over MEMGOV_DATA_DIR). Bounds of every option: docs/reference/configuration.md'

/** Every flag of a command with its meaning. */
export function flagLines(command: Command, options: readonly OptionRow[]): readonly FlagLine[] {
  if (command === 'serve') return [...options.map(optionLine), PRINT_CONFIG]
  return flagsOf(command).map(commandLine)
}

const PRINT_CONFIG: FlagLine = {
  flag: '--print-config',
  meaning: 'print the effective configuration and its sources, start nothing',
}

function optionLine({ flag, unit, description, defaultText }: OptionRow): FlagLine {
  const preset = `${defaultText}${unit === null ? '' : ` ${unit}`}`
  const alias = aliasOf(flag.slice(2))
  return { flag, meaning: `${alias === '' ? description : description.replace(/\.$/, alias)} (${preset})` }
}

function commandLine({ name, value, description }: CommandFlag): FlagLine {
  return { flag: `--${name} ${value}`.trimEnd(), meaning: `${description}${aliasOf(name)}` }
}

function aliasOf(name: string): string {
  const alias = Object.keys(ALIASES).find((each) => ALIASES[each] === name)
  return alias === undefined ? '' : `; --${alias} for short`
}

function usageRows(command: Command): readonly (readonly [string, string])[] {
  return usageOf(command).map(({ words, description }) => [`memgov ${words}`, description])
}

/** Lines of two columns, the second one behind the longest entry of the first. */
function inColumns(rows: readonly (readonly [string, string])[], gap = 2): readonly string[] {
  const width = Math.max(...rows.map(([first]) => first.length)) + gap
  return rows.map(([first, second]) => `  ${first.padEnd(width)}${second}`)
}
