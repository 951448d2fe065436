/** One file of the journal, as the index sees it. */
export interface Segment {
  readonly seq: number
  readonly path: string
  /** Runs of records in it; grows while it is the active one. */
  readonly runs: Run[]
  /** So many of the first runs are known to be free, see `isFree`. */
  freeRuns: number
  /** Everything before this byte is flushed. */
  flushedEnd: number
}

/** Records of one actor that lie in one segment, without a gap in their sequence. */
export interface Run {
  readonly actor: ActorEntry
  readonly segment: Segment
  readonly firstSeq: number
  /** Where each record starts in the file, and its size; grows with the run. */
  readonly offsets: number[]
  readonly sizes: number[]
}

/** What the journal knows of one actor. */
export interface ActorEntry {
  readonly key: string
  readonly keyBytes: Uint8Array
  /** Oldest first. */
  readonly runs: Run[]
  /** Highest sequence queued or written; an append continues here. */
  lastSeq: number
  /** Highest sequence written. */
  writtenSeq: number
  /** Records queued or in flight. */
  pending: number
  /** The last two marks of durable snapshots; the older one decides what may go. */
  covered: number
  previousCovered: number
  /** Bytes of records above `covered`, queued ones included. */
  uncoveredBytes: number
}

/** Sequences from `fromSeq` to `toSeq`, both included. */
export interface SeqRange {
  readonly fromSeq: number
  readonly toSeq: number
}

export function lastSeqOf(run: Run): number {
  return run.firstSeq + run.offsets.length - 1
}

/** Actors and the places of their written records. Plain bookkeeping: nothing here touches a file. */
export class ActorIndex {
  readonly #entries = new Map<string, ActorEntry>()

  get(key: string): ActorEntry | null {
    return this.#entries.get(key) ?? null
  }

  entryOf(key: string): ActorEntry {
    const known = this.#entries.get(key)
    if (known !== undefined) return known
    const entry: ActorEntry = {
      key,
      keyBytes: Buffer.from(key, 'utf8'),
      runs: [],
      lastSeq: 0,
      writtenSeq: 0,
      pending: 0,
      covered: 0,
      previousCovered: 0,
      uncoveredBytes: 0,
    }
    this.#entries.set(key, entry)
    return entry
  }

  /** Actors with records in the journal. */
  keys(): readonly string[] {
    const keys: string[] = []
    for (const entry of this.#entries.values()) if (holdsRecords(entry)) keys.push(entry.key)
    return keys
  }

  /** Drops what belongs to a segment that is gone. Its runs are the oldest of their actors. */
  forget(segment: Segment): void {
    for (const run of segment.runs) run.actor.runs.shift()
  }
}

export function holdsRecords(entry: ActorEntry): boolean {
  return entry.runs.length > 0 || entry.pending > 0
}

/** Notes a record that lies in the file now. */
export function noteWritten(
  entry: ActorEntry,
  segment: Segment,
  seq: number,
  offset: number,
  size: number,
): void {
  const last = entry.runs.at(-1)
  entry.writtenSeq = seq
  if (last !== undefined && last.segment === segment && lastSeqOf(last) + 1 === seq) {
    last.offsets.push(offset)
    last.sizes.push(size)
    return
  }
  const run: Run = { actor: entry, segment, firstSeq: seq, offsets: [offset], sizes: [size] }
  entry.runs.push(run)
  segment.runs.push(run)
}

/** Moves the marks on: each call stands for one snapshot. A mark lower than the last is an older snapshot, late. */
export function noteCovered(entry: ActorEntry, seq: number, pendingBytesAbove: number): void {
  if (seq < entry.covered) return
  entry.previousCovered = entry.covered
  entry.covered = seq
  let bytes = pendingBytesAbove
  for (let r = entry.runs.length - 1; r >= 0; r -= 1) {
    const run = entry.runs[r]
    if (run === undefined || lastSeqOf(run) <= seq) break
    for (let i = Math.max(0, seq + 1 - run.firstSeq); i < run.sizes.length; i += 1) bytes += run.sizes[i] ?? 0
  }
  entry.uncoveredBytes = bytes
}

/** The run that holds `seq`, null when it is not written or already gone. */
export function runHolding(entry: ActorEntry, seq: number): Run | null {
  return entry.runs.find((run) => run.firstSeq <= seq && seq <= lastSeqOf(run)) ?? null
}

/** Sequences of the actor that are written or queued, oldest first; what is between two ranges is not here. */
export function heldRanges(entry: ActorEntry): readonly SeqRange[] {
  const ranges: SeqRange[] = []
  const add = (range: SeqRange): void => {
    const last = ranges.at(-1)
    if (last !== undefined && last.toSeq + 1 === range.fromSeq) {
      ranges[ranges.length - 1] = { fromSeq: last.fromSeq, toSeq: range.toSeq }
    } else ranges.push(range)
  }
  for (const run of entry.runs) add({ fromSeq: run.firstSeq, toSeq: lastSeqOf(run) })
  if (entry.pending > 0) add({ fromSeq: entry.lastSeq - entry.pending + 1, toSeq: entry.lastSeq })
  return ranges
}

/** True once nobody needs the segment: every run in it lies under the older mark of its actor. Marks only grow. */
export function isFree(segment: Segment): boolean {
  for (; segment.freeRuns < segment.runs.length; segment.freeRuns += 1) {
    const run = segment.runs[segment.freeRuns]
    if (run !== undefined && isPinning(run)) return false
  }
  return true
}

export function isPinning(run: Run): boolean {
  return run.actor.previousCovered < lastSeqOf(run)
}
