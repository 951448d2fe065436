import { describe, expect, test } from 'vitest'
import { MEASURE_RULES, MeasureRequest, MeasureResponse } from '../../src/contract/measure.ts'
import { parseRequest } from '../../src/contract/parse.ts'
import { DomainError } from '../../src/core/base/errors.ts'
import { readMeasureInput } from '../../src/core/measure/job.ts'
import { measure } from '../../src/core/measure/measure.ts'
import { AMOUNT_MAX, METRIC_NAMES, METRICS, snakeName } from '../../src/core/measure/metrics.ts'
import { readObservation } from '../../src/core/measure/observation.ts'
import { GOOD, HELD, hashOf, manualJob, observed, POOR, TRACE, traceJob } from '../support/measure-samples.ts'

const operation = { request: MeasureRequest }
const read = (body: object) => parseRequest(operation, body)

function refusalOf(body: object): string {
  try {
    read(body)
  } catch (error) {
    if (error instanceof DomainError) return JSON.stringify([error.code, error.details])
    throw error
  }
  throw new Error('the request was accepted')
}

describe('a measure request', () => {
  test('is a manual pair or a product trace', () => {
    expect(read({ baseline: POOR, guided: GOOD }).warnings).toEqual([])
    expect(read({ product_trace: TRACE }).warnings).toEqual([])
    expect(read({ product_trace: { baseline: {}, after_guide: {} } }).warnings).toEqual([])
  })

  test('says what is missing', () => {
    expect(refusalOf({})).toContain(MEASURE_RULES.shape)
    expect(refusalOf({ baseline: POOR })).toContain(MEASURE_RULES.pair)
    expect(refusalOf({ guided: GOOD })).toContain(MEASURE_RULES.pair)
    expect(refusalOf({ product_trace: { after_guide: {} } })).toContain(MEASURE_RULES.comparison)
    expect(refusalOf({ product_trace: { before_guide: {} } })).toContain('product_trace.after_guide')
  })

  test.each([
    { baseline: POOR, someones: GOOD },
    { someones: GOOD },
    { baseline: POOR, guided: GOOD, minSomeonesScore: 0.5 },
    { product_trace: TRACE, min_someones_score: 0.5 },
  ])('the names of another maker are refused and ours are told: %#', (body) => {
    const refusal = refusalOf(body)
    expect(refusal).toContain('invalid_request')
    expect(refusal).toContain('guided')
    expect(refusal).toContain('minGuidedScore')
  })

  test('the names of another maker inside comparison are refused and ours are told', () => {
    expect(refusalOf({ product_trace: TRACE, comparison: { mode: 'baseline_vs_someone' } })).toContain(
      'baseline_vs_guided',
    )
    expect(refusalOf({ product_trace: TRACE, comparison: { someones_run_id: 'r' } })).toContain(
      'guided_run_id',
    )
  })

  test.each([
    [['OK', 'done', ' completed ', 'passed'], true, []],
    [['Error', 'failure', 'blocked'], false, []],
    [['interrupted', 'unknown'], null, []],
    [['crashed', 'true'], null, ['guided.outcome does not say how the run ended: send succeeded or failed']],
  ])('outcomes %j are read as %s', (words, isSuccess, warnings) => {
    for (const outcome of words) {
      const read = readObservation({ outcome }, 'guided')
      expect([outcome, read.observation.isSuccess, read.warnings]).toEqual([outcome, isSuccess, warnings])
    }
    expect(readObservation({ outcome: 'crashed', success: false }, 'guided').warnings).toEqual([])
    expect(readObservation({ outcome: 'ok', success: true }, 'guided').warnings).toEqual([])
    expect(readObservation({ outcome: 'failed', task_success: true }, 'guided').warnings).toEqual([
      'guided.outcome says otherwise than success and was ignored: send one of them',
    ])
  })

  test('other unknown fields are ignored and named, strict objects refuse them', () => {
    expect(read({ baseline: POOR, guided: GOOD, surprise: 1 }).warnings).toEqual([
      'field surprise is not known and was ignored',
    ])
    for (const strict of ['task', 'comparison', 'product_trace']) {
      expect(refusalOf({ product_trace: TRACE, [strict]: { ...TRACE, surprise: 1 } })).toContain(
        `${strict}.surprise`,
      )
    }
  })

  test('a metric outside its type or bounds is refused in both spellings and in a group', () => {
    for (const name of METRIC_NAMES) {
      const { type, kernel } = METRICS[name]
      for (const bad of type === 'flag' ? [1, 'yes'] : [-1, AMOUNT_MAX + 1, '3', true]) {
        for (const guided of [{ [name]: bad }, { [snakeName(name)]: bad }, { [kernel]: { [name]: bad } }]) {
          expect(refusalOf({ baseline: {}, guided })).toContain('guided')
        }
      }
    }
  })

  test('thresholds are shares', () => {
    expect(refusalOf({ baseline: {}, guided: {}, minEffectDelta: 1.1 })).toContain('minEffectDelta')
    expect(refusalOf({ baseline: {}, guided: {}, minGuidedScore: -0.1 })).toContain('minGuidedScore')
  })
})

