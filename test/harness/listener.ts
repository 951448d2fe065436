import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

type Answering = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

const servers = new Map<string, Server>()

/** Answers over HTTP until the file of tests has ended, on a free port or at a path; says where. */
export async function listening(answering: Answering, path?: string): Promise<string> {
  const server = createServer((request, response) => void answering(request, response))
  await new Promise<void>((resolve) => {
    if (path === undefined) server.listen(0, '127.0.0.1', resolve)
    else server.listen(path, resolve)
  })
  const address = server.address()
  const url = typeof address === 'string' ? address : `http://127.0.0.1:${address?.port}`
  servers.set(url, server)
  return url
}

/** The whole body of a request. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

/** A port that nobody listens on any more. */
export async function freePort(): Promise<number> {
  const url = await listening(() => {})
  await stopListening(url)
  return Number(new URL(url).port)
}

export async function stopListening(url: string): Promise<void> {
  const server = servers.get(url)
  servers.delete(url)
  server?.closeAllConnections()
  await new Promise((resolve) => server?.close(resolve))
}

export async function stopAllListening(): Promise<void> {
  for (const url of servers.keys()) await stopListening(url)
}
