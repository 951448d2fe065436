import fc from 'fast-check'
import { expect } from 'vitest'
import type { RequestedName } from '../../src/contract/operations.ts'
import type { Embedded, Place } from './embedded.ts'
import { type Eyes, type IsolationModel, type Lanes } from './isolation-model.ts'
import type { Reply } from './reply.ts'

export type Command = fc.AsyncCommand<IsolationModel, Embedded>

const AGENTS = ['ann', 'ben', 'cem']
const TEAMS = ['red', 'blue']
export const SHARED_CLIENT_IDS = ['same-1', 'same-2']

export const index = fc.nat({ max: 10_000 })
export const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)]

export const eyesArb: fc.Arbitrary<Eyes> = fc.record({
  agent: fc.constantFrom(...AGENTS, 'local-agent'),
  team: fc.constantFrom(null, null, ...TEAMS),
})

export function lanesOf(eyes: Eyes, kind: number): Lanes {
  const team = eyes.team ?? 'red'
  const lanes: readonly Lanes[] = [
    {},
    { memory_lane: 'shared' },
    { owner_agent_id: eyes.agent },
    { memory_lane: 'private', owner_agent_id: eyes.agent },
    { memory_lane: 'private', owner_team_id: team },
    { memory_lane: 'shared', owner_team_id: team },
    { memory_lane: 'shared', owner_team_id: team, owner_agent_id: eyes.agent },
    { memory_lane: 'shared', owner_agent_id: eyes.agent },
    { memory_lane: 'private' },
  ]
  return pick(lanes, kind) ?? {}
}

export function ownerEyes(eyes: Eyes, lanes: Lanes): Eyes {
  return { agent: lanes.owner_agent_id ?? eyes.agent, team: lanes.owner_team_id ?? eyes.team }
}

/** What a request says of who asks; `local-agent` says nothing. */
export function consumerFields(eyes: Eyes): object {
  return {
    ...(eyes.agent === 'local-agent' ? {} : { consumer_agent_id: eyes.agent }),
    ...(eyes.team === null ? {} : { consumer_team_id: eyes.team }),
  }
}

/** One request of somebody, checked against what may be in its answer. */
export async function send<Name extends RequestedName>(
  model: IsolationModel,
  real: Embedded,
  operation: Name,
  place: Place,
  body: object,
  eyes: readonly Eyes[] | 'operator',
  learn: (reply: Reply<Name>) => readonly string[] | void = () => {},
): Promise<void> {
  const request = { ...place, ...body }
  const reply = await real.call(operation, request)
  const own = learn(reply) ?? []
  const leaks = model.leaks(place, eyes, JSON.stringify([request, own]), reply.text)
  const shown = `${operation} ${JSON.stringify(request)}\nanswered ${reply.text}`
  expect(leaks, shown).toEqual([])
}

export function command(
  name: string,
  shown: object,
  run: (model: IsolationModel, real: Embedded) => Promise<void>,
): Command {
  return { check: () => true, run, toString: () => `${name} ${JSON.stringify(shown)}` }
}
