import { describe, expect, test } from 'vitest'
import { parse, refusalOf } from './parsing.ts'

const ids = { guide_trace_id: 'guide_trace:x', run_id: 'run-1', decision_time: '2026-01-31T12:00:00Z' }
const ARTIFACTS = [
  'agent_context',
  'memory_decision_trace',
  'memory_use_receipt',
  'memory_admission_record',
  'operator_snapshot',
  'feedback_result',
] as const

describe('what a replay is asked with', () => {
  test.each(ARTIFACTS)('%s alone suffices', (artifact) => {
    expect(parse('flightRecorder', { [artifact]: { any: ['thing'] } }).warnings).toEqual([])
  })

  test('a product trace suffices, with every field that clients send', () => {
    const product_trace = {
      before_guide: { guide_trace_id: 'a' },
      after_guide: { guide_trace_id: 'b', agent_context: {} },
      feedback_result: {},
      forget_result: { operation: 'activate' },
      evidence_ids: ['e'],
      sufficient_evidence: true,
    }
    expect(parse('flightRecorder', { product_trace }).warnings).toEqual([])
  })

  test.each([[{}], [ids], [{ replay_source: 'artifacts', ...ids }], [{ agent_context: null }]])(
    'without an artifact %j is refused, whatever ids are given',
    (body) => {
      const refusal = refusalOf(() => parse('flightRecorder', body))
      expect(refusal.code).toBe('replay_artifact_required')
      expect(refusal.issues[0]?.message).toMatch(/feedback_result; or replay_source journal/)
    },
  )

  test.each(Object.entries(ids))('the journal needs no artifact when %s names the moment', (name, value) => {
    expect(parse('flightRecorder', { replay_source: 'journal', [name]: value }).warnings).toEqual([])
  })

  test('the journal without a moment is refused, and the refusal names what would be one', () => {
    const refusal = refusalOf(() => parse('flightRecorder', { replay_source: 'journal', agent_context: {} }))
    expect(refusal).toMatchObject({ code: 'invalid_request', issues: [{ path: 'guide_trace_id' }] })
    expect(refusal.message).toMatch(/guide_trace_id, run_id or decision_time/)
  })

  test.each([
    [{ product_trace: {} }, 'product_trace.after_guide'],
    [{ product_trace: { after_guide: {}, baseline: {} } }, 'product_trace.baseline'],
    [{ agent_context: 'prompt' }, 'agent_context'],
    [{ replay_source: 'memory', ...ids }, 'replay_source'],
    [{ replay_source: 'journal', decision_time: 'yesterday' }, 'decision_time'],
  ])('%j is refused at %s', (body, path) => {
    const { code, issues } = refusalOf(() => parse('flightRecorder', body))
    expect(code).toBe('invalid_request')
    expect(issues.map((issue) => issue.path)).toContain(path)
  })
})
