import { describe, expect, test } from 'vitest'
import { type Embedded, startEmbedded } from '../harness/embedded.ts'
import { provePasts } from '../harness/prove.ts'
import { fromJournal, replay } from '../harness/recorder.ts'

const claimOf = (slot_key: string, value: string) => ({
  subject_key: 'quondam subject',
  predicate: 'quondam predicate',
  value: `quondam ${value}`,
  slot_key: `quondam ${slot_key}`,
  conflict_policy: 'singleton_latest',
})

const OWN = { memory_lane: 'private', owner_agent_id: 'nobody-else' }

describe('the claim ledger of a replay', () => {
  test('A41: it is that of the guide, and later claims and those of others are not in it', async () => {
    await provePasts(async (session, embedded, choice) => {
      const { place } = session
      const write = (slot: string, value: string, lane: object = {}) =>
        embedded.ok('observe', { ...place, claims: [claimOf(slot, value)], ...lane })
      for (let at = 0; at < choice % 4; at++) await write(`slot ${at % 2}`, `value ${at}`)
      const hidden = await write('slot 0', 'hidden', OWN)
      const guide = await embedded.ok('guide', { ...place, query_text: 'which claims hold' })
      const { claim_ledger_projection: told } = guide
      const read = async () => {
        const report = await replay(session, fromJournal(guide.guide_trace_id))
        const { claim_ledger_projection: ledger } = report
        expect(JSON.stringify(ledger ?? null)).not.toContain('quondam')
        for (const id of hidden.memory_ids) expect(JSON.stringify(report)).not.toContain(id)
        const verdict = report.claims.find(({ claim }) => claim === 'claim_ledger_projection_replayable')
        expect(verdict?.status).toBe('pass')
        return ledger
      }
      const then = await read()
      expect(then === undefined).toBe(told === undefined)
      if (then === undefined || told === undefined) return
      expect(then.counts).toEqual(told.counts)
      const rows = told.live_claims.map((row) => ({
        claim_id: row.claim_id,
        memory_id: row.memory_id,
        claim_kind: row.claim_kind,
        authority: row.authority,
        status: row.status,
        agent_surface: row.agent_surface,
        reason_codes: row.reason_codes,
      }))
      expect(then.live_claims).toEqual(rows)
      expect(then.superseded_slots).toEqual(
        told.superseded_slots.map(({ claims }) => ({
          claim_id: claims[0]?.claim_id,
          superseded_count: claims.length,
        })),
      )
      const supplied = await replay(session, { product_trace: { after_guide: guide } })
      expect(supplied.artifact_mismatch).toEqual([])
      // Written later: it is in no ledger of before, whatever it replaces.
      await write('slot 0', 'later')
      await write('slot 9', 'later still')
      const later = await read()
      const total = (ledger: typeof then) => Object.values(ledger.counts).reduce((sum, one) => sum + one, 0)
      expect(later === undefined ? 0 : total(later)).toBe(total(then))
      await embedded.restart()
      expect(await read()).toEqual(later)
    }, 12)
  })

  test('A41: a claim that was erased before the guide is not counted, one that was erased since is', async () => {
    const embedded = await startEmbedded()
    const place = { tenant_id: 'contract', scope: 'erased claims' }
    const written = async (slot: string) =>
      (await embedded.ok('observe', { ...place, claims: [claimOf(slot, 'value')] })).memory_ids
    const [before, since] = [await written('one'), await written('two')]
    const erase = (memory_ids: readonly string[]) =>
      embedded.ok('erase', { ...place, memory_ids, reason: 'asked for' })
    await erase(before)
    const { guide_trace_id } = await embedded.ok('guide', { ...place, query_text: 'which claims hold' })
    const ask = { ...place, ...fromJournal(guide_trace_id) }
    const counts = async () =>
      (await embedded.ok('flightRecorder', ask)).agent_flight_recorder.claim_ledger_projection?.counts
    expect(await counts()).toMatchObject({ redacted: 0 })
    await erase(since)
    expect(await counts()).toMatchObject({ redacted: 1 })
  })

  test('A41: a hold-out told no claim, and its replay names none', async () => {
    const embedded = await startEmbedded({ config: { holdoutPercent: 100 } })
    const place = { tenant_id: 'contract', scope: 'held out' }
    await embedded.ok('observe', { ...place, claims: [claimOf('slot', 'value')] })
    const { guide_trace_id } = await embedded.ok('guide', { ...place, query_text: 'which claims hold' })
    const ask = { ...place, ...fromJournal(guide_trace_id) }
    const { agent_flight_recorder: report } = await embedded.ok('flightRecorder', ask)
    expect(report.held_out).toBe(true)
    expect(report).not.toHaveProperty('claim_ledger_projection')
  })
})

