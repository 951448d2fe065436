import { ASKED_ORIGINS } from '../../contract/blast-radius.ts'
import { ALIASES, COMMANDS, type Command, flagsOf } from './command-flags.ts'
import { ARGUMENT_WORDS, type OptionRow, type Shell, usageOf } from './commands.ts'

/** What may follow a flag. */
type Kind = 'none' | 'words' | 'folder' | 'file' | 'any'

interface CompletedFlag {
  /** `--url` */
  readonly flag: string
  readonly kind: Kind
  /** Of which one may follow; none with another kind than `words`. */
  readonly words: readonly string[]
  readonly meaning: string
}

/** The script that lets a shell complete commands, flags and their values: `source <(memgov completion bash)`. */
export function completionScript(shell: Shell, options: readonly OptionRow[]): string {
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](options)
}

/** What the metavariables of the table stand for. */
const KIND_OF: Readonly<Record<string, 'folder' | 'file'>> = { DIR: 'folder', FILE: 'file', PATH: 'file' }
/** Options of the service that name a place in the file system. */
const OPTION_KINDS: Readonly<Record<string, 'folder' | 'file'>> = {
  '--data-dir': 'folder',
  '--socket': 'file',
}

/** Values of flags that are one of some words. */
const FLAG_WORDS: Readonly<Partial<Record<string, readonly string[]>>> = { origin: ASKED_ORIGINS }

const HELP = completed('--help', 'none', 'tell usage, flags and examples')

function completed(flag: string, kind: Kind, meaning: string, words: readonly string[] = []): CompletedFlag {
  return words.length > 0 ? { flag, kind: 'words', words, meaning } : { flag, kind, words, meaning }
}

function completedFlags(command: Command, options: readonly OptionRow[]): readonly CompletedFlag[] {
  const own = command === 'serve' ? serveFlags(options) : flagsOf(command).map(tableFlag)
  const aliases = Object.entries(ALIASES).flatMap(([alias, name]) => {
    const meant = own.find(({ flag }) => flag === `--${name}`)
    return meant === undefined ? [] : [{ ...meant, flag: `--${alias}` }]
  })
  return [...own, ...aliases, HELP]
}

function serveFlags(options: readonly OptionRow[]): readonly CompletedFlag[] {
  const flags = options.map(({ flag, isSwitch, choices, description }) =>
    completed(flag, isSwitch ? 'none' : (OPTION_KINDS[flag] ?? 'any'), description, isSwitch ? [] : choices),
  )
  return [...flags, completed('--print-config', 'none', 'print the effective configuration')]
}

function tableFlag({ name, value, description }: ReturnType<typeof flagsOf>[number]): CompletedFlag {
  const kind = value === '' ? 'none' : (KIND_OF[value] ?? 'any')
  return completed(`--${name}`, kind, description, FLAG_WORDS[name])
}

function bashScript(options: readonly OptionRow[]): string {
  const values = new Map<string, readonly string[]>()
  for (const command of COMMANDS) {
    for (const { flag, kind, words } of completedFlags(command, options)) {
      const list = kind === 'words' ? `_memgov_offer -W '${words.join(' ')}'` : BASH_LISTS[kind]
      if (list !== null) values.set(list, [...new Set([...(values.get(list) ?? []), flag])])
    }
  }
  return `${[
    '# memgov completion for bash: source <(memgov completion bash)',
    // The bash of macOS has no mapfile.
    '_memgov_offer() {',
    '  local line',
    '  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$@" -- "$cur")',
    '}',
    '_memgov_paths() {',
    '  compopt -o filenames 2> /dev/null',
    '  _memgov_offer "$@"',
    '}',
    '_memgov() {',
    '  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} words=',
    '  COMPREPLY=()',
    '  case $prev in',
    ...[...values].map(
      ([list, flags]) => `    ${flags.join('|')}) ${list === '' ? '' : `${list}; `}return ;;`,
    ),
    '  esac',
    '  if ((COMP_CWORD == 1)); then',
    `    words='${[...COMMANDS, '--help', '--version'].join(' ')}'`,
    '  else',
    '    case ${COMP_WORDS[1]} in',
    ...COMMANDS.map((command) => {
      const flags = completedFlags(command, options).map(({ flag }) => flag)
      return `      ${command}) words='${[...(ARGUMENT_WORDS[command] ?? []), ...flags].join(' ')}' ;;`
    }),
    '    esac',
    '  fi',
    '  _memgov_offer -W "$words"',
    '}',
    'complete -F _memgov memgov',
  ].join('\n')}\n`
}

