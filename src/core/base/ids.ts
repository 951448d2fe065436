// Ids that the runtime makes. Ids in requests are opaque: a malformed one is simply unknown.

export const GUIDE_TRACE_PREFIX = 'guide_trace:'

/** A memory id, or the id of the claim or handoff that a memory holds. */
export const OUR_ID = /^(?:claim:|handoff:)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A tenant id holds no slash, so the key names one actor only. */
export function actorKeyOf(tenantId: string, scope: string): string {
  return `${tenantId}/${scope}`
}

/** The tenant and scope of an actor key. */
export function partsOfActorKey(key: string): { readonly tenantId: string; readonly scope: string } {
  const slash = key.indexOf('/')
  return { tenantId: key.slice(0, slash), scope: key.slice(slash + 1) }
}
