import { existsSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { putPruned } from '../../adapters/erasure/marks.ts'
import { requireArrived } from '../../adapters/files/arrival.ts'
import { madeFolder } from '../../adapters/files/folders.ts'
import { holdFolder, type Lock } from '../../adapters/files/lock.ts'
import { MANIFEST_FILE } from '../../adapters/files/manifest.ts'
import { nodeFiles } from '../../adapters/files/node-files.ts'
import { systemClock, systemEntropy } from '../../adapters/system/clock-and-entropy.ts'
import type { LogTarget } from '../../adapters/system/log.ts'
import { messageOf } from '../../core/base/errors.ts'
import type { OfflineInvocation } from '../../edges/cli/service-arguments.ts'
import { columns, visible } from '../../edges/cli/terminal-text.ts'
import { isoOf } from '../../runtime/parts.ts'
import { type Config, IN_MEMORY, storeUrlOf } from '../config/options.ts'
import { faultOf, fileDamages, storeDamages } from '../store/read-store.ts'
import { type ScopeUsage, usageOf } from '../store/scope-usage.ts'
import { asOwnerOf } from './as-owner.ts'
import { inspectCommand } from './inspect.ts'
import {
  type Compose,
  configOver,
  errorsOnly,
  keptAsItIs,
  type OfflineRun,
  Progress,
  refused,
  sentenceOf,
} from './offline-run.ts'
import { backupCommand, exportCommand, importCommand } from './transfer.ts'
import { repairCommand, verifyCommand } from './verify.ts'

/** So many of those that would go are named; the rest are counted. */
const NAMED_MAX = 20

/** `memgov scopes`: 0 done, or said what would be done; 1 the store is damaged, or a prune could not be finished. */
export async function scopesCommand(run: OfflineRun): Promise<number | (() => Promise<number>)> {
  const { dir, invocation, progress } = run
  const { store, scopes } = await usageOf(dir, { onFile: (path) => progress.file(path) })
  progress.end()
  const { tenantId, unusedForMs } = invocation
  const meant = tenantId === null ? scopes : scopes.filter((each) => each.tenantId === tenantId)
  if (unusedForMs === null) return list(run, meant)
  // Of a store that is not whole nobody can tell what was used when.
  const [damage] = [...storeDamages(store), ...fileDamages(store)]
  if (damage !== undefined) return refused(run, faultOf(damage))
  const usedBeforeMs = systemClock().nowMs() - unusedForMs
  const doomed = meant.filter(({ lastUsedMs }) => lastUsedMs !== null && lastUsedMs < usedBeforeMs)
  return prune(run, doomed, scopes.length)
}

function list({ invocation, out, sayJson }: OfflineRun, scopes: readonly ScopeUsage[]): number {
  if (invocation.isJson) sayJson({ scopes: scopes.map(factsOf) })
  else out(`${[...table(scopes), `${scopes.length} scopes, ${bytesOf(scopes)} bytes`, ''].join('\n')}`)
  return 0
}

/** From the moment the list of them is durable they are gone; what takes them off the disk is a start, which a crash repeats. */
async function prune(
  run: OfflineRun,
  doomed: readonly ScopeUsage[],
  count: number,
): Promise<number | (() => Promise<number>)> {
  const { dir, config, invocation, out, say, sayJson } = run
  const { isAgreed, isJson } = invocation
  const bytes = bytesOf(doomed)
  const facts = { scopes: doomed.map(factsOf), count: doomed.length, bytes, kept: count - doomed.length }
  if (!isJson && doomed.length > 0) {
    const unnamed = doomed.length - NAMED_MAX
    const rest = unnamed > 0 ? [`  and ${unnamed} more; --json names every one`] : []
    out(`${[...table(doomed.slice(0, NAMED_MAX)), ...rest, ''].join('\n')}`)
  }
  if (!isAgreed || doomed.length === 0) {
    if (isJson) sayJson({ pruned: false, ...facts })
    else if (doomed.length === 0) say(`nothing to prune: all ${count} scopes were used since`)
    else {
      say(`would prune ${doomed.length} of ${count} scopes, ${bytes} bytes; nothing was changed`)
      say('What is pruned is gone for good: take a backup first, then repeat with --yes.')
    }
    return 0
  }
  const keys = doomed.map(({ key }) => key)
  await putPruned(nodeFiles, dir, keys)
  return async () => {
    try {
      const log = errorsOnly(isJson ? () => undefined : say)
      const ports = { clock: systemClock(), entropy: systemEntropy(), log }
      const store = await run.compose(await keptAsItIs(config, dir), ports)
      await store.close()
    } catch (error) {
      return refused(
        run,
        `these scopes are gone, but not yet off the disk: ${messageOf(error)}; the next start goes on`,
      )
    }
    if (isJson) sayJson({ pruned: true, ...facts })
    else say(`pruned ${doomed.length} of ${count} scopes, ${bytes} bytes`)
    return 0
  }
}

function bytesOf(scopes: readonly ScopeUsage[]): number {
  return scopes.reduce((sum, { bytes }) => sum + bytes, 0)
}

function factsOf(usage: ScopeUsage): object {
  const { tenantId, scope, memories, bytes } = usage
  return { tenant_id: tenantId, scope, memories, bytes, last_used_at: isoOf(usage.lastUsedMs) }
}

function table(scopes: readonly ScopeUsage[]): readonly string[] {
  return columns([
    ['tenant', 'scope', 'memories', 'bytes', 'last use'],
    ...scopes.map((usage) => [
      visible(usage.tenantId),
      visible(usage.scope),
      String(usage.memories ?? '-'),
      String(usage.bytes),
      isoOf(usage.lastUsedMs) ?? 'not known',
    ]),
  ])
}

/** Where a command writes. */
export interface Terminal {
  readonly stdout: LogTarget
  readonly stderr: LogTarget
}

const NAMED = 'MEMGOV_STORE names a database; of a folder that is meant say --data-dir DIR.'

/** What is done to a shared store by the means of its database. */
const IN_DATABASE: Readonly<Partial<Record<OfflineInvocation['command'], string>>> = {
  repair: `pg_amcheck tells damaged pages and indexes, and point-in-time recovery or a pg_basebackup puts them back; then memgov store fence. ${NAMED}`,
  backup: `pg_dump, pg_basebackup or point-in-time recovery copies it. ${NAMED}`,
  scopes: `memgov inspect lists its scopes. ${NAMED}`,
}

/** Commands that also work on a folder into which only a part of a store was moved yet. */
const OF_A_PART: readonly OfflineInvocation['command'][] = ['verify', 'inspect']

/** Commands that write in the folder. */
const CHANGING: readonly OfflineInvocation['command'][] = ['repair', 'scopes', 'import']

/** Makes nothing, and leaves the folder to whoever uses it. */
const NO_LOCK: Pick<Lock, 'release'> = { release: async () => undefined }

/**
 * Runs a command over a data folder that no service uses, except with `backup`. The exit code: 0 done and nothing wrong, 1 something is
 * wrong with the store, 2 the folder is not there, in use, or cannot be read.
 */
export async function offlineCommand(
  invocation: OfflineInvocation,
  { stdout, stderr }: Terminal,
  compose: Compose,
): Promise<number> {
  const { command, dataDir } = invocation
  const refuse = (why: string): number => {
    stderr.write(`memgov ${command}: ${why}\n`)
    return 2
  }
  let config: Config
  let isDatabase: boolean
  try {
    config = configOver(invocation.store, dataDir === null ? {} : { dataDir })
    isDatabase = dataDir === null && storeUrlOf(config) !== null
  } catch (error) {
    return refuse(sentenceOf(error))
  }
  const instead = isDatabase ? IN_DATABASE[command] : undefined
  if (instead !== undefined) return refuse(instead)
  if (!isDatabase && config.dataDir === IN_MEMORY)
    return refuse('a store in memory has no files: name a folder by --data-dir DIR.')
  const dir = resolve(config.dataDir)
  const archive = resolve(invocation.target)
  if (command === 'import' && (!existsSync(archive) || isFolder(archive))) {
    return refuse(`there is no file ${archive}; name the archive by --in FILE.`)
  }
  if (command === 'export' && !isFolder(dirname(archive)))
    return refuse(`there is no folder ${dirname(archive)}; make it, or name another file by --out FILE.`)
  if (!isDatabase && (command !== 'import' || existsSync(dir)) && !isFolder(dir))
    return refuse(`there is no folder ${dir}; name the data folder by --data-dir DIR.`)
  const progress = new Progress(stderr, command)
  const out = (text: string): void => void stdout.write(text)
  const run: OfflineRun = {
    dir,
    config,
    invocation,
    progress,
    out,
    say: (line) => out(`${visible(line)}\n`),
    sayJson: (facts) => out(`${JSON.stringify(facts)}\n`),
    compose,
  }
  try {
    if (isDatabase) {
      const { databaseCommand } = await import('./offline-database.ts')
      return await databaseCommand(run, command)
    }
    const manifest = join(dir, MANIFEST_FILE)
    return CHANGING.includes(command)
      ? await asOwnerOf(
          existsSync(manifest) ? manifest : dir,
          () => inFolder(run, command),
          command === 'import' ? archive : null,
        )
      : await inFolder(run, command)
  } catch (error) {
    return refuse(sentenceOf(error))
  } finally {
    progress.end()
  }
}

async function inFolder(run: OfflineRun, command: OfflineInvocation['command']): Promise<number> {
  const { dir, invocation } = run
  if (!OF_A_PART.includes(command)) await requireArrived(nodeFiles, dir)
  const made = command === 'import' ? madeFolder(dir) : []
  const isWriting = command === 'import' || (command === 'repair' && !invocation.isDryRun)
  const lock = command === 'backup' ? NO_LOCK : await holdFolder(dir, isWriting)
  let after: AfterLock = 1
  try {
    after = await COMMANDS[command](run)
  } finally {
    if (made.length > 0 && after !== 0) unmake(dir, made)
    await lock.release()
  }
  return typeof after === 'number' ? after : await after()
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory()
}

/** Takes back the folders that a refused import made, unless something came into them. Hold the lock. */
function unmake(dir: string, made: readonly string[]): void {
  const lock = 'LOCK'
  if (readdirSync(dir).some((name) => name !== lock)) return
  rmSync(join(dir, lock), { force: true })
  for (const folder of made.toReversed()) rmdirSync(folder)
}

/** An exit code, or what takes the lock of the folder for itself and then ends with one. */
type AfterLock = number | (() => Promise<number>)

const COMMANDS: Readonly<Record<OfflineInvocation['command'], (run: OfflineRun) => Promise<AfterLock>>> = {
  verify: verifyCommand,
  inspect: inspectCommand,
  repair: repairCommand,
  scopes: scopesCommand,
  export: exportCommand,
  import: importCommand,
  backup: backupCommand,
}
