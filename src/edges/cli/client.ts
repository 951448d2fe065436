import { Buffer } from 'node:buffer'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type Answer, isAnswer } from './answer-fields.ts'

/** Where a running service listens. */
export type Address = { readonly url: URL } | { readonly socketPath: string }

/** What came back: the decoded body and whether it is an answer or a refusal. */
export interface Reply {
  readonly isOk: boolean
  readonly body: Answer
}

/** The service cannot be asked; the message is for a person. */
export class ClientError extends Error {
  override readonly name = 'ClientError'
}

const TIMEOUT_MS = 60_000

/** Sends one JSON body. @throws ClientError when nobody answers, or not as memgov does */
export async function postJson(address: Address, path: string, body: object): Promise<Reply> {
  const bytes = Buffer.from(JSON.stringify(body))
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = open(address, path, bytes.length)
    request.on('response', resolve)
    request.on('timeout', () => request.destroy(new Error('no answer in time')))
    request.on('error', (error) => reject(unreachable(address, error)))
    request.end(bytes)
  })
  const text = await textOf(response).catch((error: unknown) => {
    throw unreachable(address, error)
  })
  const decoded = decodedFrom(text)
  if (!isAnswer(decoded)) {
    throw new ClientError(`What answers at ${nameOf(address)} is not memgov: status ${response.statusCode}.`)
  }
  return { isOk: response.statusCode === 200, body: decoded }
}

function open(address: Address, path: string, contentLength: number): ClientRequest {
  const options = {
    method: 'POST',
    timeout: TIMEOUT_MS,
    headers: { 'content-type': 'application/json', 'content-length': contentLength },
  }
  if ('socketPath' in address) return httpRequest({ ...options, socketPath: address.socketPath, path })
  const { url } = address
  const whole = new URL(url)
  whole.pathname = `${url.pathname.replace(/\/$/, '')}${path}`
  return url.protocol === 'https:' ? httpsRequest(whole, options) : httpRequest(whole, options)
}

async function textOf(response: IncomingMessage): Promise<string> {
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
  const why = code === 'ECONNREFUSED' || code === 'ENOENT' ? '' : ` (${code ?? String(error)})`
  return new ClientError(`No service answers at ${nameOf(address)}${why}: start it with memgov serve.`)
}

function nameOf(address: Address): string {
  return 'socketPath' in address ? `the socket ${address.socketPath}` : address.url.origin
}
