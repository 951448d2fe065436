import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compose } from '../app/compose.ts'
import { readConfig } from '../app/config/config.ts'
import type { AnswerOf, AnyAnswerOf, OperationName, RequestedName } from '../contract/operations.ts'
import type { Clock, Entropy } from '../ports/system.ts'
import type { OperatorStream, Runtime } from '../runtime/runtime.ts'
import type { Example, Examples } from './openapi.ts'

/** 2026-01-31T12:00:00.000Z; each request comes a second after the one before. */
const START_MS = 1_769_860_800_000
const STEP_MS = 1000

const place = { tenant_id: 'acme', scope: 'web-shop' }
const TEXT = 'Run the tests with pnpm test; npm test skips the integration suite.'

type Send = <Name extends RequestedName>(operation: Name, request: object) => Promise<AnyAnswerOf<Name>>

/** Sends a request; a recorded one is an example of its operation. */
interface Session {
  readonly send: Send
  readonly record: Send
}

/**
 * The examples of the documents: one loop of an agent's work, carried out by a service over a folder of its own. Clock
 * and ids are fixed, so that every run records the same.
 */
export async function recordExamples(): Promise<Examples> {
  const dir = await mkdtemp(join(tmpdir(), 'memgov-examples-'))
  const nothing = () => {}
  const log = { debug: nothing, info: nothing, warn: nothing, error: nothing }
  let nowMs = START_MS
  const clock: Clock = { nowMs: () => nowMs }
  const { config } = readConfig({ dataDir: dir }, {})
  const composed = await compose(config, { clock, entropy: countedIds(), log })
  const recorded = new Map<OperationName, Example>([
    ['openapi', { request: null, response: { openapi: '3.1.0' } }],
  ])
  const send = <Name extends RequestedName>(operation: Name, request: object) => {
    nowMs += STEP_MS
    return composed.runtime.execute(operation, request, { requestId: 'example', operationId: null })
  }
  const stream = await composed.runtime.follow(place, { requestId: 'example', operationId: null })
  try {
    await work({
      send,
      async record(operation, request) {
        const response = await send(operation, request)
        recorded.set(operation, { request, response })
        return response
      },
    })
    recorded.set('followEvents', { request: place, response: await guideEvent(stream) })
    recorded.set('ready', { request: null, response: composed.runtime.readiness() })
    return recorded.set('health', { request: null, response: healthOf(composed.runtime) })
  } finally {
    await composed.close()
    await rm(dir, { recursive: true, force: true })
  }
}

/** What is told of the first guide. */
async function guideEvent(stream: OperatorStream): Promise<object> {
  for (;;) {
    const events = await stream.next()
    const guide = events?.find(({ name }) => name === 'guide')
    if (events === null || guide !== undefined) {
      stream.close()
      return guide?.data ?? {}
    }
  }
}

/** Observe, guide, act, feedback; then what operators ask of it. */
async function work({ send, record }: Session): Promise<void> {
  await send('observe', ran('run-41', 'The whole suite passes with pnpm test'))
  const observed = await record('observe', {
    ...place,
    actor: 'ci-agent',
    input_text: TEXT,
    memory: { kind: 'project_context' },
  })
  const memory_ids = observed.memory_ids
  const [memory_id = ''] = memory_ids
  const guide = await record('guide', {
    ...place,
    query_text: 'Run the test suite before the release',
    consumer_agent_id: 'worker-1',
    run_id: 'run-42',
    task_signature: 'release-check',
  })
  const { guide_trace_id } = guide
  const used_memory_ids = 'memory_use_receipt' in guide ? guide.memory_use_receipt.use_now_memory_ids : []
  await send('observe', ran('run-42', 'pnpm test ran both suites before the release'))
  const outcome = {
    run_id: 'run-42',
    outcome: 'positive',
    used_surface: 'use_now',
    guide_trace_id,
    used_memory_ids,
  }
  await record('feedback', {
    ...place,
    reason: 'The suite ran completely',
    ...outcome,
    verifier_status: 'passed',
  })
  await record('resolve', {
    uri: `svc://acme/web-shop/topic/${memory_id}`,
    consumer_agent_id: 'worker-1',
  })
  await record('rehydrate', { ...place, reason: 'Read the whole note', memory_ids, mode: 'summary_only' })
  await record('govern', EXTERNAL_CANDIDATES)
  await record('measure', MANUAL_PAIR)
  await record('operatorSnapshot', { ...place, run_id: 'run-42' })
  await readLists({ send, record }, memory_id ?? '', guide_trace_id)
  await record('blastRadius', { ...place, memory_id })
  await record('decisionTrace', {
    ...place,
    product_trace: {
      after_guide: { guide_trace_id },
      feedback_result: { guide_trace_id, run_id: 'run-42', outcome: 'positive', used_memory_ids: memory_ids },
    },
  })
  await record('decisionReport', { ...place, guide_trace_id })
  await record('flightRecorder', { ...place, replay_source: 'journal', guide_trace_id })
  await reviewSkills({ send, record })
  await settleDispute({ send, record })
  await finishRun({ send, record })
  const reason = 'The project moved to another test runner'
  await record('forget', { ...place, operation: 'suppress', target: 'memory', reason, memory_ids })
  await record('erase', { ...place, reason: 'The customer asked for it', memory_ids, actor: 'operator' })
}

