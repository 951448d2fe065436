import type { FileDamage } from '../files/damage.ts'
import type { ActorIndex, Segment } from './actor-index.ts'
import type { BatchHeader } from './batch-frame.ts'
import type { FileWindow } from './file-window.ts'
import type { ScanEnd } from './scan.ts'
import { createSegment } from './segment.ts'
import type { SegmentHeader } from './segment-header.ts'

/** A place in the journal that is not as it was written. */
export interface JournalDamage extends FileDamage {
  readonly segmentSeq: number
  /** Records that are gone there; null when nobody can tell. */
  readonly lostRecords: number | null
  /** Actors whose records were there, as what is left of them says: it may be wrong. */
  readonly actorKeys: readonly string[]
}

/** One segment file, with the places of every record in it that is whole. */
export interface SurveyedSegment {
  readonly seq: number
  readonly path: string
  readonly bytes: number
  /** Null: it was prepared and is not used, or its header is gone. */
  readonly header: SegmentHeader | null
  readonly batches: number
  readonly records: number
  /** Number of the first record and of the one behind the last; null without any batch. */
  readonly lsns: readonly [number, number] | null
  /** Ends with a seal, or with the segment behind it. */
  readonly isSealed: boolean
  /** What a torn write left behind the last whole batch; the next start cuts it off. */
  readonly tornBytes: number
  /** What the next segment must continue. */
  readonly end: ScanEnd | null
  readonly places: Segment
}

/** Every readable record of a journal and every place that is not, damaged or not. */
export interface JournalSurvey {
  readonly storeId: string | null
  /** Oldest first. */
  readonly segments: readonly SurveyedSegment[]
  readonly damages: readonly JournalDamage[]
  /** Where the whole records of each actor lie; there may be gaps. */
  readonly index: ActorIndex
  /** Drafts of a crash, which the next start removes. */
  readonly drafts: readonly string[]
}

/** Told of every whole batch in order: for a reader that sums up the journal. */
export type OnSegmentBatch = (segment: SegmentHeader | null, header: BatchHeader, bytes: Uint8Array) => void

export interface SurveyOptions {
  readonly onBatch?: OnSegmentBatch
  /** Told of each file before it is read. */
  readonly onFile?: (path: string) => void
}

/** A segment of which nothing is known yet but its file. */
export function emptySegment(seq: number, window: FileWindow, header: SegmentHeader | null): SurveyedSegment {
  const places = createSegment('', seq, 0)
  return {
    seq,
    path: window.path,
    bytes: window.size,
    header,
    batches: 0,
    records: 0,
    lsns: null,
    isSealed: false,
    tornBytes: 0,
    end: null,
    places,
  }
}
