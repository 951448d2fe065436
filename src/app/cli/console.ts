import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { type DemoOutput, runDemo } from '../../edges/cli/demo.ts'
import { type Address, ClientError, getJson, postJson } from '../../edges/cli/reader.ts'
import type { ConsoleInvocation } from '../../edges/cli/service-arguments.ts'
import type { Terminal } from './offline.ts'

const PATH = '/console/'
const KEYLESS = 'There are no keys: whoever is on the machine of the service is the operator.'
const KEYED = 'Log in with the key of an operator: memgov keys create --operator makes one.'

/** Prints where the console is. Resolves with the exit code: 0 it is there, 1 nobody answers. */
export async function consoleCommand(address: Address, host: Terminal): Promise<number> {
  const link = consoleUrl(address)
  try {
    const { isOk, body } = await getJson(address, '/v1/console/session', {})
    if (!isOk || link === null) {
      host.stderr.write(
        'memgov: this service has no console: it was started with --no-console, or is older.\n',
      )
      return 1
    }
    host.stdout.write(`${link}\n${body['has_keys'] === true ? KEYED : KEYLESS}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    host.stderr.write(`memgov: ${error.message}\n`)
    return 1
  }
}

/** Tells a story in a scope of its own. */
export function demoCommand(
  { tenantId, isKept }: ConsoleInvocation,
  address: Address,
  host: Terminal & { onStopSignal(stop: () => void): void },
  isColoured: boolean,
): Promise<number> {
  const stop = new AbortController()
  host.onStopSignal(() => stop.abort())
  const output: DemoOutput = {
    isColoured,
    out: (text) => host.stdout.write(text),
    error: (text) => host.stderr.write(text),
    isStopped: () => stop.signal.aborted,
    lookedAt: () => lookedAt(stop.signal),
  }
  const place = {
    ...(tenantId === null ? {} : { tenant_id: tenantId }),
    scope: `demo-${Date.now().toString(36)}`,
  }
  return runDemo(
    (method, path, fields) =>
      method === 'GET' ? getJson(address, path, fields) : postJson(address, path, fields),
    consoleUrl(address),
    place,
    isKept,
    output,
  )
}

/** At a terminal until somebody presses Enter; elsewhere nobody looks. */
async function lookedAt(signal: AbortSignal): Promise<void> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    await terminal.question('\nEnter erases it again. ', { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    terminal.close()
  }
}

/** Null: a browser cannot ask there. */
function consoleUrl(address: Address): string | null {
  return 'url' in address ? new URL(PATH, address.url).href : null
}