/** The loop in two requests. */
async function finishRun({ send, record }: Session): Promise<void> {
  const { guide_trace_id } = await send('guide', {
    ...place,
    query_text: 'Run the test suite before the hotfix',
    consumer_agent_id: 'worker-1',
    run_id: 'run-45',
    task_signature: 'release-check',
    view: 'prompt',
  })
  await record('finish', {
    ...place,
    guide_trace_id,
    outcome: 'succeeded',
    summary: 'pnpm test ran both suites before the hotfix',
    used_memory_ids: ['m1'],
    acceptance_checks: ['pnpm test'],
    verifier_status: 'passed',
  })
}

async function readLists({ record }: Session, memory_id: string, guide_trace_id: string): Promise<void> {
  await record('listActors', { tenant_id: place.tenant_id })
  await record('listMemories', { ...place, memory_id })
  await record('searchMemories', { ...place, text: 'integration suite', limit: 10 })
  await record('listGuides', { ...place, guide_trace_id })
  await record('listExternal', place)
  await record('listReview', place)
  await record('countRules', place)
  await record('compareEffect', place)
}

async function settleDispute({ send, record }: Session): Promise<void> {
  const said = async (input_text: string) => (await send('observe', { ...place, input_text })).memory_ids[0]
  const before = await said('The request timeout of the billing gateway is 30 seconds.')
  const after = await said('The request timeout of the billing gateway is 45 seconds.')
  const reason = 'The gateway was asked'
  await record('settle', { ...place, memory_ids: [before, after], verdict: 'b', reason, actor: 'maria' })
}

async function reviewSkills({ send, record }: Session): Promise<void> {
  const review = { ...place, reviewer_id: 'maria', reason: 'Both runs did the same' }
  const task_signature = 'release-check'
  const proposed = await record('proposeSkills', { ...place, task_signature })
  await record('listSkills', { ...place, status: 'pending_review', limit: 50 })
  const candidate_id = proposed.candidates[0]?.candidate_id
  await record('promoteSkill', { ...review, candidate_id })
  const steps = ['install the packages', 'build the shop', 'run pnpm test']
  for (const run of ['run-43', 'run-44'])
    await send('observe', ran(run, 'The suites ran on the build', steps))
  const changed = await send('proposeSkills', { ...place, task_signature })
  await record('rejectSkill', { ...review, candidate_id: changed.candidates[0]?.candidate_id })
}

/** A run that succeeded. */
function ran(
  run_id: string,
  summary: string,
  workflow_steps = ['install the packages', 'run pnpm test'],
): object {
  return {
    ...place,
    actor: 'worker-1',
    execution: {
      run_id,
      task_signature: 'release-check',
      summary,
      outcome: 'succeeded',
      target_files: ['package.json'],
      acceptance_checks: ['pnpm test'],
      workflow_steps,
    },
  }
}

const EXTERNAL_CANDIDATES = {
  ...place,
  query_text: 'Deploy the shop',
  run_id: 'run-42',
  mode: 'firewall',
  include_records: true,
  candidates: [
    {
      external_memory_id: 'vec:abc',
      source_backend: 'vector-db',
      text: 'The shop deploys from the release branch.',
      lifecycle_hint: 'current',
      authority: { source_trust: 'trusted', scope: 'project', evidence_requirement: 'none' },
      evidence_refs: ['vec://abc'],
    },
    {
      external_memory_id: 'vec:def',
      source_backend: 'vector-db',
      text: 'Deploy by copying files to the host.',
      lifecycle_hint: 'stale',
      authority: { source_trust: 'known', evidence_requirement: 'none' },
    },
  ],
}

const MANUAL_PAIR = {
  ...place,
  task: { task_signature: 'release-check', run_id: 'run-42' },
  baseline: {
    label: 'without memory',
    continuity: { repeatedDiscoverySteps: 4, recoveredStateFacts: 2, expectedStateFacts: 8 },
    forgetting: { contextItems: 20, usefulContextItems: 8 },
  },
  guided: {
    label: 'with memory',
    continuity: { repeatedDiscoverySteps: 1, recoveredStateFacts: 7, expectedStateFacts: 8 },
    forgetting: { contextItems: 10, usefulContextItems: 9 },
  },
}

/** UUIDs of version 7 that count up. */
function countedIds(): Entropy {
  let made = 0
  return {
    uuid(nowMs) {
      made += 1
      const time = nowMs.toString(16).padStart(12, '0')
      return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${made.toString(16).padStart(12, '0')}`
    },
  }
}

/** Bounds depend on the machine: two of them are shown. */
function healthOf(runtime: Runtime): AnswerOf<'health'> {
  const { limits, ...health } = runtime.health()
  return { ...health, limits: Object.fromEntries(Object.entries(limits).slice(0, 2)) }
}
