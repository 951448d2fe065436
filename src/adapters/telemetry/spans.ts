import type { Tracer } from '@opentelemetry/api'
import type { Phase, RequestInfo } from '../../ports/telemetry.ts'
import type { PlaceNames } from './place-names.ts'
import type { RequestEnd, RequestRecord } from './request-log.ts'

interface Tracing {
  readonly api: typeof import('@opentelemetry/api')
  readonly tracer: Tracer
  readonly places: PlaceNames
}

/**
 * Operations that the semantic conventions of OpenTelemetry for memory have a name for (`gen_ai.operation.name`, GenAI
 * conventions 0.1, section Memory). An observe may write anew, revise or confirm; a guide searches; feedback and forget
 * change known memory and delete nothing. The others have no counterpart there.
 */
export const GEN_AI_NAMES: Readonly<Record<string, string>> = {
  observe: 'upsert_memory',
  guide: 'search_memory',
  feedback: 'update_memory',
  forget: 'update_memory',
  erase: 'delete_memory',
}

/**
 * Null: no SDK of OpenTelemetry has been registered in this process, or its API is not installed beside us. The SDK has to
 * be there first, as `node --import` and an embedding host can see to.
 */
export async function openSpans(version: string, places: PlaceNames): Promise<Spans | null> {
  if (!hasTracerProvider()) return null
  try {
    const api = await import('@opentelemetry/api')
    return createSpans({ api, tracer: api.trace.getTracer('memgov', version), places })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return null
    throw error
  }
}

/** Every copy of the API, of whatever version, keeps what was registered in one place: loading ours is not needed to look. */
function hasTracerProvider(): boolean {
  const registered: unknown = Reflect.get(globalThis, Symbol.for('opentelemetry.js.api.1'))
  return typeof registered === 'object' && registered !== null && 'trace' in registered
}

export type Spans = ReturnType<typeof createSpans>
export type RequestSpan = ReturnType<Spans['start']>

/** Makes one span for each request, and one below it for each of its phases. Never a text, tenant or scope. */
function createSpans({ api, tracer, places }: Tracing) {
  const { context, propagation, trace, SpanKind, SpanStatusCode } = api
  return {
    start(operation: string, info: RequestInfo, startedMs: number) {
      const active = context.active()
      // A host that traces its HTTP server, or one that embeds us, has a span that is nearer than the caller's.
      const isRemote = info.headers !== undefined && trace.getSpan(active) === undefined
      const parent = isRemote ? propagation.extract(active, info.headers) : active
      const name = GEN_AI_NAMES[operation]
      const isMemoryOperation = name !== undefined
      // Spans have times of the wall clock; the difference is taken once, so that those of a request fit together.
      const offsetMs = Date.now() - performance.now()
      const named = isMemoryOperation
        ? { 'gen_ai.operation.name': name, 'gen_ai.provider.name': 'memgov' }
        : {}
      const options = {
        kind: isRemote ? SpanKind.SERVER : SpanKind.INTERNAL,
        startTime: offsetMs + startedMs,
        attributes: { 'memgov.operation': operation, ...named },
      }
      const span = tracer.startSpan(name ?? `memgov.${operation}`, options, parent)
      const around = trace.setSpan(parent, span)
      return {
        /** Runs it so that spans of others, such as those of a provider's HTTP client, are below this one. */
        within: <T>(run: () => T): T => context.with(around, run),
        phase(phase: Phase, sinceMs: number, endMs: number): void {
          const child = tracer.startSpan(`memgov.${phase}`, { startTime: offsetMs + sinceMs }, around)
          child.end(offsetMs + endMs)
        },
        ended({ actorKey, memories }: RequestRecord, { outcome, code, totalMs }: RequestEnd): void {
          span.setAttribute('memgov.outcome', outcome)
          if (actorKey !== null && isMemoryOperation) {
            span.setAttribute('gen_ai.memory.store.id', places.of(actorKey).scope)
          }
          if (isMemoryOperation && code === null) span.setAttribute('gen_ai.memory.record.count', memories)
          if (code !== null) span.setAttribute('error.type', code)
          // What the caller did wrong is no error of this side.
          if (outcome === 'busy' || outcome === 'failed') span.setStatus({ code: SpanStatusCode.ERROR })
          span.end(offsetMs + startedMs + totalMs)
        },
      }
    },
  }
}
