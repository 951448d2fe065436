import { describe, expect, test } from 'vitest'
import type { RecordedGuide } from '../../src/core/measure/evidence.ts'
import { readGuideSnapshot, readLifecycleResult } from '../../src/core/measure/guide-snapshot.ts'
import { observationOf } from '../../src/core/measure/sides.ts'
import { AFTER, BEFORE, hashOf, NOTHING, response } from '../support/measure-samples.ts'

describe('the projection of a guide', () => {
  const view = {
    usePackets: true,
    isSuccess: null,
    promotedCount: 0,
    demotedCount: 0,
    lifecycle: [],
  }
  const packets = {
    guide_packet: {
      proven_facts: [{ fact: 'a' }, { fact: 'b' }],
      recovered_state: { resumable: true, acceptance_checks: ['c1'] },
      guide_brief: { expected_product_effects: { reduces_repeated_discovery: true } },
      guidance: {
        workflow_candidates: [
          { workflow_id: 'w1', authority: 'trusted', evidence_count: 1, last_outcome: 'success' },
          { workflow_id: 'w2', authority: 'blocked', evidence_count: 3, last_outcome: 'success' },
        ],
      },
      history_contributions: {
        handoff: { used: true, source_ids: ['h1'] },
        replay: { used: true, source_ids: ['r1', 'r2'] },
      },
    },
    memory_packet: { evidence_trail: [{ evidence_id: 'e1' }] },
  }
  const exposed = {
    use_now: ['m1', 'm2'],
    inspect_before_use: ['m3'],
    rehydrate: ['m4'],
    do_not_use: ['m5'],
  }

  test('adds up what a guide with packets shows', () => {
    const snapshot = readGuideSnapshot({ ...response({ ...AFTER, exposed }, 'p'), ...packets }, hashOf)
    const { amounts, flags } = observationOf(snapshot, { ...view, side: 'guided' })
    expect(amounts).toMatchObject({
      // 5 shown memories, 2 workflows, 2 proven facts
      contextItems: 9,
      // 3 usable memories, 1 workflow that is not blocked, 2 facts
      usefulContextItems: 6,
      // 2 facts, resumable 1, 1 check, 3 usable memories
      recoveredStateFacts: 7,
      expectedStateFacts: 7,
      // 2 facts, 1 of the trail, 1 handoff, 2 replays
      verifiedFactsCarried: 6,
      repeatedDiscoverySteps: 0,
      staleMemorySuppressed: 1,
      // 1 warning and 1 to inspect
      weakEvidenceBlocked: 2,
    })
    expect(flags).toMatchObject({ workflowReused: true, stableWorkflowReused: true })
  })

  test('counts lifecycle answers on the guided side: suppressed, and rehydrated on demand', () => {
    const snapshot = readGuideSnapshot(response({ ...AFTER, exposed }, 'p'), hashOf)
    const lifecycle = [
      readLifecycleResult({ operation: 'suppress', forget_effect: { changed_count: 3 } }),
      readLifecycleResult({ operation: 'rehydrate', forget_effect: { changed_count: 2 } }),
    ]
    const { amounts } = observationOf(snapshot, { ...view, side: 'guided', lifecycle })
    expect(amounts).toMatchObject({ staleMemorySuppressed: 4, archivedMemoryRehydratedOnDemand: 2 })
  })

  test('a guide without history costs 4 steps as baseline and 3 as guided, one with history to verify 1', () => {
    const steps = (guide: RecordedGuide, side: 'baseline' | 'guided') =>
      observationOf(readGuideSnapshot(response(guide, 'p'), hashOf), { ...view, side }).amounts
        .repeatedDiscoverySteps
    expect([steps(BEFORE, 'baseline'), steps(BEFORE, 'guided'), steps(AFTER, 'guided')]).toEqual([4, 3, 0])
    const toVerify = { ...AFTER, exposed: { ...NOTHING, inspect_before_use: ['m1'] } }
    expect(steps(toVerify, 'guided')).toBe(1)
  })

  test('how the run ended decides whether the guidance was right', () => {
    const snapshot = readGuideSnapshot(response(AFTER, 'p'), hashOf)
    const isRight = (isSuccess: boolean | null) =>
      observationOf(snapshot, { ...view, side: 'guided', isSuccess }).flags.continuityGuidanceCorrect
    expect([isRight(true), isRight(false), isRight(null)]).toEqual([true, false, true])
  })

  test('a feedback answer is read wherever it travels', () => {
    expect(
      readLifecycleResult({
        contract_version: 'svc_feedback_result_v1',
        outcome: 'positive',
        forget_effect: {
          affected_memory_ids: ['m1'],
          changed_count: 1,
          attribution: { run_id: 'r' },
          guide_trace: { guide_trace_id: 'g' },
        },
      }),
    ).toEqual({
      operation: 'activate',
      changedCount: 1,
      affectedMemoryIds: ['m1'],
      guideTraceId: 'g',
      runId: 'r',
    })
  })
})
