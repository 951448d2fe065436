// Does the time of a key check tell what is wrong with a key? And what do keys cost a guide and an observe? The first over
// the keys of a folder, each kind in turn; the second over HTTP, one client, a service with keys beside one without.
import { randomBytes } from 'node:crypto'
import process from 'node:process'
import { createKey, type KeyGrant } from '../src/adapters/keys/key-folder.ts'
import { openLiveKeys } from '../src/adapters/keys/live-keys.ts'
import { newKeyId, newToken } from '../src/adapters/keys/token.ts'
import { jsonClient } from './json-client.ts'
import { isMain, spreadOf } from './measure.ts'
import { type Figure, figureOf, type Outcome } from './result.ts'
import { requestsOf } from './seeded-scope.ts'
import { startService } from './service-process.ts'
import { withFolder } from './suite/folder.ts'
import { mediansInTurns } from './suite/in-turns.ts'
import { printOutcome } from './suite/text.ts'

export interface KeysOptions {
  /** Keys of the folder, and checks of a kind in each round. */
  readonly keys: number
  /** Rounds of checks: a check takes about a microsecond, and the kinds lie closer together than two short runs of one. */
  readonly checkRounds: number
  readonly rounds: number
  /** Requests of a kind and service in each round. */
  readonly requests: number
}

const FULL: KeysOptions = { keys: 1_000, checkRounds: 400, rounds: 40, requests: 200 }
const QUICK: KeysOptions = { keys: 100, checkRounds: 80, rounds: 8, requests: 40 }
const FLAT = { bound: 'most', value: 1.1 } as const
const COST = { bound: 'most', value: 1.05 } as const

const GRANT: KeyGrant = {
  name: 'bench',
  tenantId: 'default',
  scopes: [],
  agentId: null,
  teamId: null,
  origins: ['agent', 'tool', 'user'],
  isReadOnly: false,
  isOperator: false,
  readsMetrics: false,
  expiresAtMs: null,
}

/** What an id may be. */
const IDS = ['right', 'wrong secret', 'unknown id']

const SILENT = { debug() {}, info() {}, warn() {}, error() {} }

export function run(options: KeysOptions = FULL): Promise<Outcome> {
  return withFolder('keys', async (dir) => ({
    settings: { ...options },
    figures: [...(await checks(dir, options)), ...(await requests(options))],
    notes: [],
  }))
}

/** How long a check takes, by what is wrong with the key, and how far the kinds are apart. */
async function checks(dir: string, { keys: count, checkRounds: rounds }: KeysOptions): Promise<Figure[]> {
  const right: string[] = []
  for (let made = 0; made < count; made += 1) right.push((await createKey(dir, GRANT, made)).token)
  const kinds: Readonly<Record<string, readonly string[]>> = {
    right,
    'wrong secret': right.map((token) => newToken(token.slice(3, 15)).token),
    'unknown id': right.map(() => newToken(newKeyId()).token),
    'no key at all': right.map(() => randomBytes(44).toString('base64url').slice(0, 59)),
  }
  const keys = await openLiveKeys(dir, SILENT)
  const took = new Map<string, number[]>()
  const names = Object.keys(kinds)
  for (let round = -rounds; round < rounds; round += 1) {
    // Each kind is first as often as the others: the first one finds its memory cold.
    for (const at of names.keys()) {
      const kind = names[(at + rounds + round) % names.length] ?? ''
      const tokens = kinds[kind] ?? []
      const startMs = performance.now()
      let opened = 0
      for (const token of tokens) if (keys.principalOf(token, count) !== null) opened += 1
      const nsEach = ((performance.now() - startMs) * 1e6) / tokens.length
      if (opened !== (kind === 'right' ? count : 0)) throw new Error(`${kind}: ${opened} were taken`)
      // The engine compiles meanwhile.
      if (round >= 0) took.set(kind, [...(took.get(kind) ?? []), nsEach])
    }
  }
  keys.close()
  const medians = IDS.map((kind) => spreadOf(took.get(kind) ?? []).median)
  return [
    ...[...took].map(([kind, ns]) => figureOf(`check, ${kind}`, 'ns', ns)),
    figureOf(
      'slowest check of a key, times the fastest',
      '×',
      [Math.max(...medians) / Math.min(...medians)],
      {
        goal: FLAT,
      },
    ),
  ]
}

/** What a service with keys takes for a request, over one without. */
async function requests({ rounds, requests: count }: KeysOptions): Promise<Figure[]> {
  return withFolder('keyed', (keyedDir) =>
    withFolder('keyless', async (keylessDir) => {
      const { token } = await createKey(keyedDir, GRANT, 0)
      const keyed = await startService({ dataDir: keyedDir })
      const keyless = await startService({ dataDir: keylessDir })
      const clients = [
        jsonClient(keyless.url),
        jsonClient(keyed.url, null, { authorization: `Bearer ${token}` }),
      ] as const
      try {
        const made = requestsOf(1)
        const bodies = { observe: () => made.observe(), guide: () => made.guide() }
        const ratios = new Map<string, number[]>()
        for (let round = -2; round < rounds; round += 1) {
          for (const [operation, bodyOf] of Object.entries(bodies)) {
            const [without, withKeys] = await mediansInTurns(clients, count, `/v1/${operation}`, bodyOf)
            if (round >= 0) ratios.set(operation, [...(ratios.get(operation) ?? []), withKeys / without])
          }
        }
        return [...ratios].map(([operation, each]) =>
          figureOf(`${operation} with a key, times without, p50`, '×', each, { goal: COST }),
        )
      } finally {
        for (const client of clients) await client.close()
        await keyed.stop()
        await keyless.stop()
      }
    }),
  )
}

if (isMain(import.meta.url)) printOutcome('keys', await run(process.argv.includes('--quick') ? QUICK : FULL))
