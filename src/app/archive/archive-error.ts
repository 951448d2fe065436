const DAMAGED = 'it is not what was written: take another copy of the archive, or export again'

/** An archive that cannot be imported: its file, the line, what is wrong with it and what to do. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
  readonly line: number

  constructor(path: string, line: number, what: string, action: string = DAMAGED) {
    super(`${path} line ${line}: ${what}; ${action}`)
    this.line = line
  }
}
