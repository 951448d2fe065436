import { hash } from 'node:crypto'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { ToolUse } from './payload.ts'
import { readShell } from './shell-words.ts'

// Of a tool use this is all that is kept: the program and subcommand of a command, the name of another tool, and the paths
// that it changed. Words that are not in these tables stay behind, whatever they look like.

export type Result = 'succeeded' | 'failed' | 'unknown'

export interface Step {
  /** `git push`, `npm test`, `Read`. */
  readonly label: string
  readonly result: Result
}

/** Relative to the repository; null: the file was removed. */
export type ChangedFiles = ReadonlyMap<string, string | null>

export interface ReadTool {
  readonly steps: readonly Step[]
  readonly changed: ChangedFiles
  /** What the last command that verifies says; absent: none ran. Null: it ran and its end is not known. */
  readonly verdict?: Verdict | null
}

export interface Verdict {
  /** As it is configured. */
  readonly command: string
  readonly hasPassed: boolean
}

/** What a text is asked before it is kept. */
export interface TextTools {
  /** The text with the values of secrets masked. */
  readonly masked: (text: string) => string
  /** True: it tries to make a reader do nothing, and hides nothing. */
  readonly isHarmless: (text: string) => boolean
}

export interface StepTools extends TextTools {
  readonly verifiers: readonly string[]
}

