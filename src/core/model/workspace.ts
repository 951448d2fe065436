import type { Origin } from '../base/closed-sets.ts'
import { listAt } from '../base/collections.ts'
import type { Audience, Consumer } from './record.ts'
import { audienceKey, consumerKey, isSeenByAllWhoSee } from './visibility.ts'

/** Reports that an actor keeps; one more, and the oldest goes of the audience that has most. */
export const FILES_REPORTED_MAX = 20_000

/** What a file was found to be. */
export interface FileChange {
  /** Relative to the workspace, with slashes. */
  readonly path: string
  /** Names what the file held; null: it was gone. */
  readonly digest: string | null
}

/** Who tells whom, with which authority and in which run. */
interface Teller {
  /** Who may know. */
  readonly audience: Audience
  readonly reporter: Consumer
  readonly authority: Origin | 'operator'
  readonly runId: string | null
}

/** What one request says of files. */
export interface FilesReported extends Teller {
  readonly changes: readonly FileChange[]
}

/** The newest word of one reporter about one file, for one audience. */
export interface FileReport extends FileChange, Teller {
  /** Since when the file is so, as far as anybody said whom all of the audience see. */
  readonly sinceMs: number
  readonly sinceSeq: number
  /** Turn of the report. */
  readonly seq: number
}

export type FileReportRow = ReturnType<typeof rowOf>

/** What was said of files. Nothing in it is a fact about a memory: marks are read off when they are asked for. */
export class Workspace {
  /** By key of the audience; inside by file and reporter, the oldest report first. */
  readonly #audiences = new Map<string, Map<string, FileReport>>()
  readonly #byPath = new Map<string, FileReport[]>()
  #size = 0

  /** The reports that gave the rows. */
  static from(rows: readonly FileReportRow[]): Workspace {
    const workspace = new Workspace()
    for (const [path, digest, audience, reporter, authority, runId, sinceMs, sinceSeq, seq] of rows)
      workspace.#put({ path, digest, audience, reporter, authority, runId, sinceMs, sinceSeq, seq })
    return workspace
  }

  get size(): number {
    return this.#size
  }

  ofPath(path: string): readonly FileReport[] {
    return this.#byPath.get(path) ?? NO_REPORTS
  }

  /** False: it is what the same reporter told the same audience, and nobody has said anything since. */
  isNews({ path, digest }: FileChange, { audience, reporter, authority }: Omit<Teller, 'runId'>): boolean {
    const own = this.#audiences.get(audienceKey(audience))?.get(keyOf(path, reporter, authority))
    if (own === undefined || own.digest !== digest) return true
    return this.ofPath(path).some(({ seq }) => seq > own.seq)
  }

  add({ changes, audience, reporter, authority, runId }: FilesReported, atMs: number, seq: number): void {
    for (const { path, digest } of changes) {
      const known = this.#newestFor(path, audience)
      const isSame = known !== null && known.digest === digest
      const since = isSame ? known : { sinceMs: atMs, sinceSeq: seq }
      const { sinceMs, sinceSeq } = since
      this.#put({ path, digest, audience, reporter, authority, runId, sinceMs, sinceSeq, seq })
    }
  }

  rows(): readonly FileReportRow[] {
    return [...this.#audiences.values()].flatMap((reports) => Array.from(reports.values(), rowOf))
  }

  /** The newest report that everyone sees who sees the audience. */
  #newestFor(path: string, audience: Audience): FileReport | null {
    let newest: FileReport | null = null
    for (const report of this.ofPath(path)) {
      if (!isSeenByAllWhoSee(report.audience, audience)) continue
      if (newest === null || report.seq > newest.seq) newest = report
    }
    return newest
  }

  #put(report: FileReport): void {
    const audience = audienceKey(report.audience)
    const key = keyOf(report.path, report.reporter, report.authority)
    const reports = this.#audiences.get(audience) ?? new Map<string, FileReport>()
    this.#audiences.set(audience, reports)
    const before = reports.get(key)
    if (before !== undefined) this.#drop(reports, key, before)
    reports.set(key, report)
    listAt(this.#byPath, report.path).push(report)
    this.#size += 1
    if (this.#size > FILES_REPORTED_MAX) this.#dropOldest()
  }

  /** Who reports much makes room for it: what others know stays. */
  #dropOldest(): void {
    let most: Map<string, FileReport> | null = null
    for (const reports of this.#audiences.values())
      if (most === null || reports.size > most.size) most = reports
    for (const [key, report] of most ?? []) {
      if (most !== null) this.#drop(most, key, report)
      return
    }
  }

  #drop(reports: Map<string, FileReport>, key: string, report: FileReport): void {
    reports.delete(key)
    this.#size -= 1
    const rest = this.ofPath(report.path).filter((other) => other !== report)
    if (rest.length === 0) this.#byPath.delete(report.path)
    else this.#byPath.set(report.path, rest)
  }
}

const NO_REPORTS: readonly FileReport[] = []

function rowOf({ path, digest, audience, reporter, authority, runId, sinceMs, sinceSeq, seq }: FileReport) {
  return [path, digest, audience, reporter, authority, runId, sinceMs, sinceSeq, seq] as const
}

/** No path has a line break. */
function keyOf(path: string, reporter: Consumer, authority: Teller['authority']): string {
  return `${path}\n${authority}\n${consumerKey(reporter)}`
}
