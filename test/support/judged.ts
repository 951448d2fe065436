import { readForDispute } from '../../src/core/similarity/dispute.ts'
import { Decision } from '../../src/core/write/decision.ts'
import type { Similar } from '../../src/core/write/similar.ts'
import { LOCAL } from './commands.ts'
import type { World } from './world.ts'

/** Answers of the same memories to every text. */
export function alike(said: Partial<Record<'exact' | 'near', readonly string[]>>): Similar {
  return {
    exact: () => said.exact ?? [],
    nearDuplicates: (_name, holds) => (said.near ?? []).filter(holds),
    related: () => [],
    reading: readForDispute,
    inOtherLanguages: () => [],
    disputedBy: () => null,
  }
}

export function decisionOf(world: World): Decision {
  return new Decision(world.state, world.nowMs, () => world.newId())
}

/** A record as a guide shows it on a surface. */
export function show(
  world: World,
  ids: readonly string[],
  surface: 'use_now' | 'inspect_before_use' | 'rehydrate' | 'do_not_use',
): void {
  world.commit([
    {
      type: 'exposed',
      guideTraceId: `guide_trace:${world.turns.length}`,
      memoryIds: ids,
      surfaces: ids.map(() => surface),
      consumerAgentId: LOCAL.agentId,
      consumerTeamId: null,
      runId: null,
      taskSignature: null,
      heldOut: false,
    },
  ])
}

/** So many characters of text. */
export const long = (length: number): string => 'word '.repeat(length).slice(0, length)
