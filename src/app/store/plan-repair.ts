import type { SurveyedHistory } from '../../adapters/history/survey.ts'
import { recordsInOrder } from '../../adapters/journal/rewriting.ts'
import { type SurveyedLedger, surveyLedger } from '../../adapters/ledger/format.ts'
import type { ExposureRecord } from '../../core/model/events.ts'
import type { StateImage } from '../../core/model/image.ts'
import { imageOf, stateFrom, stateHash } from '../../core/model/state-image.ts'
import { coveredSeqOf, gapsOf, rebuildActor, stateFromHistory } from './actor-states.ts'
import type { Store, StoredActor } from './read-store.ts'
import { type DeepCheckOptions, isBeyondRetention, type Verification } from './verify-store.ts'

export type ActorRepair = Awaited<ReturnType<typeof planActor>>

/** Finds out how far an actor can be rebuilt, without the snapshots that prove to be wrong. */
async function planActor(store: Store, actor: StoredActor) {
  const bad = new Set(actor.snapshots.flatMap(({ path, damage }) => (damage === null ? [] : [path])))
  const identity = { key: actor.key, keyHash: actor.keyHash, headSeq: headSeqOf(actor) }
  for (;;) {
    const view = { ...actor, snapshots: actor.snapshots.filter(({ path }) => !bad.has(path)) }
    const kept = await keptOf(store, view, null)
    for (const path of kept.wrongSnapshots) bad.add(path)
    if (kept.wrongSnapshots.length > 0) continue
    const isLost = kept.untilSeq === 0 && view.snapshots.length === 0
    const state = isLost ? await stateFromHistory(store, actor) : null
    const image = state === null ? null : { ...imageOf(state), stateHash: stateHash(state) }
    const best = image === null ? kept : await keptOf(store, view, image)
    // Snapshots that are damaged, or that the turns contradict; and a state that stands in for those that are gone.
    return { ...identity, ...best, badSnapshots: [...bad], fromHistory: image }
  }
}

/** How far the turns lead from the snapshots, or from an image in their place. */
async function keptOf(store: Store, view: StoredActor, image: StateImage | null) {
  const base = image === null ? {} : { base: stateFrom(image) }
  const { state, damages, exposures } = await rebuildActor(store.files, view, { isChecked: true, ...base })
  const coveredSeq = image?.seq ?? coveredSeqOf(view)
  const stops = damages.flatMap(({ seq }) => seq ?? [])
  return {
    /** The state is that after this turn; 0: nothing of the actor can be kept. */
    untilSeq: Math.min(state.seq, ...stops.filter((seq) => seq > coveredSeq).map((seq) => seq - 1)),
    /** Turns of it were erased, which had counted what they showed. */
    hasErasedTurns: state.erasedGuides.size + state.external.erasures.size > 0,
    /** Journal records up to this turn cannot be read, and a snapshot covers them. */
    unreadableUntilSeq: Math.max(0, ...stops.filter((seq) => seq <= coveredSeq)),
    /** Of journal turns that the snapshot leaves to the ledger. */
    exposures: exposures.filter(({ seq }) => seq <= coveredSeq),
    wrongSnapshots: damages.flatMap(({ path, seq }) => (seq === null && path !== null ? [path] : [])),
  }
}

/** The last turn of the actor that any file tells of. */
export function headSeqOf({ held, snapshots, archived, ledger }: StoredActor): number {
  return Math.max(
    0,
    ...held.map(({ toSeq }) => toSeq),
    ...snapshots.map(({ seq }) => seq),
    ...archived.map(({ lastSeq }) => lastSeq),
    ...ledger.map(({ named }) => named.toSeq),
  )
}

export interface LedgerRepair {
  readonly ledger: SurveyedLedger
  readonly kept: readonly ExposureRecord[]
}

export interface Loss {
  readonly what: string
  /** True for turns that were answered: they are given up only when the operator agrees. */
  readonly isTurns: boolean
}

/** What has to be done so that a store is whole in itself again. Plain data. */
export type RepairPlan = Awaited<ReturnType<typeof planRepair>>

type ActorRepairs = ReadonlyMap<string, ActorRepair>