/** Where paths begin. */
export interface Folders {
  readonly root: string
  readonly cwd: string
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** By lower-case name, from the documents of the hosts. */
const SHELLS = words(
  'bash shell local_shell exec_command container.exec run_shell_command run_terminal_cmd run_in_terminal powershell terminal',
)
const EDITORS = words(
  'edit write multiedit notebookedit create replace write_file edit_file create_file str_replace strreplace search_replace str_replace_editor insert_edit_into_file replace_string_in_file',
)
const REMOVERS = words('delete delete_file')
const PATCHERS = words('apply_patch applypatch')
const PATH_FIELDS = ['file_path', 'filePath', 'path', 'notebook_path', 'target_file']
const COMMAND_FIELDS = ['command', 'cmd']
const PATCH_FIELDS = ['patch', 'input', 'command']

/** Subcommands by program: what stands there and is not here is an argument. From the help of each program. */
const SUBCOMMANDS: Readonly<Record<string, ReadonlySet<string>>> = {
  git: words(
    'add am apply bisect blame branch checkout cherry-pick clean clone commit config describe diff fetch format-patch gc grep init log ls-files merge mv pull push rebase reflog remote reset restore revert rm show stash status submodule switch tag worktree',
  ),
  npm: words(
    'audit build ci exec i init install link ls outdated pack publish run start test uninstall update version',
  ),
  pnpm: words('add audit build dlx exec i install lint list publish remove run start test update'),
  yarn: words('add audit build dlx install lint remove run start test upgrade workspace workspaces'),
  bun: words('add build install remove run test update x'),
  npx: words('biome eslint jest playwright prettier prisma tsc tsx vite vitest'),
  deno: words('bench cache check compile fmt lint run task test'),
  cargo: words('add bench build check clean clippy doc fmt install nextest publish run test update'),
  go: words('build clean fmt generate get install list mod run test tool vet work'),
  docker: words(
    'build compose cp exec images inspect kill logs network ps pull push restart rm rmi run start stop tag volume',
  ),
  podman: words('build exec images logs ps pull push rm run start stop'),
  kubectl: words(
    'apply config create delete describe diff edit exec explain get logs patch port-forward rollout scale set top',
  ),
  helm: words('dependency install lint list rollback template test uninstall upgrade'),
  terraform: words('apply destroy fmt import init output plan state validate workspace'),
  pip: words('check download freeze install list show uninstall wheel'),
  pip3: words('check download freeze install list show uninstall wheel'),
  uv: words('add build lock pip publish remove run sync tool venv'),
  poetry: words('add build check install lock publish remove run show update'),
  bundle: words('add exec install update'),
  rails: words('console db generate migrate new routes runner server test'),
  dotnet: words('add build clean format new pack publish restore run test tool'),
  mvn: words('clean compile deploy install package site test validate verify'),
  gradle: words('assemble build check clean publish run tasks test'),
  gradlew: words('assemble build check clean publish run tasks test'),
  make: words('all build check clean install lint test'),
  gh: words('api auth browse gist issue pr release repo run workflow'),
  brew: words('install list uninstall update upgrade'),
  apt: words('install list remove search update upgrade'),
  'apt-get': words('autoremove install purge remove update upgrade'),
  systemctl: words('disable enable reload restart start status stop'),
  aws: words('cloudformation configure ec2 ecs eks iam lambda logs rds s3 s3api sts'),
  gcloud: words('auth builds compute config container functions projects run storage'),
}
/** Options before the subcommand that take the next word along. */
const WITH_VALUE = words(
  '-C -c --prefix --filter -F -w --cwd --namespace -n --context -f --project --manifest-path',
)
/** They run what follows them. */
const WRAPPERS = words('sudo env time nohup exec command nice timeout')
/** They change nothing but where and how the next one runs. */
const TRIVIAL = words('cd pushd popd export set unset true :')
const ASSIGNMENT = /^[A-Za-z_]\w*=/
const PROGRAM = /^[A-Za-z][A-Za-z0-9._+-]{0,31}$/
/** A name is written in one case, or ends soon: what mixes them with digits and goes on is a key. */
const KEY_LIKE = /^(?=.*\d)(?=.*[A-Z]).{13,}$|^(?=(?:\D*\d){6}).{13,}$/
const TOOL_NAME = /^[A-Za-z][\w.:-]{0,63}$/
const SOMETHING = 'a command'
const PATCHED_FILE =
  /^\*\*\* (?<what>Add|Update|Delete) File: (?<path>.{1,512}?) *$(?<moved>\r?\n\*\*\* Move to: )?/gm
/** Of a longer patch the first ones are read: each path is screened. */
const PATCHED_FILES_MAX = 64
const MOVED_FILE = /^\*\*\* Move to: (?<path>.{1,512}?) *$/gm
const PATH_CHARS_MAX = 512
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u

export function readTool(tool: ToolUse, folders: Folders, tools: StepTools): ReadTool {
  const name = tool.name.toLowerCase()
  const result = tool.hasSucceeded === null ? 'unknown' : tool.hasSucceeded ? 'succeeded' : 'failed'
  if (PATCHERS.has(name)) return patched(tool, textIn(tool, PATCH_FIELDS), result, folders, tools)
  if (SHELLS.has(name)) {
    const line = commandIn(tool)
    if (line.includes('*** Begin Patch')) return patched(tool, line, result, folders, tools)
    return ranShell(line, result, tools)
  }
  const path = textIn(tool, PATH_FIELDS)
  const isChange = (EDITORS.has(name) || REMOVERS.has(name)) && result !== 'failed'
  const label = TOOL_NAME.test(tool.name) && isKept(tool.name, tools) ? tool.name : 'a tool'
  const kept = isChange ? keptPath(path, folders, tools) : null
  const digest = REMOVERS.has(name) ? null : digestOf(changeOf(tool), path)
  return { steps: [{ label, result }], changed: new Map(kept === null ? [] : [[kept, digest]]) }
}

/** What one use of a tool is told from others by. */
function changeOf({ id, input }: ToolUse): string {
  return id ?? hash('sha256', JSON.stringify(input))
}

/** The name of a change: another one than any other change has. What the file says now is not looked at. */
function digestOf(change: string, path: string): string {
  return `change:${hash('sha256', `${change}\n${path}`).slice(0, 32)}`
}

function patched(tool: ToolUse, patch: string, result: Result, folders: Folders, tools: StepTools): ReadTool {
  const changed = new Map<string, string | null>()
  const change = changeOf(tool)
  const found = [...firstOf(patch.matchAll(PATCHED_FILE)), ...firstOf(patch.matchAll(MOVED_FILE))]
  for (const { groups } of result === 'failed' ? [] : found) {
    const path = groups?.['path'] ?? ''
    const kept = keptPath(path, folders, tools)
    const isGone = groups?.['what'] === 'Delete' || groups?.['moved'] !== undefined
    if (kept !== null) changed.set(kept, isGone ? null : digestOf(change, path))
  }
  return { steps: [{ label: 'apply_patch', result }], changed }
}

function* firstOf(matches: Iterable<RegExpExecArray>): Generator<RegExpExecArray> {
  let count = 0
  for (const match of matches) {
    if ((count += 1) > PATCHED_FILES_MAX) return
    yield match
  }
}

function ranShell(line: string, result: Result, tools: StepTools): ReadTool {
  const { commands, isChain } = readShell(line)
  const run = commands.map(unwrapped).filter((each) => each.length > 0)
  const told = run.filter(([program = '']) => !TRIVIAL.has(program))
  // Of several commands only the last can have failed alone, and of a chain that succeeded each has succeeded.
  const isAll = isChain && (result === 'succeeded' || told.length === 1)
  const steps = told.map(
    (each): Step => ({ label: labelOf(each, tools), result: isAll ? result : 'unknown' }),
  )
  const verdict = verdictOf(told, isAll ? result : 'unknown', tools.verifiers)
  const [only] = run
  const alone = { label: only === undefined ? SOMETHING : labelOf(only, tools), result }
  const read = { steps: steps.length === 0 ? [alone] : steps, changed: new Map() }
  return verdict === undefined ? read : { ...read, verdict }
}

/** Undefined: none of the commands verifies. */
function verdictOf(
  commands: readonly (readonly string[])[],
  result: Result,
  verifiers: readonly string[],
): Verdict | null | undefined {
  const verifier = verifiers.findLast((each) => {
    const wanted = each.split(/\s+/)
    return commands.some((command) => wanted.every((word, at) => command[at] === word))
  })
  if (verifier === undefined) return undefined
  return result === 'unknown' ? null : { command: verifier, hasPassed: result === 'succeeded' }
}

/** The words from the program on. */
function unwrapped(command: readonly string[]): readonly string[] {
  let at = 0
  while (at < command.length) {
    const word = command[at] ?? ''
    if (ASSIGNMENT.test(word)) at += 1
    else if (WRAPPERS.has(word) && /^[^-]/.test(command[at + 1] ?? '')) at += word === 'timeout' ? 2 : 1
    else break
  }
  return command.slice(at)
}

function labelOf([first = '', ...rest]: readonly string[], tools: TextTools): string {
  const program = first.split(/[/\\]/).at(-1) ?? ''
  if (!PROGRAM.test(program) || KEY_LIKE.test(program) || !isKept(program, tools)) return SOMETHING
  const known = Object.hasOwn(SUBCOMMANDS, program) ? SUBCOMMANDS[program] : undefined
  const subcommand = known === undefined ? undefined : firstArgument(rest)
  return subcommand !== undefined && known?.has(subcommand) === true ? `${program} ${subcommand}` : program
}

function firstArgument(rest: readonly string[]): string | undefined {
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? ''
    if (WITH_VALUE.has(word)) at += 1
    else if (!/^[-+]/.test(word)) return word
  }
  return undefined
}

