// One scope of a given size in a process of its own: its heap and what it compiled are nobody else's.
import process from 'node:process'
import { openRankingProbe } from '../loop/ranking-probe.ts'
import { timesUs } from '../measure.ts'
import { requestsOf, seedScope } from '../seeded-scope.ts'
import { openEmbedded } from '../suite/embedded.ts'
import { type Vitals, watchVitals } from '../suite/vitals.ts'

export interface SizedRound {
  /** µs of each guide. */
  readonly guideUs: readonly number[]
  /** Processor time of a guide in all threads, µs. */
  readonly cpuUs: number
  /** µs of each bare ranking; null where the scope is too large for a second copy of its index. */
  readonly rankingUs: readonly number[] | null
}

export interface Sized {
  readonly memories: number
  readonly rounds: readonly SizedRound[]
  readonly vitals: Vitals
}

/** The large scope does not fit into the default bound. */
const ROOM = { residentBytesMax: 16 * 1024 ** 3, shutdownDeadlineMs: 600_000 }
const PROBED_MAX = 100_000

async function sized(dataDir: string, memories: number, rounds: number, ops: number): Promise<Sized> {
  await (await seedScope(dataDir, memories, { ...ROOM, durability: 'interval' }))()
  const ranking = memories > PROBED_MAX ? null : await openRankingProbe(dataDir)
  const service = await openEmbedded(dataDir, ROOM)
  try {
    const requests = requestsOf(2)
    const done: SizedRound[] = []
    let tell = watchVitals()
    // The first rounds warm up: what the engine compiles, and lists that are made when they are asked for first.
    for (let round = -Math.ceil(rounds / 2); round < rounds; round += 1) {
      if (round === 0) tell = watchVitals()
      const guides = Array.from({ length: ops }, () => requests.guide())
      const before = process.cpuUsage()
      const guideUs = await timesUs(guides, (guide) => service.call('guide', guide))
      const { user, system } = process.cpuUsage(before)
      const jobs = guides.map((guide) => ranking?.job(guide.query_text) ?? null)
      const rankingUs =
        ranking === null ? null : await timesUs(jobs, (job) => (job === null ? null : ranking.rank(job)))
      if (round >= 0) done.push({ guideUs, cpuUs: (user + system) / ops, rankingUs })
    }
    return { memories, rounds: done, vitals: tell() }
  } finally {
    await service.close()
  }
}

const [dataDir = '', memories = '', rounds = '', ops = ''] = process.argv.slice(2)
const answer = await sized(dataDir, Number(memories), Number(rounds), Number(ops))
process.send?.(answer, () => process.disconnect())
