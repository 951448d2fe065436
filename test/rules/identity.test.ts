import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { authorised } from '../../src/contract/access.ts'
import { OPERATIONS, requestRow } from '../../src/contract/operations.ts'
import { parseRequest } from '../../src/contract/parse.ts'
import { ORIGINS, type Origin } from '../../src/core/base/closed-sets.ts'
import { DomainError } from '../../src/core/base/errors.ts'
import { authorityOf, mayEnter, type Principal } from '../../src/core/model/principal.ts'
import { agentIdOf, identityOf, teamIdOf } from '../../src/runtime/normalise/identity.ts'
import { observeCommand } from '../../src/runtime/normalise/observe.ts'
import { BODY_OPERATIONS } from '../contract/parsing.ts'
import { enough } from '../harness/scale.ts'
import { memoryOf, OPERATOR, SPOKESMAN } from '../support/commands.ts'
import { proofsOf } from '../support/prove.ts'
import { refusalOf, World } from '../support/world.ts'

const prove = proofsOf('identity')
const DAY_MS = 86_400_000
const TENANTS = ['acme', 'other', ' acme ', 'default']
const SCOPES = ['shop', 'shop-eu', 'office', 'default', ' shop']
const AGENTS = ['planner', 'coder', ' planner']
const TEAMS = ['red', 'blue']
const maybe = <T>(values: readonly T[]) => fc.constantFrom<T | null | undefined>(undefined, null, ...values)

const anyPrincipal: fc.Arbitrary<Principal> = fc.record({
  keyId: fc.constant('key'),
  tenantId: fc.constantFrom('acme', 'default'),
  scopes: fc.constantFrom(
    [],
    [{ name: 'shop', isPrefix: false }],
    [{ name: 'shop', isPrefix: true }],
    [
      { name: 'shop', isPrefix: false },
      { name: 'office', isPrefix: false },
    ],
  ),
  agentId: fc.constantFrom(null, 'planner'),
  teamId: fc.constantFrom(null, 'red'),
  origins: fc.subarray([...ORIGINS], { minLength: 1 }),
  isReadOnly: fc.boolean(),
  isOperator: fc.boolean(),
  readsMetrics: fc.boolean(),
})

const anyUri = fc
  .tuple(fc.constantFrom('acme', 'other'), fc.constantFrom('shop', 'office'))
  .map(([tenant, scope]) => `svc://${tenant}/${scope}/memory/m1`)

const lanes = {
  owner_agent_id: maybe(AGENTS),
  owner_team_id: maybe(TEAMS),
  producer_agent_id: maybe(AGENTS),
}
const anyNode = fc.record({ text: fc.constant('the port is 80'), origin: maybe(ORIGINS), ...lanes })
const anyMemory = fc.record({
  text: fc.constant('the port is 81'),
  origin: maybe(ORIGINS),
  nodes: fc.array(anyNode, { maxLength: 2 }),
  ...lanes,
})

/** What every operation takes, and more than each of them asks for. */
const anyBody = fc.record({
  tenant_id: maybe(TENANTS),
  scope: maybe(SCOPES),
  consumer_agent_id: maybe(AGENTS),
  agent_id: maybe(AGENTS),
  consumer_team_id: maybe(TEAMS),
  team_id: maybe(TEAMS),
  uri: anyUri,
  anchor_uri: maybe(['svc://acme/shop/memory/m1', 'svc://other/shop/memory/m1', 'no uri']),
  query_text: fc.constant('which port'),
  operation: fc.constantFrom('suppress', 'unsuppress', 'activate', 'rehydrate'),
  target: fc.constant('memory'),
  reason: fc.constant('because'),
  memory_ids: fc.constant(['m1']),
  memory: fc.option(anyMemory, { nil: undefined }),
  nodes: fc.array(anyNode, { maxLength: 2 }),
  handoff: fc.option(fc.record({ summary: fc.constant('go on'), ...lanes }), { nil: undefined }),
  execution: fc.option(
    fc.record({ summary: fc.constant('it ran'), agent_id: maybe(AGENTS), team_id: maybe(TEAMS) }),
    { nil: undefined },
  ),
  input_text: fc.constantFrom('the port is 82', undefined),
  origin: maybe(ORIGINS),
  ...lanes,
})

