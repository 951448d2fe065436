import { Buffer } from 'node:buffer'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { ROUTES } from '../../client/routes.ts'
import { type AnyObject, isObject, jsonOf } from '../../core/base/collections.ts'
import { shown } from './terminal-text.ts'

/** Where a running service listens. */
export type Address = ({ readonly url: URL } | { readonly socketPath: string }) & {
  /** Null: it is asked without a key. */
  readonly key: string | null
  /** How long it may say nothing; a minute when left out. */
  readonly timeoutMs?: number
}

/** What came back: the decoded body and whether it is an answer or a refusal. */
export interface Reply {
  readonly isOk: boolean
  readonly body: Answer
}

/** The service cannot be asked; the message is for a person. */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  /** The connection broke: what was sent may have been carried out, or not. */
  readonly isBreak: boolean

  constructor(message: string, isBreak = false) {
    super(message)
    this.isBreak = isBreak
  }
}

const TIMEOUT_MS = 60_000

/** Sends one JSON body. @throws ClientError when nobody answers, or not as memgov does */
export function postJson(address: Address, path: string, body: object): Promise<Reply> {
  return answered(address, 'POST', path, Buffer.from(JSON.stringify(body)))
}

/** Asks by query parameters. @throws ClientError as `postJson` */
export function getJson(
  address: Address,
  path: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<Reply> {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) query.set(name, String(value))
  return answered(address, 'GET', query.size === 0 ? path : `${path}?${query.toString()}`, Buffer.alloc(0))
}

async function answered(
  address: Address,
  method: 'GET' | 'POST',
  path: string,
  bytes: Buffer,
): Promise<Reply> {
  const { status, text } = await exchanged(address, method, path, bytes)
  const decoded = jsonOf(text)
  if (!isObject(decoded)) {
    throw new ClientError(`What answers at ${nameOf(address)} is not memgov: status ${status}.`)
  }
  return { isOk: status === 200, body: decoded }
}

async function exchanged(address: Address, method: 'GET' | 'POST', path: string, bytes: Buffer) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = open(address, method, path, bytes.length)
    request.on('response', resolve)
    request.on('timeout', () => request.destroy(new Error('no answer in time')))
    request.on('error', (error) => reject(unreachable(address, error)))
    request.end(bytes)
  })
  const body = await buffer(response).catch((error: unknown) => {
    throw unreachable(address, error)
  })
  return { status: response.statusCode, text: body.toString('utf8') }
}

function open(address: Address, method: 'GET' | 'POST', path: string, contentLength: number): ClientRequest {
  const body = method === 'GET' ? {} : { 'content-type': 'application/json', 'content-length': contentLength }
  const headers = { ...body, ...(address.key === null ? {} : { authorization: `Bearer ${address.key}` }) }
  const options = { method, timeout: address.timeoutMs ?? TIMEOUT_MS, headers }
  if ('socketPath' in address) return httpRequest({ ...options, socketPath: address.socketPath, path })
  const { url } = address
  const [pathname = '', search = ''] = path.split('?', 2)
  const whole = new URL(url)
  whole.pathname = `${url.pathname.replace(/\/$/, '')}${pathname}`
  if (search !== '') whole.search = search
  return url.protocol === 'https:' ? httpsRequest(whole, options) : httpRequest(whole, options)
}

function unreachable(address: Address, error: unknown): ClientError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : null
  if (code !== null && /CERT|LEAF_SIGNATURE/.test(code)) {
    const trusted = 'name that of its authority by NODE_EXTRA_CA_CERTS'
    return new ClientError(`The certificate of ${nameOf(address)} is not trusted (${code}): ${trusted}.`)
  }
  if (code === 'EPROTO') return new ClientError(`${nameOf(address)} does not speak TLS: ask it by http://.`)
  const isNobody = code === 'ECONNREFUSED' || code === 'ENOENT'
  const why = isNobody ? '' : ` (${code ?? String(error)})`
  const message = `No service answers at ${nameOf(address)}${why}: start it with memgov serve.`
  return new ClientError(message, code !== null && !isNobody)
}

function nameOf(address: Address): string {
  return 'socketPath' in address ? `the socket ${address.socketPath}` : address.url.origin
}

// Reading of answers: a service of another version may leave anything out, and a report is printed as far as it goes.

export type Answer = AnyObject

/** The object in a field, or an empty one. */
export function partOf(value: Answer, name: string): Answer {
  const found = value[name]
  return isObject(found) ? found : {}
}

