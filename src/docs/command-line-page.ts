import { optionRows } from '../app/config/option-rows.ts'
import { ALIASES } from '../edges/cli/command-flags.ts'
import { COMMANDS, type Command } from '../edges/cli/command-names.ts'
import { EXAMPLES, usageOf } from '../edges/cli/commands.ts'
import { flagLines } from '../edges/cli/help.ts'
import { alignedTable } from './aligned-table.ts'

/** Every command with its flags, from the tables that the program parses by. */
export function commandLinePage(): string {
  const [alias = '', name = ''] = Object.entries(ALIASES)[0] ?? []
  return [
    '<!-- Generated from the tables of commands and options by `npm run docs`. Change the tables, not this page. -->',
    '',
    '# Command line',
    '',
    '`memgov COMMAND --help` prints what is here about one command. Every command ends with 0 when it did what it was asked, with 1',
    'when it was refused or found something wrong, and with 2 when the arguments are not understood. `memgov completion SHELL` prints',
    `what lets bash, zsh or fish complete commands and flags. \`--${alias}\` is another name of \`--${name}\`.`,
    '',
    ...COMMANDS.flatMap(section),
  ].join('\n')
}

function section(command: Command): readonly string[] {
  const usage = usageOf(command).map(({ words, description }) => [`\`memgov ${words}\``, description])
  const flags =
    command === 'serve'
      ? []
      : flagLines(command, optionRows()).map(({ flag, meaning }) => [`\`${flag}\``, meaning])
  return [
    `## ${command}`,
    '',
    alignedTable(['Call', 'Does'], usage),
    '',
    ...(flags.length === 0 ? [] : [alignedTable(['Flag', 'Meaning'], flags), '']),
    ...(command === 'serve' ? ['Its flags are the options of [configuration](configuration.md).', ''] : []),
    '```sh',
    ...EXAMPLES[command].map((example) => `memgov ${example}`),
    '```',
    '',
  ]
}
