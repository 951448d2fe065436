import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { GEN_AI_NAMES } from '../../src/adapters/telemetry/live.ts'
import { OPERATIONS } from '../../src/contract/operations.ts'
import { PHASES } from '../../src/ports/telemetry.ts'
import { edgeOver } from '../harness/edge.ts'
import { closeEmbedded, type Embedded, startEmbedded } from '../harness/embedded.ts'
import { heldKeys } from '../harness/held-keys.ts'

const exporter = new InMemorySpanExporter()

function register(): void {
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register()
}

function unregister(): void {
  for (const api of [trace, context, propagation]) api.disable()
}

beforeEach(() => {
  register()
  exporter.reset()
})
afterEach(async () => {
  await closeEmbedded()
  unregister()
})

const TELLING = 'zanzibar'
const place = { tenant_id: `${TELLING}-tenant`, scope: `${TELLING} scope` }
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const CALLER_ID = 'b7ad6b7169203331'

function named(name: string): ReadableSpan {
  const found = exporter.getFinishedSpans().filter((span) => span.name === name)
  if (found[0] === undefined || found.length > 1) throw new Error(`${found.length} spans ${name}`)
  return found[0]
}

async function observe(real: Embedded): Promise<void> {
  await real.ok('observe', { ...place, input_text: `One fact of ${TELLING}.` })
}

describe('spans', () => {
  test('an operation has one, named by the conventions for memory, and its phases are below it', async () => {
    const real = await startEmbedded()
    await observe(real)
    const span = named('upsert_memory')
    expect(span.kind).toBe(SpanKind.INTERNAL)
    expect(span.parentSpanContext).toBeUndefined()
    expect(span.attributes).toMatchObject({
      'gen_ai.operation.name': 'upsert_memory',
      'gen_ai.provider.name': 'memgov',
      'gen_ai.memory.record.count': 1,
      'memgov.operation': 'observe',
      'memgov.outcome': 'ok',
    })
    for (const phase of ['load', 'turn', 'flush']) {
      const child = named(`memgov.${phase}`)
      expect(child.parentSpanContext?.spanId).toBe(span.spanContext().spanId)
      expect(nanosOf(child.startTime)).toBeGreaterThanOrEqual(nanosOf(span.startTime))
      expect(nanosOf(child.endTime)).toBeLessThanOrEqual(nanosOf(span.endTime))
    }
    await real.ok('guide', { ...place, query_text: TELLING })
    expect(named('search_memory').attributes).toMatchObject({ 'gen_ai.memory.record.count': 1 })
    await real.ok('resolve', { uri: `svc://${place.tenant_id}/x/concept/y` }).catch(() => null)
    expect(named('memgov.resolve').attributes).not.toHaveProperty('gen_ai.operation.name')
  })

  test('no text, tenant, scope or secret of a key is in any of them', async () => {
    const real = await startEmbedded()
    await observe(real)
    await real.ok('guide', { ...place, query_text: TELLING, run_id: TELLING })
    await real.refused('observe', { ...place, [TELLING]: TELLING })
    const keys = await heldKeys()
    const token = await keys.tokenFor({}, real.clock.nowMs())
    const app = edgeOver(real, keys.live)
    const headers = { authorization: `Bearer ${token}` }
    for (const payload of [{ query_text: TELLING }, { tenant_id: TELLING }]) {
      const { statusCode } = await app.inject({ method: 'POST', url: '/v1/guide', payload, headers })
      expect(statusCode).toBe('tenant_id' in payload ? 403 : 200)
    }
    await app.close()
    keys.live.close()
    const told = exporter.getFinishedSpans().map(({ name, attributes, status, events }) => {
      return { name, attributes, status, events }
    })
    expect(told.length).toBeGreaterThan(5)
    expect(JSON.stringify(told)).not.toContain(TELLING)
    expect(JSON.stringify(told)).not.toContain(token.slice(16))
  })

  test('a traceparent over HTTP is continued; a span of the host is nearer than that', async () => {
    const real = await startEmbedded()
    const app = edgeOver(real)
    const request = {
      method: 'POST',
      url: '/v1/observe',
      payload: { ...place, input_text: 'One fact.' },
      headers: { traceparent: `00-${TRACE_ID}-${CALLER_ID}-01` },
    } as const
    expect((await app.inject(request)).statusCode).toBe(200)
    const span = named('upsert_memory')
    expect(span.kind).toBe(SpanKind.SERVER)
    expect([span.spanContext().traceId, span.parentSpanContext?.spanId]).toEqual([TRACE_ID, CALLER_ID])
    expect(named('memgov.turn').spanContext().traceId).toBe(TRACE_ID)
    exporter.reset()
    const host = trace.getTracer('host').startSpan('host')
    await context.with(trace.setSpan(ROOT_CONTEXT, host), () => observe(real))
    host.end()
    expect(named('upsert_memory').parentSpanContext?.spanId).toBe(host.spanContext().spanId)
    await app.close()
  })

  test('a refusal says its code, and only a fault of this side is an error', async () => {
    const real = await startEmbedded()
    await real.refused('observe', place)
    const refused = named('upsert_memory')
    expect(refused.attributes).toMatchObject({
      'error.type': 'observe_requires_memory_or_handoff',
      'memgov.outcome': 'refused',
    })
    expect(refused.status.code).toBe(SpanStatusCode.UNSET)
    await real.runtime.close()
    exporter.reset()
    await real.refused('observe', { ...place, input_text: 'One fact.' })
    const busy = named('upsert_memory')
    expect(busy.attributes).toMatchObject({ 'error.type': 'shutting_down', 'memgov.outcome': 'busy' })
    expect(busy.status).toEqual({ code: SpanStatusCode.ERROR })
  })

  test('without an SDK none is made', async () => {
    unregister()
    const real = await startEmbedded()
    register()
    await observe(real)
    expect(exporter.getFinishedSpans()).toEqual([])
  })

  test('every name of the conventions belongs to an operation, and no phase has the name of one', () => {
    const operations = Object.keys(OPERATIONS)
    expect(Object.keys(GEN_AI_NAMES).filter((name) => !operations.includes(name))).toEqual([])
    expect(PHASES.filter((phase) => operations.includes(phase))).toEqual([])
  })
})

function nanosOf([seconds, nanos]: readonly [number, number]): number {
  return seconds * 1e9 + nanos
}
