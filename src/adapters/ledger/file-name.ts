// <actorKeyHash>.<fromSeq>-<toSeq>.<oldestMs>-<newestMs>.<bytes>.led
//
// The name carries what find, merge and retention ask of every file, so that a start lists folders and opens none.
const NAME = /^([0-9a-f]{32})\.(\d{1,16})-(\d{1,16})\.(\d{1,16})-(\d{1,16})\.(\d{1,16})\.led$/

/** One file of one actor: exposures of actor sequences in (fromSeq, toSeq]. */
export interface LedgerFile {
  readonly name: string
  readonly actorKeyHash: string
  readonly fromSeq: number
  readonly toSeq: number
  /** Times of the oldest and newest guide in the file. */
  readonly oldestMs: number
  readonly newestMs: number
  readonly bytes: number
}

/** Name of a file that is being written. */
export function draftNameOf(actorKeyHash: string, fromSeq: number, toSeq: number): string {
  return `${actorKeyHash}.${fromSeq}-${toSeq}.led`
}

export function ledgerFile(facts: Omit<LedgerFile, 'name'>): LedgerFile {
  const { actorKeyHash, fromSeq, toSeq, oldestMs, newestMs, bytes } = facts
  return { ...facts, name: `${actorKeyHash}.${fromSeq}-${toSeq}.${oldestMs}-${newestMs}.${bytes}.led` }
}

/** Null for a name that no ledger file has. */
export function parseLedgerName(name: string): LedgerFile | null {
  const [, actorKeyHash, fromSeq, toSeq, oldestMs, newestMs, bytes] = NAME.exec(name) ?? []
  if (actorKeyHash === undefined) return null
  return {
    name,
    actorKeyHash,
    fromSeq: Number(fromSeq),
    toSeq: Number(toSeq),
    oldestMs: Number(oldestMs),
    newestMs: Number(newestMs),
    bytes: Number(bytes),
  }
}
