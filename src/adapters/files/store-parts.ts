import type {
  Directory,
  Grant,
  Journal,
  JournalFailure,
  JournalFailureKind,
  Ownership,
  SnapshotStore,
} from '../../ports/store.ts'

export class StoreFailure extends Error implements JournalFailure {
  readonly journalFailure: JournalFailureKind
  readonly owner: string | null
  readonly shard: number | null

  constructor(
    kind: JournalFailureKind,
    message: string,
    more: { readonly owner?: string | null; readonly shard?: number; readonly cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.journalFailure = kind
    this.owner = more.owner ?? null
    this.shard = more.shard ?? null
  }
}

/** A call that ends so. */
export function refuse(kind: JournalFailureKind, message: string): Promise<never> {
  return Promise.reject(new StoreFailure(kind, message))
}

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

/** The port with some of its methods replaced. The others are bound: a class keeps its fields private to itself. */
export function over<Port extends object>(port: Port, methods: Partial<Port>): Port {
  const whole = Object.create(null)
  for (let level = port; level !== Object.prototype && level !== null; level = Object.getPrototypeOf(level)) {
    for (const name of Object.getOwnPropertyNames(level)) {
      const value: unknown = Reflect.get(port, name)
      if (!(name in whole)) whole[name] = typeof value === 'function' ? value.bind(port) : value
    }
  }
  return Object.assign(whole, methods)
}
