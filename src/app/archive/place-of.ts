import { partsOfActorKey } from '../../core/base/ids.ts'

/** The tenant and scope of an actor, under the names that a request has for them. */
export function placeOfActorKey(key: string): { readonly tenant_id: string; readonly scope: string } {
  const { tenantId, scope } = partsOfActorKey(key)
  return { tenant_id: tenantId, scope }
}