/** The objects of a list. */
export function rowsOf(value: Answer, name: string): readonly Answer[] {
  const found = value[name]
  return Array.isArray(found) ? found.filter(isObject) : []
}

/** The texts of a list. */
export function wordsOf(value: Answer, name: string): readonly string[] {
  const found = value[name]
  return Array.isArray(found) ? found.filter((item): item is string => typeof item === 'string') : []
}

export function textOf(value: Answer, name: string): string | null {
  const found = value[name]
  return typeof found === 'string' ? found : null
}

/** The text as a terminal shows it; a dash when there is none. */
export function shownOf(value: Answer, name: string): string {
  return shown(textOf(value, name))
}

export function numberOf(value: Answer, name: string): number {
  const found = value[name]
  return typeof found === 'number' ? found : 0
}

export function isTrue(value: Answer, name: string): boolean {
  return value[name] === true
}

/** `tenant/scope` of the answer; null when it names none. */
export function placeOf(value: Answer): string | null {
  const [tenantId, scope] = [textOf(value, 'tenant_id'), textOf(value, 'scope')]
  return tenantId === null || scope === null ? null : `${tenantId}/${scope}`
}

/** The operations that the commands which read ask for. */
export type ReadName =
  | 'listActors'
  | 'searchMemories'
  | 'listGuides'
  | 'listExternal'
  | 'listReview'
  | 'flightRecorder'
  | 'blastRadius'

/** Asks a service, wherever it is. @throws ClientError when nobody answers */
export type Ask = (name: ReadName, fields: Readonly<Record<string, unknown>>) => Promise<Reply>

/** The most that one page holds. */
export const PAGE_ITEMS = 200

/** Refused by the service; the message is for a person. */
export class RefusedRead extends Error {
  readonly code: string | null

  constructor(body: Answer) {
    super(refusalOf(body))
    this.code = textOf(body, 'error')
  }
}

/** Why the service refused, for a person at a command line, who sends no headers. */
export function refusalOf(body: Answer): string {
  return textOf(body, 'error') === 'unauthorized'
    ? 'The service asks for a valid key: set MEMGOV_KEY, or --key-file where the command has it; memgov keys create makes one.'
    : (textOf(body, 'message') ?? 'The service refused the request.')
}

/** Where it is read; what is left out is as in every request. */
export type Place = Readonly<Partial<Record<'tenant_id' | 'scope', string>>>

/** Asks for what is in one scope. */
export class Reader {
  readonly place: Place
  readonly #ask: Ask

  constructor(ask: Ask, place: Place) {
    this.#ask = ask
    this.place = place
  }

  /** The same in another scope of the tenant. */
  at(scope: string): Reader {
    return new Reader(this.#ask, { ...this.place, scope })
  }

  /** @throws RefusedRead, or ClientError when nobody answers */
  async page(name: ReadName, fields: Readonly<Record<string, unknown>>): Promise<Answer> {
    const { isOk, body } = await this.#ask(name, { ...this.place, ...fields })
    if (!isOk) throw new RefusedRead(body)
    return body
  }

  /** Items of a list until there are so many, the list is at its end, or `isLast` says so. */
  async items(
    name: ReadName,
    fields: object,
    limit: number,
    isLast: (item: Answer) => boolean = () => false,
  ): Promise<{ readonly items: readonly Answer[]; readonly isCut: boolean }> {
    const items: Answer[] = []
    for (let cursor: string | null = null; ; ) {
      const wanted = Math.min(PAGE_ITEMS, limit - items.length)
      const page: Answer = await this.page(name, {
        ...fields,
        limit: wanted,
        ...(cursor === null ? {} : { cursor }),
      })
      for (const item of rowsOf(page, 'items')) {
        if (isLast(item)) return { items, isCut: false }
        items.push(item)
      }
      cursor = textOf(page, 'next_cursor')
      if (cursor === null || items.length >= limit) return { items, isCut: cursor !== null }
    }
  }
}

/** Whether a value is an answer, as far as it can be told. */
export function asReply(isOk: boolean, body: unknown): Reply {
  return { isOk, body: isObject(body) ? body : {} }
}

/** Asks a service that runs. */
export function askService(address: Address): Ask {
  return (name, fields) => {
    const [method, path] = ROUTES[name]
    return method === 'GET' ? getJson(address, path, fields) : postJson(address, path, fields)
  }
}
