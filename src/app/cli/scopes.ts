import { putPruned } from '../../adapters/erasure/marks.ts'
import { nodeFiles } from '../../adapters/files/node-files.ts'
import { systemClock, systemEntropy } from '../../adapters/system/clock-and-entropy.ts'
import { messageOf } from '../../core/base/errors.ts'
import { columns, visible } from '../../edges/cli/terminal-text.ts'
import { fileDamages, storeDamages } from '../store/read-store.ts'
import { type ScopeUsage, usageOf } from '../store/scope-usage.ts'
import { errorsOnly, type OfflineRun, refused } from './offline-run.ts'

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
  if (damage !== undefined)
    return refused(run, `${damage.what}; memgov verify says more, and memgov repair what can be kept`)
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
      const store = await run.compose(config, { clock: systemClock(), entropy: systemEntropy(), log })
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

function timeOf({ lastUsedMs }: ScopeUsage): string | null {
  return lastUsedMs === null ? null : new Date(lastUsedMs).toISOString()
}

function factsOf(usage: ScopeUsage): object {
  const { tenantId, scope, memories, bytes } = usage
  return { tenant_id: tenantId, scope, memories, bytes, last_used_at: timeOf(usage) }
}

function table(scopes: readonly ScopeUsage[]): readonly string[] {
  return columns([
    ['tenant', 'scope', 'memories', 'bytes', 'last use'],
    ...scopes.map((usage) => [
      visible(usage.tenantId),
      visible(usage.scope),
      String(usage.memories ?? '-'),
      String(usage.bytes),
      timeOf(usage) ?? 'not known',
    ]),
  ])
}
