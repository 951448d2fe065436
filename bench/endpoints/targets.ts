import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { Client } from 'undici'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { systemEntropy } from '../../src/adapters/system/entropy.ts'
import { pinoLog } from '../../src/adapters/system/log.ts'
import { compose } from '../../src/app/compose.ts'
import { readConfig } from '../../src/app/config/config.ts'
import { OPERATIONS, type OperationName } from '../../src/contract/operations.ts'
import { DomainError } from '../../src/core/base/errors.ts'
import { startService } from '../service-process.ts'
import { vitalsOf, WITH_VITALS } from '../suite/service-vitals.ts'
import { type Vitals, watchVitals } from '../suite/vitals.ts'
import { type Call, type Endpoint, endpointsOver } from './bodies.ts'

/** A way to the service, with as many connections as are asked for at the same time. */
export interface Target {
  readonly transport: 'tcp' | 'unix' | 'embedded'
  readonly endpoints: readonly Endpoint[]
  /** Asks over connection number `connection`, from 0; rejects unless it is answered 200, with Refused for 503. */
  readonly ask: (connection: number, operation: OperationName, body: object) => Promise<void>
  /** Of the process that answers, since the last time. */
  readonly vitals: () => Promise<Vitals>
}

/** The service had too much to do. */
export class Refused extends Error {}

interface Ways {
  readonly targets: readonly Target[]
  readonly close: () => Promise<void>
}

/** One service process over a copy of the seeded folder by TCP and Unix socket, and the same inside this process. */
export async function openWays(folder: string, seeded: string, connections: number): Promise<Ways> {
  const closing: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const each of closing.toReversed()) await each()
  }
  try {
    const [served, embedded] = [join(folder, 'served'), join(folder, 'embedded')]
    for (const copy of [served, embedded]) await cp(seeded, copy, { recursive: true })
    const socketPath = join(folder, 'socket')
    const service = await startService({ dataDir: served, flags: ['--socket', socketPath], ...WITH_VITALS })
    closing.push(() => service.stop())
    const clients = (path: string | null) => {
      const own = Array.from({ length: connections }, () => {
        return new Client(service.url, path === null ? {} : { socketPath: path })
      })
      closing.push(() => Promise.all(own.map((client) => client.destroy())))
      return own
    }
    const [tcp, unix] = [clients(null), clients(socketPath)]
    const { config } = readConfig({ dataDir: embedded }, {})
    const log = pinoLog('error', process.stderr)
    const inside = await compose(config, { clock: systemClock(), entropy: systemEntropy(), log })
    closing.push(() => inside.close())
    const tellOwn = watchVitals()
    const context = { requestId: 'bench', operationId: null }
    const call: Call = async (operation, body) =>
      operation === 'health' ? inside.runtime.health() : inside.runtime.execute(operation, body, context)
    const over = async (transport: 'tcp' | 'unix', own: readonly Client[]): Promise<Target> => ({
      transport,
      endpoints: await endpointsOver((operation, body) => answerOf(own[0], operation, body), 2),
      ask: async (connection, operation, body) => void (await answeredText(own[connection], operation, body)),
      vitals: () => vitalsOf(service.child),
    })
    const targets: Target[] = [await over('tcp', tcp), await over('unix', unix)]
    targets.push({
      transport: 'embedded',
      endpoints: await endpointsOver(call, 2),
      ask: async (_connection, operation, body) => void (await call(operation, body).catch(throwRefusal)),
      vitals: async () => tellOwn(),
    })
    return { targets, close }
  } catch (error) {
    await close()
    throw error
  }
}

function throwRefusal(error: unknown): never {
  throw error instanceof DomainError && error.status === 503 ? new Refused(error.message) : error
}

async function answerOf(client: Client | undefined, operation: OperationName, body: object): Promise<object> {
  return Object(JSON.parse(await answeredText(client, operation, body)))
}

async function answeredText(
  client: Client | undefined,
  operation: OperationName,
  body: object,
): Promise<string> {
  if (client === undefined) throw new RangeError('there is no such connection')
  const { method, path } = OPERATIONS[operation]
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(body)) query.set(name, String(value))
  const { statusCode, body: answer } = await client.request(
    method === 'GET'
      ? { method, path: query.size === 0 ? path : `${path}?${query.toString()}` }
      : { method, path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
  )
  const text = await answer.text()
  if (statusCode === 503) throw new Refused(text)
  if (statusCode !== 200) throw new Error(`${operation} was answered ${statusCode}: ${text.slice(0, 300)}`)
  return text
}
