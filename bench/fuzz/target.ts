import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Pool } from 'undici'
import { systemClock, systemEntropy } from '../../src/adapters/system/clock-and-entropy.ts'
import { type Composed, compose } from '../../src/app/compose.ts'
import { readConfig } from '../../src/app/config/config.ts'
import { startService } from '../../src/app/serve.ts'
import { OPERATIONS } from '../../src/contract/operations.ts'
import type { Log } from '../../src/ports/system.ts'
import { PLACES } from './phases.ts'

/** Fewer than the fuzzed places, so that actors leave and come back. */
const RESIDENT_MAX = 2
export const IN_FLIGHT = 16

/** A real server over a folder of its own, and a look at what its actors hold. */
export interface FuzzTarget {
  readonly pool: Pool
  /** What the service logged as errors. */
  readonly errors: readonly string[]
  /** Turns of all actors together. */
  turns(): Promise<number>
  /** Resolves when nothing is on its way and the same actors are in memory as after every other call. */
  settled(): Promise<void>
  close(): Promise<void>
}

export async function startTarget(): Promise<FuzzTarget> {
  const dataDir = mkdtempSync(join(tmpdir(), 'memgov-fuzz-'))
  const errors: string[] = []
  const note = (fields: object, message: string) => void errors.push(`${message} ${JSON.stringify(fields)}`)
  const log: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: note }
  const { config } = readConfig({ dataDir, port: 0, durability: 'none', residentActorsMax: RESIDENT_MAX }, {})
  const made: Composed[] = []
  const parts = {
    compose: async (...given: Parameters<typeof compose>) => {
      const composed = await compose(...given)
      made.push(composed)
      return composed
    },
    operations: Object.values(OPERATIONS),
    openapi: () => ({}),
  }
  const service = await startService(config, parts, { clock: systemClock(), entropy: systemEntropy(), log })
  const pool = new Pool(String(service.addresses[0]), { connections: IN_FLIGHT })
  // Last used last: the place of the requests that store nothing stays in memory.
  const turns = async (): Promise<number> => {
    let sum = 0
    for (const { place } of PLACES.toReversed())
      sum +=
        (await made[0]?.registry.use(place.tenant_id, place.scope, async (actor) => actor.state.seq)) ?? 0
    return sum
  }
  return {
    pool,
    errors,
    turns,
    async settled() {
      await turns()
      while ((await residentCount(pool)) > RESIDENT_MAX) await setTimeout(10)
    },
    async close() {
      await pool.close()
      await service.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function residentCount(pool: Pool): Promise<number> {
  const answer = await pool.request({ method: 'GET', path: '/health' })
  const health = OPERATIONS.health.response.parse(await answer.body.json())
  return health.actors.resident
}
