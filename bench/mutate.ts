// Mutation tests of the rule files: each is changed in one place at a time, and a test has to notice.
// `node dist/bench/mutate.js [GROUP...]` prints a score for each group and the mutants that no test noticed.
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import { tableText } from './measure.ts'
import { ACCEPTED } from './mutate/accepted.ts'
import { GROUPS, type Group } from './mutate/groups.ts'

type Mutant = Awaited<ReturnType<Stryker['runMutationTest']>>[number]

/** Percent; a group below makes the exit code 1. */
const SCORE_MIN = 90
/** The factor on the number of cases that a property tries. */
const RUNS = '0.25'
/** What the tests of the rules need: the sandbox of a run holds nothing else. */
const NOT_IN_SANDBOX = ['dist', 'docs', 'bench', 'snapshots']

interface Score {
  readonly group: string
  readonly killed: number
  readonly survivors: readonly Mutant[]
  /** Survivors of the list that gives the reasons. */
  readonly accepted: number
}

async function mutated({ name, sources, tests }: Group, concurrency: number): Promise<Score> {
  process.env['MUTATE_TESTS'] = tests.join(' ')
  process.env['TEST_RUNS'] = RUNS
  const stryker = new Stryker({
    mutate: [...sources],
    // A pattern's own text says little about what it is to find; the examples of the tests tell that.
    mutator: { plugins: null, excludedMutations: ['Regex'] },
    plugins: ['@stryker-mutator/vitest-runner', './dist/bench/mutate/read-by-people.js'],
    ignorers: ['read-by-people'],
    testRunner: 'vitest',
    vitest: { configFile: 'vitest.mutate.config.ts', related: false },
    coverageAnalysis: 'perTest',
    concurrency,
    reporters: ['progress-append-only'],
    ignorePatterns: NOT_IN_SANDBOX,
    // Inside the checkout, so that the sandbox finds its packages.
    tempDirName: 'dist/mutate-sandbox',
  })
  return scoreOf(name, await stryker.runMutationTest())
}

function scoreOf(group: string, mutants: readonly Mutant[]): Score {
  const having = (...statuses: readonly string[]) => mutants.filter(({ status }) => statuses.includes(status))
  const survivors = having('Survived', 'NoCoverage')
  const accepted = survivors.filter(isAccepted)
  return {
    group,
    killed: having('Killed', 'Timeout').length,
    survivors: survivors.filter((mutant) => !accepted.includes(mutant)),
    accepted: accepted.length,
  }
}

function isAccepted({ fileName, location, mutatorName }: Mutant): boolean {
  const text = readFileSync(fileName, 'utf8').split('\n')[location.start.line - 1] ?? ''
  return ACCEPTED.some(
    ({ file, line, mutators }) =>
      fileName.endsWith(`src/core/${file}`) && text.includes(line) && mutators.includes(mutatorName),
  )
}

function percentOf({ killed, survivors }: Score): number {
  return (100 * killed) / (killed + survivors.length)
}

function text(scores: readonly Score[]): string {
  const rows = scores.map((score) => [
    score.group,
    String(score.killed),
    String(score.survivors.length),
    String(score.accepted),
    `${percentOf(score).toFixed(1)} %`,
  ])
  return tableText([['group', 'killed', 'survived', 'accepted', 'score'], ...rows])
}

function survivorText({ fileName, location, mutatorName, replacement }: Mutant): string {
  return `${fileName}:${location.start.line} ${mutatorName}: ${(replacement ?? '').slice(0, 80)}`
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { concurrency: { type: 'string', default: '2' } },
})
const unknown = positionals.find((name) => !GROUPS.some((group) => group.name === name))
if (unknown !== undefined)
  throw new Error(`there is no group ${unknown}: ${GROUPS.map(({ name }) => name).join(', ')}`)
const asked = GROUPS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
const scores: Score[] = []
for (const group of asked) scores.push(await mutated(group, Number(values.concurrency)))
for (const { survivors } of scores) {
  for (const mutant of survivors) process.stdout.write(`${survivorText(mutant)}\n`)
}
process.stdout.write(`${text(scores)}\n`)
if (scores.some((score) => percentOf(score) < SCORE_MIN)) process.exitCode = 1
