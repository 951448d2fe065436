import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { dataFolder } from '../harness/data-folder.ts'
import { type Embedded, startEmbedded } from '../harness/embedded.ts'

let real: Embedded
let scopes = 0
let here: { readonly tenant_id: string; readonly scope: string }

beforeEach(async () => {
  real ??= await startEmbedded({ dir: dataFolder(), config: { residentActorsMax: 2 } })
  here = { tenant_id: 'traces', scope: `scope ${(scopes += 1)}` }
})

const ANN = { consumer_agent_id: 'ann' }
const BOB = { consumer_agent_id: 'bob' }
const SECRET = 'The vault opens with the blue key at noon.'
const RULE = 'Run the tests with pnpm test before a release.'

/** One loop of ann: two memories, two guides, an outcome about the first. */
async function loop() {
  const shared = await real.ok('observe', { ...here, memory: { text: RULE, title: 'Tests', kind: 'rule' } })
  const own = await real.ok('observe', {
    ...here,
    memory: {
      text: SECRET,
      kind: 'fact',
      memory_lane: 'private',
      owner_agent_id: 'ann',
      target_files: ['a.ts'],
    },
  })
  const [ruleId = '', secretId = ''] = [...shared.memory_ids, ...own.memory_ids]
  const ask = { ...here, ...ANN, query_text: 'release', run_id: 'run-1' }
  const before = await real.ok('guide', ask)
  const after = await real.ok('guide', { ...ask, include_packets: true })
  const said = { run_id: 'run-1', outcome: 'positive', used_surface: 'use_now', verifier_status: 'passed' }
  const feedback = await real.ok('feedback', {
    ...here,
    ...said,
    reason: 'it went well',
    guide_trace_id: after.guide_trace_id,
    used_memory_ids: [ruleId],
  })
  return { ruleId, secretId, before, after, feedback }
}

async function traced(body: object) {
  return (await real.ok('decisionTrace', { ...here, ...body })).memory_decision_trace
}

