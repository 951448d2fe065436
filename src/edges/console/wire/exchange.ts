import { signal } from '@preact/signals'
import { addressOf, type Call } from './call.ts'

/** What the service said no with; `status` 0: it was not reached. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** What kept something from being asked, as a refusal. */
export function asRefusal(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal(0, 'broken', String(error))
}

/** False while nobody answers; the banner and every read follow it. */
export const isReached = signal(true)
/** Rises when the service is there again, so that every screen reads anew. */
export const returns = signal(0)
/** True when a key is asked for and none is known. */
export const needsLogin = signal(false)

/** Marks a request as one of this page: a form of another page cannot send it. */
const PAGE_HEADER = { 'x-memgov-console': '1' }
const PROBE_MS = 5000
const PROBE_AGAIN_MS = 700

export async function ask<Answer>(call: Call, signal?: AbortSignal): Promise<Answer> {
  const response = await reach(call, signal)
  const body: unknown = await response.json().catch(() => null)
  if (!response.ok) throw refusalOf(response.status, body)
  // The contract is checked where it is made: the service answers nothing else.
  return body as Answer
}

export async function reach(
  call: Call,
  signal?: AbortSignal,
  headers: Record<string, string> = {},
): Promise<Response> {
  const isPost = call.method === 'POST'
  try {
    const response = await fetch(addressOf(call), {
      method: call.method,
      credentials: 'same-origin',
      cache: 'no-store',
      headers: { ...PAGE_HEADER, ...(isPost ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(isPost ? { body: JSON.stringify(call.fields) } : {}),
      ...(signal === undefined ? {} : { signal }),
    })
    isReached.value = true
    if (response.status === 401) needsLogin.value = true
    return response
  } catch (error) {
    if (signal?.aborted === true) throw error
    isReached.value = false
    throw new Refusal(0, 'unreachable', 'The service does not answer.')
  }
}

export function refusalOf(status: number, body: unknown): Refusal {
  const { error, message, details } = asFields(body)
  const [issue] = Array.isArray(asFields(details)['issues']) ? (asFields(details)['issues'] as unknown[]) : []
  const said = asFields(issue)['message'] ?? message
  return new Refusal(status, textOr(error, 'unknown'), textOr(said, `The service answered ${status}.`))
}

function textOr(value: unknown, other: string): string {
  return typeof value === 'string' ? value : other
}

function asFields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** Asks now and then whether the service is there: often when it is not. */
export function watchService(): void {
  const probe = async () => {
    const wasReached = isReached.value
    if (!document.hidden || !wasReached) {
      await reach({ method: 'GET', path: '/health', fields: {} }).catch(() => null)
      if (!wasReached && isReached.value) returns.value += 1
    }
    setTimeout(() => void probe(), isReached.value ? PROBE_MS : PROBE_AGAIN_MS)
  }
  setTimeout(() => void probe(), PROBE_MS)
  isReached.subscribe((reached) => {
    if (!reached) document.documentElement.dataset['service'] = 'away'
    else delete document.documentElement.dataset['service']
  })
}
