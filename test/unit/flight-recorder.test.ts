import { describe, expect, test } from 'vitest'
import { FlightRecorderReport } from '../../src/contract/flight-recorder.ts'
import { suppliedReplay } from '../../src/core/report/supplied-guide.ts'
import { suppliedArtifacts } from '../../src/core/report/supplied-objects.ts'
import type { AuditNote } from '../../src/ports/store.ts'
import { governDecisions } from '../../src/runtime/reports/flight-recorder.ts'
import { recordedReport, recorderQuery } from '../../src/runtime/reports/flight-recorder-report.ts'
import { type RecorderFacts, recorderClaims } from '../../src/runtime/reports/flight-recorder-rows.ts'
import { memoryOf } from '../support/commands.ts'
import { START_MS, World } from '../support/world.ts'

const hashOf = (text: string): string => `#${text.length}`
const suppliedBy = (request: Record<string, unknown>) => suppliedReplay(suppliedArtifacts(request), hashOf)

describe('a guide whose explanation is kept no longer', () => {
  test('is replayed with ids and surfaces in order, says so, and is compared with nothing', () => {
    const world = new World()
    const used = world.write(memoryOf({ text: 'releases are tagged' }))
    const task = { taskSignature: 'release' }
    const blocked = world.write(memoryOf({ text: 'never tag', title: 'Tags', titleIsCallers: true }, task))
    world.lifecycle({ memoryIds: [blocked] })
    const { guide_trace_id: guideTraceId, agent_context: context } = world.guide(task)
    const exposure = world.exposure(guideTraceId)
    if (exposure === null) throw new Error('a guide is recorded')
    const replay = {
      query: recorderQuery({ replay_source: 'journal', guide_trace_id: guideTraceId }),
      found: { stored: { exposure, decision: null }, others: [], isCut: false },
      later: { guides: [], unnamed: [], isCut: false },
      governed: [],
      mismatches: [],
      comparedCount: 0,
      now: null,
      seqBefore: world.state.seq,
    }
    const report = FlightRecorderReport.parse(recordedReport(replay, world.state, START_MS))
    expect(report).toMatchObject({
      record_source: 'runtime',
      explanation: 'expired',
      now: null,
      differences: [],
    })
    expect(report.agent_view).toMatchObject({
      exposed_memory_ids: context.memory_ids,
      use_now_memory_ids: [used],
      do_not_use_memory_ids: [blocked],
      prompt_char_count: null,
      query_sha256: null,
      recommended_posture: null,
    })
    expect(report.blocked_or_suppressed).toMatchObject([
      { memory_id: blocked, title: 'Tags', lifecycle_state: 'unknown', rule_id: null, reason: null },
    ])
    const statuses = Object.fromEntries(report.claims.map(({ claim, status }) => [claim, status]))
    expect(statuses).toMatchObject({
      agent_view_reconstructable: 'warn',
      blocked_memory_visible: 'warn',
      prompt_payload_excluded: 'warn',
      runtime_read_only: 'pass',
    })
  })
})