describe('the trace of a guide', () => {
  test('tells of every shown memory why it stood there, and what came of it', async () => {
    const { ruleId, secretId, before, after, feedback } = await loop()
    const product_trace = { before_guide: before, after_guide: after, feedback_result: feedback }
    const trace = await traced({ product_trace })
    expect(trace).toMatchObject({
      guide_trace_id: after.guide_trace_id,
      run_id: 'run-1',
      replay_source: 'runtime_record',
      record: { after_guide: 'held', before_guide: 'held', explanation: 'kept' },
      artifact_mismatch: [],
      artifact_unverified: [],
      hold_out: { held_out: false, withheld_memory_ids: [] },
      input: { memory_packet_present: true, guide_packet_present: true, feedback_result_present: true },
    })
    const [rule, secret] = [ruleId, secretId].map((id) =>
      trace.memory_decisions.find((row) => row.memory_id === id),
    )
    expect(rule).toMatchObject({
      title: 'Tests',
      rule_id: 'S10',
      reason_codes: ['clear'],
      before_guide_surface: 'use_now',
      feedback_detail: { outcome: 'positive', attribution_strength: 'positive_attribution' },
      credit: { exposed: { use_now: 2, total: 2 }, helped_count: 1, unknown_count: 1 },
    })
    expect(rule?.recall_sources.length).toBeGreaterThan(0)
    expect(rule?.credit?.runs).toMatchObject([{ run_id: 'run-1', guide_trace_id: after.guide_trace_id }])
    expect(secret).toMatchObject({
      feedback_detail: null,
      credit: { exposed: { total: 2 }, used_count: 0, helped_count: 0, unknown_count: 2, runs: [] },
    })
    expect(trace.judgment_calibration_summary).toMatchObject({
      supported_memory_ids: [ruleId],
      unused_memory_ids: [secretId],
    })
    expect(trace.memory_use_receipt).toMatchObject({
      exposed_memory_ids: after.memory_use_receipt.exposed_memory_ids,
      decision_summaries: after.memory_use_receipt.decision_summaries,
      attributed_memory_ids: [ruleId],
    })
    for (const text of [RULE, SECRET, 'release', after.agent_context.prompt_text]) {
      expect(JSON.stringify(trace)).not.toContain(text)
    }
  })

  test('a run that says twice what speaks against a memory is one run', async () => {
    const { ruleId, secretId, after } = await loop()
    const told = { reason: 'it broke', run_id: 'run-2', outcome: 'negative', used_surface: 'use_now' }
    const report = { ...here, ...told, guide_trace_id: after.guide_trace_id }
    await real.ok('feedback', { ...report, verifier_status: 'failed', used_memory_ids: [ruleId, secretId] })
    await real.ok('feedback', { ...report, used_memory_ids: [ruleId] })
    const trace = await traced({ guide_trace_id: after.guide_trace_id })
    expect(trace.memory_decisions.find((row) => row.memory_id === ruleId)).toMatchObject({
      feedback_detail: { weak_counter_signal_count: 1, threshold_state: 'weak_below_threshold' },
      credit: { hurt_weak_count: 1 },
    })
    expect(trace.judgment_calibration_summary.contradicted_memory_ids).toEqual([])
  })

  test('is the same by its id alone, after a restart and after other scopes took its place in memory', async () => {
    const { after } = await loop()
    const body = { guide_trace_id: after.guide_trace_id }
    const trace = await traced(body)
    const report = await real.ok('decisionReport', { ...here, ...body })
    for (const other of [1, 2, 3]) {
      await real.ok('observe', { tenant_id: 'traces', scope: `other ${other}`, input_text: 'x' })
    }
    expect(await traced(body)).toEqual(trace)
    await real.restart()
    expect(await traced(body)).toEqual(trace)
    expect(await real.ok('decisionReport', { ...here, ...body })).toEqual(report)
  })

  test('changes neither state nor sequence, also when it is refused', async () => {
    const { after } = await loop()
    const digest = await real.digest(here)
    await traced({ guide_trace_id: after.guide_trace_id })
    await real.ok('decisionReport', { ...here, product_trace: { after_guide: after } })
    await real.refused('decisionTrace', { ...here, guide_trace_id: 'guide_trace:nothing' })
    expect(await real.digest(here)).toBe(digest)
  })

  test('says what a forged feedback says otherwise, and keeps to the record', async () => {
    const { ruleId, secretId, after, feedback } = await loop()
    const fieldsOf = async (feedback_result: object) => {
      const trace = await traced({ product_trace: { after_guide: after, feedback_result } })
      expect(trace.feedback_attribution).toMatchObject({
        outcome: 'positive',
        attributed_memory_ids: [ruleId],
      })
      return trace.artifact_mismatch.map(({ artifact, field }) => `${artifact} ${field}`)
    }
    expect(await fieldsOf({ ...feedback, outcome: 'negative' })).toEqual(['feedback_result outcome'])
    expect(await fieldsOf({ ...feedback, run_id: 'run-9' })).toEqual(['feedback_result run_id'])
    expect(await fieldsOf({ ...feedback, used_memory_ids: [secretId] })).toEqual([
      'feedback_result used_memory_ids',
    ])
    expect(await fieldsOf({ operation: 'activate' })).toEqual([])
    const trace = await traced({ product_trace: { after_guide: after, forget_result: feedback } })
    expect(trace.artifact_mismatch).toEqual([])
  })

  test('a neutral outcome that names no memory is found in history', async () => {
    const { after } = await loop()
    const said = { run_id: 'run-1', outcome: 'neutral', used_surface: 'use_now' }
    const neutral = await real.ok('feedback', {
      ...here,
      ...said,
      reason: 'r',
      guide_trace_id: after.guide_trace_id,
    })
    const of = (feedback_result: object) => traced({ product_trace: { after_guide: after, feedback_result } })
    expect((await of(neutral)).artifact_mismatch).toEqual([])
    expect((await of({ ...neutral, run_id: 'run-2' })).artifact_mismatch).toHaveLength(1)
  })
})

