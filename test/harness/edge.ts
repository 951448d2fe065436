import type { FastifyInstance } from 'fastify'
import { systemEntropy } from '../../src/adapters/system/entropy.ts'
import { OPERATIONS } from '../../src/contract/operations.ts'
import type { MetricsText } from '../../src/edges/http/metrics-server.ts'
import { createServer } from '../../src/edges/http/server.ts'
import type { Keys } from '../../src/ports/keys.ts'
import type { Embedded } from './embedded.ts'
import { memoryLog } from './system.ts'

/** The HTTP edge over the embedded service, for requests without a socket. */
export function edgeOver(
  real: Embedded,
  keys: Keys | null = null,
  metrics: MetricsText | null = null,
): FastifyInstance {
  return createServer(real.runtime, Object.values(OPERATIONS), {
    keys,
    bodyLimitBytes: 5 * 1024 * 1024,
    allowedHosts: [],
    allowedOrigins: [],
    keyRatePerMinute: null,
    tenantRatePerMinute: null,
    keyConcurrencyMax: null,
    connectionsMax: 100,
    requestTimeoutMs: 30_000,
    transitBytesMax: 64 * 1024 * 1024,
    drainDeadlineMs: 1000,
    tls: null,
    socketPath: null,
    socketMode: 0o600,
    openapi: () => ({}),
    metrics,
    onRefused: (requestId, code) => real.telemetry.refused(requestId, code),
    clock: real.clock,
    entropy: systemEntropy(),
    log: memoryLog().log,
  })
}