describe('govern decisions beside a guide', () => {
  const exposure = {
    guideTraceId: 'guide_trace:1',
    memoryIds: [],
    surfaces: [],
    consumerAgentId: 'ann',
    consumerTeamId: null,
    runId: 'run-1',
    taskSignature: null,
    heldOut: false,
    atMs: START_MS,
    seq: 4,
  }
  const noteOf = (atMs: number, runId: string | null, body: object = {}): AuditNote => ({
    atMs,
    runId,
    body: {
      kind: 'govern',
      mode: 'strict',
      consumer: { agentId: 'ann', teamId: null },
      querySha256: 'q',
      candidates: [
        { externalId: 'mem0:1', surface: 'do_not_use', ruleId: 'W1', reasonCodes: ['mode:strict'] },
      ],
      ...body,
    },
  })
  const decisionsOf = (notes: readonly AuditNote[]) =>
    governDecisions({ notes: () => Promise.resolve(notes) }, 'a/b', exposure)

  test('are those of its run and consumer, or without a run of about its time, at most twenty', async () => {
    const others = [
      noteOf(START_MS, 'run-2'),
      noteOf(START_MS + 61_000, null),
      noteOf(START_MS, 'run-1', { consumer: { agentId: 'ben', teamId: null } }),
      noteOf(START_MS, 'run-1', { kind: 'erase' }),
    ]
    expect(await decisionsOf(others)).toEqual([])
    const own = [noteOf(START_MS + 9_000_000, 'run-1'), noteOf(START_MS - 60_000, null)]
    expect(await decisionsOf([...others, ...own])).toMatchObject([
      { run_id: 'run-1', mode: 'strict', query_sha256: 'q' },
      {
        run_id: null,
        candidates: [
          {
            external_memory_id: 'mem0:1',
            admission_action: 'do_not_use',
            rule_id: 'W1',
            reason_codes: ['mode:strict'],
          },
        ],
      },
    ])
    expect(await decisionsOf(Array.from({ length: 30 }, () => noteOf(START_MS, 'run-1')))).toHaveLength(20)
  })
})

describe('supplied artifacts of a guide that is not held', () => {
  const receipt = {
    use_now_memory_ids: ['a'],
    do_not_use_memory_ids: ['b'],
    prompt_char_count: 10,
    authority: 'advisory',
    decision_summaries: [{ memory_id: 'b', agent_surface: 'do_not_use', reason_codes: ['suppressed'] }],
  }
  const context = { use_now_memory_ids: ['a', 'c'], do_not_use_memory_ids: ['d'], authority: 'trusted' }

  test('lists are their union; a scalar is that of the receipt, then of the context, then of the trace', () => {
    const replay = suppliedBy({
      memory_use_receipt: receipt,
      agent_context: { ...context, recommended_posture: 'use_as_context' },
      memory_decision_trace: {
        guide_trace_id: 'guide_trace:9',
        memory_decisions: [{ memory_id: 'e', agent_surface: 'rehydrate', lifecycle_state: 'archived' }],
        summary: { recommended_posture: 'ignore_history' },
      },
    })
    expect(replay.guide).toMatchObject({
      guideTraceId: 'guide_trace:9',
      exposedIds: ['a', 'c', 'e', 'b', 'd'],
      idsBySurface: { use_now: ['a', 'c'], inspect_before_use: [], rehydrate: ['e'], do_not_use: ['b', 'd'] },
      authority: 'advisory',
      posture: 'use_as_context',
      promptChars: 10,
    })
    expect(replay.disputedIds).toEqual([])
  })

  test('an id on two surfaces is disputed', () => {
    const other = { use_now_memory_ids: ['b'] }
    expect(suppliedBy({ memory_use_receipt: receipt, agent_context: other }).disputedIds).toEqual(['b'])
  })

  test.each([
    ['top level', { outcome: 'positive', used_memory_ids: ['a'] }],
    ['older names', { outcome: 'positive', node_ids: ['a'] }],
    ['nested', { feedback_effect: { outcome: 'positive', memory_ids: ['a'] } }],
    ['our own answer', { used_memory_ids: ['a'], forget_effect: { attribution: { outcome: 'positive' } } }],
  ])('feedback tells its outcome: %s', (_form, feedback_result) => {
    const { attribution } = suppliedBy({ agent_context: context, feedback_result })
    expect(attribution).toMatchObject({
      outcome: 'positive',
      usedIds: ['a'],
      supportedIds: ['a'],
      contradictedIds: [],
      unattributedIds: ['c', 'd'],
    })
  })

  test('the trace tells the outcome before the snapshot, the snapshot before the feedback', () => {
    const feedback_result = { outcome: 'neutral', used_memory_ids: ['c'] }
    const operator_snapshot = { guide_trace: { feedback_outcome: 'negative', attributed_memory_ids: ['a'] } }
    const memory_decision_trace = {
      feedback_attribution: { outcome: 'positive', attributed_memory_ids: ['b'] },
    }
    const told = [
      suppliedBy({ feedback_result }),
      suppliedBy({ feedback_result, operator_snapshot }),
      suppliedBy({ feedback_result, operator_snapshot, memory_decision_trace }),
    ].map(({ attribution }) => [attribution.outcome, attribution.usedIds])
    expect(told).toEqual([
      ['neutral', ['c']],
      ['negative', ['a']],
      ['positive', ['b']],
    ])
  })

  test('a rehydrate answer is no feedback', () => {
    const forget_result = { operation: 'rehydrate', forget_effect: { affected_memory_ids: ['a'] } }
    expect(suppliedArtifacts({ product_trace: { after_guide: {}, forget_result } }).feedback).toBeNull()
  })

  test('lists of another shape and ids without end are left out', () => {
    const long = 'x'.repeat(257)
    const many = Array.from({ length: 300 }, (_, at) => `m${at}`)
    const { guide } = suppliedBy({
      agent_context: { use_now_memory_ids: [long, ...many], do_not_use_memory_ids: 'b' },
    })
    expect(guide.idsBySurface.use_now).toEqual(many.slice(0, 200))
    expect(guide.idsBySurface.do_not_use).toEqual([])
  })
})

