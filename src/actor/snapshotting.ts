import { digestSteps, imageOf } from '../domain/memory/state-image.ts'
import type { Grant, Journal } from '../ports/journal.ts'
import type { Log } from '../ports/log.ts'
import type { ExposureLedger, SnapshotStore } from '../ports/snapshots.ts'
import type { Actor } from './actor.ts'
import { breathe } from './breathe.ts'

/** Rows digested between two yields to the event loop: well under a millisecond. */
const DIGEST_STEP_ROWS = 200

export interface SnapshotParts {
  readonly journal: Journal
  readonly snapshots: SnapshotStore
  readonly ledger: ExposureLedger
  readonly grant: Grant
  readonly log: Log
  /** An actor is not snapshot before it has this many journal bytes above its last snapshot. */
  readonly snapshotBytesMin: number
}

/** True when the actor's journal has outgrown its snapshot: bounded write amplification. */
export function isSnapshotDue(parts: SnapshotParts, actor: Actor): boolean {
  const uncovered = parts.journal.uncoveredBytesOf(actor.key)
  return uncovered > Math.max(parts.snapshotBytesMin, 2 * parts.snapshots.bytesOf(actor.key))
}

/** True when everything the actor knows is in a durable snapshot. */
export function isCovered(parts: SnapshotParts, actor: Actor): boolean {
  return parts.snapshots.coveredSeqOf(actor.key) >= actor.state.seq
}

/**
 * Makes one durable snapshot of the actor as it stands now. The order matters: the turns in the image are durable
 * before it is written, the exposure sets that leave memory are in the ledger before the snapshot, and the journal
 * hears of the snapshot last.
 */
export async function snapshotActor(parts: SnapshotParts, actor: Actor): Promise<void> {
  const image = imageOf(actor.state)
  const exposures = [...actor.state.exposures.values()].filter((record) => record.seq <= image.seq)
  await actor.settled()
  const stateHash = await digested(image)
  const fromSeq = (exposures[0]?.seq ?? image.seq) - 1
  if (exposures.length > 0) await parts.ledger.append(actor.key, fromSeq, image.seq, exposures)
  const { bytes } = await parts.snapshots.put(parts.grant, actor.key, { ...image, stateHash })
  parts.journal.covered(parts.grant, actor.key, image.seq)
  for (const record of exposures) actor.state.exposures.delete(record.guideTraceId)
  parts.log.debug({ actor: actor.key, seq: image.seq, bytes }, 'snapshot is durable')
}

/** The digest of an image, yielding between steps. */
export async function digested(image: Parameters<typeof digestSteps>[0]): Promise<string> {
  const steps = digestSteps(image, DIGEST_STEP_ROWS)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await breathe()
  }
}
