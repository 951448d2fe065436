import { relative } from 'node:path'
import type { SurveyedSegment } from '../../adapters/journal/scan-past-corruption.ts'
import { columns, visible } from '../../edges/cli/terminal-text.ts'
import { placeOfActorKey } from '../archive/place-of.ts'
import { coveredSeqOf, rebuildActor } from '../store/actor-states.ts'
import { readStore, type Store, type StoredActor } from '../store/read-store.ts'
import type { OfflineRun } from './offline-run.ts'

/** `memgov inspect`: what a store holds, as far as it can be read. Always 0. */
export async function inspectCommand({
  dir,
  invocation,
  progress,
  out,
  sayJson,
}: OfflineRun): Promise<number> {
  const store = await readStore(dir, { onFile: (path) => progress.file(path) })
  const found = await inspectionOf(store, (actorKey) => progress.file(actorKey))
  progress.end()
  if (invocation.isJson) sayJson(found)
  else out(textOf(store, found))
  return 0
}

/** What an operator is told, with names as on the wire. */
async function inspectionOf(store: Store, onActor: (actorKey: string) => void) {
  const actors: Awaited<ReturnType<typeof actorOf>>[] = []
  for (const actor of store.actors.values()) {
    onActor(actor.key)
    actors.push(await actorOf(store, actor))
  }
  const { journal, snapshots, ledger, history } = store
  const inside = (path: string): string => relative(store.dir, path)
  return {
    data_dir: store.dir,
    store_id: store.storeId,
    format_version: store.formatVersion,
    segments: journal.segments.map((segment) => segmentOf(segment, inside)),
    actors,
    snapshots: snapshots.snapshots.map(({ path, actorKey, seq, bytes, memories, damage }) => ({
      file: inside(path),
      actor: actorKey,
      seq,
      bytes,
      memories,
      damage: damage?.what ?? null,
    })),
    ledger: ledger.found.map(({ path, named: file }) => ({
      file: inside(path),
      actor: store.keys.get(file.actorKeyHash) ?? null,
      from_turn: file.fromSeq + 1,
      to_turn: file.toSeq,
      bytes: file.bytes,
    })),
    history: history.files.map(({ path, segmentSeq, bytes, runs, damage }) => ({
      file: inside(path),
      segment: segmentSeq,
      bytes,
      turns: damage === null ? runs.reduce((sum, run) => sum + run.lastSeq - run.firstSeq + 1, 0) : null,
      actors: new Set(runs.map(({ keyHash }) => keyHash)).size,
      damage: damage?.what ?? null,
    })),
    notes: history.notes.map(({ path, bytes, notes, damage }) => ({
      file: inside(path),
      bytes,
      notes,
      damage: damage?.what ?? null,
    })),
    damages: journal.damages.map(({ path, offset, what }) => ({ file: inside(path), offset, what })),
  }
}

type Inspection = Awaited<ReturnType<typeof inspectionOf>>

function segmentOf(segment: SurveyedSegment, inside: (path: string) => string) {
  const { lsns, end } = segment
  return {
    file: inside(segment.path),
    seq: segment.seq,
    first_lsn: lsns?.[0] ?? null,
    last_lsn: lsns === null ? null : lsns[1] - 1,
    turns: segment.records,
    batches: segment.batches,
    bytes: segment.bytes,
    used_bytes: end?.offset ?? 0,
    is_used: segment.header !== null || segment.batches > 0,
    is_sealed: segment.isSealed,
    torn_bytes: segment.tornBytes,
  }
}

/** `memories` as far as the turns lead; the lag is what a load replays on top of the newest whole snapshot. */
async function actorOf(store: Store, actor: StoredActor) {
  const { key, entry, snapshots, held } = actor
  const snapshotSeq = coveredSeqOf(actor)
  const lastSeq = Math.max(snapshotSeq, held.at(-1)?.toSeq ?? 0)
  const newest = snapshots.findLast(({ damage }) => damage === null)
  let lagTurns = 0
  let lagBytes = 0
  for (const run of entry?.runs ?? []) {
    for (const [at, bytes] of run.sizes.entries()) {
      if (run.firstSeq + at <= snapshotSeq) continue
      lagTurns += 1
      lagBytes += bytes
    }
  }
  const { state } = await rebuildActor(store.files, actor)
  return {
    ...placeOfActorKey(key),
    memories: state.memories.size,
    last_seq: lastSeq,
    snapshot_seq: newest === undefined ? null : snapshotSeq,
    lag_turns: lagTurns,
    lag_bytes: lagBytes,
  }
}

function textOf(store: Store, found: Inspection): string {
  const damages = [
    ...(store.formatDamage === null ? [] : [`FORMAT.json: ${store.formatDamage.what}`]),
    ...(store.manifestDamage === null ? [] : [`MANIFEST.json: ${store.manifestDamage.what}`]),
    ...store.lacks.map(({ what }) => what),
    ...found.damages.map(({ file, offset, what }) => visible(`${file} at byte ${offset ?? 0}: ${what}`)),
    ...[...found.snapshots, ...found.history, ...found.notes].flatMap(({ file, damage }) =>
      damage === null ? [] : [visible(`${file}: ${damage}`)],
    ),
  ]
  return [
    `store ${store.storeId ?? 'unknown'} in ${store.dir}, format ${found.format_version ?? 'unknown'}`,
    '',
    ...segmentTable(found),
    '',
    ...actorTable(found.actors, 'lag bytes', ({ lag_bytes }) => String(lag_bytes)),
    '',
    ...fileTable(found),
    ...(damages.length === 0
      ? []
      : ['', 'damaged (memgov verify says more):', ...damages.map((line) => `  ${line}`)]),
    '',
  ].join('\n')
}

function segmentTable({ segments }: Inspection): readonly string[] {
  return columns([
    ['segment', 'first lsn', 'last lsn', 'turns', 'bytes', 'used', 'state'],
    ...segments.map((segment) => [
      segment.file,
      String(segment.first_lsn ?? '-'),
      String(segment.last_lsn ?? '-'),
      String(segment.turns),
      String(segment.bytes),
      String(segment.used_bytes),
      stateOf(segment),
    ]),
  ])
}

function stateOf({ is_used, is_sealed }: Inspection['segments'][number]): string {
  if (!is_used) return 'prepared'
  return is_sealed ? 'sealed' : 'open'
}

interface ActorRow {
  readonly tenant_id: string
  readonly scope: string
  readonly memories: number
  readonly last_seq: number
  readonly snapshot_seq: number | null
  readonly lag_turns: number
}

/** A line for each actor; what the last column holds only the caller's kind of store knows. */
export function actorTable<Row extends ActorRow>(
  actors: readonly Row[],
  last: string,
  lastOf: (actor: Row) => string,
): readonly string[] {
  return columns([
    ['tenant', 'scope', 'memories', 'last turn', 'snapshot', 'lag turns', last],
    ...actors.map((actor) => [
      visible(actor.tenant_id),
      visible(actor.scope),
      String(actor.memories),
      String(actor.last_seq),
      String(actor.snapshot_seq ?? '-'),
      String(actor.lag_turns),
      lastOf(actor),
    ]),
  ])
}

function fileTable({ snapshots, ledger, history, notes }: Inspection): readonly string[] {
  const row = (name: string, files: readonly { readonly bytes: number }[]): readonly string[] => [
    name,
    String(files.length),
    String(files.reduce((sum, { bytes }) => sum + bytes, 0)),
  ]
  return columns([
    ['files of', 'number', 'bytes'],
    row('snapshots', snapshots),
    row('ledger', ledger),
    row('history', history),
    row('notes', notes),
  ])
}
