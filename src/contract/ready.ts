import { z } from 'zod'
import { described, namesOf } from './envelope.ts'

/** Why a write sent now would be refused or would not be answered, and what it means. */
export const NOT_READY = {
  shutting_down: 'The service is closing.',
  folder_lost: 'The data folder is not where the service opened it.',
  journal_failed:
    'A write or a flush of the journal failed: nothing is written until the service is restarted.',
  disk_full: 'The disk was full. The service opens the store anew when there is room.',
  low_space: 'So little disk space is free that only forget and erase may write.',
  flush_stalled: 'The disk has not finished a write or a flush of the journal for seconds.',
  lease_lost: 'This node of a shared store has no valid lease: other nodes may serve what it had.',
  snapshots_failing: 'The last snapshots all failed: the journal can only grow.',
} as const

export type NotReadyReason = keyof typeof NOT_READY

export const NOT_READY_REASONS = namesOf(NOT_READY)

export const ReadyResponse = described('Whether writes are taken. Never waits for the disk.', {
  ready: z
    .boolean()
    .meta({ description: 'True when a write sent now would be taken. Otherwise the status is 503.' }),
  reasons: z.array(z.enum(NOT_READY_REASONS)).meta({ description: 'Why not; empty when ready.' }),
})
