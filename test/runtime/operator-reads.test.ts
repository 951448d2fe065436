import { afterEach, describe, expect, test } from 'vitest'
import { closeEmbedded, startEmbedded } from '../harness/embedded.ts'
import { idsOf, observe, paged, place } from '../harness/paged.ts'
import type { Answer } from '../harness/reply.ts'
import { Scene } from '../harness/scene.ts'

afterEach(closeEmbedded)

const USERS = { origin: 'user' }
const SUCCEEDED = { outcome: 'positive', verifier_status: 'passed' }

describe('cursors', () => {
  test('a cursor is good after a restart, and refused with another filter or another list', async () => {
    const real = await startEmbedded()
    for (let at = 0; at < 5; at += 1) await observe(real, `note ${at}`)
    const { next_cursor: cursor, items } = await real.ok('listMemories', { ...place, limit: 2 })
    expect(cursor).not.toBeNull()
    await real.restart()
    const rest = await real.ok('listMemories', { ...place, limit: 200, cursor })
    expect(rest.items).toHaveLength(3)
    expect(idsOf(rest.items)).not.toContain(items[1]?.memory_id)
    for (const [name, body] of [
      ['listMemories', { ...place, origin: 'user' }],
      ['listMemories', { ...place, scope: 'elsewhere' }],
      ['listMemories', { ...place, consumer_agent_id: 'bob' }],
      ['listGuides', place],
      ['listReview', place],
    ] as const) {
      const refusal = await real.refused(name, { ...body, cursor })
      expect(refusal.status).toBe(400)
      expect(refusal.message).toMatch(/cursor: .*another filter/)
    }
    for (const spoilt of ['x', '%%%', btoa('[1]'), btoa('{}')]) {
      expect((await real.refused('listMemories', { ...place, cursor: spoilt })).message).toMatch(/cursor/)
    }
  })
})

describe('actors', () => {
  test('listing actors loads none, and says null for what is not known of them', async () => {
    const real = await startEmbedded({ config: { residentActorsMax: 1 } })
    for (const scope of ['a', 'b', 'c']) {
      await real.ok('observe', { tenant_id: 'reads', scope, input_text: 'a fact to keep' })
    }
    await real.ok('observe', { tenant_id: 'other', scope: 'z', input_text: 'a fact to keep' })
    await real.restart()
    const { items } = await real.ok('listActors', { tenant_id: 'reads' })
    expect(real.registry.residentCount()).toBe(0)
    expect(
      items.map(({ scope, resident, turn_count, memory_count }) => [
        scope,
        resident,
        turn_count,
        memory_count,
      ]),
    ).toEqual([
      ['a', false, 1, null],
      ['b', false, 1, null],
      ['c', false, 1, null],
    ])
    await real.digest({ tenant_id: 'reads', scope: 'b' })
    const now = await real.ok('listActors', { tenant_id: 'reads' })
    expect(now.items[1]).toMatchObject({ scope: 'b', resident: true, memory_count: 1, guide_count: 0 })
  })

  test('actors are listed page by page while others come: none twice, none missed', async () => {
    const real = await startEmbedded({ config: { residentActorsMax: 20, durability: 'none' } })
    const scopeOf = (at: number) => `scope-${(at * 7919) % 1000}`
    for (let at = 0; at < 120; at += 1) {
      await real.ok('observe', { tenant_id: 'reads', scope: scopeOf(at), input_text: 'a fact' })
    }
    let more = 120
    const listed = await paged(real, 'listActors', { tenant_id: 'reads', limit: 7 }, async () => {
      for (let at = 0; at < 5; at += 1) {
        await real.ok('observe', { tenant_id: 'reads', scope: scopeOf(more++), input_text: 'a fact' })
      }
    })
    const scopes = listed.map(({ scope }) => scope)
    expect(scopes).toEqual([...new Set(scopes)].sort())
    for (let at = 0; at < 120; at += 1) expect(scopes).toContain(scopeOf(at))
  })
})

describe('reads', () => {
  test('no read changes a digest, and none makes its actor more recent', async () => {
    const real = await startEmbedded({ config: { residentActorsMax: 2 } })
    const [first, second, third] = ['first', 'second', 'third'].map((scope) => ({
      tenant_id: 'reads',
      scope,
    }))
    if (first === undefined || second === undefined || third === undefined) throw new Error('there are three')
    const guide = await (async () => {
      await real.ok('observe', { ...first, input_text: 'the pump runs at night' })
      return real.ok('guide', { ...first, query_text: 'when does the pump run' })
    })()
    await real.ok('observe', { ...second, input_text: 'a fact to keep' })
    const digest = await real.digest(first)
    await real.digest(second)
    // first is the older one of two, and stays that.
    for (const [name, body] of [
      ['listActors', {}],
      ['listMemories', {}],
      ['searchMemories', { text: 'pump' }],
      ['listGuides', { guide_trace_id: guide.guide_trace_id }],
      ['listGuides', {}],
      ['listReview', {}],
      ['operatorSnapshot', {}],
      ['blastRadius', { memory_id: guide.agent_context.memory_ids[0] }],
      ['flightRecorder', { replay_source: 'journal', guide_trace_id: guide.guide_trace_id }],
    ] as const) {
      await real.ok(name, { ...first, ...body })
    }
    await real.ok('observe', { ...third, input_text: 'a fact to keep' })
    await real.digest(third)
    const resident = (await real.ok('listActors', { tenant_id: 'reads' })).items
    expect(resident.filter((item) => item.resident).map(({ scope }) => scope)).toEqual(['second', 'third'])
    // Read again it is loaded, and leaves before those that were used.
    await real.ok('listMemories', first)
    await real.digest(second)
    const after = (await real.ok('listActors', { tenant_id: 'reads' })).items
    expect(after.filter((item) => item.resident).map(({ scope }) => scope)).toEqual(['second', 'third'])
    expect(await real.digest(first)).toBe(digest)
  })
})

