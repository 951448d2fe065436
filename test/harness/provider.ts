import { type IncomingMessage, type ServerResponse } from 'node:http'
import { bodyOf, listening, stopListening } from './listener.ts'

export const DIMENSIONS = 256

/** Words that mean the same: a memory can be found by one of them that says the other. */
const MEANINGS: Readonly<Record<string, string>> = {
  automobile: 'car',
  vehicle: 'car',
  physician: 'doctor',
  surgeon: 'doctor',
  terminate: 'stop',
  halt: 'stop',
}

export interface ProviderRequest {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: { readonly model: string; readonly input: readonly string[]; readonly dimensions?: number }
}

/** Answers one request in place of the usual answer. */
export type Answering = (response: ServerResponse, request: ProviderRequest) => void

/** A provider of embeddings over real HTTP. Its vectors are sums of one direction for each meaning of a word. */
export interface Provider {
  readonly url: string
  readonly requests: readonly ProviderRequest[]
  /** Every text that has arrived. */
  readonly texts: readonly string[]
  /** How requests are answered from now on; null: with vectors. */
  answer: Answering | null
  close(): Promise<void>
}

export async function startProvider(): Promise<Provider> {
  const requests: ProviderRequest[] = []
  const url = await listening(async (request, response) => {
    const body = JSON.parse(await bodyOf(request))
    const asked = { path: request.url ?? '', headers: request.headers, body }
    requests.push(asked)
    const { answer } = provider
    if (answer === null) vectors(response, asked)
    else answer(response, asked)
  })
  const provider: Provider = {
    url,
    requests,
    get texts() {
      return requests.flatMap(({ body }) => body.input)
    },
    answer: null,
    close: () => stopListening(url),
  }
  return provider
}

export const vectors: Answering = (response, { body }) => {
  const data = body.input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }))
  json(response, 200, { object: 'list', model: body.model, data })
}

/** The same answers, the last text first: order is told by index. */
export const shuffled: Answering = (response, { body }) => {
  const data = body.input.map((text, index) => ({ index, embedding: vectorOf(text) }))
  json(response, 200, { data: data.toReversed() })
}

export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Answering =>
  (response) =>
    json(response, code, { error: { message: 'no' } }, headers)

export const silence: Answering = () => undefined

export const closed: Answering = (response) => {
  response.destroy()
}

export const saying =
  (answer: unknown): Answering =>
  (response) =>
    json(response, 200, answer)

export function json(
  response: ServerResponse,
  code: number,
  answer: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(code, { 'content-type': 'application/json', ...headers })
  response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
}

export function vectorOf(text: string): number[] {
  const sum = new Array<number>(DIMENSIONS).fill(0.001)
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    for (const [at, number] of directionOf(MEANINGS[word] ?? word).entries())
      sum[at] = (sum[at] ?? 0) + number
  }
  return sum
}

/** Pseudo-random numbers from -1 to 1 that a word alone decides. */
function directionOf(word: string): number[] {
  let seed = 2166136261
  for (const char of word) seed = Math.imul(seed ^ (char.codePointAt(0) ?? 0), 16777619)
  return Array.from({ length: DIMENSIONS }, () => {
    seed = (seed + 0x6d2b79f5) | 0
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1
  })
}
