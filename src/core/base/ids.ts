// Ids that the runtime makes. Ids in requests are opaque: a malformed one is simply unknown.

export const GUIDE_TRACE_PREFIX = 'guide_trace:'

const TRACE_ID = /^guide_trace:([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})$/
const TIME_DIGITS = 12

/** The 32 hex digits of the UUID in the id of a guide. Null for anything but `guide_trace:` and a lower-case UUID of version 7. */
export function parseTraceId(guideTraceId: string): string | null {
  return TRACE_ID.exec(guideTraceId)?.[1]?.replaceAll('-', '') ?? null
}

/** When it was made, milliseconds since the epoch: the first 48 bits of a UUID of version 7. */
export function atMsOf(uuid: string): number {
  return Number.parseInt(uuid.slice(0, TIME_DIGITS), 16)
}

/** When a guide was given, by its id; not a number for what is no id of ours. */
export function guideTimeOf(guideTraceId: string): number {
  return atMsOf(parseTraceId(guideTraceId) ?? '')
}

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