describe('guides', () => {
  test('every guide is on exactly one page, the newest first, whatever is asked between pages', async () => {
    const real = await startEmbedded()
    await observe(real, 'the pump runs at night')
    const ask = async (run_id: string) =>
      (await real.ok('guide', { ...place, query_text: 'when does the pump run', run_id })).guide_trace_id
    const before: string[] = []
    for (let at = 0; at < 23; at += 1) {
      before.push(await ask(`run-${at % 3}`))
      if (at % 4 === 0) real.clock.advance(1000)
    }
    // The older ones are in the ledger then.
    await real.restart()
    for (let at = 0; at < 5; at += 1) before.push(await ask('run-0'))
    const listed = await paged(real, 'listGuides', { ...place, limit: 4 }, () => ask('later'))
    const ids = listed.map(({ guide_trace_id }) => guide_trace_id)
    expect(ids).toEqual(before.toReversed())
    const ofRun = await paged(real, 'listGuides', { ...place, run_id: 'run-1', limit: 3 })
    expect(ofRun).toHaveLength(8)
    expect(ofRun[0]).toMatchObject({ run_id: 'run-1', shown: { use_now: 1, do_not_use: 0 } })
  })

  test('the prompt of a guide is rendered again as it was answered, whatever was written since', async () => {
    const real = await startEmbedded()
    for (let at = 0; at < 30; at += 1) await observe(real, `the pump ${at} runs at ${at} o'clock`)
    const guides: Answer<'guide'>[] = []
    for (let at = 0; at < 4; at += 1) {
      guides.push(
        await real.ok('guide', { ...place, query_text: `when does the pump ${at} run`, run_id: `run-${at}` }),
      )
      real.clock.advance(86_400_000)
      await observe(real, `the pump ${at} was taken away`, { kind: 'event' })
      await real.ok('forget', {
        ...place,
        operation: 'suppress',
        target: 'memory',
        reason: 'it is gone',
        memory_ids: guides.at(-1)?.agent_context.memory_ids.slice(0, 1),
      })
    }
    for (const isRestarted of [false, true]) {
      if (isRestarted) await real.restart()
      for (const { guide_trace_id, agent_context } of guides) {
        const { items } = await real.ok('listGuides', { ...place, guide_trace_id })
        expect(items[0]?.detail?.prompt).toMatchObject({
          reproduced: true,
          gap: null,
          text: agent_context.prompt_text,
        })
        const shown = items[0]?.detail?.memories.filter(({ omitted }) => omitted === null) ?? []
        expect(idsOf(shown)).toEqual(agent_context.memory_ids)
      }
    }
  })

  test('what was erased since is a gap with its tombstone, and no prompt is told', async () => {
    const real = await startEmbedded()
    const id = await observe(real, 'the passphrase is tangerine')
    const other = await observe(real, 'the passphrase is changed in May')
    const { guide_trace_id } = await real.ok('guide', { ...place, query_text: 'what is the passphrase' })
    await real.ok('erase', { ...place, reason: 'asked for', memory_ids: [id] })
    const page = await real.ok('listGuides', { ...place, guide_trace_id })
    const { prompt, memories = [], asked } = page.items[0]?.detail ?? {}
    expect(prompt).toMatchObject({ reproduced: false, text: null, gap: 'erased' })
    expect(asked?.query_text).toBeNull()
    expect(memories.find(({ memory_id }) => memory_id === id)?.erased).toMatchObject({ memory_id: id })
    expect(memories.find(({ memory_id }) => memory_id === other)?.erased).toBeNull()
    expect(JSON.stringify(page)).not.toContain('tangerine')
  })

  test('a guide of another consumer is not told to one', async () => {
    const real = await startEmbedded()
    await observe(real, 'the pump runs at night')
    const asked = { ...place, query_text: 'when does the pump run', consumer_agent_id: 'ann' }
    const { guide_trace_id } = await real.ok('guide', asked)
    const asBob = { ...place, consumer_agent_id: 'bob' }
    expect((await real.ok('listGuides', asBob)).items).toEqual([])
    expect((await real.refused('listGuides', { ...asBob, guide_trace_id })).error).toBe(
      'guide_trace_not_found',
    )
    expect((await real.ok('listGuides', place)).items).toHaveLength(1)
  })
})

