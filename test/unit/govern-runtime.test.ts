import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { compose } from '../../src/app/compose.ts'
import { readConfig } from '../../src/app/config/config.ts'
import type { Composition } from '../../src/app/serve.ts'
import { GovernResponse } from '../../src/contract/govern.ts'
import type { RequestedName } from '../../src/contract/operations.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { example } from '../support/examples.ts'
import { NOW_MS } from '../support/govern-samples.ts'
import { idOf } from '../support/guide-samples.ts'

// The whole service in this process, over real files.

let dir = ''
let service: Composition
const nothing = () => {}

async function start(durability: 'sync' | 'none' = 'sync'): Promise<void> {
  let made = 0
  const entropy = { uuid: () => idOf((made += 1)) }
  const log = { debug: nothing, info: nothing, warn: nothing, error: nothing }
  const { config } = readConfig({ dataDir: dir, segmentBytes: 1 << 20, durability }, {})
  service = await compose(config, { clock: { nowMs: () => NOW_MS }, entropy, log })
}

beforeEach(async () => {
  dir = dataFolder()
  await start()
})
afterEach(() => service.close())

const call = (operation: RequestedName, body: object) =>
  service.runtime.execute(operation, body, { requestId: 'r', operationId: null })

const said = {
  lifecycle_hint: 'current',
  authority: { source_trust: 'trusted', evidence_requirement: 'none' },
}
const offered = (external_memory_id: string, text: string, more: object = {}) => ({
  external_memory_id,
  source_backend: 'vector-db',
  text,
  ...said,
  ...more,
})

async function govern(candidates: readonly object[], more: object = {}) {
  const body = { query_text: 'deploy', candidates, include_records: true, ...more }
  return GovernResponse.parse(await call('govern', body))
}

async function remember(input_text: string, more: object = {}): Promise<string> {
  const answer = await call('observe', { input_text, ...more })
  return z.object({ memory_ids: z.array(z.string()).length(1) }).parse(answer).memory_ids[0] ?? ''
}

const actionsOf = (answer: z.infer<typeof GovernResponse>) =>
  answer.memory_admission_records?.map((record) => record.admission_action)

/** Every file below the data folder, audit notes aside, with the digest of its bytes. */
function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => !/^notes-.*\.log$/.test(name))
    .map((name) => join(folder, name))
    .flatMap((path) =>
      statSync(path).isDirectory()
        ? filesBelow(path)
        : [`${path} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`],
    )
    .sort()
}

describe('the endpoint', () => {
  test('the documented example is the real answer', async () => {
    const { request, response } = example('govern')
    expect(await call('govern', request ?? {})).toEqual(response)
  })

  test('both spellings hold the same records and the same summary', async () => {
    const answer = await govern([offered('a', 'one'), offered('b', 'two', { lifecycle_hint: 'failed' })])
    expect(answer.memory_admission_record?.entries).toEqual(answer.memory_admission_records)
    expect(answer.memory_firewall).toEqual(answer.memory_firewall_summary)
    expect(answer.memory_admission_records?.map((record) => record.memory_id)).toEqual(['a', 'b'])
    for (const record of answer.memory_admission_records ?? []) {
      expect(record).toMatchObject({ prompt_included: true, prompt_surface: record.admission_action })
      expect(record.actionable).toBe(record.admission_action === 'use_now')
      expect(record.reason_codes).toContain('mode:standard')
    }
  })

  test('records come only when they are asked for, the summaries always', async () => {
    const answer = await govern([offered('a', 'one')], { include_records: null })
    expect(answer).not.toHaveProperty('memory_admission_records')
    expect(answer).not.toHaveProperty('memory_admission_record')
    expect(answer.memory_firewall_summary.candidate_count).toBe(1)
    expect(answer.source_map.omitted_internal_surfaces).toEqual(['memory_admission_records'])
    expect(answer).toMatchObject({ run_id: null, mode: 'standard', admission_summary: { use_now_count: 1 } })
  })

  test('admission is standard, byte for byte', async () => {
    const candidates = [
      offered('a', 'one', { authority: { source_trust: 'known', evidence_requirement: 'none' } }),
    ]
    const answer = await govern(candidates, { mode: 'admission' })
    expect(JSON.stringify(answer)).toBe(JSON.stringify(await govern(candidates, { mode: 'standard' })))
    expect(actionsOf(answer)).toEqual(['use_now'])
  })

  test('what is ignored is named, and an answer that writes nothing promises no durability', async () => {
    await service.close()
    await start('none')
    const answer = await govern([offered('a', 'one')], { context_char_budget: 1, durable: true })
    expect(answer.warnings).toHaveLength(2)
    expect(answer).not.toHaveProperty('durable')
  })

  test('counts of the summaries are those of the records', async () => {
    const answer = await govern(
      [
        offered('a', 'one'),
        offered('b', 'two', { authority: null }),
        offered('c', 'three', { lifecycle_hint: 'stale' }),
        offered('d', 'four', { authority: { evidence_requirement: 'rehydrate_before_use' } }),
        offered('e', 'five', { metadata: { scope: 'elsewhere' } }),
      ],
      { mode: 'firewall' },
    )
    expect(actionsOf(answer)).toEqual([
      'use_now',
      'inspect_before_use',
      'do_not_use',
      'rehydrate',
      'do_not_use',
    ])
    expect(answer.memory_firewall).toMatchObject({
      candidate_count: 5,
      direct_use_count: 1,
      inspect_count: 1,
      blocked_count: 2,
      rehydrate_count: 1,
      unsafe_candidate_count: 1,
      unsafe_direct_use_count: 0,
    })
    expect(answer.memory_firewall.risk_flags).toContain('scope_mismatch_count:1')
    expect(answer.memory_firewall.claims.map(({ status }) => status)).not.toContain('fail')
    expect(answer.agent_context.rehydrate_hints).toMatchObject([{ memory_id: 'd', required: true }])
    expect(answer.memory_use_receipt.decision_summaries).toHaveLength(5)
    expect(answer.memory_use_receipt.prompt_char_count).toBe(answer.agent_context.prompt_text.length)
  })

  test('paths of usable candidates lead, those of blocked ones are blocked, those to verify are for reference', async () => {
    const at = (target_files: readonly string[]) => ({ metadata: { target_files } })
    const answer = await govern([
      offered('a', 'one', at(['src/a.ts'])),
      offered('b', 'two', { ...at(['src/b.ts']), lifecycle_hint: 'suppressed' }),
      offered('c', 'three', { ...at(['src/c.ts']), lifecycle_hint: 'stale' }),
    ])
    const { route_contract, target_files } = answer.agent_context
    expect(target_files).toEqual(['src/a.ts', 'src/c.ts'])
    expect(route_contract.active_targets.map(({ target }) => target)).toEqual(['src/a.ts'])
    expect(route_contract.blocked_routes.map(({ target }) => target)).toEqual(['src/b.ts'])
    expect(route_contract.reference_only_targets.map(({ target }) => target)).toEqual(['src/c.ts'])
  })
})

