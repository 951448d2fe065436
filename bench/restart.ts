// How long after a start is the first guide of a large scope answered: after a shutdown in order, which left a
// snapshot with the index behind it or without it, and after kill -9, which left the journal alone?
import { cp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { isMain } from './measure.ts'
import { figureOf, type Outcome } from './result.ts'
import { requestsOf } from './seeded-scope.ts'
import { askApart } from './suite/apart.ts'
import { type FirstGuide, firstGuide } from './suite/first-guide.ts'
import { withFolder } from './suite/folder.ts'
import { printOutcome } from './suite/text.ts'

export interface RestartOptions {
  readonly memories: number
  readonly rounds: number
}

/** The goal is that of a scope of this size. */
const GOAL_MEMORIES = 100_000
const GOAL = { bound: 'most', value: 2_000 } as const
const FULL: RestartOptions = { memories: GOAL_MEMORIES, rounds: 3 }
const QUICK: RestartOptions = { memories: 10_000, rounds: 1 }
const GUIDE = requestsOf(2).guide()

/** Seeds, then starts a service over fresh copies of the folders in turn. */
export function run(options: RestartOptions = FULL): Promise<Outcome> {
  return withFolder('restart', async (folder) => {
    const [empty, killed] = [join(folder, 'empty'), join(folder, 'killed')]
    const [stopped, bare] = [join(folder, 'stopped'), join(folder, 'bare')]
    await mkdir(empty)
    await askApart(import.meta.url, './restart/seed.js', [killed, options.memories])
    await cp(killed, stopped, { recursive: true })
    // The guide loads the scope, so that the shutdown has something to write.
    await firstGuide({ dataDir: stopped, flags: ['--shutdown-deadline-ms', '60000'] }, GUIDE, true)
    await cp(stopped, bare, { recursive: true })
    await rm(join(bare, 'idx'), { recursive: true })
    const subjects = [
      { name: 'empty', dataDir: empty, starts: Array<FirstGuide>() },
      { name: 'after shutdown', dataDir: stopped, starts: Array<FirstGuide>() },
      { name: 'without index file', dataDir: bare, starts: Array<FirstGuide>() },
      { name: 'after kill -9', dataDir: killed, starts: Array<FirstGuide>() },
    ] as const
    for (let round = 0; round < options.rounds; round += 1) {
      for (const { dataDir, starts } of subjects) starts.push(await onCopy(dataDir, join(folder, 'copy')))
    }
    const isJudged = options.memories >= GOAL_MEMORIES
    return {
      settings: { ...options },
      figures: subjects.flatMap(({ name, starts }) => [
        figureOf(
          `${name}, listening`,
          'ms',
          starts.map(({ listeningMs }) => listeningMs),
        ),
        figureOf(
          `${name}, first guide`,
          'ms',
          starts.map(({ ms }) => ms),
          { goal: isJudged && name !== 'empty' ? GOAL : undefined, isYardstick: name === 'empty' },
        ),
        figureOf(
          `${name}, processor time to it`,
          'ms',
          starts.map(({ processorMs }) => processorMs),
        ),
      ]),
      notes: [],
    }
  })
}

/** A start changes its folder: each gets a copy. */
async function onCopy(dataDir: string, copy: string): Promise<FirstGuide> {
  await cp(dataDir, copy, { recursive: true })
  try {
    return await firstGuide({ dataDir: copy }, GUIDE)
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

if (isMain(import.meta.url)) {
  printOutcome('restart', await run(process.argv.includes('--quick') ? QUICK : FULL))
}
