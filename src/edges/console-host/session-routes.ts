import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { DomainError, invalidRequest } from '../../core/base/errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Keys, Principal } from '../../ports/keys.ts'
import { bodyBytes, parseBody } from '../http/body.ts'
import { isFromThisMachine } from '../http/hosts.ts'
import { isUnmarked, unmarkedRefusal } from '../http/identity.ts'
import type { Sessions } from './sessions.ts'

export const SESSION_PATH = '/v1/console/session'
const METHODS = ['GET', 'POST', 'DELETE'] as const

export const SESSION_ROUTES = METHODS.map((method) => ({ method, path: SESSION_PATH }))

/** Who reviews where nobody says who they are. */
const LOCAL_OPERATOR = 'local-operator'

interface SessionParts {
  /** Null: the store is in memory, and has none. */
  readonly keys: Keys | null
  readonly sessions: Sessions | null
  readonly clock: Clock
}

/** Login, logout, and what the page has to know of whoever asks. A key is sent once; later requests have the cookie. */
export function serveSession(app: FastifyInstance, parts: SessionParts): void {
  const config = { access: 'everyone' } as const
  app.get(SESSION_PATH, { config }, (request, reply) =>
    answer(reply, standingOf(parts, request, askedBy(parts, request))),
  )
  app.post(SESSION_PATH, { config }, (request, reply) => {
    if (isUnmarked(request)) throw unmarkedRefusal()
    return answer(reply, logIn(parts, request, reply))
  })
  app.delete(SESSION_PATH, { config }, (request, reply) => {
    if (isUnmarked(request)) throw unmarkedRefusal()
    if (parts.sessions !== null) void reply.header('set-cookie', parts.sessions.end(request.headers))
    return answer(reply, standingOf(parts, request, null))
  })
}

function answer(reply: FastifyReply, standing: object): FastifyReply {
  return reply.header('cache-control', 'no-store').send(standing)
}

const Login = z.object({ key: z.string().min(1).max(256) })
const NO_KEYS = 'Nobody logs in here: there are no keys, and whoever asks on this machine is the operator.'

function logIn(
  { keys, sessions, clock }: SessionParts,
  request: FastifyRequest,
  reply: FastifyReply,
): object {
  const sent = Login.safeParse(parseBody(bodyBytes(request)))
  if (!sent.success) {
    throw invalidRequest([{ path: 'key', message: 'Send the key of an operator, as {"key": "mg_…"}.' }])
  }
  if (keys === null || sessions === null || !keys.areUsed)
    throw invalidRequest([{ path: '', message: NO_KEYS }])
  const nowMs = clock.nowMs()
  const opened = sessions.tried(sent.data.key.trim(), request.raw.socket.remoteAddress ?? '', nowMs)
  if (opened === null) throw new DomainError('unauthorized')
  if (!opened.principal.isOperator) throw new DomainError('operator_key_required', { operation: 'console' })
  // Whatever session the browser came with is over: nobody can have set it up beforehand.
  sessions.end(request.headers)
  void reply.header('set-cookie', sessions.begin(opened.hold, nowMs))
  return keyedStanding(opened.principal)
}

function askedBy({ sessions, clock }: SessionParts, request: FastifyRequest): Principal | null {
  return sessions?.principalOf(request.headers, clock.nowMs()) ?? null
}

function standingOf({ keys }: SessionParts, request: FastifyRequest, principal: Principal | null): object {
  if (keys !== null && keys.areUsed) return keyedStanding(principal)
  const isOperator = isFromThisMachine(request.raw.socket)
  return {
    ...HEAD,
    has_keys: false,
    needs_login: false,
    operator: isOperator,
    read_only: false,
    four_eyes: false,
    reviewer: isOperator ? LOCAL_OPERATOR : null,
    tenant_id: null,
    scopes: [],
    scope_prefixes: [],
  }
}

const HEAD = { contract_version: 'svc_console_session_v1' } as const

/** With keys whoever wrote a memory does not approve it. */
function keyedStanding(principal: Principal | null): object {
  const scopes = principal?.scopes ?? []
  return {
    ...HEAD,
    has_keys: true,
    needs_login: principal === null,
    operator: principal?.isOperator ?? false,
    read_only: principal?.isReadOnly ?? true,
    four_eyes: true,
    reviewer: principal?.keyId ?? null,
    tenant_id: principal?.tenantId ?? null,
    scopes: scopes.filter(({ isPrefix }) => !isPrefix).map(({ name }) => name),
    scope_prefixes: scopes.filter(({ isPrefix }) => isPrefix).map(({ name }) => name),
  }
}
