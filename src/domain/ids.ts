// Ids that the runtime makes. Ids in requests are opaque: a malformed one is simply unknown.

export const GUIDE_TRACE_PREFIX = 'guide_trace:'

/** A tenant id holds no slash, so the key names one actor only. */
export function actorKeyOf(tenantId: string, scope: string): string {
  return `${tenantId}/${scope}`
}

/** The tenant and scope of an actor key. */
export function partsOfActorKey(key: string): { readonly tenantId: string; readonly scope: string } {
  const slash = key.indexOf('/')
  return { tenantId: key.slice(0, slash), scope: key.slice(slash + 1) }
}