describe('one actor', () => {
  test('KL6: govern writes no byte, exposes nothing, and the next guide is what it was', async () => {
    const memoryId = await remember('The shop deploys from the release branch.')
    const guide = async () =>
      z
        .object({ agent_context: z.object({ prompt_text: z.string() }) })
        .parse(await call('guide', { query_text: 'deploy the shop' })).agent_context.prompt_text
    const before = await guide()
    expect(before).toContain(memoryId)
    const files = filesBelow(dir)
    const candidates = [
      offered(memoryId, 'The shop deploys from the release branch.'),
      offered('b', 'Other words.'),
    ]
    const asker = { run_id: 'governed', consumer_agent_id: 'governing' }
    const ask = async () => JSON.stringify(await govern(candidates, asker))
    const answers = [await ask(), await ask(), await ask()]
    expect(filesBelow(dir)).toEqual(files)
    expect(new Set(answers).size).toBe(1)
    expect(await guide()).toBe(before)
    const feedback = {
      reason: 'x',
      outcome: 'positive',
      used_surface: 'use_now',
      used_memory_ids: [memoryId],
    }
    await expect(call('feedback', { ...asker, ...feedback })).rejects.toMatchObject({
      code: 'guide_trace_used_memory_not_exposed',
    })
    await service.close()
    await start()
    expect(await ask()).toBe(answers[0])
  })

  test('KL10: once suppressed here, the same content is blocked from any backend, and comes back with its release', async () => {
    const text = 'Deploy by copying files to the host.'
    const memoryId = await remember(text)
    const again = () => govern([offered('vec:1', `  deploy by copying\nfiles to the HOST. `)])
    expect(actionsOf(await again())).toEqual(['use_now'])
    const order = { target: 'memory', reason: 'unsafe', memory_ids: [memoryId] }
    await call('forget', { operation: 'suppress', ...order })
    const [record] = (await again()).memory_admission_records ?? []
    expect(record).toMatchObject({
      admission_action: 'do_not_use',
      rule_id: 'K2',
      runtime_memory_id: memoryId,
      lifecycle_state: 'suppressed',
    })
    expect(record?.reason_codes).toContain('runtime_history:suppressed')
    await call('forget', { operation: 'unsuppress', ...order })
    expect(actionsOf(await again())).toEqual(['use_now'])
  })

  test('K15: the memory of this id decides when it is the stricter one', async () => {
    const memoryId = await remember('A document says so.', { memory: { kind: 'fact', origin: 'document' } })
    const [record] = (await govern([offered(memoryId, 'Words of its own.')])).memory_admission_records ?? []
    expect(record).toMatchObject({
      admission_action: 'inspect_before_use',
      rule_id: 'K15',
      memory_origin: 'runtime',
      runtime_memory_id: memoryId,
    })
    expect(record?.reason_codes).toContain('runtime_memory:not_trusted_enough')
  })

  test('KL11: a private memory of somebody else leaves no trace, its owner meets it', async () => {
    const text = 'The signing key rotates on Monday.'
    const memoryId = await remember(text, { memory: { owner_agent_id: 'owner', memory_lane: 'private' } })
    const order = { target: 'memory', reason: 'r', memory_ids: [memoryId] }
    await call('forget', { operation: 'suppress', ...order, consumer_agent_id: 'owner' })
    const candidates = [offered('vec:1', text), offered(memoryId, 'Other words.')]
    const stranger = await govern(candidates, { consumer_agent_id: 'stranger' })
    const empty = await govern(candidates, { consumer_agent_id: 'stranger', scope: 'nobody-was-here' })
    const told = JSON.stringify(stranger).replaceAll('"scope":"default"', '"scope":"nobody-was-here"')
    expect(told).toBe(JSON.stringify(empty))
    expect(actionsOf(await govern(candidates, { agent_id: 'owner' }))).toEqual(['do_not_use', 'do_not_use'])
  })
})
