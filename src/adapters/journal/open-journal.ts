import type { Files } from '../../ports/files.ts'
import type { Durability } from '../../ports/journal.ts'
import type { Log } from '../../ports/log.ts'
import { type FolderWatch, UNWATCHED } from '../files/folder-watch.ts'
import { nodeFiles } from '../files/node-files.ts'
import { type Schedule, systemSchedule } from '../files/schedule.ts'
import { ActorIndex } from './actor-index.ts'
import { type Chain, CommitLane, type LaneOptions } from './commit-lane.ts'
import { FileJournal, type OpenJournal } from './file-journal.ts'
import { FIRST_LINK } from './hash-chain.ts'
import type { JournalIo } from './journal-io.ts'
import { openLayout } from './layout.ts'
import * as limits from './limits.ts'
import { type OnFound, recover, trimTails } from './recovery.ts'
import { type BeforeUnlink, Retention } from './retention.ts'
import { randomSalt } from './salt.ts'
import { createSegment } from './segment.ts'
import { FORMAT_VERSION, SEGMENT_HEADER_BYTES } from './segment-header.ts'
import { prepareSegment, SegmentSupply } from './segment-supply.ts'
import { createWorkerIo } from './worker-io.ts'

export interface JournalOptions {
  /** The data folder; created when missing. Hold its lock (`acquireLock`) first. */
  readonly dir: string
  readonly log: Log
  /** Default: the file system of this machine. */
  readonly files?: Files
  /** Default: a thread of its own. Closed with the journal. */
  readonly io?: JournalIo
  /** Default `sync`. */
  readonly durability?: Durability
  /** Time between flushes with durability `interval`, default 100. */
  readonly intervalMs?: number
  /** 64 KiB to 512 MiB, default 64 MiB. The first segment of a start has 1 MiB at most. */
  readonly segmentBytes?: number
  /** Batches fill multiples of this: a power of two, 512 to 65536, default 4096. */
  readonly padTo?: number
  /** Over so many segments actors that pin the oldest are laggards; default 8. */
  readonly maxSegments?: number
  /** Keep a hash chain over the batches, see hash-chain.ts. Default false. */
  readonly isChained?: boolean
  /** A seal is written after this time without appends, default 100. */
  readonly sealIdleMs?: number
  /** Default: a timer that does not keep the process alive. */
  readonly schedule?: Schedule
  /** Wall clock for the creation time in segment headers and the pause after a failed `beforeUnlink`. */
  readonly nowMs?: () => number
  /** Keeps what is in a segment elsewhere before the segment is removed. While it rejects, the segment stays. */
  readonly beforeUnlink?: BeforeUnlink
  /** Default: nobody else can reach the folder. */
  readonly watch?: FolderWatch
  /** Told where the journal ends before anything is changed: it may refuse by throwing. */
  readonly onFound?: OnFound
}

/**
 * Recovers the journal of a data folder and starts a fresh segment. After it, call `covered` for every actor that
 * has a snapshot (the older one first, where two are kept): sequences continue from there, and old segments may go.
 * Rejects with JournalCorruptError (names file, offset and reason), JournalVersionError, or the error of a read
 * or write that failed.
 */
export async function openJournal(options: JournalOptions): Promise<OpenJournal> {
  const { dir, log, files = nodeFiles, segmentBytes = limits.DEFAULT_SEGMENT_BYTES } = options
  const padTo = options.padTo ?? limits.DEFAULT_PAD_TO
  checkOptions(segmentBytes, padTo)
  const layout = await openLayout(files, dir)
  const index = new ActorIndex()
  const onFound = options.onFound ?? null
  const recovered = await recover(files, layout, index, { log, onFound })
  const { segments, chain: found, freshSeq, tails } = recovered
  const chain: Chain = { ...found, link: options.isChained === true ? (found.link ?? FIRST_LINK) : null }
  const { storeId, walFolder: folder } = layout
  const salt = randomSalt()
  const nowMs = options.nowMs ?? Date.now
  const firstBytes = Math.min(limits.FIRST_SEGMENT_BYTES, segmentBytes)
  const prepared = await prepareSegment(files, folder, freshSeq, firstBytes, {
    version: FORMAT_VERSION,
    storeId,
    segmentSeq: freshSeq,
    firstLsn: chain.nextLsn,
    salt,
    prevTailCrc: chain.prevBatchCrc,
    createdAtMs: nowMs(),
    firstBatchSeq: chain.batchSeq,
    bytes: firstBytes,
    link: chain.link,
  })
  try {
    await trimTails(files, tails)
  } catch (error) {
    await files.close(prepared.fd)
    throw error
  }
  const segment = createSegment(folder, freshSeq, SEGMENT_HEADER_BYTES)
  const retention = new Retention({
    files,
    folder,
    index,
    log,
    nowMs,
    segments: [...segments, segment],
    beforeUnlink: options.beforeUnlink ?? null,
  })
  const laneOptions: LaneOptions = {
    files,
    io: options.io ?? createWorkerIo(),
    supply: new SegmentSupply(files, folder, segmentBytes, log),
    log,
    folder,
    storeId,
    durability: options.durability ?? 'sync',
    intervalMs: options.intervalMs ?? limits.DEFAULT_INTERVAL_MS,
    sealIdleMs: options.sealIdleMs ?? limits.DEFAULT_SEAL_IDLE_MS,
    padTo,
    growthBytes: segmentBytes,
    schedule: options.schedule ?? systemSchedule,
    nowMs,
    onRotated: (next) => retention.add(next),
    watch: options.watch ?? UNWATCHED,
  }
  const head = { segment, fd: prepared.fd, bytes: prepared.bytes, salt, end: SEGMENT_HEADER_BYTES }
  const lane = new CommitLane(laneOptions, head, chain)
  const maxSegments = options.maxSegments ?? limits.DEFAULT_MAX_SEGMENTS
  return new FileJournal(laneOptions, index, retention, lane, maxSegments)
}

function checkOptions(segmentBytes: number, padTo: number): void {
  if (!(segmentBytes >= limits.MIN_SEGMENT_BYTES && segmentBytes <= limits.MAX_SEGMENT_BYTES)) {
    throw new RangeError(
      `segmentBytes must be from ${limits.MIN_SEGMENT_BYTES} to ${limits.MAX_SEGMENT_BYTES}`,
    )
  }
  const isPower = Number.isInteger(Math.log2(padTo))
  if (!isPower || padTo < limits.SECTOR_BYTES || padTo > limits.MAX_PAD_TO) {
    throw new RangeError(`padTo must be a power of two from ${limits.SECTOR_BYTES} to ${limits.MAX_PAD_TO}`)
  }
}
