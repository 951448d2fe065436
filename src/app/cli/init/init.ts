import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import { packageFile } from '../../../adapters/files/package-file.ts'
import { messageOf } from '../../../core/base/errors.ts'
import { HOST_NAMES, type HostName, UsageError } from '../../../edges/cli/command-flags.ts'
import type { InitInvocation } from '../../../edges/cli/service-arguments.ts'
import { visible } from '../../../edges/cli/terminal-text.ts'
import { checkoutOf, workspaceScope } from '../../../edges/workspace/workspace-scope.ts'
import { serviceUrl, type UserFolders } from '../../config/config.ts'
import type { Terminal } from '../offline.ts'
import { carryOut, changeOf, type FileChange, isChanged, isSetUp } from './file-change.ts'
import { type Entries, HOSTS, type Target, type Where } from './hosts.ts'
import { holdsMember } from './json-text.ts'
import { FileRecords, FileRefusal } from './stored-file.ts'

/** Lines before and behind a change that are shown with it. */
const AROUND = 3
/** Pairs of lines that are compared; beyond them the change is shown as one piece. */
const PAIRS_MAX = 4_000_000

interface Line {
  readonly sign: ' ' | '-' | '+'
  readonly text: string
}

/** What changes between two texts, as people read it; null stands for no file. */
export function textDiff(path: string, before: string | null, after: string | null): readonly string[] {
  const lines = compared(linesOf(before), linesOf(after))
  const isNear = (at: number): boolean =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ sign }) => sign !== ' ')
  const shown = lines.flatMap(({ sign, text }, at) => {
    if (isNear(at)) return [`${sign}${text}`]
    return at > 0 && isNear(at - 1) ? ['@@'] : []
  })
  const name = (text: string | null): string => (text === null ? '(no file)' : path)
  return [`--- ${name(before)}`, `+++ ${name(after)}`, ...shown]
}

function linesOf(text: string | null): readonly string[] {
  if (text === null || text === '') return []
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

function compared(before: readonly string[], after: readonly string[]): readonly Line[] {
  let head = 0
  while (head < Math.min(before.length, after.length) && before[head] === after[head]) head += 1
  let tail = 0
  while (
    tail < Math.min(before.length, after.length) - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  ) {
    tail += 1
  }
  const same = (lines: readonly string[]): readonly Line[] => lines.map((text) => ({ sign: ' ', text }))
  return [
    ...same(before.slice(0, head)),
    ...changed(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...same(before.slice(before.length - tail)),
  ]
}

/** By the longest sequence of lines that both have. */
function changed(before: readonly string[], after: readonly string[]): readonly Line[] {
  const isLong = before.length * after.length > PAIRS_MAX
  const width = after.length + 1
  const common = new Uint32Array(isLong ? 0 : (before.length + 1) * width)
  for (let i = isLong ? -1 : before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const [down, right] = [common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0]
      const diagonal = (common[(i + 1) * width + j + 1] ?? 0) + 1
      common[i * width + j] = before[i] === after[j] ? diagonal : Math.max(down, right)
    }
  }
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    const [old, made] = [before[i], after[j]]
    if (!isLong && old !== undefined && old === made) {
      lines.push({ sign: ' ', text: old })
      i += 1
      j += 1
    } else if (
      old !== undefined &&
      (made === undefined || (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))
    ) {
      lines.push({ sign: '-', text: old })
      i += 1
    } else if (made !== undefined) {
      lines.push({ sign: '+', text: made })
      j += 1
    }
  }
  return lines
}

/** Asks a person; null: nobody is there. */
export type Confirm = ((question: string) => Promise<boolean>) | null

/** What a process has around it. */
export interface Surroundings {
  readonly cwd: string
  readonly folders: UserFolders
}

const DEFAULT_URL = 'http://127.0.0.1:3001'
/** What a shell and a header take as it is. */
const PLAIN_SCOPE = /^[\w.@:/+-]+$/

/**
 * `memgov init`: tells a program that runs agents of memgov, or takes that back; without a program it lists what it finds.
 * The exit code: 0 done, 1 nothing was changed. @throws UsageError
 */