const anyOperation = fc.constantFrom(...BODY_OPERATIONS)
const anyCall = fc.tuple(anyPrincipal, anyOperation, anyBody)

/** What the request means for the principal; null: it is refused. */
function meant(principal: Principal, operation: (typeof BODY_OPERATIONS)[number], body: object) {
  try {
    const counted = authorised(principal, OPERATIONS[operation], body)
    return { counted, request: parseRequest(requestRow(operation), counted).request }
  } catch (error) {
    if (error instanceof DomainError) return null
    throw error
  }
}

describe('what a key lets a request mean', () => {
  test('I1: a request means the tenant of its key and a scope that it may enter, or it is refused', () => {
    let told = 0
    prove(
      anyCall,
      ([principal, operation, body]) => {
        const said = meant(principal, operation, body)
        if (said === null) return
        told += 1
        const { tenantId, scope } = identityOf(said.request)
        expect(tenantId).toBe(principal.tenantId)
        const named = operation === 'resolve' ? new URL(body.uri).pathname.split('/')[1] : scope
        expect(mayEnter(principal, named ?? '')).toBe(true)
        if (operation === 'resolve') expect(body.uri).toContain(`//${principal.tenantId}/`)
      },
      600,
    )
    expect(told).toBeGreaterThanOrEqual(enough(1))
  })

  test('I2: a request means the agent and the team of its key, or it is refused', () => {
    prove(
      anyCall,
      ([principal, operation, body]) => {
        const said = meant(principal, operation, body)
        if (said === null) return
        const { agentId, teamId } = principal
        if (agentId !== null) expect(agentIdOf(said.request)).toBe(agentId)
        if (agentId !== null || teamId !== null) expect(teamIdOf(said.request)).toBe(teamId)
      },
      600,
    )
  })

  test('I2: what the key of an agent writes belongs to that agent or its team, and comes from it', () => {
    prove(
      fc.tuple(anyPrincipal, anyBody),
      ([anyone, body]) => {
        const principal = { ...anyone, agentId: 'planner', isOperator: false, isReadOnly: false }
        const request = observed(principal, body)
        if (request === null) return
        for (const { audience, producerAgentId } of observeCommand(request, principal).command.memories) {
          expect([null, 'planner', 'local-agent']).toContain(audience.ownerAgentId)
          expect([null, principal.teamId]).toContain(audience.ownerTeamId)
          expect(producerAgentId).toBe('planner')
        }
      },
      600,
    )
  })

  test('I3: a key writes only words of the origins that it may bring', () => {
    prove(
      fc.tuple(anyPrincipal, anyBody),
      ([principal, body]) => {
        const request = observed(principal, body)
        if (request === null) return
        const { memories, claimOrigin } = observeCommand(request, principal).command
        const said: readonly Origin[] = [claimOrigin, ...memories.map(({ origin }) => origin)]
        for (const origin of said) expect(principal.origins).toContain(origin)
      },
      600,
    )
  })

  test('I4: operators’ work, and that on a whole actor, needs their key; a reader’s key writes guides only', () => {
    prove(
      anyCall,
      ([principal, operation, body]) => {
        const said = meant(principal, operation, body)
        if (said === null) return
        const { access, writes } = OPERATIONS[operation]
        if (!principal.isOperator) {
          expect(access).not.toBe('operator')
          const consumer = agentIdOf(said.request) ?? teamIdOf(said.request)
          if (access === 'consumer') expect(consumer).not.toBeNull()
          if (operation === 'forget') expect(body.operation).not.toBe('activate')
        }
        if (principal.isReadOnly && writes) expect(operation).toBe('guide')
      },
      600,
    )
  })
})

