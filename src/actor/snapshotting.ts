import { messageOf } from '../core/base/errors.ts'
import { hashText } from '../core/base/hash.ts'
import { Seldom } from '../core/base/seldom.ts'
import type { ExposureRecord } from '../core/model/events.ts'
import type { ActorState } from '../core/model/state.ts'
import { digestSteps, imageOf, type RecordDigests, type UndigestedImage } from '../core/model/state-image.ts'
import type { RecallImage } from '../core/search/index-image.ts'
import type { Residency } from '../ports/residency.ts'
import type { Compaction, Segments, Store } from '../ports/store.ts'
import type { Clock, Log } from '../ports/system.ts'
import type { Actor } from './actor.ts'
import { type Deadline, runInSlices, yieldToLoop } from './waiting.ts'

/** Rows digested between two yields to the event loop: well under a millisecond. */
const DIGEST_STEP_ROWS = 200
/**
 * Of records of small actors, which are snapshot from memory again and again. Of large ones none are kept: a
 * weak map of a million entries takes a hundred megabytes, and the collector goes through all of it in one pause.
 */
export const recordDigests = new WeakMap<object, string>()
/** A larger recall index is copied in steps. */
const IMAGE_AT_ONCE_BYTES = 8 * 1024 * 1024
/** With more memories than this it takes longer to read the texts again than to read a stored recall index. */
const STORED_INDEX_MEMORIES = 100
/**
 * Each actor has a share of its own, from here to the whole, of the bytes at which it is snapshot: those that are written alike
 * would all be snapshot in the same seconds, and requests wait that long.
 */
const DUE_SHARE_MIN = 0.75
const OVERDUE_TIMES = 2
/** What an actor may always leave to the journal. To replay a turn takes 50 µs, to snapshot a few memories a millisecond. */
const TAIL_BYTES = 16 * 1024
/** Nor more than this part of what an actor in memory may have above its snapshot. */
const TAIL_SNAPSHOT_MIN_SHARE = 64
/** And this part of its snapshot besides: what a snapshot costs grows with it. */
const TAIL_SNAPSHOT_SHARE = 8

export interface SnapshotParts
  extends Pick<Store, 'journal' | 'snapshots' | 'ledger' | 'compaction' | 'recallImages'> {
  readonly log: Log
  /**
   * An actor with more memories than this is snapshot from disk in a worker and its recall index is stored; a smaller one
   * is snapshot from memory.
   */
  readonly workerMemoriesMin: number
  /** An actor is snapshot when it has this many journal bytes above its last snapshot, or up to a quarter less. */
  readonly snapshotBytesMin: number
}

/** True when the actor's journal has outgrown its snapshot: bounded write amplification. */
function isSnapshotDue(parts: SnapshotParts, actor: Actor): boolean {
  const uncovered = parts.journal.uncoveredBytesOf(actor.key)
  const most = uncoveredBytesMax(parts, actor)
  return uncovered > DUE_SHARE_MIN * most && uncovered > dueShareOf(actor.key) * most
}

/** True when it has outgrown it so far that no other snapshot may hold this one up. */
function isSnapshotOverdue(parts: SnapshotParts, actor: Actor): boolean {
  return parts.journal.uncoveredBytesOf(actor.key) > OVERDUE_TIMES * uncoveredBytesMax(parts, actor)
}

function uncoveredBytesMax({ snapshots, snapshotBytesMin }: SnapshotParts, { key }: Actor): number {
  return Math.max(snapshotBytesMin, 2 * snapshots.bytesOf(key))
}

/** Of an actor always the same (FNV-1a over its key). */
function dueShareOf(key: string): number {
  const hash = hashText(key)
  return DUE_SHARE_MIN + ((1 - DUE_SHARE_MIN) * ((hash ^ (hash >>> 15)) & 0xff)) / 0x100
}

/**
 * True when the turns above the last snapshot are so few that to replay them in the next load, and in some after it, costs less
 * than to write the snapshot now.
 */