export async function initCommand(
  invocation: InitInvocation,
  { stdout, stderr }: Terminal,
  confirm: Confirm,
  { cwd, folders }: Surroundings,
): Promise<number> {
  const { host, isUser, isUndone, isAgreed } = invocation
  const print = (...lines: readonly string[]): void =>
    void stdout.write(lines.map((line) => `${line}\n`).join(''))
  const where = { isUser, project: await checkoutOf(cwd), folders, platform: process.platform }
  if (host === null) {
    print(...(await found(where)))
    return 0
  }
  const entries = await entriesFor(where, invocation)
  const targets = HOSTS[host].targets(where, entries)
  const records = new FileRecords(where.folders.state)
  const changes = await changesOf(targets, records, isUndone, isUser ? null : where.project)
  if (typeof changes === 'string') {
    stderr.write(`memgov init: ${visible(changes)} Nothing was changed.\n`)
    return 1
  }
  const needed = changes.filter(isChanged)
  if (needed.length === 0) {
    print(isUndone ? 'There is nothing of memgov init.' : `${HOSTS[host].title} is set up: nothing to do.`)
    return 0
  }
  for (const { path, file, after } of needed) {
    print(...textDiff(path, file.text, after?.toString('utf8').slice(file.mark.length) ?? null).map(visible))
  }
  if (!isAgreed && !(await (confirm?.('Write this? [y/N] ') ?? false))) {
    stderr.write(`memgov init: nothing was changed${confirm === null ? '; --yes writes it' : ''}.\n`)
    return 1
  }
  // Folders that were made go with the last file in them.
  for (const change of isUndone ? needed.toReversed() : needed) {
    try {
      await carryOut(change, records, isUndone)
    } catch (error) {
      stderr.write(
        `memgov init: ${visible(change.path)} could not be written: ${visible(messageOf(error))}\n`,
      )
      return 1
    }
  }
  print(
    ...(isUndone
      ? ['', `${HOSTS[host].title} knows nothing of memgov any more.`]
      : [...told(host, where, entries, changes), ...(await toldOfOther(host, where))]),
  )
  return 0
}

