import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { ConfigError, createRuntime, MemgovError } from '../../src/index.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { startProcess } from '../harness/process.ts'

const quiet = { logLevel: 'silent' } as const
const place = { tenant_id: 'embedded', scope: 'one' }
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Runs a program that imports the built package by its name, and waits until it ends by itself. */
function runProgram(
  program: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: ROOT,
      env: { ...process.env, ...env },
      timeout: 60_000,
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    }
    child.once('close', (code) => resolve({ code, output }))
  })
}

/** Puts something into every list and object of an answer. */
function spoil(answer: object): void {
  for (const inner of Object.values(answer)) if (typeof inner === 'object' && inner !== null) spoil(inner)
  if (Array.isArray(answer)) answer.push('spoilt')
  else Object.assign(answer, { spoilt: true })
}

describe('createRuntime', () => {
  test('gives the loop of observe, guide, feedback, forget, rehydrate and resolve, with the same objects as HTTP', async () => {
    const runtime = await createRuntime({ ...quiet, dataDir: dataFolder() })
    const { memory_ids } = await runtime.observe({ ...place, input_text: 'The login test needs a cookie.' })
    const guide = await runtime.guide({ ...place, query_text: 'login test', run_id: 'run-1' })
    expect(guide.agent_context.use_now_memory_ids).toEqual(memory_ids)
    const outcome = {
      reason: 'it ran',
      run_id: 'run-1',
      outcome: 'positive',
      used_surface: 'use_now',
    } as const
    const exposed = { guide_trace_id: guide.guide_trace_id, used_memory_ids: memory_ids }
    const feedback = await runtime.feedback({ ...place, ...outcome, ...exposed })
    expect(feedback.used_memory_ids).toEqual(memory_ids)
    const suppress = { operation: 'suppress', target: 'memory', reason: 'old' } as const
    const forget = await runtime.forget({ ...place, ...suppress, memory_ids })
    expect(forget.forget_effect.memory_states?.[0]).toMatchObject({ before: 'active', after: 'suppressed' })
    const { result } = await runtime.rehydrate({ ...place, reason: 'to read it', memory_ids })
    expect(result.memories[0]?.text).toBe('The login test needs a cookie.')
    const resolved = await runtime.resolve({ uri: `svc://embedded/one/concept/${memory_ids[0]}` })
    expect(resolved.node.text_summary).toBe('The login test needs a cookie.')
    expect(runtime.health()).toMatchObject({ ok: true, status: 'ready', actors: { resident: 1 } })
    await runtime.close()
  })

  test('gives answers that a caller may change: no memory, tenant or later answer changes with them', async () => {
    const runtime = await createRuntime({ ...quiet, dataDir: ':memory:' })
    const other = { tenant_id: 'other', scope: 'two' }
    await runtime.observe({ ...place, input_text: 'The login test needs a cookie.' })
    await runtime.observe({ ...other, input_text: 'The shop closes at noon.' })
    const listed = () => Promise.all([place, other].map((each) => runtime.listMemories(each)))
    const guide = await runtime.guide({ ...place, query_text: 'login test' })
    const before = JSON.stringify(await listed())
    for (const answer of [guide, await runtime.operatorSnapshot(place), ...(await listed())]) spoil(answer)
    const limits = JSON.stringify(runtime.health().limits)
    spoil(runtime.health())
    expect(JSON.stringify(runtime.health().limits)).toBe(limits)
    expect(JSON.stringify(await listed())).toBe(before)
    await runtime.close()
  })

  test('refuses with code, status and details', async () => {
    const runtime = await createRuntime({ ...quiet, dataDir: dataFolder() })
    const refusal = await runtime.guide({ ...place, query_text: ' ' }).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(MemgovError)
    expect(refusal).toMatchObject({
      code: 'invalid_request',
      status: 400,
      details: { issues: [{ path: 'query_text' }] },
    })
    await runtime.close()
  })

  test('answers the same operation id the same, also in the next runtime over the folder', async () => {
    const dataDir = dataFolder()
    const body = { ...place, input_text: 'One fact.', operation_id: 'once' }
    const first = await createRuntime({ ...quiet, dataDir })
    const answer = await first.observe(body)
    await first.close()
    const second = await createRuntime({ ...quiet, dataDir })
    expect(await second.observe(body)).toEqual(answer)
    const conflict = second.observe({ ...body, input_text: 'Another fact.' })
    await expect(conflict).rejects.toMatchObject({ code: 'operation_conflict', status: 409 })
    await second.close()
  })

  test('refuses a folder that another runtime or process uses, and frees it on close', async () => {
    const dataDir = dataFolder()
    const first = await createRuntime({ ...quiet, dataDir })
    await expect(createRuntime({ ...quiet, dataDir })).rejects.toThrow(`process ${process.pid}`)
    await first.close()
    const served = await startProcess(dataDir)
    await expect(createRuntime({ ...quiet, dataDir })).rejects.toThrow(`process ${served.pid}`)
    await served.end()
    const last = await createRuntime({ ...quiet, dataDir })
    await last.close()
  })

  test('refuses a database beside a folder, of which one would not be used', async () => {
    const store = 'postgres://nobody@127.0.0.1:1/none'
    await expect(createRuntime({ ...quiet, dataDir: dataFolder(), store })).rejects.toMatchObject({
      code: 'invalid_option',
      message: 'dataDir names a folder and store a database: take one of them away.',
    })
    await expect(createRuntime({ ...quiet, store })).rejects.toMatchObject({ code: 'store_refused' })
  })

  test('refuses an option that is not allowed by the name that it was passed under', async () => {
    const start = createRuntime({ ...quiet, workers: 0 })
    await expect(start).rejects.toBeInstanceOf(ConfigError)
    await expect(start).rejects.toMatchObject({
      name: 'MemgovError',
      code: 'invalid_option',
      message: 'workers: 0 is not allowed. Allowed: an integer from 1 to 64.',
    })
    for (const workers of [() => 4, 4n, Symbol('4')]) {
      const options: object = { ...quiet, workers }
      await expect(createRuntime(options)).rejects.toMatchObject({
        message: `workers: a value of the type ${typeof workers} is not allowed. Allowed: an integer from 1 to 64.`,
      })
    }
  })

  test('says by a code why it does not start, and leaves the folder as it is', async () => {
    const dataDir = dataFolder()
    const first = await createRuntime({ ...quiet, dataDir })
    await expect(createRuntime({ ...quiet, dataDir })).rejects.toMatchObject({
      name: 'MemgovError',
      code: 'store_in_use',
      status: null,
      details: { data_dir: dataDir },
    })
    await first.observe({ ...place, input_text: 'One fact.' })
    await first.close()
    const path = join(dataDir, 'FORMAT.json')
    const format = readFileSync(path, 'utf8')
    writeFileSync(path, format.replace(/"(\w*[vV]ersion|format)":\s*\d+/, '"$1":900'))
    expect(readFileSync(path, 'utf8')).not.toBe(format)
    await expect(createRuntime({ ...quiet, dataDir })).rejects.toMatchObject({ code: 'store_newer' })
    writeFileSync(path, format)
    for (const segment of readdirSync(join(dataDir, 'wal'))) {
      writeFileSync(
        join(dataDir, 'wal', segment),
        'not a journal segment, but as long as its header'.repeat(200),
      )
    }
    const damaged = await createRuntime({ ...quiet, dataDir }).catch((error: unknown) => error)
    expect(damaged).toBeInstanceOf(MemgovError)
    expect(damaged).toMatchObject({ code: 'store_damaged' })
    const noFolder = createRuntime({ ...quiet, dataDir: '/dev/null/x' })
    await expect(noFolder).rejects.toMatchObject({ name: 'MemgovError', code: 'file_unusable' })
    await expect(noFolder).rejects.toThrow('memgov cannot use /dev/null/x: ENOTDIR')
    const odd = join(dataDir, 'odd')
    mkdirSync(join(odd, 'MANIFEST.json'), { recursive: true })
    await expect(createRuntime({ ...quiet, dataDir: odd })).rejects.toMatchObject({ code: 'file_unusable' })
    const metrics = await createRuntime({ ...quiet, dataDir: ':memory:' })
    await expect(metrics.metrics()).rejects.toMatchObject({ code: 'invalid_option' })
    await metrics.close()
  })

  test('refuses options that are no object, and a logger that lacks a method', async () => {
    for (const [options, told] of [
      ['./memory', 'Give the options as one object'],
      [null, 'Give the options as one object'],
      [['./memory'], 'Give the options as one object'],
      [{ dataDir: ':memory:', logger: { info() {} } }, 'logger: give an object with the methods debug, info'],
    ] as const)
      await expect(Reflect.apply(createRuntime, null, [options])).rejects.toMatchObject({
        code: 'invalid_option',
        message: expect.stringContaining(told),
      })
  })

  test('tells a logger of the caller, and only what is severe enough', async () => {
    const told: string[] = []
    const logger = {
      debug: (_: object, message: string) => void told.push(`debug ${message}`),
      info: (_: object, message: string) => void told.push(`info ${message}`),
      warn: (_: object, message: string) => void told.push(`warn ${message}`),
      error: (_: object, message: string) => void told.push(`error ${message}`),
    }
    const options = { dataDir: ':memory:', logger, embeddingsUrl: 'http://models.example' }
    await (await createRuntime(options)).close()
    expect(told.map((line) => line.split(' ', 1)[0])).toEqual(['warn', 'info'])
    told.length = 0
    await (await createRuntime({ ...options, logLevel: 'warn' })).close()
    expect(told).toHaveLength(1)
  })

  test('finishes what is inside on close, refuses what comes later, and closes once', async () => {
    const dataDir = dataFolder()
    const runtime = await createRuntime({ ...quiet, dataDir, inlineRankMaxNs: 0 })
    const scopes = Array.from({ length: 6 }, (_, index) => ({ ...place, scope: `scope-${index}` }))
    for (const scope of scopes) await runtime.observe({ ...scope, input_text: 'The login test.' })
    // Rankings are in the pool while the runtime closes.
    const inside = scopes.map((scope) => runtime.guide({ ...scope, query_text: 'login test' }))
    const closed = Promise.all([runtime.close(), runtime.close()])
    await expect(runtime.observe({ ...place, input_text: 'late' })).rejects.toMatchObject({
      code: 'shutting_down',
      status: 503,
    })
    const guides = await Promise.all(inside)
    await closed
    expect(runtime.health()).toMatchObject({ ok: false, status: 'shutting_down' })
    const next = await createRuntime({ ...quiet, dataDir })
    for (const [index, { guide_trace_id, agent_context: context }] of guides.entries()) {
      const outcome = { reason: 'so', run_id: 'r', outcome: 'positive', used_surface: 'use_now' } as const
      const used_memory_ids = context.memory_ids
      const place = scopes[index]
      expect(used_memory_ids).toHaveLength(1)
      await next.feedback({ ...place, ...outcome, guide_trace_id, used_memory_ids })
    }
    await next.close()
  })

  test.each(['interval', 'none'] as const)(
    'serves a caller that never lets the event loop turn, with durability %s',
    async (durability) => {
      const runtime = await createRuntime({ ...quiet, dataDir: dataFolder(), durability })
      const payload = 'cold '.repeat(40_000)
      // 40 MB: more than may wait for the disk.
      for (let round = 0; round < 200; round += 1) {
        const { memory_ids } = await runtime.observe({
          ...place,
          memory: { text: `Fact ${round}.`, payload },
        })
        expect(memory_ids).toHaveLength(1)
      }
      await runtime.close()
    },
  )
})

