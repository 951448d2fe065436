import { afterEach, expect, test } from 'vitest'
import { closeEmbedded, startEmbedded } from '../harness/embedded.ts'

afterEach(closeEmbedded)

const place = { tenant_id: 'acme', scope: 'web' }

test('W1, W2: observe and finish say what changed, alone or beside memory, and guides tell it after a restart', async () => {
  const real = await startEmbedded({})
  const about = { text: 'The parser keeps comments.', target_files: ['src/parser.ts'] }
  const [id = ''] = (await real.ok('observe', { ...place, run_id: 'r1', memory: about })).memory_ids
  const ask = { ...place, query_text: 'parser comments' }
  const first = await real.ok('guide', ask)
  await real.ok('finish', {
    ...place,
    guide_trace_id: first.guide_trace_id,
    run_id: 'r2',
    outcome: 'unknown',
    summary: 'Looked.',
    workspace_changes: [{ path: 'src/parser.ts', digest: 'abc' }],
  })
  expect((await real.ok('guide', ask)).agent_context.prompt_text).toMatch(
    /src\/parser\.ts changed since \([-\d]+\)/u,
  )
  const alone = await real.ok('observe', {
    ...place,
    workspace_changes: [{ path: 'src/parser.ts', digest: null }],
  })
  expect([alone.memory_ids, alone.observed.memory_written]).toEqual([[], false])
  await real.restart()
  const last = await real.ok('guide', ask)
  expect(last.agent_context.prompt_text).toContain('src/parser.ts gone since')
  const told = last.memory_use_receipt.decision_summaries.find(({ memory_id }) => memory_id === id)
  expect(told).toMatchObject({
    agent_surface: 'inspect_before_use',
    rule_id: 'S15',
    reason_codes: ['file_gone'],
  })
  const private_ = { ...place, consumer_agent_id: 'ann', owner_agent_id: 'ann' }
  await real.ok('observe', { ...private_, workspace_changes: [{ path: 'src/parser.ts', digest: 'def' }] })
  expect((await real.ok('guide', ask)).agent_context.prompt_text).toContain('gone since')
  const anns = await real.ok('guide', { ...ask, consumer_agent_id: 'ann' })
  expect(anns.agent_context.prompt_text).toContain('changed since')
})

test('a path that leads out of the workspace, and what is no digest, are refused and change nothing', async () => {
  const real = await startEmbedded({})
  await real.ok('observe', { ...place, input_text: 'x' })
  const before = await real.digest(place)
  for (const path of [
    '/etc/passwd',
    '../a',
    'a/../b',
    './a',
    'a//b',
    'a/',
    'a\\b',
    'a\nb',
    '',
    'x'.repeat(513),
  ])
    expect(
      (await real.refused('observe', { ...place, workspace_changes: [{ path, digest: 'x' }] })).error,
    ).toBe('invalid_request')
  for (const digest of ['', 'a b', 'x'.repeat(129), 7])
    expect(
      (await real.refused('observe', { ...place, workspace_changes: [{ path: 'a', digest }] })).error,
    ).toBe('invalid_request')
  const many = Array.from({ length: 257 }, (_, n) => ({ path: `f${n}`, digest: 'x' }))
  await real.refused('observe', { ...place, workspace_changes: many })
  await real.refused('observe', { ...place, workspace_changes: [{ path: 'a', digest: 'x', size: 1 }] })
  expect((await real.refused('observe', { ...place, workspace_changes: [] })).error).toBe(
    'observe_requires_memory_or_handoff',
  )
  expect(await real.digest(place)).toBe(before)
})