describe('what a key lets a request change', () => {
  const AGENT: Principal = { ...SPOKESMAN, keyId: 'agent-key', origins: ['agent', 'tool'] }

  test('I5: a key suppresses nothing that stands above its origins', () => {
    prove(
      fc.tuple(fc.constantFrom(...ORIGINS), fc.constantFrom<'rule' | 'fact'>('rule', 'fact')),
      ([origin, memoryType]) => {
        const world = new World()
        const id = world.write(memoryOf({ text: 'deploy from main only' }, { origin, memoryType }))
        const suppress = () => world.lifecycle({ memoryIds: [id], principal: AGENT })
        if (origin === 'user' || origin === 'verifier') {
          expect(refusalOf(suppress)?.code).toBe('operator_key_required')
          expect(world.record(id).facets.suppression).toBeNull()
        } else {
          suppress()
          expect(world.record(id).facets.suppression).toMatchObject({ principal: AGENT.keyId })
        }
      },
    )
  })

  test('I5: a key restores only what it has suppressed itself', () => {
    const keys: readonly (Principal | null)[] = [null, AGENT, { ...AGENT, keyId: 'another-key' }, OPERATOR]
    prove(fc.tuple(fc.constantFrom(...keys), fc.constantFrom(...keys)), ([first, second]) => {
      const world = new World()
      const id = world.write(memoryOf({ text: 'deploy from main only' }))
      world.lifecycle({ memoryIds: [id], principal: first })
      const restore = () => world.lifecycle({ memoryIds: [id], principal: second, operation: 'unsuppress' })
      const isOwn = second === null || second.isOperator || second.keyId === first?.keyId
      if (isOwn) restore()
      else expect(refusalOf(restore)?.code).toBe('operator_key_required')
      expect(world.record(id).facets.suppression === null).toBe(isOwn)
    })
  })

  test('I5: a key that suppresses anew what another one suppressed neither ends nor takes over that suppression', () => {
    const another = { ...AGENT, keyId: 'another-key' }
    const keys: readonly (Principal | null)[] = [null, AGENT, another, OPERATOR]
    const end = fc.option(fc.nat(DAY_MS), { nil: null })
    prove(fc.tuple(fc.constantFrom(...keys), end, fc.constantFrom(...keys), end), ([first, a, second, b]) => {
      const world = new World()
      const until = (ms: number | null) => ({ untilMs: ms === null ? null : world.nowMs + DAY_MS + ms })
      const id = world.write(memoryOf({ text: 'deploy from main only' }))
      world.lifecycle({ memoryIds: [id], principal: first, ...until(a) })
      const before = world.record(id).facets.suppression
      const { changedMemoryIds } = world.lifecycle({ memoryIds: [id], principal: second, ...until(b) })
      const mayReplace = second === null || second.isOperator || second.keyId === first?.keyId
      expect(changedMemoryIds).toEqual(mayReplace ? [id] : [])
      if (!mayReplace) expect(world.record(id).facets.suppression).toEqual(before)
    })
  })

  test('I6: what an operator’s key writes, anew or again, is an operator’s word', () => {
    prove(fc.constantFrom(...ORIGINS), (origin) => {
      const world = new World()
      const written = (text: string, principal: Principal | null) =>
        world.observe({
          memories: [memoryOf({ text }, { origin, clientId: 'rule-1', memoryType: 'rule' })],
          principal,
        }).memoryIds[0] ?? ''
      const id = written('deploy from main only', OPERATOR)
      expect(authorityOf(world.state, world.record(id))).toBe('operator')
      expect(written('deploy from release only', OPERATOR)).toBe(id)
      expect(authorityOf(world.state, world.record(id))).toBe('operator')
      // Without that key the same origin has less authority, and revises nothing.
      if (origin !== 'user') expect(written('deploy from any branch', null)).not.toBe(id)
      expect(world.record(id).content.text).not.toContain('any branch')
    })
  })
})

function observed(principal: Principal, body: object) {
  try {
    return parseRequest(requestRow('observe'), authorised(principal, OPERATIONS.observe, body)).request
  } catch (error) {
    if (error instanceof DomainError) return null
    throw error
  }
}
