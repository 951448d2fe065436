import type { Registry } from '../../src/actor/registry.ts'
import { MemoryData } from '../../src/adapters/memory/data.ts'
import { compose } from '../../src/app/compose.ts'
import { readConfig } from '../../src/app/config/config.ts'
import { type Config, IN_MEMORY } from '../../src/app/config/options.ts'
import type { RequestedName } from '../../src/contract/operations.ts'
import { stateHash } from '../../src/core/model/state-image.ts'
import type { History } from '../../src/ports/store.ts'
import type { Telemetry } from '../../src/ports/telemetry.ts'
import type { Runtime } from '../../src/runtime/runtime.ts'
import { dataFolder } from './data-folder.ts'
import { type Base, borrowedBase, returnBase } from './postgres-store.ts'
import { type Answer, answerOf, execute, type Refusal, type Reply, refusalOf } from './reply.ts'
import { services } from './services.ts'
import { countingEntropy, type LogLine, type ManualClock, manualClock, memoryLog } from './system.ts'

export { closeEmbedded } from './services.ts'

export interface Place {
  readonly tenant_id: string
  readonly scope: string
}

export interface EmbeddedOptions {
  readonly dir?: string
  readonly config?: Partial<Config>
  readonly clock?: ManualClock
  /** Variables of the environment. */
  readonly env?: Readonly<Record<string, string>>
}

const STORE = process.env['TEST_STORE'] ?? 'files'

/** With `memory` or `postgres` the suites run over another store than the local files. */
export const isInMemory = STORE === 'memory'
export const isOnFiles = STORE === 'files'
/** What the service calls its store. */
export const BACKEND = isOnFiles ? 'journal' : STORE

/** The whole service in this process, over real files or in memory, with a clock and ids of the test. */
export interface Embedded {
  readonly dir: string
  readonly clock: ManualClock
  readonly lines: readonly LogLine[]
  readonly runtime: Runtime
  readonly registry: Registry
  readonly history: History
  /** The numbers of the service, which the option `metrics` asks for. */
  metrics(): Promise<string>
  readonly telemetry: Telemetry
  /** Resolves when the start has finished erasures that were cut off. */
  readonly erasuresResumed: Promise<void>
  /** Calls an operation; an answer has been checked against the response schema of its operation. */
  call<Name extends RequestedName>(operation: Name, body: object, key?: string): Promise<Reply<Name>>
  /** A call that has to succeed. */
  ok<Name extends RequestedName>(operation: Name, body: object, key?: string): Promise<Answer<Name>>
  /** A call that has to be refused. */
  refused(operation: RequestedName, body: object, key?: string): Promise<Refusal>
  /** The state digest of one actor, loaded if it is not in memory. */
  digest(place: Place): Promise<string>
  /** Closes it and starts again over the same folder. */
  restart(config?: Partial<Config>): Promise<void>
  close(): Promise<void>
}

export async function startEmbedded(options: EmbeddedOptions = {}): Promise<Embedded> {
  const dir = options.dir ?? (isOnFiles ? dataFolder() : IN_MEMORY)
  const base = options.dir === undefined && STORE === 'postgres' ? await borrowedBase() : null
  const data = new MemoryData()
  const clock = options.clock ?? manualClock()
  const entropy = countingEntropy()
  const { log, lines } = memoryLog()
  const start = (config: Partial<Config>) =>
    compose(
      configOf({ segmentBytes: 1 << 20, ...config, dataDir: dir }, options.env ?? {}, base),
      { clock, entropy, log },
      data,
    )
  let composed = await start(options.config ?? {})
  const embedded: Embedded = {
    dir,
    clock,
    lines,
    get runtime() {
      return composed.runtime
    },
    get registry() {
      return composed.registry
    },
    get history() {
      return composed.history
    },
    get telemetry() {
      return composed.telemetry
    },
    async metrics() {
      if (composed.metrics === null) throw new Error('nothing is counted')
      return composed.metrics.text()
    },
    get erasuresResumed() {
      return composed.erasuresResumed
    },
    call: (operation, body, key) => execute(composed.runtime, operation, body, key),
    ok: async (operation, body, key) => answerOf(await execute(composed.runtime, operation, body, key)),
    refused: async (operation, body, key) => refusalOf(await execute(composed.runtime, operation, body, key)),
    digest: ({ tenant_id, scope }) =>
      composed.registry.use(tenant_id, scope, async (actor) => stateHash(actor.state)),
    async restart(config = options.config ?? {}) {
      await composed.close()
      composed = await start(config)
    },
    async close() {
      services.delete(embedded)
      await composed.close()
      if (base !== null) returnBase(base)
    },
  }
  services.add(embedded)
  return embedded
}

function configOf(given: object, env: Readonly<Record<string, string>>, base: Base | null): Config {
  const { config } = readConfig({ ...given }, env)
  return base === null ? config : { ...config, store: base.url }
}