describe('claims follow from facts', () => {
  const sound: RecorderFacts = {
    claimCount: 1,
    isHeldOut: false,
    isRecorded: true,
    isExplained: true,
    exposedCount: 2,
    disputedCount: 0,
    hasLists: true,
    blockedCount: 1,
    explainedBlockedCount: 1,
    outcome: 'positive',
    attributedCount: 1,
    strayCount: 0,
    comparedCount: 1,
    mismatchCount: 0,
    textsSought: 3,
    textsFound: 0,
    seqBefore: 7,
    seqAfter: 7,
  }

  test('a recorded, compared and told guide passes in everything', () => {
    expect(recorderClaims(sound).filter(({ status }) => status !== 'pass')).toEqual([])
  })

  test.each([
    [{ isExplained: false }, 'agent_view_reconstructable', 'warn'],
    [{ isRecorded: false }, 'agent_view_reconstructable', 'warn'],
    [{ isRecorded: false, hasLists: false }, 'agent_view_reconstructable', 'fail'],
    [{ isRecorded: false, disputedCount: 1 }, 'agent_view_reconstructable', 'fail'],
    [{ textsFound: 1 }, 'prompt_payload_excluded', 'fail'],
    [{ textsSought: 0 }, 'prompt_payload_excluded', 'warn'],
    [{ explainedBlockedCount: 0 }, 'blocked_memory_visible', 'warn'],
    [{ isRecorded: false }, 'claim_ledger_projection_replayable', 'warn'],
    [{ isHeldOut: true, claimCount: 0 }, 'claim_ledger_projection_replayable', 'pass'],
    [{ outcome: null }, 'feedback_attribution_replayable', 'warn'],
    [{ strayCount: 1 }, 'feedback_attribution_replayable', 'fail'],
    [{ isRecorded: false }, 'feedback_attribution_replayable', 'warn'],
    [{ mismatchCount: 1 }, 'supplied_artifacts_match_record', 'fail'],
    // The run_id of a request is no artifact, and may name another run than the guide's.
    [{ mismatchCount: 1, comparedCount: 0 }, 'supplied_artifacts_match_record', 'fail'],
    [{ isRecorded: false }, 'supplied_artifacts_match_record', 'warn'],
    [{ seqAfter: 8 }, 'runtime_read_only', 'fail'],
  ] as const)('%j: %s is %s', (facts, claim, status) => {
    const claims = recorderClaims({ ...sound, ...facts })
    expect(claims.find((each) => each.claim === claim)?.status).toBe(status)
  })
})
