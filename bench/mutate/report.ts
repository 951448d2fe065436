import { ACCEPTED } from './accepted.ts'
import type { GroupResult } from './group-run.ts'
import type { Mutant } from './switch-text.ts'

export interface Survivor {
  readonly mutant: Mutant
  /** False: no test runs the place at all. */
  readonly isReached: boolean
  /** Why it is no gap; null: it is one. */
  readonly accepted: string | null
}

export interface FileReport {
  readonly group: string
  readonly file: string
  readonly mutants: number
  readonly killed: number
  readonly accepted: number
  /** Killed of those that could be killed, in percent. */
  readonly score: number
  readonly survivors: readonly Survivor[]
}

/** What became of the mutants of a group, file by file. */
export function fileReports(
  group: string,
  mutants: readonly Mutant[],
  result: GroupResult,
): readonly FileReport[] {
  return groupedBy(mutants, ({ file }) => file).map(([file, own]) => {
    const survivors = own
      .filter(({ id }) => !result.killedBy.has(id))
      .map((mutant) => ({ mutant, isReached: result.reached.has(mutant.id), accepted: reasonOf(mutant) }))
    const accepted = survivors.filter((survivor) => survivor.accepted !== null).length
    const killed = own.length - survivors.length
    return {
      group,
      file,
      mutants: own.length,
      killed,
      accepted,
      score: percent(killed, own.length - accepted),
      survivors,
    }
  })
}

/** The lowest score of a group, in percent. */
export function lowestScore(reports: readonly FileReport[]): number {
  return Math.min(100, ...groupedBy(reports, ({ group }) => group).map(([, files]) => sum(files).score))
}

/** The report as a table and a list of survivors. */
export function printed(reports: readonly FileReport[]): string {
  const groups = groupedBy(reports, ({ group }) => group)
  const rows = groups.flatMap(([group, files]) => [
    ...files.map((report) => row(report.file, report)),
    row(`= ${group}`, sum(files)),
  ])
  const lines = reports.flatMap(({ survivors }) => survivors.map(survivorLine))
  const head = 'file                                          mutants  killed  survived  accepted   score'
  return `${[head, ...rows, row('= all', sum(reports)), ...lines].join('\n')}\n`
}

type Counts = Pick<FileReport, 'mutants' | 'killed' | 'accepted' | 'score'>

function sum(reports: readonly FileReport[]): Counts {
  const of = (key: 'mutants' | 'killed' | 'accepted'): number =>
    reports.reduce((total, report) => total + report[key], 0)
  const [mutants, killed, accepted] = [of('mutants'), of('killed'), of('accepted')]
  return { mutants, killed, accepted, score: percent(killed, mutants - accepted) }
}

function row(name: string, { mutants, killed, accepted, score }: Counts): string {
  const numbers = [
    String(mutants).padStart(7),
    String(killed).padStart(8),
    String(mutants - killed).padStart(10),
    String(accepted).padStart(10),
    `${score.toFixed(1)} %`.padStart(8),
  ]
  return name.padEnd(46) + numbers.join('')
}

function survivorLine({ mutant, isReached, accepted }: Survivor): string {
  const note = accepted === null ? (isReached ? '' : ' (not reached)') : ` (accepted: ${accepted})`
  return `${mutant.file}:${mutant.line} ${mutant.kind}: ${mutant.original} -> ${mutant.mutated}${note}`
}

function groupedBy<T>(
  list: readonly T[],
  keyOf: (item: T) => string,
): readonly (readonly [string, readonly T[]])[] {
  const keys = [...new Set(list.map(keyOf))]
  return keys.map((key) => [key, list.filter((item) => keyOf(item) === key)])
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 100 : (100 * part) / whole
}

function reasonOf(mutant: Mutant): string | null {
  const isOf = (entry: (typeof ACCEPTED)[number]): boolean =>
    entry.file === mutant.file && entry.original === mutant.original && entry.mutated === mutant.mutated
  return ACCEPTED.find(isOf)?.reason ?? null
}
