import { resolve } from 'node:path'
import { silentTelemetry } from '../../adapters/files/null-ports.ts'
import { systemClock } from '../../adapters/system/clock-and-entropy.ts'
import type { OfflineCommand } from '../../edges/cli/command-flags.ts'
import { columns } from '../../edges/cli/terminal-text.ts'
import { STORED_KINDS, type StoreReader } from '../../ports/store-reader.ts'
import { exportReader } from '../archive/export-store.ts'
import { importIntoStore } from '../archive/import-archive.ts'
import { placeOfActorKey } from '../archive/place-of.ts'
import { storeUrlOf } from '../config/options.ts'
import { type ActorFacts, factsOf } from '../store/actor-facts.ts'
import { openSharedReader, openSharedStore } from '../stores/postgres-store.ts'
import { actorTable } from './inspect.ts'
import { errorsOnly, type OfflineRun } from './offline-run.ts'
import { exportOptionsOf, toldExport, toldImport } from './transfer.ts'
import { verdictOn } from './verify.ts'

/** What a command over a folder does, over a database instead. */
export type DatabaseRun = Omit<OfflineRun, 'dir' | 'compose'>

type Work = (run: DatabaseRun, reader: StoreReader) => Promise<number>

const WORKS: Readonly<Partial<Record<OfflineCommand, Work>>> = {
  verify: verifyDatabase,
  inspect: inspectDatabase,
  export: (run, reader) => toldExport(run, reader.storeId, exportReader(reader, exportOptionsOf(run))),
  import: importDatabase,
}

/** Looks beside the nodes that serve; `import` writes as one of them. The exit code: that of the command over a folder. */
export async function databaseCommand(run: DatabaseRun, command: OfflineCommand): Promise<number> {
  const work = WORKS[command]
  if (work === undefined) throw new Error(`${command} is of a folder only`)
  const reader = await openSharedReader(run.config, storeUrlOf(run.config) ?? '', systemOf(run))
  try {
    return await work(run, reader)
  } finally {
    run.progress.end()
    await reader.close()
  }
}

function systemOf({ invocation, say }: DatabaseRun) {
  return { clock: systemClock(), log: errorsOnly(invocation.isJson ? () => undefined : say) }
}

/** 0 when nothing is wrong, 1 when something is. What pages hold and indexes say is for pg_amcheck. */
async function verifyDatabase(
  { invocation, progress, say, sayJson }: DatabaseRun,
  reader: StoreReader,
): Promise<number> {
  const problems: { tenant_id: string; scope: string; what: string }[] = []
  const checked = { actors: 0, turns: 0, snapshots: 0, exposures: 0 }
  for await (const key of reader.actors()) {
    progress.file(key)
    // A node may have rewritten the actor meanwhile: what is wrong is wrong twice.
    let found = await checkedActor(reader, key)
    if (found.whats.length > 0) found = await checkedActor(reader, key)
    checked.actors += 1
    checked.turns += found.facts.turns
    checked.snapshots += found.facts.snapshotSeq === null ? 0 : 1
    checked.exposures += found.exposures
    problems.push(...found.whats.map((what) => ({ ...placeOfActorKey(key), what })))
  }
  progress.end()
  const { place, storeId } = reader
  if (invocation.isJson)
    sayJson({ place, store_id: storeId, clean: problems.length === 0, checked, problems })
  else {
    say(`store ${storeId} in ${place}`)
    const counts = Object.entries(checked).map(([name, count]) => `${count} ${name}`)
    say(`read ${counts.join(', ')}; every actor rebuilt`)
    for (const { tenant_id: tenant, scope, what } of problems) say(`problem: ${tenant}/${scope}: ${what}`)
    if (problems.length > 0)
      say(
        'to do: pg_amcheck tells damaged pages; put back a backup, by point-in-time recovery or pg_basebackup',
      )
    say(verdictOn(problems))
  }
  return problems.length === 0 ? 0 : 1
}

async function checkedActor(reader: StoreReader, actorKey: string) {
  const facts = await factsOf(reader, actorKey)
  const whats = [...facts.problems]
  let exposures = 0
  for await (const { guideTraceId, seq, memoryIds } of reader.exposures(actorKey)) {
    exposures += 1
    if (seq > facts.state.seq) continue
    const unknown = memoryIds.find((id) => !facts.state.memories.has(id))
    if (unknown !== undefined) whats.push(`${guideTraceId} exposed ${unknown}, which the actor does not know`)
  }
  return { facts, whats, exposures }
}

/** Always 0. */
async function inspectDatabase(
  { invocation, progress, out, sayJson }: DatabaseRun,
  reader: StoreReader,
): Promise<number> {
  const actors: ReturnType<typeof inspected>[] = []
  for await (const key of reader.actors()) {
    progress.file(key)
    actors.push(inspected(key, await factsOf(reader, key)))
  }
  const { turns, bytes } = await reader.sizes()
  progress.end()
  const { place, storeId } = reader
  if (invocation.isJson) sayJson({ place, store_id: storeId, turns, bytes, actors })
  else
    out(
      [
        `store ${storeId} in ${place}, ${turns} turns`,
        '',
        ...actorTable(actors, 'kept from', ({ first_kept_seq }) => String(first_kept_seq ?? '-')),
        '',
        ...columns([['table of', 'bytes'], ...STORED_KINDS.map((kind) => [kind, String(bytes[kind])])]),
        '',
      ].join('\n'),
    )
  return 0
}

function inspected(actorKey: string, { state, snapshotSeq, turns, firstSeq }: ActorFacts) {
  return {
    ...placeOfActorKey(actorKey),
    memories: state.memories.size,
    last_seq: state.seq,
    snapshot_seq: snapshotSeq,
    lag_turns: state.seq - (snapshotSeq ?? 0),
    first_kept_seq: turns === 0 ? null : firstSeq,
  }
}

async function importDatabase(run: DatabaseRun, reader: StoreReader): Promise<number> {
  const { config, invocation, progress } = run
  const store = await openSharedStore(
    { ...config, nodeUrl: null, clusterSecret: null },
    storeUrlOf(config) ?? '',
    {
      ...systemOf(run),
      telemetry: silentTelemetry,
    },
    { keepsAll: true },
  )
  try {
    const onActor = (actorKey: string): void => progress.file(actorKey)
    const report = importIntoStore(store, reader, resolve(invocation.target), { onActor })
    return await toldImport(run, { place: reader.place }, report)
  } finally {
    await store.close()
  }
}
