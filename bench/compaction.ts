// How long does a snapshot from disk take, which lets the journal go: the worker replays what no snapshot covers and
// writes the state down? By the number of turns, from nothing and over an older snapshot; and does the thread that
// serves stay free meanwhile?
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createComputePool } from '../src/adapters/compute/pool.ts'
import { nodeFiles } from '../src/adapters/files/node-files.ts'
import { openJournal } from '../src/adapters/journal/file-journal.ts'
import { openSnapshotStore } from '../src/adapters/snapshot/store.ts'
import { systemClock } from '../src/adapters/system/clock.ts'
import { pinoLog } from '../src/adapters/system/log.ts'
import { poolCompaction } from '../src/app/compaction.ts'
import { actorKeyOf } from '../src/core/base/ids.ts'
import { isMain } from './measure.ts'
import { seedAndKill } from './restart/seed-process.ts'
import { type Figure, figureOf, type Outcome } from './result.ts'
import { SCOPE } from './seeded-scope.ts'
import { printOutcome } from './suite/print-outcome.ts'
import { type Vitals, watchVitals } from './suite/vitals.ts'

export interface CompactionOptions {
  readonly turns: readonly number[]
  readonly rounds: number
}

const FULL: CompactionOptions = { turns: [1_000, 10_000, 100_000], rounds: 3 }
const QUICK: CompactionOptions = { turns: [500, 2_000], rounds: 1 }

const GRANT = { shard: 0, epoch: 1 }
const KEY = actorKeyOf('default', SCOPE)

interface Compacted {
  /** Of the first half of the turns, then of the other half over that. */
  readonly ms: readonly [number, number]
  readonly bytes: readonly [number, number]
  readonly vitals: readonly [Vitals, Vitals]
}

export async function run(options: CompactionOptions = FULL): Promise<Outcome> {
  const figures: Figure[] = []
  const points: { readonly name: string; readonly own: [number, number][] }[] = [
    { name: 'from nothing', own: [] },
    { name: 'over a snapshot of the other half', own: [] },
  ]
  for (const turns of options.turns) {
    const rounds: Compacted[] = []
    for (let round = 0; round < options.rounds; round += 1) rounds.push(await compactedOnce(turns))
    for (const [half, { name, own }] of points.entries()) {
      const of = (valueOf: (each: Compacted) => number | undefined) =>
        rounds.map((each) => valueOf(each) ?? Number.NaN)
      const at = `${turns / 2} turns ${name}`
      const ms = figureOf(
        `took, ${at}`,
        'ms',
        of((each) => each.ms[half]),
      )
      own.push([turns / 2, ms.median])
      figures.push(
        ms,
        figureOf(
          `snapshot, ${at}`,
          'bytes',
          of((each) => each.bytes[half]),
        ),
        figureOf(
          `processor time, ${at}`,
          'ms',
          of((each) => each.vitals[half]?.cpuMs),
        ),
        figureOf(
          `serving thread late, greatest, ${at}`,
          'ms',
          of((each) => each.vitals[half]?.delayMaxMs),
        ),
        figureOf(
          `collector pause of the serving thread, greatest, ${at}`,
          'ms',
          of((each) => each.vitals[half]?.gcMaxMs),
        ),
      )
    }
  }
  return {
    settings: { turns: options.turns.join(' '), rounds: options.rounds },
    figures,
    series: points.map(({ name, own }) => ({
      name,
      kind: 'cost over size',
      xLabel: 'turns that are replayed',
      yLabel: 'ms',
      points: own,
    })),
    notes: ['The first of a process starts the worker too.'],
  }
}

async function compactedOnce(turns: number): Promise<Compacted> {
  const dir = await mkdtemp(join(tmpdir(), 'memgov-compaction-'))
  try {
    await seedAndKill(dir, turns)
    const log = pinoLog('error', process.stderr)
    const journal = await openJournal({ dir, log })
    const snapshots = await openSnapshotStore({ dir, files: nodeFiles, log, clock: systemClock() })
    const pool = createComputePool({ threads: 1 })
    const compaction = poolCompaction(journal, snapshots, pool)
    const tell = watchVitals()
    const compact = async (toSeq: number) => {
      tell()
      const startedAt = performance.now()
      const written = await compaction.compact(GRANT, KEY, toSeq)
      const ms = performance.now() - startedAt
      if (written?.seq !== toSeq) throw new Error(`turn ${toSeq} was not covered`)
      return { ms, bytes: written.bytes, vitals: tell() }
    }
    try {
      const first = await compact(turns / 2)
      const second = await compact(turns)
      return {
        ms: [first.ms, second.ms],
        bytes: [first.bytes, second.bytes],
        vitals: [first.vitals, second.vitals],
      }
    } finally {
      await pool.close()
      await journal.close()
    }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

if (isMain(import.meta.url)) {
  printOutcome('compaction', await run(process.argv.includes('--quick') ? QUICK : FULL))
}