describe('a program that embeds it', () => {
  test('ends by itself after close', async () => {
    const { code, output } = await runProgram(`
      import { createRuntime } from 'memgov'
      const runtime = await createRuntime({ dataDir: ${JSON.stringify(dataFolder())}, inlineRankMaxNs: 0 })
      await runtime.observe({ input_text: 'One fact.' })
      const guide = await runtime.guide({ query_text: 'fact' })
      console.log(guide.agent_context.memory_ids.length)
      await runtime.close()
    `)
    expect(output).toBe('1\n')
    expect(code).toBe(0)
  })

  test('ends by itself when it forgets to close, which is done for it', async () => {
    const dataDir = dataFolder()
    const { code, output } = await runProgram(`
      import { createRuntime } from 'memgov'
      const runtime = await createRuntime({ dataDir: ${JSON.stringify(dataDir)}, inlineRankMaxNs: 0, durability: 'interval', intervalMs: 60000 })
      await runtime.observe({ input_text: 'One fact.', memory: { client_id: 'one' } })
      const { agent_context } = await runtime.guide({ query_text: 'fact' })
      console.log(agent_context.memory_ids.length)
      process.on('beforeExit', () => console.log('left'))
    `)
    expect(output).toBe('1\nleft\nleft\n')
    expect(code).toBe(0)
    const next = await createRuntime({ ...quiet, dataDir })
    const guide = await next.guide({ query_text: 'fact' })
    expect(guide.agent_context.memory_ids).toHaveLength(1)
    await next.close()
  })

  test('ends by itself with a request that nobody waits for, which is carried out', async () => {
    const dataDir = dataFolder()
    const { code, output } = await runProgram(`
      import { createRuntime } from 'memgov'
      const runtime = await createRuntime({ dataDir: ${JSON.stringify(dataDir)} })
      void runtime.observe({ input_text: 'One fact.' }).then(() => console.log('written'))
    `)
    expect([code, output]).toEqual([0, 'written\n'])
  })

  test('is silent, reads no variable of its host, and is closed by await using', async () => {
    const { code, output } = await runProgram(
      `
      import { createRuntime } from 'memgov'
      const runtime = await createRuntime({ dataDir: ${JSON.stringify(dataFolder())} })
      await runtime.observe({ input_text: 'One fact.' })
      await runtime[Symbol.asyncDispose]()
      console.log(runtime.health().status)
    `,
      { MEMGOV_PORT: 'abc', MEMGOV_DATA_DIR: '/nowhere', MEMGOV_NO_SUCH: '1' },
    )
    expect([code, output]).toEqual([0, 'shutting_down\n'])
  })

  test('may run it in a thread, which ends by itself as well', async () => {
    const { code, output } = await runProgram(`
      import { Worker } from 'node:worker_threads'
      new Worker(\`
        import('memgov').then(async ({ createRuntime }) => {
          const runtime = await createRuntime({ dataDir: ${JSON.stringify(dataFolder())}, inlineRankMaxNs: 0 })
          await runtime.observe({ input_text: 'One fact.' })
          const { agent_context } = await runtime.guide({ query_text: 'fact' })
          console.log(agent_context.memory_ids.length)
        })
      \`, { eval: true }).on('exit', (code) => console.log('ended with', code))
    `)
    expect([code, output]).toEqual([0, '1\nended with 0\n'])
  })

  test('exports what is documented, and nothing else', async () => {
    const { output } = await runProgram(`
      import * as memgov from 'memgov'
      console.log(Object.keys(memgov).join(' '))
    `)
    expect(output).toBe('ConfigError MemgovError createRuntime\n')
  })
})