export function isNeeded(plan: RepairPlan): boolean {
  const { snapshots, packs, ledger, exposures, historyAside, historyTrimmed, notes } = plan
  const lists = [snapshots, packs, ledger, exposures, historyAside, historyTrimmed, notes]
  const isStated = !plan.isFormatWritten && !plan.isManifestWritten
  return !isStated || plan.rewriteFrom !== null || lists.some((list) => list.length > 0)
}

/** Decides what to keep of a store that was verified deeply. Changes nothing. */
export async function planRepair(verification: Verification, options: DeepCheckOptions) {
  const steps = await stepsOf(verification, options)
  return { ...steps, losses: lossesOf(verification.store, steps) }
}

async function stepsOf({ store, problems }: Verification, options: DeepCheckOptions) {
  const blockers = problems.filter(({ kind }) => kind === 'newer' || kind === 'unreadable')
  const actors = new Map<string, ActorRepair>()
  for (const actor of store.actors.values()) actors.set(actor.key, await planActor(store, actor))
  const untilOf = (keyHash: string): number => actors.get(store.keys.get(keyHash) ?? '')?.untilSeq ?? 0
  const rewriteFrom = firstToRewrite(store, actors)
  const ledger: LedgerRepair[] = []
  for (const { path, named: file } of store.ledger.found) {
    const found = await surveyLedger(store.files, path, file)
    ledger.push({ ledger: found, kept: keptIn(found, untilOf(file.actorKeyHash)) })
  }
  const { files, notes } = store.history
  const isCut = ({ runs }: SurveyedHistory): boolean =>
    runs.some(({ keyHash, lastSeq }) => lastSeq > untilOf(keyHash))
  const named = new Set(
    store.snapshots.snapshots.flatMap(({ path, actorKey }) => (actorKey === null ? [path] : [])),
  )
  return {
    /** What only another program, or the operator, can mend: nothing is done while there is one. */
    blockers,
    isFormatWritten: store.formatDamage !== null,
    /** It is written in any case when something else changes. */
    isManifestWritten: store.manifestDamage !== null || store.lacks.length > 0,
    /** Segments from here to the last are written again with the records that are kept; null: the journal stays. */
    rewriteFrom,
    rewriteTo: lastSegmentOf(store),
    actors,
    snapshots: [...new Set([...[...actors.values()].flatMap(({ badSnapshots }) => badSnapshots), ...named])],
    /** Damaged packs. */
    packs: store.packs.damages.map(({ path }) => path),
    ledger: ledger.filter(
      // Also a name alone would tell of turns that are lost.
      ({ ledger: found, kept }) => isLess(found, kept) || found.file.toSeq > untilOf(found.file.actorKeyHash),
    ),
    exposures: missingExposures(actors, ledger, ({ atMs }) => isBeyondRetention(store, atMs, options)),
    historyAside: files.filter(({ damage }) => damage !== null),
    historyTrimmed: files.filter((file) => file.damage === null && isCut(file)),
    notes: notes.filter(({ damage }) => damage !== null),
  }
}

/** True for a record of the journal that a repair keeps. */
export function isKept(
  actors: ActorRepairs,
  record: { readonly actorKey: string; readonly seq: number },
): boolean {
  const actor = actors.get(record.actorKey)
  return actor !== undefined && record.seq <= actor.untilSeq && record.seq > actor.unreadableUntilSeq
}

function firstToRewrite(store: Store, actors: ActorRepairs): number | null {
  const { damages, segments } = store.journal
  const cut = segments.filter((segment) => recordsInOrder(segment).some((record) => !isKept(actors, record)))
  const seqs = [...damages.map(({ segmentSeq }) => segmentSeq), ...cut.map(({ seq }) => seq)]
  return seqs.length === 0 ? null : Math.min(...seqs)
}

function lastSegmentOf({ journal }: Store): number {
  const used = journal.segments.filter(({ header, batches }) => header !== null || batches > 0)
  return Math.max(0, ...used.map(({ seq }) => seq), ...journal.damages.map(({ segmentSeq }) => segmentSeq))
}

function keptIn({ file, records }: SurveyedLedger, untilSeq: number): readonly ExposureRecord[] {
  return records.filter(({ seq }) => seq > file.fromSeq && seq <= Math.min(file.toSeq, untilSeq))
}

function isLess(
  { records, damage }: Pick<SurveyedLedger, 'records' | 'damage'>,
  kept: readonly ExposureRecord[],
): boolean {
  return damage !== null || kept.length < records.length
}

