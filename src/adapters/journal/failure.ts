/** The bytes on disk contradict each other. Nothing was changed; an operator must look. */
export class JournalCorruptError extends Error {
  override readonly name = 'JournalCorruptError'
  readonly file: string
  readonly offset: number
  readonly reason: string

  constructor(file: string, offset: number, reason: string) {
    super(`journal is damaged: ${file} at byte ${offset}: ${reason}`)
    this.file = file
    this.offset = offset
    this.reason = reason
  }
}

/** Records that a reader needs are no longer, or not, in the journal. */
export class JournalGapError extends Error {
  override readonly name = 'JournalGapError'

  constructor(actorKey: string, wantedSeq: number, foundSeq: number | null) {
    const found = foundSeq === null ? 'nothing follows' : `the next one is ${foundSeq}`
    super(`journal has no record ${wantedSeq} of ${actorKey}: ${found}`)
  }
}
