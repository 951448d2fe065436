import type { Grant, Ownership } from '../../ports/ownership.ts'

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