describe('reading an observation', () => {
  test('both spellings, flat and grouped, read alike', () => {
    const snake = Object.fromEntries(METRIC_NAMES.map((name) => [snakeName(name), GOOD[name]] as const))
    const grouped = Object.fromEntries(
      (['continuity', 'learning', 'forgetting', 'learning_control'] as const).map((kernel) => [
        kernel,
        Object.fromEntries(
          METRIC_NAMES.filter((name) => METRICS[name].kernel === kernel).map((name) => [name, GOOD[name]]),
        ),
      ]),
    )
    expect(observed(snake)).toEqual(observed(GOOD))
    expect(observed(grouped)).toEqual(observed(GOOD))
    expect(observed({ learningControl: grouped['learning_control'] }).amounts.weakEvidenceBlocked).toBe(2)
  })

  test('fields of the run are read in both spellings', () => {
    const run = { runId: 'r', outcome: 'failed', isSuccess: false, steps: 7, toolCalls: 3 }
    expect(observed({ run_id: 'r', outcome: 'failed', steps: 7, tool_calls: 3 })).toMatchObject(run)
    expect(observed({ runId: 'r', outcome: 'failed', steps: 7, toolCalls: 3 })).toMatchObject(run)
    expect(observed({ outcome: 'failed', task_success: true }).isSuccess).toBe(true)
    expect(observed({ outcome: 'interrupted' }).isSuccess).toBeNull()
  })

  test('what is unknown, of another type or given twice is ignored and named', () => {
    const { observation, warnings } = readObservation(
      {
        surprise: 1,
        contextItems: 'many',
        learning: { workflowReused: true, staleMemorySurfaced: 1 },
        workflow_reused: false,
        continuityGuidanceCorrect: true,
        continuity_guidance_correct: true,
      },
      'baseline',
    )
    expect(warnings).toEqual([
      `baseline.contextItems is not a number from 0 to ${AMOUNT_MAX} and was ignored`,
      'baseline.workflow_reused was given before and was ignored',
      'baseline.surprise is not known and was ignored',
      'baseline.learning.staleMemorySurfaced is not known and was ignored',
    ])
    expect(observation.flags).toMatchObject({ workflowReused: true, continuityGuidanceCorrect: true })
    expect(observation.amounts).toMatchObject({ contextItems: null, staleMemorySurfaced: null })
  })

  test('many unknown fields give few warnings', () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`field${at}`, at]))
    const { warnings } = readObservation(many, 'guided')
    expect(warnings).toHaveLength(21)
    expect(warnings[20]).toBe('280 further fields of guided were ignored')
  })

  test('inherited names are no metrics', () => {
    expect(
      readObservation(JSON.parse('{"__proto__": {"contextItems": 3}, "constructor": 1}'), 'baseline'),
    ).toMatchObject({
      observation: { amounts: { contextItems: null } },
      warnings: [
        'baseline.__proto__ is not known and was ignored',
        'baseline.constructor is not known and was ignored',
      ],
    })
  })

  test('a product trace counts before a manual pair, and the pair is named as ignored', () => {
    const { input, warnings } = readMeasureInput({ product_trace: TRACE, baseline: {}, guided: {} }, hashOf)
    expect(input.source).toBe('product_trace')
    expect(warnings).toEqual([
      'baseline was ignored: product_trace is measured',
      'guided was ignored: product_trace is measured',
    ])
  })

  test('the feedback answer is found as feedback_result and as forget_result', () => {
    const answer = { operation: 'activate', guide_trace_id: 'g', run_id: 'r' }
    for (const name of ['feedback_result', 'forget_result']) {
      const { input } = readMeasureInput({ product_trace: { ...TRACE, [name]: answer } }, hashOf)
      expect(input).toMatchObject({ lifecycle: [{ operation: 'activate', guideTraceId: 'g', runId: 'r' }] })
    }
  })
})

describe('a measure answer', () => {
  test('fits its schema for a manual pair and for a trace', () => {
    const envelope = {
      contract_version: 'svc_measure_result_v1',
      tenant_id: 'acme',
      scope: 'web-shop',
      source_map: { routes_used: [], internal_surfaces_used: [], omitted_internal_surfaces: [] },
    }
    for (const job of [manualJob(POOR, GOOD), traceJob(TRACE, { records: HELD }), traceJob(TRACE)]) {
      const answer = { ...envelope, ...measure(job) }
      expect(MeasureResponse.parse(answer)).toEqual(answer)
    }
  })

  test('holds neither prompt text nor memory text', () => {
    const secret = 'the prompt of the agent'
    const after = JSON.parse(JSON.stringify(TRACE.after_guide).replace('use m1', secret))
    const answer = JSON.stringify(measure(traceJob({ ...TRACE, after_guide: after }, { records: HELD })))
    expect(answer).not.toContain(secret)
  })
})
