import { afterEach, describe, expect, test } from 'vitest'
import { closeEmbedded, startEmbedded } from '../harness/embedded.ts'

afterEach(closeEmbedded)

const place = { tenant_id: 'references', scope: 'one' }
const ann = { ...place, consumer_agent_id: 'ann' }
const ben = { ...place, consumer_agent_id: 'ben' }

async function annsMemories() {
  const real = await startEmbedded()
  const { client_id_map } = await real.ok('observe', {
    ...ann,
    nodes: [
      { client_id: 'open', text: 'Ann shares this.', memory_lane: 'shared', owner_agent_id: 'ann' },
      { client_id: 'secret', text: 'Ann keeps this.', memory_lane: 'private', owner_agent_id: 'ann' },
    ],
  })
  return { real, open: client_id_map['open'] ?? '', secret: client_id_map['secret'] ?? '' }
}

describe('V6: a reference to an invisible memory is a missing one', () => {
  test.each(['id', 'client_id'])(
    'as the target of an edge from a visible memory, named by %s',
    async (by) => {
      const { real, open, secret } = await annsMemories()
      const before = await real.digest(place)
      const dst = by === 'id' ? { id: secret } : { client_id: 'secret' }
      const edge = { type: 'invalidates', src: { id: open }, dst }
      const answer = await real.ok('observe', { ...ben, edges: [edge] })
      const unknown = { type: 'invalidates', src: { id: open }, dst: { id: 'no-such-memory' } }
      const control = await real.ok('observe', { ...ben, edges: [unknown] })
      const name = by === 'id' ? secret : 'secret'
      expect(answer.warnings).toEqual(control.warnings?.map((line) => line.replace('no-such-memory', name)))
      expect(await real.digest(place)).toBe(before)
    },
  )

  test('as a source: what was derived from it does not name it to others', async () => {
    const { real, secret } = await annsMemories()
    const { memory_ids } = await real.ok('observe', {
      ...ann,
      memory: { text: 'Derived and open.', derived_from: [{ id: secret }], memory_lane: 'shared' },
    })
    const [derived = ''] = memory_ids
    const request = { reason: 'to read it', memory_ids: [derived], mode: 'full' }
    const forAnn = await real.ok('rehydrate', { ...ann, ...request })
    expect(forAnn.result.memories[0]?.provenance.derived_from).toEqual([secret])
    const forBen = await real.ok('rehydrate', { ...ben, ...request })
    expect(forBen.result.memories[0]?.provenance.derived_from).toEqual([])
    const uri = `svc://references/one/memory/${derived}`
    expect((await real.ok('resolve', { ...ann, uri })).resolve_summary.related_uris).toHaveLength(1)
    expect((await real.ok('resolve', { ...ben, uri })).resolve_summary.related_uris).toEqual([])
  })

  test('as a feedback target, with the guide of another or without one', async () => {
    const { real, open, secret } = await annsMemories()
    const guide = await real.ok('guide', { ...ann, query_text: 'what does Ann keep?', run_id: 'run-ann' })
    expect(guide.agent_context.memory_ids.toSorted()).toEqual([open, secret].toSorted())
    const before = await real.digest(place)
    const outcome = { reason: 'no', outcome: 'negative', used_surface: 'use_now', run_id: 'run-ann' }
    for (const used_surface of ['use_now', 'explicit_host_assertion']) {
      const refusal = await real.refused('feedback', {
        ...ben,
        ...outcome,
        used_surface,
        memory_ids: [secret],
      })
      expect(refusal.error).toBe('guide_trace_used_memory_not_exposed')
      const unknown = await real.refused('feedback', {
        ...ben,
        ...outcome,
        used_surface,
        memory_ids: ['none'],
      })
      expect(refusal.message).toBe(unknown.message)
      expect(Object.keys(refusal.details)).toEqual(Object.keys(unknown.details))
    }
    expect(await real.digest(place)).toBe(before)
  })

  test('in every way of naming it to rehydrate, resolve and forget', async () => {
    const { real, secret } = await annsMemories()
    const before = await real.digest(place)
    const rehydrate = { ...ben, reason: 'to read it' }
    const forget = { ...ben, operation: 'suppress', target: 'memory', reason: 'away' }
    for (const base of [rehydrate, forget]) {
      const operation = base === rehydrate ? 'rehydrate' : 'forget'
      for (const named of [{ memory_ids: [secret] }, { client_ids: ['secret'] }, { node_ids: [secret] }]) {
        expect((await real.refused(operation, { ...base, ...named })).error).toBe('memory_not_found')
      }
      const uri = `svc://references/one/memory/${secret}`
      for (const named of [{ anchor_id: secret }, { anchor_uri: uri }]) {
        expect((await real.refused(operation, { ...base, ...named })).error).toBe('anchor_not_found')
      }
    }
    const refusal = await real.refused('resolve', { ...ben, uri: `svc://references/one/concept/${secret}` })
    const unknown = await real.refused('resolve', { ...ben, uri: 'svc://references/one/concept/none' })
    expect({ ...refusal, details: {} }).toEqual({ ...unknown, details: {} })
    expect(await real.digest(place)).toBe(before)
  })

  test('an anchor names the newest handoff that the consumer sees, not the newest of all', async () => {
    const real = await startEmbedded()
    const handoff = (text: string) => ({ handoff: { anchor: 'release', summary: text } })
    const open = await real.ok('observe', { ...ann, ...handoff('Open to all.'), memory_lane: 'shared' })
    const own = { memory_lane: 'private', owner_agent_id: 'ann' }
    const hidden = await real.ok('observe', { ...ann, ...handoff('For Ann.'), ...own })
    const request = { reason: 'go on', anchor_id: 'release' }
    const forBen = await real.ok('rehydrate', { ...ben, ...request })
    expect(forBen.result.memories.map((memory) => memory.memory_id)).toEqual(open.memory_ids)
    const forAnn = await real.ok('rehydrate', { ...ann, ...request })
    expect(forAnn.result.memories.map((memory) => memory.memory_id)).toEqual(hidden.memory_ids)
  })
})

