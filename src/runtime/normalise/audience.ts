import type { WireLanes } from '../../contract/memory-input.ts'
import type { Lane } from '../../core/base/closed-sets.ts'
import type { Audience, Consumer } from '../../core/model/record.ts'
import { LOCAL_AGENT } from '../../core/model/visibility.ts'

export type Lanes = Readonly<ReturnType<typeof lanesOf>>

/** Lane, owners and producer as said, before any default: each from the first part of the request that names it. */
export function lanesOf(...parts: readonly (WireLanes | null | undefined)[]) {
  const first = <Key extends keyof WireLanes>(key: Key): WireLanes[Key] | null => {
    for (const part of parts) {
      const value = part?.[key] ?? null
      if (value !== null) return value
    }
    return null
  }
  return {
    lane: first('memory_lane') ?? null,
    ownerAgentId: first('owner_agent_id') ?? null,
    ownerTeamId: first('owner_team_id') ?? null,
    producerAgentId: first('producer_agent_id') ?? null,
  }
}

/**
 * Who may see it. Default lane: private when an owner agent is named and no team, else shared. A private lane
 * without owner belongs to `local-agent`, which is who asks when a request names nobody: nobody else ever sees it.
 */
export function audienceOf(lanes: Lanes, place: string, warnings: string[]): Audience {
  const { lane, ownerAgentId, ownerTeamId } = lanes
  if (lane === 'private' && ownerAgentId === null && ownerTeamId === null) {
    warnings.push(
      `${place} is private without owner_agent_id or owner_team_id: it belongs to ${LOCAL_AGENT}, who asks when no consumer is named`,
    )
    return { lane, ownerAgentId: LOCAL_AGENT, ownerTeamId }
  }
  const byDefault: Lane = ownerAgentId !== null && ownerTeamId === null ? 'private' : 'shared'
  return { lane: lane ?? byDefault, ownerAgentId, ownerTeamId }
}

/** Whose later govern requests the outcomes count for. What is private without an owner is the consumer's. */
export function outcomeAudience(said: WireLanes, consumer: Consumer): Audience {
  const lanes = lanesOf(said)
  const isUnowned = lanes.ownerAgentId === null && lanes.ownerTeamId === null
  const owned = lanes.lane === 'private' && isUnowned ? { ...lanes, ownerAgentId: consumer.agentId } : lanes
  return audienceOf(owned, 'record', [])
}

/** True when a request says anything of lanes or owners. */
export function namesLane({ memory_lane, owner_agent_id, owner_team_id }: WireLanes): boolean {
  return [memory_lane, owner_agent_id, owner_team_id].some((said) => (said ?? null) !== null)
}

const COMPARED = ['memory_lane', 'owner_agent_id', 'owner_team_id', 'producer_agent_id'] as const

/** Names the fields of `memory` that the top level overrules. */
export function warnOfOverruled(top: WireLanes, memory: WireLanes, warnings: string[]): void {
  for (const key of COMPARED) {
    const [said, inside] = [top[key] ?? null, memory[key] ?? null]
    if (said !== null && inside !== null && said !== inside) {
      warnings.push(`memory.${key} differs from ${key}: the one at the top level counts`)
    }
  }
}