describe('a supplied claim ledger', () => {
  const place = { tenant_id: 'contract', scope: 'supplied claims' }
  let embedded: Embedded

  test('A41: that names what is no claim of the consumer is a mismatch, and any other is none', async () => {
    embedded = await startEmbedded()
    const open = await embedded.ok('observe', { ...place, claims: [claimOf('slot', 'value')] })
    const other = await embedded.ok('observe', { ...place, claims: [claimOf('slot', 'value')], ...OWN })
    const plain = await embedded.ok('observe', { ...place, input_text: 'no claim at all' })
    const guide = await embedded.ok('guide', { ...place, query_text: 'which claims hold' })
    const { guide_trace_id, agent_context, claim_ledger_projection: ledger } = guide
    const fieldsOf = async (claim_ledger_projection: object | undefined) => {
      const body = { ...place, guide_trace_id, agent_context, claim_ledger_projection }
      const { agent_flight_recorder: report } = await embedded.ok('flightRecorder', body)
      return report.artifact_mismatch.map(({ artifact, field }) => [artifact, field])
    }
    expect(await fieldsOf(ledger)).toEqual([])
    const named = 'claim_ledger_projection'
    for (const { memory_ids } of [other, plain]) {
      const [memory_id = ''] = memory_ids
      const forged = { live_claims: [{ claim_id: `claim:${memory_id}`, memory_id }] }
      expect(await fieldsOf(forged)).toEqual([
        [named, 'claim_id'],
        [named, 'memory_id'],
      ])
    }
    const [memory_id = ''] = open.memory_ids
    const slots = { superseded_slots: [{ slot_key: 's', claims: [{ claim_id: 'claim:none', memory_id }] }] }
    expect(await fieldsOf(slots)).toEqual([[named, 'claim_id']])
  })

  test('is no artifact by itself; without a record its ids and known words are told, and no text', async () => {
    const ledger = {
      live_claims: [
        {
          claim_id: 'c'.repeat(300),
          memory_id: 'm1',
          claim_kind: 'free words',
          authority: 'trusted',
          status: 'active',
          agent_surface: 'use_now',
          reason_codes: ['claim_ledger_live_claim', 'two words'],
          subject_key: 'quondam',
          predicate: 'quondam',
          value_text: 'quondam',
        },
      ],
      superseded_slots: [{ slot_key: 'quondam', claims: [{ claim_id: 'c2' }, { claim_id: 'c3' }] }],
      counts: { active: 3, superseded: 2 },
    }
    const alone = { ...place, claim_ledger_projection: ledger }
    expect((await embedded.refused('flightRecorder', alone)).error).toBe('replay_artifact_required')
    const after_guide = { agent_context: { use_now_memory_ids: ['m1'] }, claim_ledger_projection: ledger }
    const operator_snapshot = { guide_trace: {}, claim_ledger_projection: ledger }
    const ways = [
      { ...alone, agent_context: { use_now_memory_ids: ['m1'] } },
      { ...place, product_trace: { after_guide } },
      { ...place, operator_snapshot },
    ]
    for (const body of ways) {
      const { agent_flight_recorder: report } = await embedded.ok('flightRecorder', body)
      expect(report.claim_ledger_projection).toEqual({
        source: 'supplied',
        live_claims: [
          {
            claim_id: 'c'.repeat(256),
            memory_id: 'm1',
            claim_kind: null,
            authority: 'trusted',
            status: 'active',
            agent_surface: 'use_now',
            reason_codes: ['claim_ledger_live_claim'],
          },
        ],
        superseded_slots: [{ claim_id: 'c2', superseded_count: 2 }],
        counts: { active: 3, contested: 0, superseded: 2, retired: 0, redacted: 0 },
      })
      expect(JSON.stringify(report)).not.toContain('quondam')
    }
  })
})
