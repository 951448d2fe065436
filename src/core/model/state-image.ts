import { assert } from '../base/assert.ts'
import { SURFACES, type Surface } from '../base/closed-sets.ts'
import { resultOf } from '../base/collections.ts'
import { DigestSum, digestOf, digestOfSteps } from '../base/digest.ts'
import { unitsLeft } from '../base/units.ts'
import { CompactRecord, compactRecord } from './compact-record.ts'
import { type GuideErasure, guideErasureKey } from './erasure.ts'
import { type Judgement, ledgerFrom } from './evidence.ts'
import type { ExternalRow, ExternalRunRow } from './external-memories.ts'
import { type ImageSection, plainRow, type StateImage } from './image.ts'
import type { Dispute, Erasure, Evidence, ExternalErasure, MemoryRecord, Relation } from './record.ts'
import { type RuleCountRow, RuleCounts } from './rule-counts.ts'
import type { RunShownRow } from './shown-lines.ts'
import type { SkillCandidate } from './skill-candidate.ts'
import {
  type ActorState,
  audienceClassOf,
  emptyState,
  linkDispute,
  linkMark,
  linkRecord,
  linkRelation,
  putRecord,
} from './state.ts'
import { type FileReportRow, Workspace } from './workspace.ts'

/** Raised, with an upcaster, when the meaning of a row changes. */
export const IMAGE_SCHEMA = 1

type OperationRow = readonly [id: string, requestHash: string, answer: Uint8Array | null, atMs: number]
type EvidenceRow = readonly [memoryId: string, settled: Judgement, entries: readonly Evidence[]]
type ExposedRow = readonly [key: string, ids: readonly string[], surfaces: readonly Surface[]]

/** The image without its digest: the copy is taken at once, the digest can follow in steps. */
export type UndigestedImage = Omit<StateImage, 'stateHash'>

/** Digests of records that were met. Records are immutable, so that of one is computed once. */
export interface RecordDigests {
  get(record: object): string | undefined
  set(record: object, digest: string): unknown
}

/** A shallow copy: rows are immutable records, or fresh copies of what the state mutates. */
export function imageOf(state: ActorState): UndigestedImage {
  return {
    schema: IMAGE_SCHEMA,
    tenantId: state.tenantId,
    scope: state.scope,
    seq: state.seq,
    sections: [
      { name: 'meta', rows: [[state.nextOrdinal, state.exposureCount, state.exposureDigest]] },
      { name: 'erasures', rows: [...state.erasures.values()] },
      ...sectionOf('erased_guides', [...state.erasedGuides.values()]),
      { name: 'memories', rows: [...state.memories.values()] },
      ...sectionOf('evidence', evidenceRows(state)),
      { name: 'relations', rows: [...state.relations] },
      ...sectionOf('disputes', [...state.disputes.values()]),
      ...sectionOf('operator_memories', [...state.operatorMemories]),
      { name: 'exposure_totals', rows: totalsRows(state) },
      { name: 'exposed_by_run', rows: exposedRows(state.exposedByRun) },
      { name: 'exposed_by_consumer', rows: exposedRows(state.exposedByConsumer) },
      { name: 'operations', rows: operationRows(state) },
      { name: 'retired_operations', rows: [...state.retiredOperations] },
      { name: 'skills', rows: [...state.skills.values()] },
      ...sectionOf('rule_counts', state.ruleCounts.rows()),
      ...sectionOf('shown_lines', state.shownLines.rows()),
      ...sectionOf('workspace', state.workspace.rows()),
      ...sectionOf('external_key', state.external.key === null ? [] : [state.external.key]),
      ...sectionOf('external', state.external.rows()),
      ...sectionOf('external_by_run', state.external.runs.rows()),
      ...sectionOf('external_erasures', [...state.external.erasures.values()]),
    ],
  }
}

/** The digest of an image, one step per `stepRows` rows, so that a caller can yield between steps. Null: nothing is kept. */
export function* digestSteps(
  image: UndigestedImage,
  stepRows: number,
  known: RecordDigests | null = null,
): Generator<void, string> {
  const sum = new DigestSum()
  let work = 0
  for (const section of image.sections) {
    for (const row of section.rows) {
      const rows = 1 + unitsOf(row) / ROW_UNITS
      const isLong = rows > Math.max(stepRows, LONG_ROWS)
      sum.add(isLong ? yield* longRowDigest(section.name, row, known) : rowDigest(section.name, row, known))
      work += rows
      if (work < stepRows) continue
      work = 0
      yield
    }
  }
  return digestOf([image.tenantId, image.scope, image.seq, sum.value()])
}

/** Units that take as long to be digested as a row without text. */
const ROW_UNITS = 512
/** A row that takes as long as so many is digested in steps of its own. */
const LONG_ROWS = 1_000
const LONG_UNITS = LONG_ROWS * ROW_UNITS

