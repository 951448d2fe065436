import { createMcpHandler } from '@modelcontextprotocol/server'
import { type Ask, createMcpServer } from './mcp-server.ts'

export interface McpHandler {
  /** Answers one message whose body has been parsed. What the tools of it ask goes to `ask`. */
  answer(request: Request, body: unknown, ask: Ask): Promise<Response>
  /** Ends listens, as soon as no message waits for its answer. */
  end(): void
}

/** Loads the protocol. Both of its eras are served by the same tools, without a session that is kept. */
export function openMcpHandler(version: string, onError: (error: Error) => void): McpHandler {
  const asks = new WeakMap<Request, Ask>()
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const ask = requestInfo === undefined ? undefined : asks.get(requestInfo)
      if (ask === undefined) throw new Error('a message came another way')
      return createMcpServer(version, ask)
    },
    { onerror: onError },
  )
  let waiting = 0
  let isEnding = false
  const endIdle = () => {
    // Ending cuts off what is still carried out.
    if (isEnding && waiting === 0) void handler.close()
  }
  return {
    async answer(request, body, ask) {
      asks.set(request, ask)
      waiting += 1
      try {
        return await handler.fetch(request, { parsedBody: body })
      } finally {
        waiting -= 1
        endIdle()
      }
    },
    end() {
      isEnding = true
      endIdle()
    },
  }
}
