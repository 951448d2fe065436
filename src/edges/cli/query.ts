import { Buffer } from 'node:buffer'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { isObject, jsonOf } from '../json/json.ts'
import type { Answer } from './answer-fields.ts'

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
