import { Client } from 'undici'

/** One connection that is kept open and carries one request at a time. */
export interface JsonClient {
  /** Status and body text of the answer. */
  post(path: string, bodyText: string): Promise<{ readonly status: number; readonly text: string }>
  /** The body text of an answer with 200; rejects on any other. */
  answer(path: string, bodyText: string): Promise<string>
  /** Ends requests in progress as well. */
  close(): Promise<void>
}

const HEADERS = { 'content-type': 'application/json' }
const ERROR_TEXT_CHARS = 300

/** `signal` ends requests in progress. `also`: further headers of every request. */
export function jsonClient(
  url: string,
  signal: AbortSignal | null = null,
  also: Readonly<Record<string, string>> = {},
): JsonClient {
  const client = new Client(url)
  const headers = { ...HEADERS, ...also }
  const post = async (path: string, body: string) => {
    const answer = await client.request({ method: 'POST', path, headers, body, signal })
    return { status: answer.statusCode, text: await answer.body.text() }
  }
  return {
    post,
    async answer(path, bodyText) {
      const { status, text } = await post(path, bodyText)
      if (status !== 200)
        throw new Error(`${path} was answered ${status}: ${text.slice(0, ERROR_TEXT_CHARS)}`)
      return text
    },
    close: () => client.destroy(),
  }
}
