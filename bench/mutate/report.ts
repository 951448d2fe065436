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
  /** How many there are; only `mutants` of them were tried. */
  readonly all: number
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
  countOf: ReadonlyMap<string, number>,
  result: GroupResult,
): readonly FileReport[] {
  return groupedBy(mutants, ({ file }) => file).map(([file, own]) => {
    const survivors = own
      .filter(({ id }) => !result.killedBy.has(id))
      .map((mutant) => ({
        mutant,
        isReached: result.reached.has(mutant.id),
        accepted: acceptedFor(mutant, result.taken),
      }))
    const accepted = survivors.filter((survivor) => survivor.accepted !== null).length
    const killed = own.length - survivors.length
    return {
      group,
      file,
      all: countOf.get(file) ?? own.length,
      mutants: own.length,
      killed,
      accepted,
      score: percent(killed, own.length - accepted),
      survivors,
    }
  })
}

/** The lowest score of a file, in percent. */
export function lowestScore(reports: readonly FileReport[]): number {
  return Math.min(100, ...reports.map(({ score }) => score))
}

/** The report as a table and a list of survivors. */
export function printed(reports: readonly FileReport[]): string {
  const groups = groupedBy(reports, ({ group }) => group)
  const rows = groups.flatMap(([group, files]) => [
    ...files.map((report) => row(report.file, report)),
    row(`= ${group}`, sum(files)),
  ])
  const lines = reports.flatMap(({ survivors }) => survivors.map(survivorLine))
  const head = 'file                                              all  tried  killed  accepted    score'
  return `${[head, ...rows, row('= all', sum(reports)), ...lines].join('\n')}\n`
}

type Counts = Pick<FileReport, 'all' | 'mutants' | 'killed' | 'accepted' | 'score'>

function sum(reports: readonly FileReport[]): Counts {
  const of = (key: 'all' | 'mutants' | 'killed' | 'accepted'): number =>
    reports.reduce((total, report) => total + report[key], 0)
  const [mutants, killed, accepted] = [of('mutants'), of('killed'), of('accepted')]
  return { all: of('all'), mutants, killed, accepted, score: percent(killed, mutants - accepted) }
}

function row(name: string, { all, mutants, killed, accepted, score }: Counts): string {
  const numbers = [
    String(all).padStart(7),
    String(mutants).padStart(7),
    String(killed).padStart(8),
    String(accepted).padStart(10),
    `${score.toFixed(1)} %`.padStart(9),
  ]
  return name.padEnd(46) + numbers.join('')
}

function survivorLine({ mutant, isReached, accepted }: Survivor): string {
  const gap = isReached ? ' (a gap: no test tells it from the original)' : ' (a gap: no test comes there)'
  const note = accepted === null ? gap : ` (accepted: ${accepted})`
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

/** Why a mutant is no gap when it survives; null: it is one. */
export function acceptedFor(mutant: Mutant, taken: ReadonlySet<string>): string | null {
  const { file, original, mutated, context, probe } = mutant
  if (probe !== null && !taken.has(probe)) return 'no test leaves the bounds of this index'
  const isOf = (entry: (typeof ACCEPTED)[number]): boolean =>
    entry.file === file &&
    context.includes(entry.line) &&
    entry.changes.some(([from, to]) => from === original && to === mutated)
  return ACCEPTED.find(isOf)?.reason ?? null
}