test('a trace is the same once its turns have left the journal for the history files', async () => {
  const dir = dataFolder()
  const large = real
  real = await startEmbedded({ dir, config: { segmentBytes: 65_536, snapshotMinBytes: 4096 } })
  const { after } = await loop()
  const said = { run_id: 'run-1', outcome: 'neutral', used_surface: 'use_now', reason: 'r' }
  const feedback_result = await real.ok('feedback', {
    ...here,
    ...said,
    guide_trace_id: after.guide_trace_id,
  })
  const body = { product_trace: { after_guide: after, feedback_result } }
  const trace = await traced(body)
  const filler = 'each step is written down and checked. '.repeat(40)
  for (let i = 0; i < 150; i++) await real.ok('observe', { ...here, input_text: `Note ${i}: ${filler}` })
  await real.restart()
  for (let i = 0; i < 150; i++) await real.ok('observe', { ...here, input_text: `Note ${i}b: ${filler}` })
  expect(readdirSync(join(dir, 'hist')).filter((name) => name.endsWith('.hist'))).not.toEqual([])
  expect(await traced(body)).toEqual(trace)
  expect(trace).toMatchObject({
    record: { explanation: 'kept' },
    artifact_mismatch: [],
    artifact_unverified: [],
  })
  await real.close()
  real = large
})

describe('what clients measure with', () => {
  test('is taken without a warning: guides with packets, feedback as forget_result, after_guide alone', async () => {
    const { ruleId, before, after, feedback } = await loop()
    const claims = { sufficient_evidence: true, evidence_ids: ['ci://7'] }
    const whole = { before_guide: before, after_guide: after, forget_result: feedback, ...claims }
    for (const product_trace of [whole, { after_guide: after }]) {
      const answer = await real.ok('decisionTrace', { ...here, product_trace })
      expect(answer.warnings).toBeUndefined()
      expect(answer.memory_decision_trace).toMatchObject({
        artifact_mismatch: [],
        feedback_attribution: { outcome: 'positive', attributed_memory_ids: [ruleId] },
        memory_use_receipt: { contract_version: 'svc_memory_use_receipt_v1' },
      })
    }
  })
})

