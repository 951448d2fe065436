import type { JournalFailure, JournalFailureKind } from '../../ports/store.ts'

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
