import { EVERYONE } from '../../src/core/model/external-memory.ts'
import type { ExternalShown } from '../../src/core/model/record.ts'

/** A ref that is told apart by eye. */
export function refOf(id: string): string {
  return Buffer.from(id).toString('hex').padStart(32, '0')
}

/** A govern request that recorded these. */
export function shownOf(externalIds: readonly string[]): ExternalShown {
  const refs = externalIds.map(refOf)
  return {
    audience: EVERYONE,
    sourceBackends: externalIds.map(() => 'b'),
    externalIds,
    refs,
    textHashes: refs,
    domains: externalIds.map(() => 'general' as const),
    surfaces: externalIds.map(() => 'use_now' as const),
  }
}