describe('who may trace what', () => {
  test('a guide of another consumer is unknown to a consumer, and its own eyes count without one', async () => {
    const { after } = await loop()
    const body = { ...here, guide_trace_id: after.guide_trace_id }
    const refusal = await real.refused('decisionTrace', { ...body, ...BOB })
    expect(refusal).toMatchObject({ status: 400, error: 'guide_trace_not_found' })
    const unknown = await real.refused('decisionTrace', { ...here, ...BOB, guide_trace_id: 'guide_trace:x' })
    expect({ ...unknown, details: {} }).toEqual({ ...refusal, details: {} })
    const decided = async (consumer: object) => {
      const trace = await traced({ guide_trace_id: after.guide_trace_id, ...consumer })
      return trace.memory_decisions.map((row) => ({ ...row, credit: row.credit?.used_count }))
    }
    expect(await decided(ANN)).toEqual(await decided({}))
  })

  test('what is supplied of a guide of another consumer is replayed without its memory', async () => {
    const { ruleId, secretId, after } = await loop()
    const trace = await traced({ ...BOB, product_trace: { after_guide: after } })
    expect(trace).toMatchObject({ replay_source: 'supplied_artifacts', record: { after_guide: 'not_held' } })
    const views = Object.fromEntries(
      trace.memory_decisions.map((row) => [row.memory_id, [row.domain, row.credit === null]]),
    )
    expect(views).toEqual({ [ruleId]: ['general', false], [secretId]: [null, true] })
  })

  test('an operator who names no guide that is held gets titles of memory that everyone sees', async () => {
    await loop()
    const own = await real.ok('observe', {
      ...here,
      memory: { text: SECRET, title: 'Vault', memory_lane: 'private', owner_agent_id: 'ann', kind: 'fact' },
    })
    const shared = await real.ok('observe', {
      ...here,
      memory: { text: 'More.', title: 'Open', kind: 'fact' },
    })
    const use_now_memory_ids = [...own.memory_ids, ...shared.memory_ids]
    const trace = await traced({ product_trace: { after_guide: { agent_context: { use_now_memory_ids } } } })
    expect(trace.memory_decisions.map(({ title, domain }) => [title, domain])).toEqual([
      [null, 'general'],
      ['Open', 'general'],
    ])
  })

  test('credit names no run of another agent', async () => {
    const { ruleId, after } = await loop()
    const bobs = await real.ok('guide', { ...here, ...BOB, query_text: 'release', run_id: 'run-bob' })
    const said = { reason: 'r', run_id: 'run-bob', outcome: 'negative', used_surface: 'use_now' }
    await real.ok('feedback', {
      ...here,
      ...said,
      guide_trace_id: bobs.guide_trace_id,
      used_memory_ids: [ruleId],
    })
    for (const restarts of [0, 1]) {
      if (restarts > 0) await real.restart()
      const ask = { guide_trace_id: after.guide_trace_id }
      const trace = await traced({ ...ask, ...ANN })
      const credit = trace.memory_decisions.find((row) => row.memory_id === ruleId)?.credit
      const told = await traced(ask)
      const whole = told.memory_decisions.find((row) => row.memory_id === ruleId)?.credit
      expect(whole).toEqual({ ...credit, exposed: expect.objectContaining({ total: 3 }), unknown_count: 1 })
      expect(credit).toMatchObject({ used_count: 2, hurt_weak_count: 1 })
      // How often others are shown a memory would tell of their work.
      expect(credit).not.toHaveProperty('exposed')
      expect(credit).not.toHaveProperty('unknown_count')
      expect(JSON.stringify(trace)).not.toContain('repeated_unused')
      expect(credit?.runs.map(({ run_id }) => run_id)).toEqual(['run-1'])
      expect(JSON.stringify(trace)).not.toContain('run-bob')
      const uri = `svc://traces/${encodeURIComponent(here.scope)}/rule/${ruleId}`
      const resolvedBy = async (consumer: object) => {
        const { node } = await real.ok('resolve', { ...here, ...consumer, uri, include_meta: true })
        expect(node.credit).toMatchObject({ used_count: 2, helped_count: 1, hurt_weak_count: 1 })
        expect(node.credit).not.toHaveProperty('exposed')
        return node.credit?.runs.map(({ run_id }) => run_id)
      }
      expect(await resolvedBy(ANN)).toEqual(['run-1'])
      expect(await resolvedBy(BOB)).toEqual(['run-bob'])
      expect(await resolvedBy({ consumer_agent_id: 'cyd' })).toEqual([])
      const bare = await real.ok('resolve', { ...here, ...ANN, uri })
      expect(bare.node).not.toHaveProperty('credit')
    }
  })
})

describe('what a trace refuses', () => {
  test('a request that names no guide and supplies none', async () => {
    for (const operation of ['decisionTrace', 'decisionReport'] as const) {
      const refusal = await real.refused(operation, here)
      expect(refusal).toMatchObject({ status: 400, error: 'replay_artifact_required' })
      expect(refusal.message).toMatch(/guide_trace_id.*product_trace/)
    }
  })

  test('a product trace without after_guide or with a field that it does not have', async () => {
    for (const product_trace of [{}, { after_guide: {}, baseline: {} }]) {
      const refusal = await real.refused('decisionTrace', { ...here, product_trace })
      expect(refusal).toMatchObject({ status: 400, error: 'invalid_request' })
    }
  })

  test('a guide that nobody made, unless its artifact is there to be replayed', async () => {
    const guide_trace_id = 'guide_trace:00000000-0000-7000-8000-000000000000'
    const refusal = await real.refused('decisionTrace', { ...here, guide_trace_id })
    expect(refusal).toMatchObject({ error: 'guide_trace_not_found', details: { guide_trace_id } })
    const trace = await traced({ guide_trace_id, product_trace: { after_guide: {} } })
    expect(trace).toMatchObject({ replay_source: 'supplied_artifacts', memory_decisions: [] })
  })
})
