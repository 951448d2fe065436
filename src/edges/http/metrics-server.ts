import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { DomainError } from '../../core/base/errors.ts'
import { errorReply } from './error-reply.ts'
import { hostCheck, pageCheck } from './hosts.ts'

/** The numbers of the service, as text. */
export interface MetricsText {
  readonly contentType: string
  text(): Promise<string>
}

export const METRICS_PATH = '/metrics'

/** Scrapers are few. */
const CONNECTIONS_MAX = 16
const REQUEST_TIMEOUT_MS = 10_000
const METHODS = 'GET, HEAD'

export interface MetricsServerOptions {
  readonly host: string
  readonly port: number
  /** As those of the service. */
  readonly allowedHosts: readonly string[]
}

/** An address with the numbers and nothing else. Who may not ask the service, by name or from a page, may not ask here. */
export function createMetricsServer(metrics: MetricsText, options: MetricsServerOptions) {
  const isOwnHost = hostCheck(options.allowedHosts)
  const isOwnPage = pageCheck(options.allowedHosts)
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS })
  server.maxConnections = CONNECTIONS_MAX
  server.on('request', (request, response) => {
    const refusal = refusalOf(request, isOwnHost, isOwnPage)
    if (refusal !== null) refuse(response, refusal)
    else void answer(metrics, request, response)
  })
  return {
    /** Resolves with the URL of the numbers; rejects when it cannot listen there. */
    listen: () => listening(server, options),
    async close() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function listening(server: Server, { host, port }: MetricsServerOptions): Promise<string> {
  server.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port })
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string')
    throw new Error('the port of the metrics has no address')
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${name}:${address.port}${METRICS_PATH}`
}

function refusalOf(
  request: IncomingMessage,
  isOwnHost: ReturnType<typeof hostCheck>,
  isOwnPage: ReturnType<typeof pageCheck>,
): DomainError | null {
  const { headers, method, url } = request
  if (!isOwnHost(headers.host)) return new DomainError('host_not_allowed', { host: headers.host })
  if (!isOwnPage(headers)) return new DomainError('cross_site_request')
  if (url?.split('?', 1)[0] !== METRICS_PATH) return new DomainError('not_found')
  if (method !== 'GET' && method !== 'HEAD')
    return new DomainError('method_not_allowed', { allowed: METHODS })
  return null
}

function refuse(response: ServerResponse, refusal: DomainError): void {
  const { status, headers, body } = errorReply(refusal)
  const allow = refusal.code === 'method_not_allowed' ? { allow: METHODS } : {}
  response.writeHead(status, { ...headers, ...allow }).end(body)
}

async function answer(
  metrics: MetricsText,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const text = await metrics.text()
    response.writeHead(200, { 'content-type': metrics.contentType })
    response.end(request.method === 'HEAD' ? undefined : text)
  } catch {
    refuse(response, new DomainError('internal_error'))
  }
}
