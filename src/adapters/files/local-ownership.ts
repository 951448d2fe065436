import type { Directory, Grant, Journal, Ownership, SnapshotStore } from '../../ports/store.ts'

/** The local files are one shard that nobody else can own: the folder's lock says so. */
export const LOCAL_GRANT: Grant = { shard: 0, epoch: 1 }

/** The lock is held before anything is opened, and a lost folder is seen by its watch. */
export const LOCAL_OWNERSHIP: Ownership = {
  acquire: async () => LOCAL_GRANT,
  held: () => LOCAL_GRANT,
  onLost: () => undefined,
  attach: () => undefined,
  used: () => undefined,
  release: () => undefined,
}

export function isLocalGrant({ shard, epoch }: Grant): boolean {
  return shard === LOCAL_GRANT.shard && epoch === LOCAL_GRANT.epoch
}

/** How far actors have come where every one is owned here: of those that nobody has asked for, too, all is known. */
export function turnsKnown(
  journal: Pick<Journal, 'headOf'>,
  snapshots: Pick<SnapshotStore, 'coveredSeqOf' | 'bytesOf'>,
): Directory['turnsOf'] {
  return async (actorKeys) =>
    actorKeys.map((key) => {
      const snapshotTurns = snapshots.coveredSeqOf(key)
      const turns = Math.max(journal.headOf(key), snapshotTurns)
      return { turns, snapshotTurns, snapshotBytes: snapshots.bytesOf(key) }
    })
}
