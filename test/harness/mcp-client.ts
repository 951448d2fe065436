import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as FirstStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as FirstHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { z } from 'zod'
import { MAIN } from './process.ts'

/** The libraries by which agents speak the protocol: the present one in both of its eras, and the one before it. */
export const MCP_LIBRARIES = ['2026-07-28', '2025 by the same', '2025 by version 1'] as const
export type McpLibrary = (typeof MCP_LIBRARIES)[number]

/** Where a service is asked: over HTTP, or by `memgov mcp` with these flags and variables. */
export type McpWay =
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> }
  | {
      readonly flags: readonly string[]
      readonly env?: Readonly<Record<string, string>>
      readonly cwd?: string
    }

export interface McpConnection {
  readonly instructions: string
  tools(): Promise<readonly string[]>
  call(name: string, given: object): Promise<{ readonly texts: readonly string[]; readonly isError: boolean }>
  /** What the bridge wrote beside the protocol. */
  stderr(): string
  close(): Promise<void>
}

const CLIENT = { name: 'test', version: '1' }
const Answer = z.object({
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
  isError: z.boolean().optional(),
})

export async function connectMcp(library: McpLibrary, way: McpWay): Promise<McpConnection> {
  const { client, stderr } = library === '2025 by version 1' ? await first(way) : await present(library, way)
  return {
    instructions: client.getInstructions() ?? '',
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, given) {
      const answer = Answer.parse(await client.callTool({ name, arguments: { ...given } }))
      return { texts: answer.content.map(({ text }) => text), isError: answer.isError === true }
    },
    stderr,
    close: () => client.close(),
  }
}

async function present(library: McpLibrary, way: McpWay) {
  const mode = library === '2026-07-28' ? { pin: library } : 'legacy'
  const client = new Client(CLIENT, { versionNegotiation: { mode } })
  if ('url' in way) {
    await client.connect(new StreamableHTTPClientTransport(endpointOf(way.url), settingsOf(way)))
    return { client, stderr: () => '' }
  }
  const transport = new StdioClientTransport(programOf(way))
  const stderr = collected(transport.stderr)
  await client.connect(transport)
  return { client, stderr }
}

async function first(way: McpWay) {
  const client = new FirstClient(CLIENT)
  if ('url' in way) {
    await client.connect(new FirstHttpTransport(endpointOf(way.url), settingsOf(way)))
    return { client, stderr: () => '' }
  }
  const transport = new FirstStdioTransport(programOf(way))
  const stderr = collected(transport.stderr)
  await client.connect(transport)
  return { client, stderr }
}

function endpointOf(url: string): URL {
  return new URL('/mcp', url)
}

function settingsOf({ headers = {} }: { readonly headers?: Readonly<Record<string, string>> }) {
  return { requestInit: { headers: { ...headers } } }
}

function programOf(way: Exclude<McpWay, { readonly url: string }>) {
  const { flags, env = {}, cwd = process.cwd() } = way
  return {
    command: process.execPath,
    args: [MAIN, 'mcp', ...flags],
    env: { PATH: process.env['PATH'] ?? '', ...env },
    cwd,
    stderr: 'pipe' as const,
  }
}

function collected(stream: { on(event: 'data', listener: (bytes: unknown) => void): unknown } | null) {
  let text = ''
  stream?.on('data', (bytes) => {
    text += String(bytes)
  })
  return () => text
}
