import { afterEach, describe, expect, test } from 'vitest'
import type { RequestedName } from '../../src/contract/operations.ts'
import type { Principal } from '../../src/core/model/principal.ts'
import { closeEmbedded, type Embedded, startEmbedded } from '../harness/embedded.ts'
import { observe, place } from '../harness/paged.ts'
import { Scene } from '../harness/scene.ts'
import { OPERATOR } from '../support/commands.ts'

afterEach(closeEmbedded)

const USERS = { origin: 'user' }

async function disputed(real: Embedded) {
  const a = await observe(real, 'The session cookie expires after 20 minutes.', USERS)
  const b = await observe(real, 'The session cookie expires after 45 minutes.', USERS)
  return [a, b] as const
}

describe('a request that is only tried', () => {
  test('a settlement tells what it would move, changes nothing, and moves just that', async () => {
    const real = await startEmbedded()
    const memory_ids = await disputed(real)
    for (const verdict of ['a', 'b', 'neither', 'both']) {
      const body = { ...place, memory_ids, verdict, reason: 'asked the team' }
      const digest = await real.digest(place)
      const tried = await real.ok('settle', { ...body, dry_run: true, operation_id: `try-${verdict}` })
      expect(tried.dry_run).toBe(true)
      expect(await real.digest(place)).toBe(digest)
      const seq = await real.registry.use(place.tenant_id, place.scope, async ({ state }) => state.seq)
      const settled = await real.ok('settle', body)
      expect(settled.dry_run).toBeUndefined()
      const { changed_memory_ids, previous_verdict } = settled
      expect(tried).toMatchObject({ changed_memory_ids, previous_verdict, verdict })
      const moved = await real.registry.use(place.tenant_id, place.scope, async ({ state }) =>
        memory_ids.flatMap((memory_id) =>
          (state.memories.get(memory_id)?.changes ?? [])
            .filter((change) => change.seq > seq)
            .map(({ facet }) => ({ memory_id, facet })),
        ),
      )
      const told = tried.changes?.map(({ memory_id, facet }) => ({ memory_id, facet })) ?? []
      expect(new Set(told.map(String))).toEqual(new Set(moved.map(String)))
      expect(told).toHaveLength(moved.length)
    }
  })

  test('a suppression and an activation tell what they would move, and change nothing', async () => {
    const real = await startEmbedded()
    const [a] = await disputed(real)
    const digest = await real.digest(place)
    const named = { ...place, target: 'memory', memory_ids: [a], reason: 'look first', dry_run: true }
    const suppress = await real.ok('forget', { ...named, operation: 'suppress' })
    expect(suppress.changes).toEqual([
      { memory_id: a, facet: 'suppression', to: 'suppressed', cause: 'operator_suppress' },
    ])
    expect(await real.digest(place)).toBe(digest)
    const asserted = { outcome: 'positive', used_surface: 'explicit_host_assertion', actor: 'maria' }
    const foreign = await observe(real, 'The wiki says to use port 9000.', { origin: 'document' })
    const before = await real.digest(place)
    const activate = await real.ok('forget', {
      ...named,
      ...asserted,
      operation: 'activate',
      memory_ids: [foreign],
    })
    expect(await real.digest(place)).toBe(before)
    expect(activate.changes).toContainEqual({
      memory_id: foreign,
      facet: 'trust',
      to: 'trusted',
      cause: 'operator_activation',
    })
    for (const body of [
      { ...named, operation: 'rehydrate' },
      { ...named, operation: 'activate', run_id: 'r', outcome: 'positive', used_surface: 'use_now' },
    ])
      expect((await real.refused('forget', body)).error).toBe('invalid_request')
    expect(await real.digest(place)).toBe(before)
  })

  test('what a guide would show now stands beside what it showed, and looking exposes nothing', async () => {
    const real = await startEmbedded()
    const [a, b] = await disputed(real)
    const asked = { ...place, query_text: 'When does the session cookie expire?' }
    const { guide_trace_id, agent_context } = await real.ok('guide', asked)
    await real.ok('forget', {
      ...place,
      operation: 'suppress',
      target: 'memory',
      memory_ids: [b],
      reason: 'wrong',
    })
    const digest = await real.digest(place)
    const { items } = await real.ok('listGuides', { ...place, guide_trace_id, as_now: true })
    const detail = items[0]?.detail
    expect(detail?.prompt).toMatchObject({ reproduced: true, text: agent_context.prompt_text })
    expect(detail?.now?.memories.map(({ memory_id, surface }) => [memory_id, surface])).toEqual(
      expect.arrayContaining([
        [a, 'use_now'],
        [b, 'do_not_use'],
      ]),
    )
    expect(await real.digest(place)).toBe(digest)
    const fresh = await real.ok('guide', asked)
    expect(detail?.now?.text).toBe(fresh.agent_context.prompt_text)
    const plain = await real.ok('listGuides', { ...place, guide_trace_id })
    expect(plain.items[0]?.detail).not.toHaveProperty('now')
  })
})

