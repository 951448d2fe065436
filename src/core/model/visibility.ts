import type { Audience, Consumer } from './record.ts'

/** Who asks when a request names no consumer. */
export const LOCAL_AGENT = 'local-agent'

/** A shared memory without a team is for everyone in the actor; otherwise its team or its owner agent. */
export function isVisibleTo(audience: Audience, consumer: Consumer): boolean {
  if (isForEveryone(audience)) return true
  const isOwner = audience.ownerAgentId !== null && audience.ownerAgentId === consumer.agentId
  const isTeam = audience.ownerTeamId !== null && audience.ownerTeamId === consumer.teamId
  return isOwner || isTeam
}

/** With whose eyes an actor is read. Null: an operator, to whom every memory of it is known. */
export type Viewer = Consumer | null

export function canSee(viewer: Viewer, { audience }: { readonly audience: Audience }): boolean {
  return viewer === null || isVisibleTo(audience, viewer)
}

/** Whether its text may be shown: an operator knows of private memory, but does not read it. */
export function canRead(viewer: Viewer, { audience }: { readonly audience: Audience }): boolean {
  return viewer === null ? isForEveryone(audience) : isVisibleTo(audience, viewer)
}

/** True when everyone who sees `target` also sees `source`: only then may source act on target. */
export function isSeenByAllWhoSee(source: Audience, target: Audience): boolean {
  if (isForEveryone(source)) return true
  if (isForEveryone(target)) return false
  const agentKnows = target.ownerAgentId === null || target.ownerAgentId === source.ownerAgentId
  const teamKnows = target.ownerTeamId === null || target.ownerTeamId === source.ownerTeamId
  return agentKnows && teamKnows
}

/** Equal for equal audiences: lane, owner agent and owner team. */
export function audienceKey({ lane, ownerAgentId, ownerTeamId }: Audience): string {
  // Most memories have no owner. No lane begins as a list does.
  if (ownerAgentId === null && ownerTeamId === null) return lane
  return JSON.stringify([lane, ownerAgentId, ownerTeamId])
}

export function consumerKey(consumer: Consumer): string {
  return JSON.stringify([consumer.agentId, consumer.teamId])
}

function isForEveryone(audience: Audience): boolean {
  return audience.lane === 'shared' && audience.ownerTeamId === null
}

/** By the number of each class of audience: 1 where the consumer sees its memories. */
export function classesSeenBy(
  audiences: ReadonlyMap<string, { readonly audience: Audience; readonly number: number }>,
  consumer: Consumer,
): Uint8Array {
  const isSeen = new Uint8Array(audiences.size)
  for (const { audience, number } of audiences.values())
    isSeen[number] = isVisibleTo(audience, consumer) ? 1 : 0
  return isSeen
}