export function isTailShort(parts: SnapshotParts, actor: Actor): boolean {
  const { journal, snapshots, snapshotBytesMin } = parts
  const always = Math.min(TAIL_BYTES, snapshotBytesMin / TAIL_SNAPSHOT_MIN_SHARE)
  return journal.uncoveredBytesOf(actor.key) <= always + snapshots.bytesOf(actor.key) / TAIL_SNAPSHOT_SHARE
}

/** Whether the recall index is stored behind a snapshot, or built again by the next load. */
export function isIndexStored(
  { workerMemoriesMin }: Pick<SnapshotParts, 'workerMemoriesMin'>,
  { memories }: ActorState,
): boolean {
  return memories.size > Math.min(workerMemoriesMin, STORED_INDEX_MEMORIES)
}

/** True when everything the actor knows is in a durable snapshot. */
export function isCovered(parts: SnapshotParts, actor: Actor): boolean {
  return parts.snapshots.coveredSeqOf(actor.key) >= actor.state.seq
}

/**
 * Makes one durable snapshot of the actor as it stands now. The order matters: what the actor was loaded from has its
 * digest, the turns in the image are durable before it is written, the exposure sets that leave memory are in the ledger
 * before the snapshot, and the journal hears of the snapshot last. The recall index of the same moment is stored behind it;
 * nobody waits for that.
 */
async function snapshotActor(parts: SnapshotParts, actor: Actor): Promise<void> {
  await actor.verified()
  const isLarge = actor.state.memories.size > parts.workerMemoriesMin
  const written =
    (isLarge && parts.compaction !== null ? await snapshotFromDisk(parts, parts.compaction, actor) : null) ??
    (await snapshotFromMemory(parts, actor))
  const { seq, bytes, stateHash, exposures, recall } = written
  parts.journal.covered(actor.grant, actor.key, seq)
  if (recall !== null) parts.recallImages.keep(actor.grant, actor.key, { seq, stateHash, image: recall })
  for (const record of exposures) if (record.seq <= seq) actor.state.exposures.delete(record.guideTraceId)
  parts.log.debug({ actor: actor.key, seq, bytes }, 'snapshot is durable')
}

interface Written {
  readonly seq: number
  readonly bytes: number
  readonly stateHash: string
  /** The recall index at the same sequence; null when it is not to be stored. */
  readonly recall: RecallImage | null
  /** Exposure sets that are in the ledger now. */
  readonly exposures: readonly ExposureRecord[]
}

async function snapshotFromMemory(parts: SnapshotParts, actor: Actor): Promise<Written> {
  while (actor.isInSlices) await actor.free()
  const image = imageOf(actor.state)
  const isLarge = actor.state.memories.size > parts.workerMemoriesMin
  const exposures = [...actor.state.exposures.values()]
  const isStored = isIndexStored(parts, actor.state)
  const recall =
    isStored && isLong(actor) ? await actor.recallImage() : isStored ? actor.recall.image() : null
  await actor.settled()
  const stateHash = await digested(image, isLarge ? null : recordDigests)
  await intoLedger(parts, actor, exposures, image.seq)
  const { bytes } = await parts.snapshots.put(actor.grant, actor.key, { ...image, stateHash })
  return { seq: image.seq, bytes, stateHash, recall, exposures }
}

/** Null when there is nothing to compact or it failed. The worker covers exactly the turns whose exposure sets are in the ledger by then. */
async function snapshotFromDisk(
  parts: SnapshotParts,
  compaction: Compaction,
  actor: Actor,
): Promise<Written | null> {
  while (actor.isInSlices) await actor.free()
  const { seq } = actor.state
  const exposures = [...actor.state.exposures.values()]
  const recall = isLong(actor) ? await actor.recallImage() : actor.recall.image()
  await actor.settled()
  // Whatever waited for the image goes first.
  await yieldToLoop()
  await intoLedger(parts, actor, exposures, seq)
  const compacted = await compaction.compact(actor.grant, actor.key, seq).catch((error: unknown) => {
    // A damaged base or a full pool: what is in memory makes the snapshot instead.
    const cause = messageOf(error)
    parts.log.warn({ actor: actor.key, cause }, 'compaction failed; the snapshot is made from memory')
    return null
  })
  if (compacted === null) return null
  return { ...compacted, recall: compacted.seq === seq ? recall : null, exposures }
}

