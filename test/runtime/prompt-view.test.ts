import { afterEach, expect, test } from 'vitest'
import { GuidePromptResponse } from '../../src/contract/guide.ts'
import { closeEmbedded, type Embedded, startEmbedded } from '../harness/embedded.ts'

afterEach(closeEmbedded)

/** What the answer may have beside the prompt, in bytes of JSON. */
const FRAME_BYTES_MAX = 300
const MEMORY_BYTES_MAX = 95

async function promptOf(real: Embedded, body: object, operationId: string | null = null) {
  const context = { requestId: 'test', operationId }
  const text = JSON.stringify(await real.runtime.execute('guide', { ...body, view: 'prompt' }, context))
  return { text, answer: GuidePromptResponse.parse(JSON.parse(text)) }
}

/** Memory of every kind and length, `count` of them, some of which warn, must be inspected or are too long for a line. */
async function filled(real: Embedded, place: object, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const input_text = `Deploy step ${n}: ${'check the release notes "twice" \\ and 数据库 '.repeat(1 + (n % 7))}`
    const run = {
      outcome: n % 2 === 0 ? 'failed' : 'succeeded',
      title: `Deploy ${n}`,
      task_signature: 'deploy',
    }
    if (n % 4 === 3) await real.ok('observe', { ...place, execution: { ...run, summary: input_text } })
    else await real.ok('observe', { ...place, input_text, ...(n % 4 === 2 ? { origin: 'document' } : {}) })
  }
}

test('the answer has at most 300 bytes and 95 for each printed memory beside the prompt, and reads as the prompt of the whole one', async () => {
  const real = await startEmbedded({})
  for (const [n, count] of [0, 1, 3, 9, 14, 60, 220].entries()) {
    const place = { tenant_id: 'acme', scope: `web-shop-${n}` }
    await filled(real, place, count)
    const asked = { ...place, query_text: 'Deploy the release', task_signature: 'deploy' }
    for (const more of [{}, { context_char_budget: 1200 }, { limit: 200, context_char_budget: 100_000 }]) {
      const { text, answer } = await promptOf(real, { ...asked, ...more })
      const { prompt_text, handles } = answer.agent_context
      const printed = Object.keys(handles).length
      const beside = Buffer.byteLength(text) - Buffer.byteLength(JSON.stringify(prompt_text))
      expect(beside).toBeLessThanOrEqual(FRAME_BYTES_MAX + MEMORY_BYTES_MAX * printed)
      expect(answer.warnings).toBeUndefined()
      const whole = await real.ok('guide', { ...asked, ...more, handles: true })
      expect(prompt_text).toBe(whole.agent_context.prompt_text)
      expect(handles).toEqual(whole.memory_use_receipt.handles)
      expect(printed).toBe(whole.agent_context.memory_ids.length)
      const lines = Object.entries(handles).map(([name, { surface }]) => [surface, `[${name}] `] as const)
      for (const [surface, start] of lines)
        expect(
          whole.agent_context[surface === 'rehydrate' ? 'use_now' : surface].some((line) =>
            line.startsWith(start),
          ),
        ).toBe(true)
      if (count === 220 && 'limit' in more) expect(printed).toBeGreaterThan(100)
    }
  }
}, 60_000)

test('a view is a guide like any other: recorded, explained, held to its operation id', async () => {
  const real = await startEmbedded({})
  const place = { tenant_id: 'acme', scope: 'web' }
  await filled(real, place, 6)
  const asked = { ...place, query_text: 'Deploy the release' }
  const { answer } = await promptOf(real, asked, 'op-1')
  expect((await promptOf(real, asked, 'op-1')).answer).toEqual(answer)
  const { guide_trace_id } = answer
  const report = await real.ok('flightRecorder', { ...place, replay_source: 'journal', guide_trace_id })
  const replay = report.agent_flight_recorder
  expect(JSON.stringify(replay)).toContain(answer.agent_context.handles['m1']?.memory_id)
})

test('what a view leaves out is not asked for in vain', async () => {
  const real = await startEmbedded({})
  const place = { tenant_id: 'acme', scope: 'web' }
  await filled(real, place, 1)
  const more = { include_packets: true, handles: false, colour: 'red' }
  const { answer, text } = await promptOf(real, { ...place, query_text: 'Deploy', ...more })
  expect(Object.keys(JSON.parse(text))).toEqual([
    'contract_version',
    'tenant_id',
    'scope',
    'guide_trace_id',
    'warnings',
    'agent_context',
  ])
  expect(answer.warnings?.join()).toMatch(/colour.*handles: false.*include_packets/u)
  expect(answer.agent_context.prompt_text).toContain('[m1] ')
  expect((await real.refused('guide', { ...place, query_text: 'x', view: 'short' })).details).toMatchObject({
    issues: [{ path: 'view' }],
  })
})

test('what is suppressed with an equal text says so in whole words, also in a compact prompt, and cuts no id', async () => {
  const real = await startEmbedded({})
  const place = { tenant_id: 'acme', scope: 'equal texts' }
  const said = { ...place, input_text: 'The build server is called forge.' }
  const { memory_ids } = await real.ok('observe', said)
  const act = { operation: 'suppress', target: 'memory', reason: 'it was renamed', memory_ids }
  await real.ok('forget', { ...place, ...act })
  await real.ok('observe', { ...said, memory: { origin: 'user' } })
  const asked = { ...place, query_text: 'what is the build server called', context_mode: 'compact_agent' }
  const { do_not_use: lines } = (await real.ok('guide', asked)).agent_context
  expect(lines.map((line) => line.replace(/^.*: suppressed: /, ''))).toEqual(
    expect.arrayContaining(['the same text was suppressed', 'it was renamed']),
  )
})