async function entriesFor(where: Where, { scope, url }: InitInvocation): Promise<Entries> {
  const address = (url ?? serviceUrl()).replace(/\/+$/, '')
  if (!URL.canParse(address) || !/^https?:\/\/[^\s"'$`\\]+$/.test(address)) {
    throw new UsageError(`${JSON.stringify(address)} is not the URL of a service.`)
  }
  if (scope !== null && !PLAIN_SCOPE.test(scope)) {
    throw new UsageError(
      '--scope takes letters, digits and . _ - @ : / + here: it is written into commands and headers.',
    )
  }
  return {
    program: where.isUser ? ownProgram() : ['npx', 'memgov'],
    url: address,
    isDefaultUrl: address === DEFAULT_URL,
    // What is said for every project of a user names none of their scopes.
    scope: scope ?? (where.isUser ? null : await workspaceScope(where.project)),
    keyFile: where.isUser ? keyFileOf(where) : null,
  }
}

/** Where no project says which memgov to run, it is this one. One that npx keeps for a while only is fetched again. */
function ownProgram(): readonly string[] {
  const main = fileURLToPath(packageFile('dist/service/main.js'))
  return main.includes('_npx') ? ['npx', 'memgov'] : [process.execPath, main]
}

/** Everybody who may read a file may use the key in it. */
const OF_OTHERS = 0o077

function keyPath({ folders }: Where): string {
  return join(folders.config, 'memgov/key')
}

/** Null: there is none, or others may read it. */
function keyFileOf(where: Where): string | null {
  const found = statSync(keyPath(where), { throwIfNoEntry: false })
  const isPrivate = where.platform === 'win32' || ((found?.mode ?? OF_OTHERS) & OF_OTHERS) === 0
  return found?.isFile() === true && isPrivate ? keyPath(where) : null
}

/** Every file or none: the sentence says why. */
async function changesOf(
  targets: readonly Target[],
  records: FileRecords,
  isUndone: boolean,
  project: string | null,
): Promise<readonly FileChange[] | string> {
  const changes: FileChange[] = []
  for (const target of targets) {
    try {
      changes.push(await changeOf(target, records, isUndone, project))
    } catch (error) {
      if (error instanceof FileRefusal) return `${target.path} ${error.message}`
      throw error
    }
  }
  return changes
}

function told(
  host: HostName,
  where: Where,
  { scope, keyFile }: Entries,
  changes: readonly FileChange[],
): readonly string[] {
  const key =
    keyFile === null
      ? `Where the service has keys, set MEMGOV_KEY in the environment of ${HOSTS[host].title}. Never write a key into a file of a project.`
      : `The key is read from ${keyFile}.`
  const readable = where.isUser && keyFile === null && existsSync(keyPath(where))
  return [
    '',
    `${HOSTS[host].title} is set up. Start the service with memgov serve; memgov doctor tells whether all of it works.`,
    ...(scope === null
      ? []
      : [
          `- Its memory is in the scope ${scope}. For a key of another scope: memgov init ${host} --scope NAME.`,
        ]),
    `- ${key}`,
    ...(readable
      ? [`- ${keyPath(where)} is left out, because others may read it: chmod 600 it and run this again.`]
      : []),
    ...HOSTS[host].told(where).map((sentence) => `- ${sentence}`),
    ...changes.flatMap(hindrances).map((sentence) => `- ${sentence}`),
    `memgov init ${host}${where.isUser ? ' --user' : ''} --undo takes it back.`,
  ]
}

/** Entries for a project and for its user do not know of each other. */
async function toldOfOther(host: HostName, where: Where): Promise<readonly string[]> {
  const isThere = await stateOf(host, { ...where, isUser: !where.isUser })
  const other = where.isUser ? 'this project' : 'this user'
  return isThere ? [`It is set up for ${other} too, and may ask twice: undo one of the two.`] : []
}

/** What stands in a file already and keeps our entries from working. */
function hindrances({ path, file }: FileChange): readonly string[] {
  if (file.text === null || !path.endsWith('.json')) return []
  const { text } = file
  const isOf = (name: string): boolean => path.endsWith(name)
  return [
    ...(isOf('hooks.json') && path.includes('.codex') && holdsMember(text, 'type', 'http')
      ? [`${path} has an entry of type http: Codex reads no hook of that file until it is gone.`]
      : []),
    ...(isOf('settings.json') && holdsMember(text, 'disableAllHooks', true)
      ? [`${path} says disableAllHooks: no hook is called until that is gone.`]
      : []),
    ...(isOf('settings.json') && text.includes('"allowedHttpHookUrls"')
      ? [`${path} lists allowedHttpHookUrls: the one of memgov has to be among them.`]
      : []),
  ]
}

/** What is here, and which of it knows memgov. */
async function found(where: Where): Promise<readonly string[]> {
  const rows: string[] = []
  for (const name of HOST_NAMES) {
    const { title, signs } = HOSTS[name]
    const seen = signs(where).filter((path) => existsSync(path))
    const states = await Promise.all([false, true].map((isUser) => stateOf(name, { ...where, isUser })))
    const places = ['this project', 'this user'].filter((_place, at) => states[at] === true)
    const state =
      places.length > 0 ? `set up for ${places.join(' and ')}` : seen.length > 0 ? 'found' : 'not found'
    rows.push(`  ${name.padEnd(12)} ${title.padEnd(12)} ${state}`)
  }
  return [
    ...rows,
    '',
    `Nothing was changed. memgov init AGENT shows what it would write for ${resolve(where.project)}, and --user for every project.`,
  ]
}

/** True: a file of it has our entries. */
async function stateOf(name: HostName, where: Where): Promise<boolean> {
  const nothing = { program: [], url: '', isDefaultUrl: true, scope: null, keyFile: null }
  for (const target of HOSTS[name].targets(where, nothing)) {
    if (await isSetUp(target).catch(() => false)) return true
  }
  return false
}

/** Asks at the terminal; null: there is none on both sides. */
export function terminalConfirm(): Confirm {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return null
  return async (question) => {
    const terminal = createInterface({ input: process.stdin, output: process.stdout })
    try {
      return /^y(?:es)?$/i.test((await terminal.question(question)).trim())
    } finally {
      terminal.close()
    }
  }
}