/** Of what callers gave to a memory, and `LONG_UNITS` of anything longer; other rows are small. */
function unitsOf(row: unknown): number {
  if (typeof row !== 'object' || row === null || !('content' in row)) return 0
  const { content, claim, handoff } = row as MemoryRecord
  let left = unitsLeft(content, LONG_UNITS)
  if (claim !== null) left = unitsLeft(claim, left)
  if (handoff !== null) left = unitsLeft(handoff, left)
  return LONG_UNITS - Math.max(left, 0)
}

/** The digest of a whole state, at once: for comparisons. */
export function stateHash(state: ActorState, known: RecordDigests | null = null): string {
  return resultOf(digestSteps(imageOf(state), Number.MAX_SAFE_INTEGER, known))
}

/** Sections that are read at once: a few rows, or rows that are one whole. */
const READ_WHOLE: ReadonlySet<string> = new Set(['meta', 'rule_counts', 'workspace', 'external_key'])

/**
 * Rebuilds the state, one step per `stepRows` memories or other rows, so that a caller can yield between steps; every
 * lookup is derived again. Exposure sets stay in the ledger.
 */
export function* stateSteps(image: UndigestedImage, stepRows: number): Generator<void, ActorState> {
  assert(image.schema === IMAGE_SCHEMA, `image schema ${image.schema} is not known`)
  const state = emptyState(image.tenantId, image.scope)
  state.seq = image.seq
  for (const section of image.sections) {
    if (section.name === 'memories') yield* readMemories(state, section.rows as MemoryRecord[], stepRows)
    else if (READ_WHOLE.has(section.name)) readSection(state, section)
    else yield* readInPieces(state, section, stepRows)
  }
  return state
}

/** The whole state at once. */
export function stateFrom(image: UndigestedImage): ActorState {
  return resultOf(stateSteps(image, Number.MAX_SAFE_INTEGER))
}

function* readInPieces(
  state: ActorState,
  { name, rows }: ImageSection,
  stepRows: number,
): Generator<void, void> {
  let from = 0
  let work = 0
  for (const [at, row] of rows.entries()) {
    work += entriesOf(row)
    if (work < stepRows) continue
    readSection(state, { name, rows: rows.slice(from, at + 1) })
    from = at + 1
    work = 0
    yield
  }
  readSection(state, { name, rows: rows.slice(from) })
}

/** A row, and what its lists have: a row of a run lists what it was shown. */
function entriesOf(row: unknown): number {
  if (!Array.isArray(row)) return 1
  let entries = 1
  for (const value of row) if (Array.isArray(value)) entries += value.length
  return entries
}

// The codec gives rows back as they were written; this is the one place that names their shapes again.
function readSection(state: ActorState, section: ImageSection): void {
  switch (section.name) {
    case 'meta': {
      const [nextOrdinal, exposureCount, exposureDigest] = section.rows[0] as [number, number, string]
      Object.assign(state, { nextOrdinal, exposureCount, exposureDigest })
      return
    }
    // Before the memories: an erased one is linked differently. Snapshots from before the first erasure have no such section.
    case 'erasures':
      for (const row of section.rows as readonly Erasure[]) state.erasures.set(row.memoryId, row)
      return
    // Snapshots from before the first erased guide have no such section.
    case 'erased_guides':
      for (const row of section.rows as readonly GuideErasure[])
        state.erasedGuides.set(guideErasureKey(row), row)
      return
    // Behind the memories, which it is about. Snapshots from before there were ledgers have no such section.
    case 'evidence':
      for (const [memoryId, settled, entries] of section.rows as readonly EvidenceRow[]) {
        const record = state.memories.get(memoryId)
        assert(record !== undefined, `evidence about ${memoryId}, which is not in the state`)
        state.evidence.set(memoryId, ledgerFrom(settled, entries, record))
      }
      return
    case 'relations':
      for (const row of section.rows as readonly Relation[]) linkRelation(state, row)
      return
    // Snapshots from before the first dispute have neither of these two.
    case 'disputes':
      for (const row of section.rows as readonly Dispute[]) linkDispute(state, row)
      return
    case 'operator_memories':
      for (const memoryId of section.rows as readonly string[]) state.operatorMemories.add(memoryId)
      return
    case 'exposure_totals':
      readTotals(state, section.rows as readonly (readonly number[])[])
      return
    case 'exposed_by_run':
      readExposed(state.exposedByRun, section.rows as readonly ExposedRow[])
      return
    case 'exposed_by_consumer':
      readExposed(state.exposedByConsumer, section.rows as readonly ExposedRow[])
      return
    case 'operations':
      for (const [id, requestHash, answer, atMs] of section.rows as readonly OperationRow[]) {
        state.operations.set(id, { requestHash, answer, atMs })
        state.operationAnswerBytes += answer?.length ?? 0
      }
      return
    case 'retired_operations':
      for (const id of section.rows as readonly string[]) state.retiredOperations.add(id)
      return
    case 'skills':
      for (const row of section.rows as readonly SkillCandidate[]) state.skills.set(row.candidateId, row)
      return
    // Snapshots from before rules were counted have no such section.
    case 'rule_counts':
      state.ruleCounts = RuleCounts.from(section.rows as readonly RuleCountRow[])
      return
    // Nor this one those from before a run was asked what it had been shown.
    case 'shown_lines':
      state.shownLines.read(section.rows as readonly RunShownRow[])
      return
    case 'workspace':
      state.workspace = Workspace.from(section.rows as readonly FileReportRow[])
      return
    default:
      readExternal(state, section)
  }
}

