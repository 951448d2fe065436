import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { Random } from './fuzz/random.ts'
import { runFresh } from './mutate/fresh-run.ts'
import { type GroupResult, type GroupTask, runGroup } from './mutate/group-run.ts'
import { GROUPS, type Group } from './mutate/groups.ts'
import { acceptedFor, type FileReport, fileReports, lowestScore, printed } from './mutate/report.ts'
import { type Mutant, switchedText } from './mutate/switch-text.ts'

// Mutation tests of the rule files: each is changed in one place at a time, and a test has to notice.
// `node dist/bench/mutate.js --files 'src/domain/governance/*.ts' --sample 100 --min 90 --json FILE`

const WORKERS = 2
const SILENCE_MS = 300_000

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '**' },
    /** At most so many mutants of each file. */
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    /** The factor on the number of runs of properties. */
    runs: { type: 'string', default: '0.25' },
    json: { type: 'string' },
    /** A lower score of any file, in percent, makes the exit code 1. */
    min: { type: 'string', default: '0' },
  },
})

interface Task {
  readonly group: Group
  readonly files: readonly string[]
  readonly mutants: readonly Mutant[]
  /** How many mutants a file has. */
  readonly countOf: ReadonlyMap<string, number>
}

function tasks(): readonly Task[] {
  const pattern = patternOf(values.files)
  return GROUPS.flatMap((group) => {
    const files = group.sources.flatMap(filesOf).filter((file) => pattern.test(file))
    const max = values.sample === undefined ? (group.sampleMax ?? Infinity) : Number(values.sample)
    const all = files.map((file) => switchedText(file, readFileSync(file, 'utf8')).mutants)
    const mutants = all.flatMap((own) => drawn(own, max, Number(values.seed)))
    const countOf = new Map(files.map((file, at) => [file, all[at]?.length ?? 0]))
    return mutants.length === 0 ? [] : [{ group, files, mutants, countOf }]
  })
}

/** `*` stays within a folder, `**` does not. */
function patternOf(glob: string): RegExp {
  const parts = glob.split(/(\*\*|\*)/).map((part) => {
    if (part === '**') return '.*'
    return part === '*' ? '[^/]*' : part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${parts.join('')}$`)
}

function filesOf(source: string): readonly string[] {
  if (!source.endsWith('/')) return [source]
  return readdirSync(source)
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => source + name)
}

/** So many of a list, by seed, in the order of the list. */
function drawn(all: readonly Mutant[], max: number, seed: number): readonly Mutant[] {
  const random = new Random(seed)
  const ranked = all.map((mutant) => ({ mutant, rank: random.unit() })).sort((a, b) => a.rank - b.rank)
  const kept = new Set(ranked.slice(0, max).map(({ mutant }) => mutant))
  return all.filter((mutant) => kept.has(mutant))
}

async function runAll(open: Task[], onDone: (task: Task, result: GroupResult) => void): Promise<void> {
  for (let task = open.shift(); task !== undefined; task = open.shift()) onDone(task, await runTask(task))
}

/**
 * Behind switches, as far as that tells: what a module computes once and keeps, and what no test reaches after loading,
 * is tried in fresh processes.
 */
async function runTask({ group, files, mutants }: Task): Promise<GroupResult> {
  const tests = group.tests.filter((path) => existsSync(path))
  const taskOf = (some: readonly Mutant[]): GroupTask => {
    return { files, tests, mutants: some, runs: Number(values.runs), silenceMs: SILENCE_MS }
  }
  const result = await runGroup(taskOf(mutants.filter(({ file }) => !group.keeps.includes(file))))
  const left = mutants.filter(({ id, file }) => {
    if (result.killedBy.has(id)) return false
    return !result.reached.has(id) || group.keeps.includes(file) || group.tables.includes(file)
  })
  const fresh = await runFresh(taskOf(left.filter((mutant) => acceptedFor(mutant, result.taken) === null)))
  return {
    ...result,
    killedBy: new Map([...result.killedBy, ...[...fresh].map((id) => [id, 'fresh'] as const)]),
  }
}

const open = [...tasks()]
const total = open.length
const reports: FileReport[] = []
let done = 0
const show = process.stderr.isTTY
if (show) process.stderr.write(`mutate: ${total} groups`)
const onDone = (task: Task, result: GroupResult): void => {
  done += 1
  if (show) process.stderr.write(`\rmutate: ${done}/${total} groups, ${task.group.name} done      `)
  for (const name of result.unrepeatable) process.stderr.write(`\nmutate: cannot be repeated: ${name}\n`)
  reports.push(...fileReports(task.group.name, task.mutants, task.countOf, result))
}
await Promise.all(Array.from({ length: WORKERS }, async () => runAll(open, onDone)))
if (show) process.stderr.write('\n')
process.stdout.write(printed(reports))
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(reports, null, 2)}\n`)
process.exitCode = lowestScore(reports) < Number(values.min) ? 1 : 0
