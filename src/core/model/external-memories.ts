import type { Surface } from '../base/closed-sets.ts'
import { dropOldest, resultOf } from '../base/collections.ts'
import type { ActorEvent, Turn } from './events.ts'
import { type EvidenceSubject, ledgerFrom, settledAt, withEvidence } from './evidence.ts'
import { type ExternalMemory, namesIn, type Opinion, opinionOf, slotOf } from './external-memory.ts'
import { LateRow } from './image.ts'
import { assertTransition } from './lifecycle.ts'
import {
  appended,
  counted,
  type ExternalErasure,
  type ExternalEvent,
  type ExternalMove,
  type ExternalShown,
  type FacetChange,
} from './record.ts'

/** Memories of other stores that an actor knows. */
export const EXTERNAL_MEMORIES_MAX = 100_000
/** Outcomes and changes kept with an opinion; the oldest go first. */
export const EXTERNAL_MARKS_MAX = 64
/** Candidates of runs that are looked through between two yields: a millisecond. */
const SETTLE_STEP_KEYS = 4096
/** What is left of erased ones; the oldest go first. */
export const EXTERNAL_ERASURES_MAX = 100_000

export type ExternalRow = ReturnType<typeof rowOf>

type ExternalEventOf = Extract<
  ActorEvent,
  {
    readonly type:
      | 'external_keyed'
      | 'external_feedback_recorded'
      | 'external_standing_changed'
      | 'external_task_succeeded'
      | 'external_erased'
  }
>

/** Changed by `evolve` only. Bounded: of those that no run has spoken of the one goes that was governed longest ago. */
export class ExternalMemories {
  /** By backend and id, the one that was governed longest ago first. */
  readonly #unused = new Map<string, ExternalMemory>()
  /** The keys of all of them by their refs. */
  readonly #keyByRef = new Map<string, string>()
  /** The same of those that runs have spoken of. */
  readonly #used = new Map<string, ExternalMemory>()
  readonly #erasures = new Map<string, ExternalErasure>()
  #erasedSeq = 0
  readonly #max: number
  readonly #runs: RunsShown
  /** What an erasure has still to leave out of the lists of runs. */
  #unsettled: Generator<void, void> | null = null
  #key: string | null = null

  /** @param max memories that it knows at most */
  constructor(max: number = EXTERNAL_MEMORIES_MAX, bounds: ShownBounds = SHOWN_BOUNDS) {
    this.#max = max
    this.#runs = new RunsShown(bounds)
  }

  /** With which names and texts are hashed; null: nothing was ever recorded. */
  get key(): string | null {
    return this.#key
  }

  get size(): number {
    return this.#unused.size + this.#used.size
  }

  /** What runs were shown. */
  get runs(): RunsShown {
    this.#settle()
    return this.#runs
  }

  /** Candidates of all runs; after an erasure too many until it has settled. */
  get shownCount(): number {
    return this.#runs.size
  }

  /** What is left of erased ones, by their refs, the oldest first. */
  get erasures(): ReadonlyMap<string, ExternalErasure> {
    return this.#erasures
  }

  /** Turn of the last erasure; 0: there was none. */
  get erasedSeq(): number {
    return this.#erasedSeq
  }

  get(sourceBackend: string, externalId: string): ExternalMemory | undefined {
    return this.#at(keyOf(sourceBackend, externalId))
  }

