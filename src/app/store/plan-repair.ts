import type { SurveyedHistory, SurveyedNotes } from '../../adapters/history/survey.ts'
import { recordsInOrder } from '../../adapters/journal/rewriting.ts'
import { type SurveyedLedger, surveyLedger } from '../../adapters/ledger/survey.ts'
import type { ExposureRecord } from '../../core/model/exposure.ts'
import { type ActorFate, fateOf } from './actor-fate.ts'
import { type DeepCheckOptions, isBeyondRetention } from './deep-check.ts'
import { gapsOf } from './journal-gaps.ts'
import type { Problem } from './problem.ts'
import type { Store } from './read-store.ts'
import type { Verification } from './verify-store.ts'

/** A ledger file that cannot stay as it is, and what of it stays. */
export interface LedgerRepair {
  readonly ledger: SurveyedLedger
  readonly kept: readonly ExposureRecord[]
}

/** Exposure sets to write again. */
export interface ExposureRepair {
  readonly key: string
  readonly records: readonly ExposureRecord[]
}

/** Something that is gone for good. */
export interface Loss {
  readonly what: string
  /** True for turns that were answered: they are given up only when the operator agrees. */
  readonly isTurns: boolean
}

/** What has to be done so that a store is whole in itself again. Plain data. */
export interface RepairPlan {
  /** What only another program, or the operator, can mend: nothing is done while there is one. */
  readonly blockers: readonly Problem[]
  readonly isFormatWritten: boolean
  /** It is written in any case when something else changes. */
  readonly isManifestWritten: boolean
  /** Segments from here to the last are written again with the records that are kept; null: the journal stays. */
  readonly rewriteFrom: number | null
  readonly rewriteTo: number
  readonly fates: ReadonlyMap<string, ActorFate>
  readonly snapshots: readonly string[]
  readonly ledger: readonly LedgerRepair[]
  readonly exposures: readonly ExposureRepair[]
  readonly historyAside: readonly SurveyedHistory[]
  readonly historyTrimmed: readonly SurveyedHistory[]
  readonly notes: readonly SurveyedNotes[]
  readonly losses: readonly Loss[]
}

/** True when the plan changes anything. */
export function isNeeded(plan: RepairPlan): boolean {
  const { snapshots, ledger, exposures, historyAside, historyTrimmed, notes } = plan
  const lists = [snapshots, ledger, exposures, historyAside, historyTrimmed, notes]
  const isStated = !plan.isFormatWritten && !plan.isManifestWritten
  return !isStated || plan.rewriteFrom !== null || lists.some((list) => list.length > 0)
}

/** Decides what to keep of a store that was verified deeply. Changes nothing. */
export async function planRepair(
  { store, problems }: Verification,
  options: DeepCheckOptions,
): Promise<RepairPlan> {
  const blockers = problems.filter(({ kind }) => kind === 'newer' || kind === 'unreadable')
  const ledger: SurveyedLedger[] = []
  for (const { path, file } of store.ledger.files) ledger.push(await surveyLedger(store.files, path, file))
  const fates = new Map<string, ActorFate>()
  for (const actor of store.actors.values()) fates.set(actor.key, await fateOf(store, actor))
  const untilOf = (keyHash: string): number => fates.get(store.keys.get(keyHash) ?? '')?.untilSeq ?? 0
  const rewriteFrom = firstToRewrite(store, fates)
  const ledgerRepairs = ledger.flatMap((file) => ledgerRepair(file, untilOf(file.file.actorKeyHash)))
  const { files, notes } = store.history
  const isCut = ({ runs }: SurveyedHistory): boolean =>
    runs.some(({ keyHash, firstSeq, count }) => firstSeq + count - 1 > untilOf(keyHash))
  const named = new Set(
    store.snapshots.snapshots.flatMap(({ path, actorKey }) => (actorKey === null ? [path] : [])),
  )
  const plan = {
    blockers,
    isFormatWritten: store.formatDamage !== null,
    isManifestWritten: store.manifestDamage !== null || store.lacks.length > 0,
    rewriteFrom,
    rewriteTo: lastSegmentOf(store),
    fates,
    snapshots: [...new Set([...[...fates.values()].flatMap(({ badSnapshots }) => badSnapshots), ...named])],
    ledger: ledgerRepairs,
    exposures: missingExposures(fates, ledger, ledgerRepairs, ({ atMs }) =>
      isBeyondRetention(store, atMs, options),
    ),
    historyAside: files.filter(({ damage }) => damage !== null),
    historyTrimmed: files.filter((file) => file.damage === null && isCut(file)),
    notes: notes.filter(({ damage }) => damage !== null),
  }
  return { ...plan, losses: lossesOf(store, plan) }
}

/** True for a record of the journal that a repair keeps. */
export function isKept(
  fates: RepairPlan['fates'],
  record: { readonly actorKey: string; readonly seq: number },
): boolean {
  const fate = fates.get(record.actorKey)
  return fate !== undefined && record.seq <= fate.untilSeq && record.seq > fate.unreadableUntilSeq
}

function firstToRewrite(store: Store, fates: RepairPlan['fates']): number | null {
  const { damages, segments } = store.journal
  const cut = segments.filter((segment) => recordsInOrder(segment).some((record) => !isKept(fates, record)))
  const seqs = [...damages.map(({ segmentSeq }) => segmentSeq), ...cut.map(({ seq }) => seq)]
  return seqs.length === 0 ? null : Math.min(...seqs)
}

function lastSegmentOf({ journal }: Store): number {
  const used = journal.segments.filter(({ header, batches }) => header !== null || batches > 0)
  return Math.max(0, ...used.map(({ seq }) => seq), ...journal.damages.map(({ segmentSeq }) => segmentSeq))
}

function ledgerRepair(ledger: SurveyedLedger, untilSeq: number): readonly LedgerRepair[] {
  const { fromSeq, toSeq } = ledger.file
  const kept = ledger.records.filter(({ seq }) => seq > fromSeq && seq <= toSeq && seq <= untilSeq)
  if (ledger.damage === null && kept.length === ledger.records.length) return []
  return [{ ledger, kept }]
}

/** Sets that the ledger should have and the journal still tells. */
function missingExposures(
  fates: RepairPlan['fates'],
  ledger: readonly SurveyedLedger[],
  repairs: readonly LedgerRepair[],
  isOver: (record: ExposureRecord) => boolean,
): readonly ExposureRepair[] {
  const damaged = new Set(repairs.map((repair) => repair.ledger.path))
  const there = new Set(
    [
      ...ledger.filter(({ path }) => !damaged.has(path)).flatMap(({ records }) => records),
      ...repairs.flatMap(({ kept }) => kept),
    ].map(({ guideTraceId }) => guideTraceId),
  )
  return [...fates.values()].flatMap(({ key, exposures, untilSeq }) => {
    const records = exposures.filter(
      (record) => record.seq <= untilSeq && !there.has(record.guideTraceId) && !isOver(record),
    )
    return records.length === 0 ? [] : [{ key, records }]
  })
}

function lossesOf(store: Store, plan: Omit<RepairPlan, 'losses'>): readonly Loss[] {
  return [
    ...store.lacks.map(({ part, what }) => ({ what: `what is newer: ${what}`, isTurns: part !== 'ledger' })),
    ...[...plan.fates.values()].flatMap(actorLoss),
    ...coveredTurns(store),
    ...unknownTurns(store),
    ...namelessActors(store),
    ...plan.ledger.map(({ ledger, kept }) => ({
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

function actorLoss({ key, untilSeq, headSeq }: ActorFate): readonly Loss[] {
  if (untilSeq >= headSeq) return []
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
