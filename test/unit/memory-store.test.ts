import { readdirSync } from 'node:fs'
import process from 'node:process'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MemoryData } from '../../src/adapters/memory/data.ts'
import { compose } from '../../src/app/compose.ts'
import { readConfig } from '../../src/app/config/config.ts'
import { createRuntime } from '../../src/app/create-runtime.ts'
import { startService } from '../../src/app/serve.ts'
import { openMemoryStore } from '../../src/app/stores/memory-store.ts'
import { OPERATIONS } from '../../src/contract/operations.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { countingEntropy, manualClock, memoryLog } from '../harness/system.ts'

const before = process.cwd()
let folder = ''

beforeEach(() => {
  folder = dataFolder()
  process.chdir(folder)
})
afterEach(() => {
  process.chdir(before)
})

const NOTE = { tenant_id: 'a', scope: 'x', input_text: 'The login test needs a running cache.' }
const ASKED = { tenant_id: 'a', scope: 'x', query_text: 'Why does the login test fail?' }

describe('dataDir :memory:', () => {
  test('writes no file, answers from memory, and says that nothing is durable', async () => {
    const memgov = await createRuntime({ dataDir: ':memory:', logLevel: 'silent' })
    const { memory_ids, durable } = await memgov.observe(NOTE)
    expect(durable).toBe(false)
    const { agent_context } = await memgov.guide(ASKED)
    expect(agent_context.memory_ids).toEqual(memory_ids)
    const erased = await memgov.erase({ tenant_id: 'a', scope: 'x', memory_ids, reason: 'asked for' })
    expect(erased.erased_memory_ids).toEqual(memory_ids)
    const { storage, actors } = memgov.health()
    expect(storage).toMatchObject({
      backend: 'memory',
      durability: 'none',
      read_only: false,
      low_space: false,
    })
    expect(actors).toEqual({ resident: 1, known: 1 })
    await memgov.close()
    expect(readdirSync(folder)).toEqual([])
  })

  test('counts of its history no text that was erased', async () => {
    const data = new MemoryData()
    const system = { clock: manualClock(), entropy: countingEntropy(), log: memoryLog().log }
    const composed = await compose(readConfig({ dataDir: ':memory:' }, {}).config, system, data)
    const { runtime } = composed
    const context = { requestId: 'here', operationId: null }
    const { memory_ids } = await runtime.execute('observe', NOTE, context)
    const gone = { tenant_id: 'a', scope: 'x', memory_ids, reason: 'asked for' }
    await runtime.execute('erase', gone, context)
    const kept = data.of('a/x').turns.reduce((bytes, { payload }) => bytes + payload.length, 0)
    expect(data.turnBytes).toBe(kept)
    await composed.close()
  })

  test('is another store in every runtime', async () => {
    const [one, two] = await Promise.all(
      [1, 2].map(() => createRuntime({ dataDir: ':memory:', logLevel: 'silent' })),
    )
    await one?.observe(NOTE)
    expect((await two?.guide(ASKED))?.agent_context.memory_ids).toEqual([])
    await Promise.all([one?.close(), two?.close()])
  })

  test('an erasure lets the loop serve others while it reads turns, and not behind each of them', async () => {
    const memgov = await createRuntime({ dataDir: ':memory:', logLevel: 'silent' })
    const observed = await Promise.all(Array.from({ length: 200 }, () => memgov.observe(NOTE)))
    let [breaths, isDone] = [0, false]
    const breathe = (): void => {
      breaths += 1
      if (!isDone) setImmediate(breathe)
    }
    breathe()
    const memory_ids = observed[0]?.memory_ids ?? []
    await memgov.erase({ tenant_id: 'a', scope: 'x', memory_ids, reason: 'asked for' })
    isDone = true
    expect(breaths).toBeGreaterThan(observed.length / 20)
    expect(breaths).toBeLessThan(observed.length / 2)
    await memgov.close()
  })

  test('lets the loop serve others while a caller asks on and on, also when it is refused', async () => {
    const memgov = await createRuntime({ dataDir: ':memory:', logLevel: 'silent' })
    for (const ask of [
      () => memgov.guide(ASKED),
      () => memgov.guide({ ...ASKED, limit: -1 }).catch(() => 0),
    ]) {
      let isServed = false
      setImmediate(() => {
        isServed = true
      })
      for (let asked = 0; asked < 200 && !isServed; asked += 1) await ask()
      expect(isServed).toBe(true)
    }
    await memgov.close()
  })

  test('keeps the audit notes of a thousand scopes that nobody wrote to', async () => {
    const data = new MemoryData()
    const clock = manualClock()
    const { ownership, history } = openMemoryStore(readConfig({}, {}).config, clock, data)
    for (let at = 0; at < 1_500; at += 1) {
      const grant = await ownership.acquire(`a/${at}`)
      history.note(grant, `a/${at}`, { atMs: clock.nowMs(), runId: null, body: {} })
      ownership.release(grant, `a/${at}`)
    }
    const kept = [...data.entries()].map(([key]) => key)
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([1_000, 'a/500', 'a/1499'])
  })

  test('keeps audit notes for as long as history', async () => {
    const { config } = readConfig({ historyRetentionDays: 2 }, {})
    const clock = manualClock()
    const { ownership, history } = openMemoryStore(config, clock, new MemoryData())
    const grant = await ownership.acquire('a/x')
    for (const day of [0, 1, 2, 3]) {
      history.note(grant, 'a/x', { atMs: clock.nowMs(), runId: null, body: { day } })
      clock.advance(day === 3 ? 0 : 24 * 3_600_000)
    }
    const kept = await history.notes('a/x', 10)
    expect(kept.map(({ body }) => body)).toEqual([{ day: 3 }, { day: 2 }, { day: 1 }])
  })

  test('is served as a folder is, and writes no file either', async () => {
    const { config } = readConfig({ dataDir: ':memory:', port: 0 }, {})
    const parts = { compose, operations: Object.values(OPERATIONS), openapi: () => ({}) }
    const system = { clock: manualClock(), entropy: countingEntropy(), log: memoryLog().log }
    const service = await startService(config, parts, system)
    const headers = { 'content-type': 'application/json' }
    const url = `${service.addresses[0]}${OPERATIONS.observe.path}`
    const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(NOTE) })
    expect(reply.status).toBe(200)
    expect(await reply.json()).toMatchObject({ durable: false })
    await service.close()
    expect(readdirSync(folder)).toEqual([])
  })
})