describe('the four-eyes rule', () => {
  const ann = { ...OPERATOR, keyId: 'ann0', tenantId: place.tenant_id }
  const bob = { ...OPERATOR, keyId: 'bob0', tenantId: place.tenant_id }

  const asked = async (real: Embedded, by: Principal, operation: RequestedName, body: object) => {
    try {
      await real.runtime.execute(
        operation,
        { ...place, ...body },
        {
          requestId: 'test',
          operationId: null,
          principal: by,
        },
      )
      return 'done'
    } catch (error) {
      return error instanceof Error && 'code' in error ? error.code : error
    }
  }

  async function writtenBy(real: Embedded, by: Principal, text: string): Promise<string> {
    const before = new Set((await real.ok('listMemories', place)).items.map(({ memory_id }) => memory_id))
    await asked(real, by, 'observe', { input_text: text, memory: { kind: 'fact', ...USERS }, origin: 'user' })
    const { items } = await real.ok('listMemories', place)
    return items.find(({ memory_id }) => !before.has(memory_id))?.memory_id ?? ''
  }

  test('whoever wrote a memory settles no dispute in its favour: another operator does', async () => {
    const real = await startEmbedded()
    const a = await writtenBy(real, ann, 'The session cookie expires after 20 minutes.')
    const b = await writtenBy(real, bob, 'The session cookie expires after 45 minutes.')
    const settle = (by: Principal, verdict: string) =>
      asked(real, by, 'settle', { memory_ids: [a, b], verdict, reason: 'asked the team' })
    const digest = await real.digest(place)
    expect(await settle(ann, 'a')).toBe('operator_key_required')
    expect(await settle(bob, 'b')).toBe('operator_key_required')
    expect(await settle(ann, 'both')).toBe('operator_key_required')
    expect(await real.digest(place)).toBe(digest)
    expect(await settle(ann, 'b')).toBe('done')
    expect(await settle(bob, 'a')).toBe('done')
    expect(await settle(ann, 'neither')).toBe('done')
  })

  test('nor activates it, nor promotes a skill that is derived from it', async () => {
    const real = await startEmbedded()
    const own = await writtenBy(real, ann, 'The wiki says to use port 9000.')
    const activate = (by: Principal) =>
      asked(real, by, 'forget', {
        operation: 'activate',
        target: 'memory',
        memory_ids: [own],
        reason: 'it holds',
        outcome: 'positive',
        used_surface: 'explicit_host_assertion',
        actor: 'maria',
      })
    expect(await activate(ann)).toBe('operator_key_required')
    expect(await activate(bob)).toBe('done')
  })

  test('without keys there is no such rule', async () => {
    const real = await startEmbedded()
    const memory_ids = await disputed(real)
    await real.ok('settle', { ...place, memory_ids, verdict: 'b', reason: 'asked the team' })
    const { operator_snapshot } = await real.ok('operatorSnapshot', place)
    expect(operator_snapshot.memory_lifecycle.controlled_memory_count).toBe(1)
    const here = (await new Scene(real, 'skills').loop({ outcome: 'positive', verifier_status: 'passed' }))
      .place
    const { candidates } = await real.ok('proposeSkills', { ...here, task_signature: 'fix:login' })
    const skill_id = candidates[0]?.candidate_id
    const promoted = await real.ok('settle', { ...here, skill_id, verdict: 'promote', reason: 'it holds' })
    expect(promoted.changed_memory_ids).toHaveLength(1)
  })
})
