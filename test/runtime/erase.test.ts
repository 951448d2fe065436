import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { isOnFiles, startEmbedded } from '../harness/embedded.ts'

const place = { tenant_id: 'erase', scope: 'wire' }
const asked = { ...place, reason: 'asked for', actor: 'operator' }

describe('what callers meet after an erasure', () => {
  test('resolve, rehydrate and forget find nothing and say why; its client id is free again', async () => {
    const service = await startEmbedded()
    const memory = { client_id: 'note', text: 'The blue door is locked.' }
    const { memory_ids } = await service.ok('observe', { ...place, memory })
    const [id = ''] = memory_ids
    const answer = await service.ok('erase', { ...asked, client_ids: ['note', 'nobody'] })
    expect(answer).toMatchObject({
      agent_prompt_included: false,
      erased_memory_ids: [id],
      missing_memory_ids: ['nobody'],
      tombstones: [{ memory_id: id, reason: 'asked for', actor: 'operator' }],
    })
    const uri = `svc://erase/wire/memory/${id}`
    expect(await service.refused('resolve', { uri })).toMatchObject({
      status: 404,
      error: 'memory_not_found',
      details: { erased: true },
    })
    const rehydrate = { ...place, reason: 'read', memory_ids: [id] }
    expect((await service.refused('rehydrate', rehydrate)).details).toMatchObject({ erased_memory_ids: [id] })
    const other = await service.ok('observe', { ...place, input_text: 'The red door is open.' })
    const forget = { ...place, operation: 'suppress', target: 'memory', reason: 'x' }
    const both = await service.ok('forget', { ...forget, memory_ids: [id, ...other.memory_ids] })
    expect(both.forget_effect.missing_memory_ids).toEqual([id])
    const again = await service.ok('observe', { ...place, memory: { ...memory, text: 'It is green now.' } })
    expect(again.observed.memory_written).toBe(true)
    expect(again.memory_ids).not.toContain(id)
    const { agent_context } = await service.ok('guide', { ...place, query_text: 'door' })
    expect(agent_context.prompt_text).toContain('It is green now.')
    expect(agent_context.memory_ids).not.toContain(id)
  })

  test('guides beyond their retention go too while they still stand in memory', async () => {
    const service = await startEmbedded({ config: { exposureRetentionDays: 1 } })
    const query = { ...place, query_text: 'door', run_id: 'old' }
    const { guide_trace_id } = await service.ok('guide', query)
    service.clock.advance(40 * 24 * 3_600_000)
    const uri = `svc://${place.tenant_id}/${place.scope}/guide/${encodeURIComponent(guide_trace_id)}`
    const unknown = { error: 'memory_not_found', details: { uri, expired: true } }
    expect(await service.refused('resolve', { uri })).toMatchObject(unknown)
    const { guide_effect } = await service.ok('erase', { ...asked, run_ids: ['old'] })
    expect(guide_effect?.erased_guide_trace_ids).toEqual([guide_trace_id])
  })

  test('an erased guide is in no report, by name or in a list, while the ledger still holds it', async () => {
    const service = await startEmbedded({ config: { residentActorsMax: 1, snapshotMinBytes: 4096 } })
    const asked = { ...place, query_text: 'which pump runs', run_id: 'run-1' }
    await service.ok('observe', { ...place, input_text: 'Pump 4 runs.' })
    const { guide_trace_id } = await service.ok('guide', asked)
    for (let at = 0; at < 20; at += 1) await service.ok('guide', { ...asked, run_id: 'run-2' })
    await service.ok('guide', { ...asked, scope: 'elsewhere' })
    vi.spyOn(service.registry, 'purge').mockRejectedValueOnce(new Error('cut off'))
    const erased = { ...place, reason: 'asked for', guide_trace_ids: [guide_trace_id] }
    await expect(service.call('erase', erased)).rejects.toThrow('cut off')
    const { items } = await service.ok('listGuides', place)
    expect(items).toHaveLength(20)
    const unknown = { error: 'guide_trace_not_found', details: { guide_trace_id, erased: true } }
    expect(await service.refused('listGuides', { ...place, guide_trace_id })).toMatchObject(unknown)
    const replayed = { ...place, guide_trace_id, replay_source: 'journal' }
    expect(await service.refused('flightRecorder', replayed)).toMatchObject(unknown)
  })

  test('the trace and the report of a guide that showed it can still be made, without a word of it', async () => {
    const service = await startEmbedded()
    const memory = {
      client_id: 'note',
      text: 'The quondam door.',
      title: 'quondam',
      target_files: ['quondam.ts'],
    }
    const { memory_ids } = await service.ok('observe', { ...place, memory })
    await service.ok('observe', { ...place, input_text: 'The red door is open.' })
    const forget = { operation: 'suppress', target: 'memory', reason: 'quondam is wrong', memory_ids }
    await service.ok('forget', { ...place, ...forget })
    const { guide_trace_id, agent_context } = await service.ok('guide', {
      ...place,
      query_text: 'quondam door',
    })
    expect(agent_context.memory_ids).toContain(memory_ids[0])
    await service.ok('erase', { ...asked, memory_ids })
    const trace = await service.ok('decisionTrace', { ...place, guide_trace_id })
    const report = await service.ok('decisionReport', { ...place, guide_trace_id })
    expect(JSON.stringify(trace)).toContain(memory_ids[0])
    expect(JSON.stringify([trace, report])).not.toContain('quondam')
  })

  test('an anchor means every handoff of its name, so that a repeat means the same ones', async () => {
    const service = await startEmbedded()
    for (const summary of ['half done', 'nearly done']) {
      await service.ok('observe', { ...place, handoff: { anchor: 'line', summary } })
    }
    expect((await service.ok('erase', { ...asked, anchor_id: 'line' })).erased_memory_ids).toHaveLength(2)
    const repeat = await service.ok('erase', { ...asked, anchor_uri: 'svc://erase/wire/handoff/line' })
    expect(repeat.already_erased_memory_ids).toHaveLength(2)
    expect((await service.refused('erase', { ...asked, anchor_id: 'nothing' })).error).toBe(
      'anchor_not_found',
    )
  })

  test('a consumer erases what it sees; for others the memory is missing', async () => {
    const service = await startEmbedded()
    const memory = { text: 'mine alone', owner_agent_id: 'ann', memory_lane: 'private' }
    const { memory_ids } = await service.ok('observe', { ...place, memory })
    const refusal = await service.refused('erase', { ...asked, memory_ids, consumer_agent_id: 'bob' })
    expect(refusal).toMatchObject({ status: 404, error: 'memory_not_found' })
    const answer = await service.ok('erase', { ...asked, memory_ids, consumer_agent_id: 'ann' })
    expect(answer.erased_memory_ids).toEqual(memory_ids)
  })

  test('an erasure that finds nothing in a scope without a snapshot has nothing to take off the disk', async () => {
    const service = await startEmbedded()
    await service.ok('observe', { ...place, input_text: 'The red door is open.' })
    const filter = { text: 'zebra', text_match: 'substring' }
    const { erased_memory_ids, purged } = await service.ok('erase', { ...asked, filter })
    expect(erased_memory_ids).toEqual([])
    expect(purged).toEqual({ snapshots: 0, journal_segments: 0, history_files: 0 })
  })

  test.skipIf(!isOnFiles)(
    'a snapshot that is damaged by then does not stop an erasure while the journal has its turns',
    async () => {
      const service = await startEmbedded()
      const other = { tenant_id: 'erase', scope: 'beside' }
      const { memory_ids } = await service.ok('observe', { ...place, input_text: 'The blue door is locked.' })
      await service.ok('observe', { ...other, input_text: 'The red door is open.' })
      await service.restart()
      const folder = join(service.dir, 'snap')
      const damaged = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.includes('beside'),
      )
      expect(damaged).toHaveLength(1)
      for (const name of damaged) {
        const bytes = readFileSync(join(folder, name))
        bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)
        writeFileSync(join(folder, name), bytes)
      }
      await service.ok('erase', { ...asked, memory_ids })
      const { agent_context } = await service.ok('guide', { ...other, query_text: 'door' })
      expect(agent_context.prompt_text).toContain('The red door is open.')
    },
  )

  test('requests go on while several scopes erase at once, and all of it is durable in any durability', async () => {
    const service = await startEmbedded({ config: { durability: 'none', segmentBytes: 65_536 } })
    const scopes = ['one', 'two', 'three'].map((scope) => ({ ...asked, scope }))
    const ids = new Map<string, readonly string[]>()
    for (const where of scopes) {
      for (let n = 0; n < 20; n += 1) {
        const text = `${where.scope} ${n} ${'long story '.repeat(200)}`
        const { memory_ids } = await service.ok('observe', { ...where, input_text: text })
        ids.set(where.scope, [...(ids.get(where.scope) ?? []), ...memory_ids])
      }
    }
    const erasures = scopes.map((where) =>
      service.ok('erase', { ...where, memory_ids: ids.get(where.scope)?.slice(0, 10) }),
    )
    const writes = scopes.map((where) => service.ok('observe', { ...where, input_text: 'written meanwhile' }))
    const repeats = scopes.map((where) =>
      service.ok('erase', { ...where, memory_ids: ids.get(where.scope)?.slice(0, 10) }),
    )
    for (const answer of [...(await Promise.all(erasures)), ...(await Promise.all(repeats))]) {
      expect(answer.tombstones).toHaveLength(10)
      expect(answer.durable).toBeUndefined()
    }
    expect(await Promise.all(writes)).toHaveLength(3)
    const digests = await Promise.all(scopes.map((where) => service.digest(where)))
    await service.restart()
    expect(await Promise.all(scopes.map((where) => service.digest(where)))).toEqual(digests)
  })
})
