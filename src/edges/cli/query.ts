import { Buffer } from 'node:buffer'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type Answer, isAnswer, textOf } from './answer-fields.ts'
import { blastRadiusText } from './blast-radius.ts'
import { explanation } from './explain.ts'
import { safeJson } from './safe-json.ts'
import { paintFor, visible } from './terminal-text.ts'

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

/** Asks for a text. @throws ClientError when nobody answers */
export function getText(address: Address, path: string): Promise<TextReply> {
  return exchanged(address, 'GET', path, Buffer.alloc(0))
}

interface TextReply {
  readonly status: number | undefined
  readonly text: string
}

async function answered(
  address: Address,
  method: 'GET' | 'POST',
  path: string,
  bytes: Buffer,
): Promise<Reply> {
  const { status, text } = await exchanged(address, method, path, bytes)
  const decoded = decodedFrom(text)
  if (!isAnswer(decoded)) {
    throw new ClientError(`What answers at ${nameOf(address)} is not memgov: status ${status}.`)
  }
  return { isOk: status === 200, body: decoded }
}

async function exchanged(
  address: Address,
  method: 'GET' | 'POST',
  path: string,
  bytes: Buffer,
): Promise<TextReply> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = open(address, method, path, bytes.length)
    request.on('response', resolve)
    request.on('timeout', () => request.destroy(new Error('no answer in time')))
    request.on('error', (error) => reject(unreachable(address, error)))
    request.end(bytes)
  })
  const text = await bodyOf(response).catch((error: unknown) => {
    throw unreachable(address, error)
  })
  return { status: response.statusCode, text }
}

function open(address: Address, method: 'GET' | 'POST', path: string, contentLength: number): ClientRequest {
  const body = method === 'GET' ? {} : { 'content-type': 'application/json', 'content-length': contentLength }
  const headers = { ...body, ...keyHeader(address) }
  const options = { method, timeout: address.timeoutMs ?? TIMEOUT_MS, headers }
  if ('socketPath' in address) return httpRequest({ ...options, socketPath: address.socketPath, path })
  const { url } = address
  const [pathname = '', search = ''] = path.split('?', 2)
  const whole = new URL(url)
  whole.pathname = `${url.pathname.replace(/\/$/, '')}${pathname}`
  if (search !== '') whole.search = search
  return url.protocol === 'https:' ? httpsRequest(whole, options) : httpRequest(whole, options)
}

function keyHeader({ key }: Address): { readonly authorization?: string } {
  return key === null ? {} : { authorization: `Bearer ${key}` }
}

async function bodyOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

function decodedFrom(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function unreachable(address: Address, error: unknown): ClientError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : null
  const isNobody = code === 'ECONNREFUSED' || code === 'ENOENT'
  const why = isNobody ? '' : ` (${code ?? String(error)})`
  const message = `No service answers at ${nameOf(address)}${why}: start it with memgov serve.`
  return new ClientError(message, code !== null && !isNobody)
}

function nameOf(address: Address): string {
  return 'socketPath' in address ? `the socket ${address.socketPath}` : address.url.origin
}

/** Sends a body to whoever answers at a path, a service or a store. @throws ClientError when nobody does */
export type AskPath = (path: string, body: object) => Promise<Reply>

/** A question for a running service, as the command line asks it. */
export interface Query {
  readonly path: string
  readonly body: object
  readonly print: 'explain' | 'blast-radius' | 'json'
}

interface Output {
  readonly isColoured: boolean
  readonly out: (text: string) => unknown
  readonly error: (text: string) => unknown
}

/** Where an id may be. */
export interface Place {
  readonly tenant_id: string
  readonly scope: string
}

/** Scopes in which an id is looked for, one request each: each of them is loaded for it. */
const SEARCHED_MAX = 500

/** How the service says that an id is not there, or that the key must not look there. */
const UNKNOWN: readonly string[] = [
  'guide_trace_not_found',
  'memory_not_found',
  'tenant_forbidden',
  'scope_forbidden',
]

/**
 * Asks, prints, and resolves with the exit code: 0 answered, 1 refused or nobody there. An id that is unknown in the place that the
 * query names is looked for in `places`, when they are given.
 */
export async function runQuery(
  ask: AskPath,
  query: Query,
  output: Output,
  places: (() => Promise<readonly Place[]>) | null = null,
): Promise<number> {
  try {
    const reply = await ask(query.path, query.body)
    const last = places !== null && isUnknown(reply) ? await soughtIn(await places(), ask, query) : reply
    if (last === null || !last.isOk) {
      const told = textOf((last ?? reply).body, 'message') ?? 'The service refused the request.'
      const hint = last === null ? ' It is in no scope of the data folder: name its scope by --scope.' : ''
      output.error(`memgov: ${visible(told)}${hint}\n`)
      return 1
    }
    output.out(`${linesOf(last.body, query, output.isColoured).join('\n')}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    output.error(`memgov: ${visible(error.message)}\n`)
    return 1
  }
}

function isUnknown({ isOk, body }: Reply): boolean {
  return !isOk && UNKNOWN.includes(textOf(body, 'error') ?? '')
}

/**
 * The answer of the one place that knows the id, or a refusal that has nothing to do with the place; null when no place knows it.
 * @throws ClientError when several do, or too many are to be asked
 */
async function soughtIn(places: readonly Place[], ask: AskPath, query: Query): Promise<Reply | null> {
  if (places.length > SEARCHED_MAX) {
    throw new ClientError(`There are ${places.length} scopes: name the one of the id by --scope.`)
  }
  const found: { readonly place: Place; readonly reply: Reply }[] = []
  for (const place of places) {
    const reply = await ask(query.path, { ...query.body, ...place })
    if (reply.isOk) found.push({ place, reply })
    else if (!isUnknown(reply)) return reply
  }
  const [only, ...others] = found
  if (others.length === 0) return only?.reply ?? null
  const names = found.map(({ place }) => `${place.tenant_id}/${place.scope}`)
  throw new ClientError(`Several scopes have it, name one by --tenant and --scope: ${names.join(', ')}.`)
}

function linesOf(body: Answer, { print }: Query, isColoured: boolean): readonly string[] {
  const paint = paintFor(isColoured)
  switch (print) {
    case 'json':
      return [safeJson(body, 2)]
    case 'explain':
      return explanation(body, paint)
    case 'blast-radius':
      return blastRadiusText(body, paint)
  }
}
