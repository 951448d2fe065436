import type { FastifyInstance } from 'fastify'
import { systemEntropy } from '../../src/adapters/system/clock-and-entropy.ts'
import { OPERATIONS } from '../../src/contract/operations.ts'
import { screen } from '../../src/core/screening/screen.ts'
import { maskSecrets } from '../../src/core/screening/secrets.ts'
import type { Console } from '../../src/edges/console-host/console.ts'
import type { HookSettings } from '../../src/edges/hooks/hook-route.ts'
import type { MetricsText } from '../../src/edges/http/metrics-server.ts'
import { createServer, type HttpOptions } from '../../src/edges/http/server.ts'
import type { Keys } from '../../src/ports/keys.ts'
import type { Embedded } from './embedded.ts'
import { memoryLog } from './system.ts'

let made = 0

/** The options of an edge whose ids are counted. */
export function httpOptions(changes: Partial<HttpOptions> = {}): HttpOptions {
  return {
    keys: null,
    hops: null,
    bodyLimitBytes: 5 * 1024 * 1024,
    allowedHosts: [],
    allowedOrigins: [],
    keyRatePerMinute: null,
    tenantRatePerMinute: null,
    keyConcurrencyMax: null,
    connectionsMax: 100,
    requestTimeoutMs: 30_000,
    transitBytesMax: 64 * 1024 * 1024,
    drainDeadlineMs: 5000,
    tls: null,
    socketPath: null,
    socketMode: 0o600,
    openapi: () => ({ openapi: '3.1.0' }),
    metrics: null,
    console: null,
    version: '0.0.0',
    hooks: { verifiers: [], masked: (text) => text, isHarmless: () => true, onEnded: () => {} },
    onRefused: () => {},
    clock: { nowMs: () => 0 },
    entropy: { uuid: () => `made-${(made += 1)}` },
    log: memoryLog().log,
    ...changes,
  }
}

/** How text is screened of which nobody says what it is. */
const ANY_TEXT = { domain: 'general', declaredType: null, queryText: null } as const
const HOOK_SETTINGS: Omit<HookSettings, 'onEnded'> = {
  verifiers: [],
  masked: maskSecrets,
  isHarmless: (text) => screen(text, ANY_TEXT).length === 0,
}

/** The HTTP edge over the embedded service, for requests without a socket. */
export function edgeOver(
  real: Embedded,
  keys: Keys | null = null,
  metrics: MetricsText | null = null,
  hooks: Partial<HookSettings> = {},
  console: Console | null = null,
): FastifyInstance {
  return createServer(
    real.runtime,
    Object.values(OPERATIONS),
    httpOptions({
      keys,
      metrics,
      console,
      drainDeadlineMs: 1000,
      hooks: {
        ...HOOK_SETTINGS,
        ...hooks,
        onEnded: (host, outcome) => real.telemetry.hookEnded(host, outcome),
      },
      onRefused: (requestId, code) => real.telemetry.refused(requestId, code),
      clock: real.clock,
      entropy: systemEntropy(),
    }),
  )
}
