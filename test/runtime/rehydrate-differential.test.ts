import { afterEach, expect, test } from 'vitest'
import { REVISIONS_MAX } from '../../src/core/model/state.ts'
import { closeEmbedded, type Embedded, startEmbedded } from '../harness/embedded.ts'

afterEach(closeEmbedded)

const SUPPRESSED = { field: 'lifecycle.suppression', before: 'none', after: 'suppressed' }

async function written(service: Embedded, text: string): Promise<string> {
  const memory = { kind: 'fact', client_id: 'c' }
  const { memory_ids } = await service.ok('observe', { input_text: text, memory })
  return memory_ids[0] ?? ''
}

async function differential(service: Embedded, memoryId: string, more: object = {}) {
  const asked = { reason: 'what changed', memory_ids: [memoryId], mode: 'differential', ...more }
  const { result } = await service.ok('rehydrate', asked)
  return result.memories[0]?.differential
}

test('a differential tells which facets moved, of a memory that was never revised too', async () => {
  const service = await startEmbedded({})
  const memoryId = await written(service, 'The port is 1.')
  expect(await differential(service, memoryId)).toMatchObject({ compared_with: 'nothing', changes: [] })
  const guide = await service.ok('guide', { query_text: 'port' })
  const what = { operation: 'suppress', target: 'memory', reason: 'wrong', memory_ids: [memoryId] }
  await service.ok('forget', what)
  expect(await differential(service, memoryId)).toMatchObject({
    compared_with: 'nothing',
    changes: [SUPPRESSED],
  })
  const { guide_trace_id } = guide
  expect(await differential(service, memoryId, { guide_trace_id })).toMatchObject({
    compared_with: 'guide',
    from_revision: 1,
    changes: [SUPPRESSED],
  })
  await written(service, 'The port is 2.')
  expect(await differential(service, memoryId)).toMatchObject({
    compared_with: 'revision',
    from_revision: 1,
    changes: [{ field: 'text', before: 'The port is 1.', after: 'The port is 2.' }],
  })
})

test('a handle of an earlier guide of the run is compared with what that guide showed', async () => {
  const service = await startEmbedded({})
  await written(service, 'The port is 1.')
  const asked = { query_text: 'port', run_id: 'r', omit_shown_in: 'r', handles: true }
  const first = await service.ok('guide', asked)
  for (const port of [2, 3]) await written(service, `The port is ${port}.`)
  await service.ok('observe', { input_text: 'The port of the test server is open.' })
  const { guide_trace_id } = await service.ok('guide', { ...asked, query_text: 'test server' })
  expect(await differential(service, 'm1', { guide_trace_id })).toMatchObject({
    compared_with: 'guide',
    guide_trace_id: first.guide_trace_id,
    from_revision: 1,
    changes: [{ field: 'text', before: 'The port is 1.', after: 'The port is 3.' }],
  })
})

test('what a guide showed so many revisions ago that it is kept no longer is not made up: the last revision is compared', async () => {
  const service = await startEmbedded({ config: { durability: 'none' } })
  const memoryId = await written(service, 'The port is 0.')
  const { guide_trace_id } = await service.ok('guide', { query_text: 'port' })
  for (let at = 1; at <= REVISIONS_MAX; at += 1) await written(service, `The port is ${at}.`)
  const text = (before: number) => ({ field: 'text', before: `The port is ${before}.` })
  expect(await differential(service, memoryId, { guide_trace_id })).toMatchObject({
    compared_with: 'guide',
    from_revision: 1,
    changes: [text(0)],
  })
  await written(service, 'The port is another.')
  expect(await differential(service, memoryId, { guide_trace_id })).toMatchObject({
    compared_with: 'revision',
    from_revision: REVISIONS_MAX + 1,
    guide_trace_id: null,
    changes: [text(REVISIONS_MAX)],
  })
})

test('linked decisions are the same after a restart: guides of the consumer, and which of them an outcome names', async () => {
  const service = await startEmbedded({})
  const memoryId = await written(service, 'The port is 1.')
  const ann = { consumer_agent_id: 'ann' }
  const guide = await service.ok('guide', { ...ann, query_text: 'port', run_id: 'r1' })
  const { guide_trace_id } = guide
  const used = { guide_trace_id, used_memory_ids: [memoryId], used_surface: 'use_now' }
  await service.ok('feedback', { ...used, run_id: 'r1', outcome: 'positive', reason: 'it was' })
  const linked = async () => {
    const asked = { ...ann, reason: 'who was shown it', memory_ids: [memoryId] }
    return (await service.ok('rehydrate', asked)).result.memories[0]?.linked_decisions
  }
  const before = await linked()
  expect(before).toMatchObject([
    { kind: 'guide', guide_trace_id },
    { kind: 'feedback', guide_trace_id },
  ])
  await service.restart()
  expect(await linked()).toEqual(before)
})
