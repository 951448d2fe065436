import { get } from './call.ts'
import { type Refusal, reach, refusalOf } from './exchange.ts'

/** One event as it came. */
export interface StreamEvent {
  /** Null: it is no event of the record, such as a count of dropped ones. */
  readonly id: string | null
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface Listener {
  readonly onEvent: (event: StreamEvent) => void
  /** Null: it listens. */
  readonly onState: (refusal: Refusal | 'away' | null) => void
}

const PATH = '/v1/operator/events'
const WAIT_FIRST_MS = 400
const WAIT_MAX_MS = 5000
/** Ids kept to tell an event that is sent again from a new one. */
const KNOWN_MAX = 5000

/**
 * Listens until it is told to stop. When the service goes away it asks again, from the last event that it has, so that
 * none is missed as far as the service can replay them, and none is told twice.
 * @returns what stops it
 */
export function listen(
  fields: { readonly tenant_id: string; readonly scope: string },
  listener: Listener,
): () => void {
  const stop = new AbortController()
  void run(fields, listener, stop.signal)
  return () => stop.abort()
}

async function run(
  fields: { readonly tenant_id: string; readonly scope: string },
  { onEvent, onState }: Listener,
  signal: AbortSignal,
): Promise<void> {
  const known = new Set<string>()
  let lastId: string | null = null
  let waitMs = WAIT_FIRST_MS
  while (!signal.aborted) {
    try {
      const headers: Record<string, string> = lastId === null ? {} : { 'last-event-id': lastId }
      const response = await reach(get(PATH, fields), signal, { accept: 'text/event-stream', ...headers })
      if (!response.ok || response.body === null) {
        const refusal = refusalOf(response.status, await response.json().catch(() => null))
        onState(refusal)
        if (isForGood(refusal)) return
      } else {
        onState(null)
        waitMs = WAIT_FIRST_MS
        for await (const event of eventsIn(response.body)) {
          // Behind a gap, as after a restore, another event may have the id of one that came.
          if (event.type === 'gap') known.clear()
          if (event.id !== null) {
            if (known.has(event.id)) continue
            remember(known, event.id)
            lastId = event.id
          }
          // What it says with it, the end of the stream says too.
          if (event.type !== 'end') onEvent(event)
        }
        onState('away')
      }
    } catch {
      if (signal.aborted) return
      onState('away')
    }
    await new Promise((done) => setTimeout(done, waitMs))
    waitMs = Math.min(WAIT_MAX_MS, waitMs * 2)
  }
}

/** 503 is a service that starts or ends; a scope that another node has now may be back, or asked for there, the next time. */
function isForGood({ status, code }: Refusal): boolean {
  return status < 500 && status !== 429 && code !== 'not_owner'
}

function remember(known: Set<string>, id: string): void {
  known.add(id)
  if (known.size <= KNOWN_MAX) return
  const [oldest] = known
  if (oldest !== undefined) known.delete(oldest)
}

async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
      const blocks = text.split(/\r?\n\r?\n/)
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = eventOf(block)
        if (event !== null) yield event
      }
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

/** Null: a comment, which is a heartbeat. */
export function eventOf(block: string): StreamEvent | null {
  const fields = new Map<string, string[]>()
  for (const line of block.split(/\r?\n/)) {
    const colon = line.indexOf(':')
    if (colon === 0 || line === '') continue
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    fields.set(name, [...(fields.get(name) ?? []), value])
  }
  const data = fields.get('data')
  if (data === undefined) return null
  return {
    id: fields.get('id')?.at(-1) ?? null,
    type: fields.get('event')?.at(-1) ?? 'message',
    data: fieldsOf(data.join('\n')),
  }
}

function fieldsOf(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null ? { ...value } : { value }
  } catch {
    return {}
  }
}
