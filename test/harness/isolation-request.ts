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

interface Asked<Fields extends object> {
  /** What was drawn: fields of the command, and who asks. */
  readonly plan: Fields & { readonly eyes: Eyes }
  readonly model: IsolationModel
  readonly real: Embedded
  readonly place: Place
  readonly state: ReturnType<IsolationModel['at']>
  /** One request to the place, checked against what those eyes may find in its answer. */
  readonly send: <Name extends RequestedName>(
    operation: Name,
    body: object,
    eyes: readonly Eyes[] | 'operator',
    learn?: (reply: Reply<Name>) => readonly string[] | void,
  ) => Promise<void>
}

/** A command in some place, by somebody. */
export function placed<Fields extends object>(
  name: string,
  fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> },
  run: (asked: Asked<Fields>) => Promise<void>,
): fc.Arbitrary<Command> {
  return fc.record({ at: index, eyes: eyesArb, own: fc.record(fields) }).map(({ at, eyes, own }) => {
    const plan = { ...own, eyes }
    return command(name, { at, ...plan }, (model, real) => {
      const place = model.places[at % model.places.length]!
      return run({
        plan,
        model,
        real,
        place,
        state: model.at(place),
        async send(operation, body, seenBy, learn = () => {}) {
          const request = { ...place, ...body }
          const reply = await real.call(operation, request)
          const learnt = learn(reply) ?? []
          const leaks = model.leaks(place, seenBy, JSON.stringify([request, learnt]), reply.text)
          const shown = `${operation} ${JSON.stringify(request)}\nanswered ${reply.text}`
          expect(leaks, shown).toEqual([])
        },
      })
    })
  })
}

export function command(
  name: string,
  shown: object,
  run: (model: IsolationModel, real: Embedded) => Promise<void>,
): Command {
  return { check: () => true, run, toString: () => `${name} ${JSON.stringify(shown)}` }
}