/** Whether the recall index takes more than a few milliseconds to be copied. */
function isLong({ recall }: Actor): boolean {
  return recall.indexBytes > IMAGE_AT_ONCE_BYTES
}

async function intoLedger(
  parts: SnapshotParts,
  actor: Actor,
  exposures: readonly ExposureRecord[],
  toSeq: number,
): Promise<void> {
  const first = exposures[0]
  if (first !== undefined) await parts.ledger.append(actor.grant, actor.key, first.seq - 1, toSeq, exposures)
}

/** The digest of an image, yielding between steps. */
export function digested(image: UndigestedImage, known: RecordDigests | null = null): Promise<string> {
  return runInSlices(digestSteps(image, DIGEST_STEP_ROWS, known))
}

/** Snapshots at once of actors that are due: each takes the serving thread in slices, and requests have to come between. */
const DUE_AT_ONCE = 2

interface ActorSnapshotsParts extends SnapshotParts {
  readonly clock: Clock
  /** Null: a tail that is left to the journal holds up nobody. */
  readonly segments: Segments | null
}

/** The snapshots that are being made. An actor has at most one under way. */
export class ActorSnapshots {
  readonly #parts: ActorSnapshotsParts
  readonly #underWay = new Map<string, Promise<void>>()
  readonly #told = new Seldom()
  #due = 0
  #failures = 0

  constructor(parts: ActorSnapshotsParts) {
    this.#parts = parts
  }

  /** Makes a durable snapshot. Nobody else may be making one of this actor: wait for `settled` first. */
  make(actor: Actor): Promise<void> {
    const snapshot = this.#counted(actor).finally(() => this.#underWay.delete(actor.key))
    this.#underWay.set(actor.key, snapshot)
    return snapshot
  }

  /** Snapshots that failed since the last one that was made. */
  get failures(): number {
    return this.#failures
  }

  async #counted(actor: Actor): Promise<void> {
    try {
      await snapshotActor(this.#parts, actor)
      this.#failures = 0
    } catch (error) {
      this.#failures += 1
      throw error
    }
  }

  /** Resolves when the one under way has ended, rejects when it failed. */
  async settled(key: string): Promise<void> {
    await this.#underWay.get(key)
  }