/** Relative to the repository, with slashes; null: it lies elsewhere, or says more than a path. */
function keptPath(path: string, { root, cwd }: Folders, tools: TextTools): string | null {
  if (path === '' || UNPRINTABLE.test(path)) return null
  const inside = relative(root, resolve(cwd, path))
  if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) return null
  const kept = inside.split(sep).join('/')
  // No path of a workspace has one, and finish would refuse the whole run.
  if (kept.includes('\\')) return null
  return kept.length <= PATH_CHARS_MAX && isKept(kept, tools) ? kept : null
}

function isKept(text: string, { masked, isHarmless }: TextTools): boolean {
  // As words, too: a sentence may be written with other signs between them.
  return masked(text) === text && isHarmless(text) && isHarmless(text.replaceAll(/[-_./]+/g, ' '))
}

/** Some hosts send the words of a command; the last one is the line for the shell that runs it. */
function commandIn({ input }: ToolUse): string {
  for (const field of COMMAND_FIELDS) {
    const value = input[field]
    if (typeof value === 'string') return value
    if (Array.isArray(value)) return lineOf(value.filter((word) => typeof word === 'string'))
  }
  return ''
}

function lineOf(command: readonly string[]): string {
  const isShell = /(?:^|\/)(?:ba|z|da)?sh$/.test(command[0] ?? '')
  if (isShell && /^-\w*c$/.test(command[1] ?? '')) return command[2] ?? ''
  return command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
}

function textIn({ input }: ToolUse, fields: readonly string[]): string {
  for (const field of fields) {
    const value = input[field]
    if (typeof value === 'string' && value !== '') return value
    if (Array.isArray(value)) return value.filter((word) => typeof word === 'string').join('\n')
  }
  return ''
}