describe('review', () => {
  test('what waits for a person is listed once: disputes, contested memory, candidates and skills', async () => {
    const real = await startEmbedded()
    const here = (await new Scene(real, 'review').loop(SUCCEEDED)).place
    const { candidates } = await real.ok('proposeSkills', { ...here, task_signature: 'fix:login' })
    const older = await observe(real, 'The session cookie expires after 20 minutes.', USERS, here)
    const newer = await observe(real, 'The session cookie expires after 45 minutes.', USERS, here)
    const contested = await observe(real, 'Restart the worker by hand', { lifecycle: 'contested' }, here)
    const candidate = await observe(real, 'The wiki says to use port 9000', { origin: 'document' }, here)
    await observe(real, 'The office is in Leeds', USERS, here)
    const seen = (items: readonly Answer<'listReview'>['items'][number][]) =>
      items.map(({ kind, memories, skill }) => [
        kind,
        ...idsOf(memories),
        ...(skill ? [skill.candidate_id] : []),
      ])
    const expected = [
      ['candidate', candidate],
      ['contested', contested],
      ['dispute', newer, older],
      ...candidates.map(({ candidate_id }) => ['skill', candidate_id]),
    ]
    expect(candidates).toHaveLength(1)
    for (const limit of [1, 2, 200]) {
      expect(seen(await paged(real, 'listReview', { ...here, limit }))).toEqual(expected)
      const oldest = await paged(real, 'listReview', { ...here, limit, order: 'oldest' })
      expect(seen(oldest)).toEqual([...expected.slice(0, 3).reverse(), ...expected.slice(3).reverse()])
    }
    const [dispute] = await paged(real, 'listReview', { ...here, kind: 'dispute' })
    expect(dispute?.dispute?.yields_memory_id).toBe(older)
    expect(dispute?.memories.map(({ text }) => text)).toEqual([
      'The session cookie expires after 45 minutes.',
      'The session cookie expires after 20 minutes.',
    ])
    expect(seen(await paged(real, 'listReview', { ...here, kind: 'skill' }))).toEqual(expected.slice(3))
  })

  test('what is settled between two pages hides nothing of what follows', async () => {
    const real = await startEmbedded()
    const ids: string[] = []
    for (const port of [5432, 6543, 7654]) {
      ids.push(await observe(real, `The staging database listens on port ${port}.`, USERS))
    }
    const [first = '', second = '', third = ''] = ids
    const settle = (other: string) =>
      real.ok('settle', {
        ...place,
        memory_ids: [other, third],
        verdict: 'both',
        reason: 'looked',
        actor: 'ann',
      })
    const asked = { ...place, limit: 2, order: 'oldest' }
    const items = await paged(real, 'listReview', asked, () => settle(first))
    expect(items.map(({ memories }) => idsOf(memories))).toEqual([
      [second, first],
      [third, first],
      [third, second],
    ])
  })

  test('memory that failures lowered or took out of use waits, until a person has his say; what its writer declared so does not', async () => {
    const real = await startEmbedded()
    const fact = await observe(real, 'The cache of the shop holds an hour', USERS)
    const execution = { run_id: 'run-0', title: 'Emptied the cache of the shop', outcome: 'succeeded' }
    const [run = ''] = (await real.ok('observe', { ...place, execution })).memory_ids
    await observe(real, 'The cache of the till holds a day', { ...USERS, lifecycle: 'demoted' })
    await observe(real, 'The cache of the desk holds a week', { ...USERS, lifecycle: 'failed' })
    const blame = async (id: string, run_id: string, more: object = {}) => {
      const asked = { ...place, query_text: 'cache of the shop', run_id }
      const { guide_trace_id, agent_context } = await real.ok('guide', asked)
      const isForUse = agent_context.use_now_memory_ids.includes(id)
      const used = { used_memory_ids: [id], used_surface: isForUse ? 'use_now' : 'explicit_host_assertion' }
      const told = { outcome: 'negative', reason: 'it was wrong', ...more }
      await real.ok('feedback', { ...place, guide_trace_id, run_id, ...used, ...told })
    }
    await blame(fact, 'run-1')
    await blame(run, 'run-2', { verifier_status: 'failed' })
    await blame(run, 'run-3', { verifier_status: 'failed' })
    const waiting = async (kind?: string) => {
      const items = await paged(real, 'listReview', { ...place, ...(kind === undefined ? {} : { kind }) })
      return items.map((item) => [item.kind, ...idsOf(item.memories)])
    }
    expect(await waiting()).toEqual([
      ['incident', run],
      ['demoted', fact],
    ])
    expect(await waiting('incident')).toEqual([['incident', run]])
    expect(await waiting('demoted')).toEqual([['demoted', fact]])
    const word = { outcome: 'positive', used_surface: 'explicit_host_assertion', actor: 'ann' }
    const restored = { operation: 'activate', target: 'memory', reason: 'looked at it', ...word }
    await real.ok('forget', { ...place, ...restored, memory_ids: [fact, run] })
    expect(await waiting()).toEqual([])
  })
})
