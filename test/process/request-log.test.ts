import { spawnSync } from 'node:child_process'
import { constants, readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { openLineSink } from '../../src/adapters/system/line-sink.ts'
import { PlaceNames } from '../../src/adapters/telemetry/live.ts'
import { PHASES } from '../../src/ports/telemetry.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { edgeOver } from '../harness/edge.ts'
import { closeEmbedded, type Embedded, startEmbedded } from '../harness/embedded.ts'
import { startProcess } from '../harness/process.ts'
import { memoryLog } from '../harness/system.ts'
import { parseExposition } from '../support/exposition.ts'

afterEach(closeEmbedded)

type Line = Readonly<Record<string, unknown>>

function linesIn(text: string): readonly Line[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Line => JSON.parse(line))
}

const TELLING = 'zanzibar'
const place = { tenant_id: `${TELLING}-tenant`, scope: `${TELLING} scope` }
const KEY = { MEMGOV_REQUEST_LOG_KEY: 'a-key-of-the-operator' }

async function logged(
  work: (real: Embedded) => Promise<void>,
  config: object = {},
): Promise<readonly Line[]> {
  const file = join(dataFolder(), 'requests.log')
  const real = await startEmbedded({ config: { requestLog: file, ...config }, env: KEY })
  await work(real)
  await real.close()
  return linesIn(readFileSync(file, 'utf8'))
}

describe('the request log', () => {
  test('has one line for each request, with its id, code and times, and no word of the caller', async () => {
    const lines = await logged(async (real) => {
      await real.ok('observe', { ...place, input_text: `One fact of ${TELLING}.`, operation_id: TELLING })
      await real.ok('guide', { ...place, query_text: TELLING, run_id: TELLING })
      await real.refused('guide', { ...place, query_text: '' })
      const app = edgeOver(real)
      await app.inject({ method: 'GET', url: `/v1/${TELLING}`, headers: { 'x-request-id': 'mine' } })
      await app.close()
    })
    expect(JSON.stringify(lines)).not.toContain(TELLING)
    expect(lines).toMatchObject([
      { operation: 'observe', status: 200, request_id: 'test' },
      { operation: 'guide', status: 200, request_id: 'test' },
      { operation: 'guide', status: 400, error: 'invalid_request' },
      { operation: null, status: 404, error: 'not_found', request_id: 'mine' },
    ])
    const [observe = {}, guide = {}] = lines
    for (const line of [observe, guide]) {
      const parts = PHASES.map((phase) => Number(line[`${phase}_ms`]))
      expect(Number(line['total_ms'])).toBeGreaterThanOrEqual(Math.max(...parts))
      expect(Number(line['turn_ms'])).toBeGreaterThan(0)
      expect(Number(line['flush_ms'])).toBeGreaterThan(0)
    }
    expect([Number(observe['load_ms']) > 0, guide['load_ms']]).toEqual([true, 0])
    const named = new PlaceNames(KEY.MEMGOV_REQUEST_LOG_KEY).of(`${place.tenant_id}/${place.scope}`)
    for (const line of [observe, guide]) expect(line).toMatchObject(named)
    expect(new PlaceNames(null).of(`${place.tenant_id}/${place.scope}`)).not.toEqual(named)
  })

  test('requests that are carried out at the same time have times of their own', async () => {
    const lines = await logged(async (real) => {
      const scopes = ['a', 'b', 'c', 'd']
      const observe = (scope: string) =>
        real.ok('observe', { ...place, scope, input_text: `Fact of ${scope}.` })
      await Promise.all([...scopes, ...scopes].map(observe))
    })
    expect(lines).toHaveLength(8)
    expect(new Set(lines.map((line) => line['scope'])).size).toBe(4)
    for (const line of lines) {
      const turns = Number(line['turn_ms'])
      expect([turns > 0, turns <= Number(line['total_ms'])]).toEqual([true, true])
    }
    expect(lines.filter((line) => Number(line['load_ms']) > 0).length).toBeGreaterThanOrEqual(4)
  })

  test('names the phases that took as long as the operator says is slow', async () => {
    const lines = await logged(
      async (real) => {
        // The first request of a process compiles what it runs.
        await real.ok('observe', { ...place, input_text: 'A long report. '.repeat(2_000) })
        await real.refused('observe', { ...place })
      },
      { requestLogSlowMs: 1 },
    )
    const [slow = {}] = lines
    const phases = PHASES.filter((phase) => Number(slow[`${phase}_ms`]) >= 1)
    expect(phases.length).toBeGreaterThan(0)
    expect(slow['slow']).toEqual(phases)
    for (const line of lines) expect('slow' in line).toBe(Number(line['total_ms']) >= 1)
  })

  test('a file that cannot be opened stops the start', async () => {
    const requestLog = join(dataFolder(), 'no', 'such', 'folder')
    await expect(startEmbedded({ config: { requestLog } })).rejects.toThrow(requestLog)
  })

  test('goes to standard error when asked to, as JSON beside the log of the operator', async () => {
    const service = await startProcess(dataFolder(), ['--request-log', 'stderr', '--log-level', 'silent'])
    const body = JSON.stringify({ ...place, input_text: 'One fact.' })
    const headers = { 'content-type': 'application/json', 'x-request-id': 'seen' }
    await fetch(`${service.url}/v1/observe`, { method: 'POST', body, headers })
    await service.end()
    expect(linesIn(service.stderr())).toMatchObject([
      { request_id: 'seen', operation: 'observe', status: 200 },
    ])
  })
})

describe('a reader of the request log that has stopped', () => {
  test('costs lines, which are counted, and holds up neither a request nor the end', async () => {
    const fifo = join(dataFolder(), 'fifo')
    expect(spawnSync('mkfifo', [fifo]).status).toBe(0)
    const reader = await open(fifo, constants.O_RDONLY | constants.O_NONBLOCK)
    const real = await startEmbedded({ config: { requestLog: fifo, metrics: true } })
    for (let request = 0; request < 20; request += 1) await real.refused('observe', place)
    const sink = await openLineSink(fifo, memoryLog().log)
    const line = `${'x'.repeat(999)}\n`
    const startedMs = performance.now()
    for (let count = 0; count < 3_000; count += 1) sink.write(line)
    expect(performance.now() - startedMs).toBeLessThan(1_000)
    expect(sink.dropped).toBeGreaterThan(1_000)
    await real.ok('observe', { ...place, input_text: 'One fact.' })
    const closedMs = performance.now()
    await Promise.all([sink.close(), real.close()])
    expect(performance.now() - closedMs).toBeLessThan(5_000)
    sink.write(line)
    await reader.close()
  })

  test('is told by a number', async () => {
    const real = await startEmbedded({ config: { requestLog: '/dev/full', metrics: true } })
    for (let request = 0; request < 3_000; request += 1) {
      await real.runtime
        .execute('observe', {}, { requestId: 'y'.repeat(1000), operationId: null })
        .catch(() => null)
    }
    const dropped = parseExposition(await real.metrics()).value('memgov_request_log_dropped_total')
    expect(dropped).toBeGreaterThan(1_000)
    const warnings = () =>
      real.lines.filter(({ message }) => message === 'the request log cannot be written').length
    await expect.poll(warnings).toBe(1)
  })
})
