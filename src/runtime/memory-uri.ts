/** Percent-encoded so that any tenant, scope and id survive a round trip. */
export function memoryUri(tenantId: string, scope: string, type: string, id: string): string {
  return `svc://${[tenantId, scope, type, id].map(encodeURIComponent).join('/')}`
}

export interface MemoryUri {
  readonly tenantId: string
  readonly scope: string
  readonly type: string
  readonly id: string
}

/** The four parts of a URI, null when it has another form. The scheme is not compared. */
export function parseMemoryUri(uri: string): MemoryUri | null {
  const match = /^[a-z][a-z0-9+.-]*:\/\/([^/]+)\/([^/]+)\/([^/]+)\/([^/]+)$/i.exec(uri)
  if (match === null) return null
  try {
    const [tenantId = '', scope = '', type = '', id = ''] = match.slice(1).map(decodeURIComponent)
    return { tenantId, scope, type, id }
  } catch {
    // A lone percent sign is not an encoding.
    return null
  }
}
