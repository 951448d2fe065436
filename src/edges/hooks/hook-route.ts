import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { recordOf } from '../../core/base/collections.ts'
import { DomainError, ERRORS } from '../../core/base/errors.ts'
import type { Principal } from '../../ports/keys.ts'
import type { Log } from '../../ports/system.ts'
import { HOOK_HOSTS, HOOK_OUTCOMES, type HookHost, type HookOutcome } from '../../ports/telemetry.ts'
import type { Hooks, HookTools } from './answer-hook.ts'
import type { StepTools } from './step.ts'

/** Nobody waits longer for a prompt. */
const HOOK_DEADLINE_MS = 800

/** What a service says of its hooks. */
export interface HookSettings extends StepTools {
  /** 800 unless given. */
  readonly deadlineMs?: number
  readonly onEnded: (host: HookHost, outcome: HookOutcome) => void
}

interface HookOptions extends HookSettings, HookTools {
  readonly parse: (bytes: Buffer) => unknown
  readonly log: Log
  /** The refusal behind whatever was thrown; null: a fault of our own. */
  readonly refusalOf: (error: unknown) => DomainError | null
  /** Answers a refusal as every other route does. */
  readonly fail: (error: unknown, request: FastifyRequest, reply: FastifyReply) => void
}

const FIRED_PATH = '/hooks'

export const HOOK_ROUTES = [
  ...HOOK_HOSTS.map((host) => ({ method: 'POST' as const, path: `/hooks/${host}` })),
  { method: 'GET' as const, path: FIRED_PATH },
]

/** What a host is told when there is nothing to say. */
const NOTHING = {}
const LATE = Symbol('late')

/**
 * The hooks of coding agents. A host stops for what its hook answers, so every answer is 200 with JSON, `{}` where
 * anything is wrong; only who may not ask is told so. What reads payloads is not loaded before the first one.
 */
export function serveHooks(app: FastifyInstance, options: HookOptions): void {
  let opened: Promise<Hooks> | null = null
  const open = async () => new (await import('./answer-hook.ts')).Hooks(options)
  const hooks = () => (opened ??= open())
  const fired = new FiredHooks()
  for (const host of HOOK_HOSTS) {
    const ended = ({ principal }: FastifyRequest, outcome: HookOutcome): void => {
      options.onEnded(host, outcome)
      fired.add(principal, host, outcome, options.nowMs())
    }
    app.route({
      method: 'POST',
      url: `/hooks/${host}`,
      config: { access: 'agent' },
      handler: (request, reply) => answer({ host, options, ended }, hooks, request, reply),
      errorHandler: (error, request, reply) => refuse({ host, options, ended }, error, request, reply),
    })
  }
  app.get(FIRED_PATH, { config: { access: 'agent' } }, ({ principal }) =>
    Promise.resolve({ hooks: fired.of(principal) }),
  )
}

/** The hooks of one host. */
interface HostHooks {
  readonly host: HookHost
  readonly options: HookOptions
  readonly ended: (request: FastifyRequest, outcome: HookOutcome) => void
}

async function answer(
  { host, options, ended }: HostHooks,
  hooks: () => Promise<Hooks>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { id: requestId, headers, principal, body, query, raw } = request
  const { rawHeaders } = raw
  let isLate = false
  const payload = options.parse(Buffer.isBuffer(body) ? body : Buffer.alloc(0))
  const eventName = eventIn(query)
  const call = { host, payload, eventName, requestId, headers, rawHeaders, principal, isLate: () => isLate }
  const made = hooks().then((open) => open.answer(call))
  const given = await within(options.deadlineMs ?? HOOK_DEADLINE_MS, made)
  if (given === LATE) {
    isLate = true
    made.catch((error: unknown) => options.log.debug({ err: error }, 'a late hook was refused'))
    ended(request, 'late')
    return reply.send(NOTHING)
  }
  ended(request, given === null ? 'empty' : 'answered')
  return reply.send(given ?? NOTHING)
}

function refuse(
  { options, ended }: HostHooks,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const refusal = options.refusalOf(error)
  ended(request, refusal === null ? 'failed' : 'refused')
  const status = refusal === null ? 500 : ERRORS[refusal.code].status
  if (status === 401 || status === 403) {
    options.fail(error, request, reply)
    return
  }
  if (refusal === null) options.log.error({ request_id: request.id, err: error }, 'a hook failed')
  else options.log.debug({ request_id: request.id, code: refusal.code }, 'a hook was refused')
  void reply.code(200).header('x-request-id', request.id).send(NOTHING)
}

async function within<Value>(ms: number, made: Promise<Value>): Promise<Value | typeof LATE> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(() => resolve(LATE), ms)
  })
  try {
    return await Promise.race([made, late])
  } finally {
    clearTimeout(timer)
  }
}

/** A host whose payloads do not name their event is told to add it. */
function eventIn(query: unknown): string | null {
  if (typeof query !== 'object' || query === null || !('event' in query)) return null
  return typeof query.event === 'string' ? query.event : null
}

type Count = Record<HookOutcome, number> & { lastMs: number }

/** Which hooks have fired, for who sent them: a key learns nothing of the hooks of others. As large as the number of keys. */
export class FiredHooks {
  /** By id of the key; the empty one stands for requests without a key. */
  readonly #byKey = new Map<string, Map<HookHost, Count>>()

  add(principal: Principal | null, host: HookHost, outcome: HookOutcome, nowMs: number): void {
    const id = principal?.keyId ?? ''
    const hosts = this.#byKey.get(id) ?? new Map<HookHost, Count>()
    this.#byKey.set(id, hosts)
    const count = hosts.get(host) ?? { ...recordOf(HOOK_OUTCOMES, () => 0), lastMs: nowMs }
    hosts.set(host, count)
    count[outcome] += 1
    count.lastMs = nowMs
  }

  /** What the key has heard of the hooks of each host, counted since the start of the service. */
  of(principal: Principal | null) {
    const hosts = [...(this.#byKey.get(principal?.keyId ?? '') ?? [])]
    return hosts.map(([host, { lastMs, ...counts }]) => ({
      host,
      ...counts,
      last_at: new Date(lastMs).toISOString(),
    }))
  }
}
