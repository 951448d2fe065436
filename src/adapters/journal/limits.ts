const KIB = 1024
const MIB = 1024 * KIB

/** Largest record as framed (header, actor key, payload). Enforced on write, so that no reader ever meets more. */
export const MAX_RECORD_BYTES = 8 * MIB
/** A batch holds at most this many bytes of records, or one larger record. */
export const MAX_BATCH_BYTES = 4 * MIB
export const MAX_BATCH_RECORDS = 4096
/** Bytes waiting for the disk, those in flight included. */
export const MAX_QUEUE_BYTES = 32 * MIB

export const FIRST_SEGMENT_BYTES = MIB
export const DEFAULT_SEGMENT_BYTES = 64 * MIB
export const MIN_SEGMENT_BYTES = 64 * KIB
/** Offsets in a segment stay small integers. */
export const MAX_SEGMENT_BYTES = 512 * MIB
/** Zeros are written ahead in pieces of this size. */
export const ZERO_PIECE_BYTES = MIB

/** Batches start at multiples of this at least: the sector a disk writes as a whole. */
export const SECTOR_BYTES = 512
export const DEFAULT_PAD_TO = 4096
export const MAX_PAD_TO = 65_536

/** Over this many segments the actors that pin the oldest one are named as laggards. */
export const DEFAULT_MAX_SEGMENTS = 8
export const DEFAULT_SEAL_IDLE_MS = 100
export const DEFAULT_INTERVAL_MS = 100