/** Snapshots from before the first recorded govern request have none of these. */
function readExternal({ external }: ActorState, { name, rows }: ImageSection): void {
  switch (name) {
    case 'external_key':
      return external.readKey((rows as readonly string[])[0] ?? '')
    case 'external':
      return external.readRows(rows.map(plainRow) as readonly ExternalRow[])
    case 'external_by_run':
      return external.runs.readRows(rows as readonly ExternalRunRow[])
    case 'external_erasures':
      return external.readErasures(rows as readonly ExternalErasure[])
    default:
      assert(false, `section ${name} is not known`)
  }
}

/**
 * Each row is replaced by the record that is made of it, unless it is one: a load holds the rows until their digest is
 * compared, which then is that of what the state holds.
 */
function* readMemories(state: ActorState, rows: MemoryRecord[], stepRows: number): Generator<void, void> {
  for (const [at, row] of rows.entries()) {
    const record =
      row instanceof CompactRecord
        ? row
        : compactRecord(row, audienceClassOf(state, row.audience).audience, state.parts)
    rows[at] = record
    addRecord(state, record)
    if ((at + 1) % stepRows === 0) yield
  }
}

function addRecord(state: ActorState, record: CompactRecord): void {
  assert(record.slot === state.records.length, `memory ${record.memoryId} is out of its slot`)
  putRecord(state, record)
  linkRecord(state, record, null)
  for (const { runId } of record.marks) linkMark(state, runId, record.memoryId)
  if (record.changes.length > 0 && record.changes.some(({ byMemoryId }) => byMemoryId !== null))
    state.changedByOthers.add(record.memoryId)
}

function totalsRows(state: ActorState): readonly (readonly number[])[] {
  const rows: number[][] = []
  const width = SURFACES.length
  for (let slot = 0; slot * width < state.exposureTotals.length; slot++) {
    const counts = [...state.exposureTotals.subarray(slot * width, (slot + 1) * width)]
    if (counts.some((count) => count > 0)) rows.push([slot, ...counts])
  }
  return rows
}

function readTotals(state: ActorState, rows: readonly (readonly number[])[]): void {
  const width = SURFACES.length
  const size = state.records.length * width
  if (state.exposureTotals.length < size) state.exposureTotals = new Uint32Array(size)
  for (const [slot, ...counts] of rows) state.exposureTotals.set(counts, (slot ?? 0) * width)
}

/** A section that is left out without a row: the image of a state that has none is that of before there were such rows. */
function sectionOf(name: string, rows: readonly unknown[]): readonly ImageSection[] {
  return rows.length === 0 ? [] : [{ name, rows }]
}

function evidenceRows(state: ActorState): readonly EvidenceRow[] {
  return [...state.evidence].map(([memoryId, { settled, entries }]) => [memoryId, settled, entries] as const)
}

function exposedRows(outer: ReadonlyMap<string, ReadonlyMap<string, Surface>>): readonly ExposedRow[] {
  return [...outer].map(([key, inner]) => [key, [...inner.keys()], [...inner.values()]] as const)
}

function readExposed(outer: Map<string, Map<string, Surface>>, rows: readonly ExposedRow[]): void {
  for (const [key, ids, surfaces] of rows) {
    outer.set(key, new Map(ids.map((id, at) => [id, surfaces[at] ?? 'do_not_use'])))
  }
}

function operationRows(state: ActorState): readonly OperationRow[] {
  return [...state.operations].map(
    ([id, stored]) => [id, stored.requestHash, stored.answer, stored.atMs] as const,
  )
}

/** Of a memory with a text of megabytes, or with thousands of values. */
function* longRowDigest(section: string, row: unknown, known: RecordDigests | null): Generator<void, string> {
  const record = row as MemoryRecord
  const digest = known?.get(record) ?? (yield* digestOfSteps([section, plainRow(record)]))
  known?.set(record, digest)
  return digest
}

function rowDigest(section: string, row: unknown, known: RecordDigests | null): string {
  if (section === 'memories' && known !== null) {
    const record = row as MemoryRecord
    let digest = known.get(record)
    if (digest === undefined) {
      digest = digestOf([section, record])
      known.set(record, digest)
    }
    return digest
  }
  if (section === 'operations') {
    const [id, requestHash, answer, atMs] = row as OperationRow
    return digestOf([section, id, requestHash, answer === null ? null : answer.length, atMs])
  }
  return digestOf([section, plainRow(row)])
}
