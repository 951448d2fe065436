import { Client } from 'undici'

/** One connection that is kept open and carries one request at a time. */
export interface JsonClient {
  /** Status and body text of the answer. */
  post(path: string, bodyText: string): Promise<{ readonly status: number; readonly text: string }>
  /** Ends requests in progress as well. */
  close(): Promise<void>
}

const HEADERS = { 'content-type': 'application/json' }

/** `signal` ends requests in progress; with `socketPath` they go over that Unix socket. */
export function jsonClient(
  url: string,
  signal: AbortSignal | null = null,
  socketPath: string | null = null,
): JsonClient {
  const client = new Client(url, socketPath === null ? {} : { socketPath })
  return {
    async post(path, bodyText) {
      const { statusCode, body } = await client.request({
        method: 'POST',
        path,
        headers: HEADERS,
        body: bodyText,
        signal,
      })
      return { status: statusCode, text: await body.text() }
    },
    close: () => client.destroy(),
  }
}