/** What offers the values of a flag; empty: nothing is known of them; null: the flag takes none. */
const BASH_LISTS = { none: null, folder: '_memgov_paths -d', file: '_memgov_paths -f', any: '' } as const

function zshScript(options: readonly OptionRow[]): string {
  return `${[
    '#compdef memgov',
    '# memgov completion for zsh: source <(memgov completion zsh), or as _memgov in a folder of $fpath',
    '_memgov() {',
    '  if ((CURRENT == 2)); then',
    '    local -a commands',
    `    commands=(${COMMANDS.map((command) => quoted(`${command}:${summaryOf(command)}`)).join(' ')})`,
    "    _describe 'command' commands",
    '    return',
    '  fi',
    '  case $words[2] in',
    ...COMMANDS.map((command) => {
      const flags = completedFlags(command, options).map(zshFlag)
      const words = ARGUMENT_WORDS[command]
      const argument = words === undefined ? [] : [quoted(`*:argument:(${words.join(' ')})`)]
      return `    ${command}) _arguments ${[...flags, ...argument].join(' ')} ;;`
    }),
    '  esac',
    '}',
    'if [[ $funcstack[1] == _memgov ]]; then _memgov "$@"; else compdef _memgov memgov; fi',
  ].join('\n')}\n`
}

const ZSH_VALUES = { none: '', folder: ':folder:_files -/', file: ':file:_files', any: ':value: ' } as const

function zshFlag({ flag, kind, words, meaning }: CompletedFlag): string {
  const told = `${flag}[${sentence(meaning).replaceAll(/[[\]:\\]/g, '\\$&')}]`
  return quoted(`${told}${kind === 'words' ? `:value:(${words.join(' ')})` : ZSH_VALUES[kind]}`)
}

function fishScript(options: readonly OptionRow[]): string {
  return `${[
    '# memgov completion for fish: memgov completion fish > ~/.config/fish/completions/memgov.fish',
    'complete -c memgov -f',
    ...COMMANDS.map(
      (command) =>
        `complete -c memgov -n __fish_use_subcommand -a ${command} -d ${quotedForFish(summaryOf(command))}`,
    ),
    ...COMMANDS.flatMap((command) => {
      const behind = `complete -c memgov -n '__fish_seen_subcommand_from ${command}'`
      const words = ARGUMENT_WORDS[command]
      return [
        ...(words === undefined ? [] : [`${behind} -a '${words.join(' ')}'`]),
        ...completedFlags(command, options).map((flag) => `${behind} ${fishFlag(flag)}`),
      ]
    }),
  ].join('\n')}\n`
}

const FISH_VALUES = {
  none: '',
  folder: " -x -a '(__fish_complete_directories)'",
  file: ' -r -F',
  any: ' -x',
} as const

function fishFlag({ flag, kind, words, meaning }: CompletedFlag): string {
  const value = kind === 'words' ? ` -x -a '${words.join(' ')}'` : FISH_VALUES[kind]
  return `-l ${flag.slice(2)} -d ${quotedForFish(sentence(meaning))}${value}`
}

function summaryOf(command: Command): string {
  return usageOf(command)[0]?.description ?? command
}

/** The first sentence: a completion has one line for each flag. */
function sentence(text: string): string {
  return text.split(/[.;](?:\s|$)/, 1)[0] ?? text
}

/** For bash and zsh. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function quotedForFish(text: string): string {
  return `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`
}
