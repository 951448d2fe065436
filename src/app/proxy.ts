import type { AddressInfo } from 'node:net'
import { hasCode } from '../adapters/files/whole-file.ts'
import { systemClock } from '../adapters/system/clock-and-entropy.ts'
import { type LogTarget, pinoLog } from '../adapters/system/log.ts'
import type { Address } from '../edges/cli/reader.ts'
import type { ProxyInvocation } from '../edges/cli/service-arguments.ts'
import { judgeOver } from '../edges/proxy/judge.ts'
import { createProxy } from '../edges/proxy/proxy-server.ts'
import { UPSTREAMS } from '../edges/proxy/upstreams.ts'
import { isLoopback } from './config/options.ts'

/** Nobody but this machine reaches it: the key that it asks with is for the agents here. */
const HOST = '127.0.0.1'
/** How long requests in progress may take after a stop signal. */
const DRAIN_MS = 5_000
/** How long memgov may take to judge an answer. */
const JUDGE_TIMEOUT_MS = 10_000

/** Serves until a stop signal, and resolves with the exit code. */
export async function runProxy(
  invocation: ProxyInvocation,
  service: Address,
  host: { readonly stdout: LogTarget; readonly stderr: LogTarget },
  warn: (sentence: string) => void,
  stopped: Promise<void>,
): Promise<number> {
  const { backend, upstream: url, timeoutMs, port, scope, tenantId, agentId } = invocation
  const { isTrusted, passesUnknown, failsOpen } = invocation
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    warn(`${url.origin} is asked without TLS: the key of the store can be read on the way.`)
  }
  const proxy = createProxy({
    upstream: UPSTREAMS[backend],
    address: { url, timeoutMs },
    judge: judgeOver({ address: { ...service, timeoutMs: JUDGE_TIMEOUT_MS }, tenantId, agentId }),
    scope,
    isTrusted,
    passesUnknown,
    failsOpen,
    clock: systemClock(),
    log: pinoLog('info', host.stderr),
  })
  try {
    await new Promise<void>((resolve, reject) => {
      proxy.once('error', reject)
      proxy.listen(port, HOST, resolve)
    })
  } catch (error) {
    warn(
      hasCode(error, 'EADDRINUSE')
        ? `port ${port} is in use: choose another with --port.`
        : `it cannot listen: ${String(error)}`,
    )
    return 1
  }
  const at = `http://${HOST}:${portOf(proxy.address())}`
  host.stdout.write(`memgov proxy listens on ${at} before ${backend} at ${url.origin}\n`)
  await stopped
  const closed = new Promise<void>((resolve) => {
    proxy.close(() => resolve())
  })
  proxy.closeIdleConnections()
  const timer = setTimeout(() => proxy.closeAllConnections(), DRAIN_MS)
  await closed
  clearTimeout(timer)
  return 0
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0
}