  #at(key: string): ExternalMemory | undefined {
    return this.#used.get(key) ?? this.#unused.get(key)
  }

  /** Those without an outcome first; of each the one that was governed longest ago. */
  *all(): Generator<ExternalMemory> {
    yield* this.#unused.values()
    yield* this.#used.values()
  }

  /** What the govern requests of a run showed it, and on which surface last. */
  shownTo(runId: string): readonly { readonly memory: ExternalMemory; readonly surface: Surface }[] {
    return [...this.runs.of(runId)].flatMap(([key, surface]) => {
      const memory = this.#at(key)
      return memory === undefined ? [] : [{ memory, surface }]
    })
  }

  show(shown: ExternalShown, runId: string | null, { atMs, seq }: Pick<Turn, 'atMs' | 'seq'>): void {
    this.#settle()
    const ofRun: [key: string, surface: Surface][] = []
    for (const { surface, ...name } of namesIn(shown)) {
      const { sourceBackend, externalId, domain } = name
      const key = keyOf(sourceBackend, externalId)
      const before = this.#at(key)
      this.#put(key, {
        ...name,
        // What evidence means depends on it.
        domain: before?.domain ?? domain,
        surface,
        governedCount: (before?.governedCount ?? 0) + 1,
        atMs,
        seq,
        opinions: before?.opinions ?? [],
      })
      ofRun.push([key, surface])
    }
    if (runId !== null) this.#runs.show(runId, ofRun)
  }

  /** Ends what an erasure has begun, in steps; who asks or changes anything before the last one ends it at once. */
  *settleSteps(): Generator<void, void> {
    for (; this.#unsettled !== null; yield) if (this.#unsettled.next().done === true) this.#unsettled = null
  }

  #settle(): void {
    resultOf(this.settleSteps())
  }

  apply(event: ExternalEventOf, turn: Pick<Turn, 'atMs' | 'seq'>): void {
    this.#settle()
    const { seq } = turn
    switch (event.type) {
      case 'external_keyed':
        this.#key = event.key
        return
      case 'external_feedback_recorded': {
        const { mark, counts, evidence } = event
        return this.#change(event, turn, (opinion, subject) => ({
          ...opinion,
          counters: counted(opinion.counters, counts),
          marks: appended(opinion.marks, { ...mark, atMs: turn.atMs, seq }, EXTERNAL_MARKS_MAX),
          ledger:
            evidence === null
              ? opinion.ledger
              : withEvidence(opinion.ledger, { ...evidence, runId: mark.runId, seq }, subject),
        }))
      }
      case 'external_standing_changed':
        return this.#change(event, turn, (opinion) => moved(opinion, event, turn))
      case 'external_task_succeeded': {
        const entry = { runId: event.runId, kind: 'task', named: [], seq } as const
        return this.#change(event, turn, (opinion, subject) => ({
          ...opinion,
          ledger: withEvidence(opinion.ledger, entry, subject),
        }))
      }
      case 'external_erased':
        return this.#erase(event, turn)
    }
  }

  #change(
    { memory: name, audience }: ExternalEvent,
    { atMs, seq }: Pick<Turn, 'atMs' | 'seq'>,
    change: (opinion: Opinion, subject: EvidenceSubject) => Opinion,
  ): void {
    const key = keyOf(name.sourceBackend, name.externalId)
    // Since it was governed it may have gone to make room.
    const memory =
      this.get(name.sourceBackend, name.externalId) ??
      ({ ...name, surface: 'inspect_before_use', governedCount: 0, atMs, seq, opinions: [] } as const)
    const before = opinionOf(memory, audience)
    const after = change(before, { slot: slotOf(memory), domain: memory.domain })
    const isNew = !memory.opinions.includes(before)
    const opinions = isNew
      ? [...memory.opinions, after]
      : memory.opinions.map((each) => (each === before ? after : each))
    this.#put(key, { ...memory, opinions })
  }

  #put(key: string, memory: ExternalMemory): void {
    this.#unused.delete(key)
    this.#used.delete(key)
    const list = memory.opinions.length === 0 ? this.#unused : this.#used
    list.set(key, memory)
    this.#keyByRef.set(memory.ref, key)
    if (this.size > this.#max) this.#dropOldest()
  }

  #dropOldest(): void {
    const list = this.#unused.size > 0 ? this.#unused : this.#used
    const oldest = list.values().next()
    if (oldest.done !== true) this.#drop(oldest.value.ref)
  }

  #drop(ref: string): void {
    const key = this.#keyByRef.get(ref)
    if (key === undefined) return
    this.#keyByRef.delete(ref)
    this.#unused.delete(key)
    this.#used.delete(key)
  }

  #erase(
    { refs, reason, actorName: by }: ExternalEventOf & { type: 'external_erased' },
    turn: Pick<Turn, 'atMs' | 'seq'>,
  ): void {
    this.#erasedSeq = turn.seq
    for (const ref of refs) {
      this.#drop(ref)
      this.#erasures.delete(ref)
      this.#erasures.set(ref, { ref, reason, by, atMs: turn.atMs, seq: turn.seq })
    }
    dropOldest(this.#erasures, EXTERNAL_ERASURES_MAX)
    // What had to make room may be among the erased ones: of it a run knows the name alone, and no answer says it.
    this.#unsettled = this.#runs.keepOnlySteps(
      (key) => this.#unused.has(key) || this.#used.has(key),
      SETTLE_STEP_KEYS,
    )
  }

  rows(): readonly LateRow<ExternalMemory, ExternalRow>[] {
    return Array.from(this.all(), (memory) => new LateRow(memory, rowOf))
  }

  /** What rows gave; they come in the order in which they are written. */
  readKey(key: string): void {
    this.#key = key
  }

  readErasures(rows: readonly ExternalErasure[]): void {
    for (const row of rows) this.#erasures.set(row.ref, row)
    this.#erasedSeq = rows.at(-1)?.seq ?? this.#erasedSeq
  }

  readRows(rows: readonly ExternalRow[]): void {
    for (const row of rows) {
      const memory = memoryOf(row)
      this.#put(keyOf(memory.sourceBackend, memory.externalId), memory)
    }
  }
}

/** No two pairs have the same. */
function keyOf(sourceBackend: string, externalId: string): string {
  return `${sourceBackend.length}:${sourceBackend}${externalId}`
}

