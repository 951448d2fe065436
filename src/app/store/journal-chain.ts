import { FIRST_LINK, linkOver } from '../../adapters/journal/hash-chain.ts'
import type { OnSegmentBatch, SurveyedSegment } from '../../adapters/journal/survey-report.ts'
import { type Problem, problemOf } from './problem.ts'
import type { Store } from './read-store.ts'

/** What the hash chain of a journal says, recomputed from its batches. */
export interface ChainReport {
  /** The link behind the last batch; null when the journal keeps no chain. */
  readonly head: string | null
  /** Sequence of the segment in which it begins; what is before was removed, or had no chain. */
  readonly fromSegment: number | null
  /** Batches that it covers. */
  readonly batches: number
  /** Batches that were written after the pinned head; null when none was given or it was not met. */
  readonly batchesSincePinned: number | null
  readonly problems: readonly Problem[]
}

/** Recomputes the chain while the store is read. Make one for each reading. */
export class ChainReader {
  readonly #pinned: string | null
  #segment = 0
  #link: string | null = null
  #fromSegment: number | null = null
  #batches = 0
  #pinnedAt: number | null = null
  readonly #breaks: { readonly segment: number; readonly what: string }[] = []

  /** @param pinned a head that was kept elsewhere, 64 hex digits in lower case */
  constructor(pinned: string | null) {
    this.#pinned = pinned
  }

  readonly onBatch: OnSegmentBatch = (segment, _batch, bytes) => {
    if (segment !== null && segment.segmentSeq !== this.#segment)
      this.#enter(segment.segmentSeq, segment.link)
    if (this.#link === null) return
    this.#link = linkOver(this.#link, bytes)
    this.#batches += 1
    this.#compare()
  }

  report(store: Store): ChainReport {
    const last = store.journal.segments.findLast(({ header }) => header !== null)
    // A segment without a batch was entered by nobody yet.
    if (last?.header && last.seq !== this.#segment) this.#enter(last.seq, last.header.link)
    const problems = this.#breaks.map(({ segment, what }) =>
      this.#problem(store, pathOf(store, segment), what),
    )
    if (this.#pinned !== null && this.#pinnedAt === null) {
      const what =
        this.#fromSegment === null
          ? 'the journal keeps no chain, so that the pinned head cannot be found'
          : 'the pinned head is not in the chain: the journal was rewritten, or every batch up to that head is gone'
      problems.push(this.#problem(store, `${store.dir}/wal`, what))
    }
    return {
      head: this.#link,
      fromSegment: this.#fromSegment,
      batches: this.#batches,
      batchesSincePinned: this.#pinnedAt === null ? null : this.#batches - this.#pinnedAt,
      problems,
    }
  }

  /** The link in its header must be the one that the batches before give. */
  #enter(segment: number, link: string | null): void {
    this.#segment = segment
    if (link === null || link !== this.#link) {
      if (link !== null && link !== FIRST_LINK && this.#link !== null) {
        this.#breaks.push({ segment, what: 'the link in the header is not the one of the batches before' })
      }
      // A chain that was switched off, or begins here: what was before vouches for nothing behind it.
      this.#fromSegment = link === null ? null : segment
      this.#batches = 0
      this.#pinnedAt = null
    }
    this.#link = link
    this.#compare()
  }

  #compare(): void {
    if (this.#link !== null && this.#link === this.#pinned) this.#pinnedAt = this.#batches
  }

  #problem(store: Store, path: string, what: string): Problem {
    return problemOf(store, 'chain', { kind: 'damaged', path, offset: null, what })
  }
}

function pathOf({ dir, journal }: Store, seq: number): string {
  return journal.segments.find((segment: SurveyedSegment) => segment.seq === seq)?.path ?? `${dir}/wal`
}
