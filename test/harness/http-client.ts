import { Pool } from 'undici'
import { OPERATIONS, type OperationName } from '../../src/contract/operations.ts'
import { parsedAnswer, parsedRefusal, type Reply } from './reply.ts'

/** Whatever a service is asked by. */
export type Client = Pick<HttpClient, 'call'>

/** A client of the service over HTTP, with as many connections as a test asks for. */
export class HttpClient {
  readonly #pool: Pool

  constructor(url: string, connections = 16) {
    this.#pool = new Pool(url, { connections })
  }

  /** Rejects when the connection ends before an answer has come whole. */
  async call<Name extends OperationName>(
    operation: Name,
    body: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Reply<Name>> {
    const { path, method } = OPERATIONS[operation]
    const response = await this.#pool.request({
      path,
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.body.text()
    return response.statusCode === 200
      ? { answer: parsedAnswer(operation, text), refusal: null, text }
      : { answer: null, refusal: parsedRefusal(response.statusCode, text), text }
  }

  /** Ends every connection at once. */
  close(): Promise<void> {
    return this.#pool.destroy()
  }
}
