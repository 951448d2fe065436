const MODERN = '2026-07-28'
const META = 'io.modelcontextprotocol/'

/** What a client of an era sends over HTTP to call a method. */
export function mcpMessage(era: 'modern' | 'legacy', method: string, params: object = {}) {
  const accept = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
  if (era === 'legacy') return { headers: accept, body: { jsonrpc: '2.0', id: 1, method, params } }
  const envelope = {
    [`${META}protocolVersion`]: MODERN,
    [`${META}clientInfo`]: { name: 'test', version: '1' },
    [`${META}clientCapabilities`]: {},
  }
  const name = 'name' in params ? { 'mcp-name': String(params.name) } : {}
  return {
    headers: { ...accept, 'mcp-protocol-version': MODERN, 'mcp-method': method, ...name },
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope } },
  }
}

/** The texts of a tool's answer, also when it came as an event. */
export function toolAnswer(text: string): { readonly texts: readonly string[]; readonly isError: boolean } {
  const { result } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text)
  const texts = result.content.map((block: { readonly text: string }) => block.text)
  return { texts, isError: result.isError === true }
}