  /** Makes one, when none is under way: each of them has ended, in whatever way. */
  async makeNext(actor: Actor): Promise<void> {
    while (this.#underWay.has(actor.key)) await this.settled(actor.key).catch(() => undefined)
    await this.make(actor)
  }

  /**
   * Begins one when the journal of the actor has outgrown the last one. Nobody waits for it. While others that are due are
   * being made it is left to the next use of the actor, but not for long.
   */
  makeIfDue(actor: Actor): void {
    if (actor.broken !== null || this.#underWay.has(actor.key) || !isSnapshotDue(this.#parts, actor)) return
    if (this.#due >= DUE_AT_ONCE && !isSnapshotOverdue(this.#parts, actor)) return
    this.#due += 1
    this.make(actor)
      .catch((error: unknown) => this.tellFailure(actor, error, STILL_HELD))
      .finally(() => {
        this.#due -= 1
      })
  }

  /**
   * Makes one when the last one does not cover the actor, at the end of the process. In a store without segments a short tail
   * stays in the journal: other nodes wait for this one to be gone. Never rejects.
   */
  async makeLast(actor: Actor, isTooLate: () => boolean): Promise<void> {
    try {
      await this.settled(actor.key).catch(() => undefined)
      if (actor.broken !== null || isCovered(this.#parts, actor)) return
      if (this.#parts.segments !== null || !isTailShort(this.#parts, actor)) await this.make(actor)
      else await actor.settled()
    } catch (error) {
      // Told as a whole by whoever set the deadline: the folder was given back meanwhile.
      if (!isTooLate()) this.tellFailure(actor, error, STILL_HELD)
    }
  }

  /** On a full disk one after the other fails: the log hears of the first, the metrics count them all. */
  tellFailure({ key }: Actor, error: unknown, sentence: string): void {
    const more = this.#told.fields('', this.#parts.clock.nowMs())
    if (more !== null) this.#parts.log.error({ actor: key, cause: messageOf(error), ...more }, sentence)
  }
}

const STILL_HELD = 'snapshot failed; the journal still holds everything'

/** Snapshots written at the same time while closing. */
const CLOSING_SNAPSHOTS = 8

/**
 * Snapshots every actor in memory that is not covered, once nobody is inside it.
 * @param unfinished gets the keys of all, and loses each that is done
 */
export async function closeActors(
  residency: Residency<Actor>,
  snapshots: ActorSnapshots,
  unfinished: Set<string>,
  isLate: Deadline,
): Promise<void> {
  // A request that leaves meanwhile changes the order of use: the keys are taken first.
  const waiting = [...residency.keys()]
  for (const key of waiting) unfinished.add(key)
  const closeSome = async (): Promise<void> => {
    for (let key = waiting.pop(); key !== undefined && !isLate.passed; key = waiting.pop()) {
      const actor = residency.peek(key)
      if (actor !== undefined) {
        await actor.emptied()
        await snapshots.makeLast(actor, () => isLate.passed)
      }
      unfinished.delete(key)
    }
  }
  await Promise.all(Array.from({ length: CLOSING_SNAPSHOTS }, closeSome))
}

export interface SegmentReclaimerDeps
  extends Pick<Store, 'journal' | 'snapshots' | 'ownership' | 'segments'> {
  readonly log: Log
  readonly clock: Clock
  /** Loads the actor if need be and makes a durable snapshot of it. */
  readonly snapshot: (actorKey: string) => Promise<void>
}

/** Uses of actors between two looks at a journal that stays over its budget. */
const USES_BETWEEN_LOOKS = 1_000

/**
 * Keeps idle actors from pinning old journal segments. A segment is held until two snapshots cover it; an actor that
 * is never written again would never get its second. Reading its snapshot back whole, with every checksum and the
 * digest of the state, stands for it: what the second copy guards against is damage.
 */
export class SegmentReclaimer {
  readonly #parts: SegmentReclaimerDeps
  readonly #told = new Seldom()
  #running: Promise<void> | null = null
  #usesUntilLook = 0
  #isStopped = false

  constructor(parts: SegmentReclaimerDeps) {
    this.#parts = parts
  }

  /** Looks at the journal now and then; cheap while it is within its budget. */
  nudge(): void {
    if (this.#isStopped || this.#running !== null || --this.#usesUntilLook > 0) return
    const { segments } = this.#parts
    const laggards = segments?.laggards() ?? []
    if (segments === null || laggards.length === 0) return
    this.#running = this.#relieve(segments, laggards).finally(() => {
      this.#running = null
      this.#usesUntilLook = USES_BETWEEN_LOOKS
    })
  }

  /** Begins nothing more: a start finds the same segments. */
  stop(): void {
    this.#isStopped = true
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await this.#running
  }

  async #relieve(segments: Segments, first: readonly string[]): Promise<void> {
    // Freeing the oldest segment shows who holds the next one; a round that frees nothing ends it.
    let laggards = first
    for (let before = Infinity; laggards.length > 0; laggards = segments.laggards()) {
      const count = segments.segmentCount()
      if (count >= before) return
      before = count
      for (const key of laggards) {
        if (this.#isStopped) return
        await this.#cover(key)
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  async #cover(key: string): Promise<void> {
    const { journal, snapshots, ownership, log, clock } = this.#parts
    try {
      if (snapshots.coveredSeqOf(key) < journal.headOf(key)) return await this.#parts.snapshot(key)
      const stored = await snapshots.get(key)
      if (stored === null || stored.seq < journal.headOf(key)) return await this.#parts.snapshot(key)
      journal.covered(await ownership.acquire(key), key, stored.seq)
    } catch (error) {
      if (this.#isStopped) return
      const more = this.#told.fields('', clock.nowMs())
      if (more === null) return
      const cause = messageOf(error)
      log.error({ actor: key, cause, ...more }, 'an idle actor keeps journal segments: its snapshot failed')
    }
  }
}