function moved(
  opinion: Opinion,
  { to, cause, reason }: ExternalMove,
  { atMs, seq }: Pick<Turn, 'atMs' | 'seq'>,
): Opinion {
  const from = opinion.standing
  assertTransition('standing', cause, from, to)
  const change: FacetChange = { facet: 'standing', from, to, cause, reason, atMs, seq, byMemoryId: null }
  return {
    ...opinion,
    standing: to,
    changes: appended(opinion.changes, change, EXTERNAL_MARKS_MAX),
    // Failed is left by no evidence, so what led there is settled.
    ledger: to === 'failed' ? settledAt(opinion.ledger, to) : opinion.ledger,
  }
}

function rowOf(memory: ExternalMemory) {
  const { sourceBackend, externalId, ref, textHash, domain, surface, governedCount, atMs, seq } = memory
  const opinions = memory.opinions.map(({ audience, standing, counters, marks, changes, ledger }) => {
    const { settled, entries } = ledger
    return [audience, standing, counters, marks, changes, settled, entries] as const
  })
  return [
    sourceBackend,
    externalId,
    ref,
    textHash,
    domain,
    surface,
    governedCount,
    atMs,
    seq,
    opinions,
  ] as const
}

function memoryOf(row: ExternalRow): ExternalMemory {
  const [sourceBackend, externalId, ref, textHash, domain, surface, governedCount, atMs, seq, rows] = row
  const subject = { slot: slotOf({ ref }), domain }
  const opinions = rows.map(([audience, standing, counters, marks, changes, settled, entries]) => {
    const ledger = ledgerFrom(settled, entries, subject)
    return { audience, standing, counters, marks, changes, ledger }
  })
  return { sourceBackend, externalId, ref, textHash, domain, surface, governedCount, atMs, seq, opinions }
}

/** Runs of which is known what they were shown; the oldest go first. */
const RUNS_MAX = 10_000
/** Candidates that are known of one of them; the first go first. */
const SHOWN_TO_RUN_MAX = 4096
/** Candidates of all of them together; the oldest runs go first. */
const SHOWN_MAX = 200_000

export interface ShownBounds {
  readonly runs: number
  readonly ofRun: number
  readonly inAll: number
}

export const SHOWN_BOUNDS: ShownBounds = { runs: RUNS_MAX, ofRun: SHOWN_TO_RUN_MAX, inAll: SHOWN_MAX }

export type ExternalRunRow = readonly [runId: string, keys: readonly string[], surfaces: readonly Surface[]]

/** Which memories of other stores the govern requests of each run showed it. Changed by `evolve` only. */
export class RunsShown {
  /** The run that asked longest ago first. */
  readonly #byRun = new Map<string, Map<string, Surface>>()
  readonly #bounds: ShownBounds
  #size = 0

  constructor(bounds: ShownBounds = SHOWN_BOUNDS) {
    this.#bounds = bounds
  }

  /** Candidates of all runs. */
  get size(): number {
    return this.#size
  }

  /** By their keys, on the surface where each stood last. */
  of(runId: string): Iterable<readonly [key: string, surface: Surface]> {
    return this.#byRun.get(runId) ?? []
  }

  show(runId: string, shown: Iterable<readonly [key: string, surface: Surface]>): void {
    const ofRun = this.#byRun.get(runId) ?? new Map<string, Surface>()
    this.forget(runId)
    for (const [key, surface] of shown) ofRun.set(key, surface)
    dropOldest(ofRun, this.#bounds.ofRun)
    this.#byRun.set(runId, ofRun)
    this.#size += ofRun.size
    for (const oldest of this.#byRun.keys()) {
      if (this.#byRun.size <= this.#bounds.runs && this.#size <= this.#bounds.inAll) break
      this.forget(oldest)
    }
  }

  forget(runId: string): void {
    this.#size -= this.#byRun.get(runId)?.size ?? 0
    this.#byRun.delete(runId)
  }

  /** Leaves out all others, one step per `stepKeys` candidates. Nothing else may be asked or changed before the last one. */
  *keepOnlySteps(isKept: (key: string) => boolean, stepKeys: number): Generator<void, void> {
    let work = 0
    for (const ofRun of this.#byRun.values()) {
      for (const key of ofRun.keys()) if (!isKept(key) && ofRun.delete(key)) this.#size -= 1
      work += ofRun.size
      if (work < stepKeys) continue
      work = 0
      yield
    }
  }

  rows(): readonly ExternalRunRow[] {
    return [...this.#byRun].map(([runId, shown]) => [runId, [...shown.keys()], [...shown.values()]] as const)
  }

  /** What rows gave. */
  readRows(rows: readonly ExternalRunRow[]): void {
    for (const [runId, keys, surfaces] of rows)
      this.show(
        runId,
        keys.map((key, at) => [key, surfaces[at] ?? 'do_not_use'] as const),
      )
  }
}