describe('V6: evidence that names an invisible memory', () => {
  test.each(['open', 'missing'])(
    'is told to who sees it, and to others like one that is %s',
    async (kind) => {
      const { real, open, secret } = await annsMemories()
      const missing = '0198ffff-0000-7000-8000-000000000000'
      const cited = kind === 'open' ? open : missing
      const refs = { evidence_refs: [secret, cited, 'ci-17'], raw_ref: secret }
      const { memory_ids } = await real.ok('observe', {
        ...ann,
        run_id: 'run-ann',
        execution: {
          client_id: 'citing',
          title: 'Citing',
          summary: 'Citing and open.',
          outcome: 'succeeded',
          task_signature: 'fix:login',
          ...refs,
        },
        memory_lane: 'shared',
      })
      const [citing = ''] = memory_ids
      const readings = async (who: typeof ann) => {
        const guide = await real.ok('guide', {
          ...who,
          query_text: 'citing and open',
          mode: 'full_power',
          include_packets: true,
          task_signature: 'fix:login',
        })
        expect(guide.agent_context.memory_ids).toContain(citing)
        // Ann is shown the secret itself as well.
        const rows = guide.memory_packet?.evidence_trail?.filter((row) => row.memory_id === citing)
        const read = { reason: 'to read it', memory_ids: [citing] }
        const uri = `svc://references/one/memory/${citing}`
        const { guide_trace_id } = guide
        return [
          ...(who === ann ? [rows] : [guide]),
          await real.ok('rehydrate', { ...who, ...read, mode: 'full' }),
          await real.ok('rehydrate', { ...who, ...read, mode: 'differential' }),
          await real.ok('resolve', { ...who, uri, include_slots: true, include_meta: true }),
          await real.ok('decisionTrace', { ...who, guide_trace_id }),
          await real.ok('operatorSnapshot', { ...who, task_signature: 'fix:login' }),
          await real.ok('flightRecorder', { ...who, replay_source: 'journal', guide_trace_id }),
        ].map((answer) => JSON.stringify(answer))
      }
      for (const text of await readings(ben)) {
        expect(text).not.toContain(secret)
        expect(text).not.toContain(missing)
      }
      const [packet = '', full = ''] = await readings(ann)
      for (const text of [packet, full]) {
        expect(text).toContain(secret)
        expect(text).toContain('ci-17')
        expect(text).not.toContain(missing)
        if (kind === 'open') expect(text).toContain(open)
      }
    },
  )
})