/** Sets that the ledger should have and the journal still tells. */
function missingExposures(
  actors: ActorRepairs,
  ledger: readonly LedgerRepair[],
  isOver: (record: ExposureRecord) => boolean,
) {
  const there = new Set(ledger.flatMap(({ kept }) => kept.map(({ guideTraceId }) => guideTraceId)))
  return [...actors.values()].flatMap(({ key, exposures, untilSeq }) => {
    const records = exposures.filter(
      (record) => record.seq <= untilSeq && !there.has(record.guideTraceId) && !isOver(record),
    )
    return records.length === 0 ? [] : [{ key, records }]
  })
}

function lossesOf(store: Store, plan: Awaited<ReturnType<typeof stepsOf>>): readonly Loss[] {
  return [
    ...store.lacks.map(({ part, what }) => ({ what: `what is newer: ${what}`, isTurns: part !== 'ledger' })),
    ...[...plan.actors.values()].flatMap(actorLoss),
    ...coveredTurns(store),
    ...unknownTurns(store),
    ...namelessActors(store),
    ...plan.ledger
      .filter(({ ledger, kept }) => isLess(ledger, kept))
      .map(({ ledger, kept }) => ({
        what: `${kept.length === 0 ? 'the' : 'some'} exposure sets of ${store.keys.get(ledger.file.actorKeyHash) ?? 'an unknown actor'}, turns ${ledger.file.fromSeq + 1} to ${ledger.file.toSeq}, as far as the journal does not tell them: feedback on those guides is refused`,
        isTurns: false,
      })),
    ...plan.historyAside.map(({ segmentSeq }) => ({
      what: `the history of journal segment ${segmentSeq}: reads of the past begin behind it`,
      isTurns: false,
    })),
    ...plan.notes.map(({ path, notes }) => ({
      what: `audit notes behind the first ${notes} of ${path.slice(store.dir.length + 1)}`,
      isTurns: false,
    })),
  ]
}

function actorLoss({ key, untilSeq, headSeq, fromHistory, hasErasedTurns }: ActorRepair): readonly Loss[] {
  if (untilSeq >= headSeq) {
    if (fromHistory === null || !hasErasedTurns) return []
    const what = `what ${key} had counted of erased guides or external memory, such as how often a memory was shown: history tells the rest`
    return [{ what, isTurns: false }]
  }
  const what =
    untilSeq === 0
      ? `all of ${key}, turns 1 to ${headSeq}: no snapshot is whole and its first turns are gone`
      : `turns ${untilSeq + 1} to ${headSeq} of ${key}: it goes on from turn ${untilSeq}`
  return [{ what, isTurns: true }]
}

function coveredTurns(store: Store): readonly Loss[] {
  if (store.journal.damages.length === 0) return []
  return gapsOf(store)
    .filter(({ isCovered }) => isCovered)
    .map(({ key, fromSeq, toSeq }) => ({
      what: `the record of turns ${fromSeq} to ${toSeq} of ${key}: what they did is in its snapshot`,
      isTurns: false,
    }))
}

/** Records of damaged places whose owner nothing tells. */
function unknownTurns(store: Store): readonly Loss[] {
  const known = gapsOf(store).reduce((sum, { fromSeq, toSeq }) => sum + toSeq - fromSeq + 1, 0)
  const counts = store.journal.damages.map(({ lostRecords }) => lostRecords)
  if (counts.length === 0) return []
  const isCounted = counts.every((count) => count !== null)
  const lost = counts.reduce((sum: number, count) => sum + (count ?? 0), 0)
  if (isCounted && lost <= known) return []
  const number = isCounted ? `up to ${lost - known} turns` : 'turns, nobody knows how many,'
  const what = `${number} of actors that cannot be told: the last ones of an actor, unless a snapshot covers them`
  return [{ what, isTurns: true }]
}

/** Damaged snapshots of actors that neither a name, the journal nor history tells. */
function namelessActors({ snapshots, keys }: Store): readonly Loss[] {
  const hashes = new Set(snapshots.snapshots.map(({ actorKeyHash }) => actorKeyHash))
  return [...hashes]
    .filter((hash) => !keys.has(hash))
    .map((hash) => ({ what: `an actor of which only the hash ${hash} is left`, isTurns: true }))
}
