import type { Consumer, MemoryRecord } from '../model/record.ts'
import { isVisibleTo } from '../model/visibility.ts'

/** With whose eyes records are read; null: an operator, who knows of everything in the actor. */
export type Eyes = Consumer | null

export function isKnownTo(eyes: Eyes, { audience }: MemoryRecord): boolean {
  return eyes === null || isVisibleTo(audience, eyes)
}

/** Whether its text may be shown: an operator knows of private memory, but does not read it. */
export function isReadableBy(eyes: Eyes, { audience }: MemoryRecord): boolean {
  if (eyes !== null) return isVisibleTo(audience, eyes)
  return audience.lane === 'shared' && audience.ownerTeamId === null
}
