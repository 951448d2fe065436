import { SCOPE, TENANT_ID } from './fields.ts'

/** `svc://{tenant}/{scope}/{type}/{id}`, each part percent-encoded. */
export interface MemoryUri {
  readonly tenantId: string
  readonly scope: string
  readonly type: string
  readonly id: string
}

const FORM = /^[a-z][a-z0-9+.-]*:\/\/([^/]+)\/([^/]+)\/([^/]+)\/([^/]+)$/i

/** Reads a memory URI of any scheme; null when it has another form or names an impossible tenant or scope. */
export function parseMemoryUri(uri: string): MemoryUri | null {
  const parts = FORM.exec(uri)?.slice(1).map(decoded) ?? []
  const [tenantId, scope, type, id] = parts
  if (tenantId == null || scope == null || type == null || id == null) return null
  return TENANT_ID.test(tenantId) && SCOPE.test(scope) ? { tenantId, scope, type, id } : null
}

export function memoryUriOf(uri: MemoryUri): string {
  return `svc://${[uri.tenantId, uri.scope, uri.type, uri.id].map(encodeURIComponent).join('/')}`
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}
