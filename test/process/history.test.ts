import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createCodec } from '../../src/adapters/codec/codec.ts'
import { actorKeyOf } from '../../src/core/base/ids.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { type Embedded, startEmbedded } from '../harness/embedded.ts'
import { HttpClient } from '../harness/http-client.ts'
import { startProcess } from '../harness/process.ts'
import { answerOf } from '../harness/reply.ts'

const place = { tenant_id: 'history', scope: 'one' }
const KEY = actorKeyOf(place.tenant_id, place.scope)
const SMALL = { segmentBytes: 65_536, snapshotMinBytes: 4096 }
const codec = createCodec()
const historyFiles = (dir: string) => readdirSync(join(dir, 'hist')).filter((name) => name.endsWith('.hist'))
const textOf = (i: number) =>
  `Note ${i} of the release: ${'each step is written down and checked. '.repeat(20)}`

/** The ids of the memories that every turn from 1 to the last wrote, one turn after the other. */
async function idsOf(service: Embedded): Promise<readonly string[]> {
  const head = await service.registry.use(place.tenant_id, place.scope, async (actor) => actor.state.seq)
  const ids: string[] = []
  let next = 1
  for await (const record of service.history.read(KEY, 1, head)) {
    expect(record.actorSeq).toBe(next)
    const turn = codec.decodeTurn(record.payload)
    expect(turn.seq).toBe(next)
    expect(codec.decodeTurn((await service.history.recordAt(KEY, next))?.payload ?? Buffer.alloc(0))).toEqual(
      turn,
    )
    for (const event of turn.events) if (event.type === 'memory_written') ids.push(event.draft.memoryId)
    next += 1
  }
  expect(next).toBe(head + 1)
  return ids
}

describe('the history of a scope', () => {
  test('has every turn since the first, over restarts and long after its journal segment is gone', async () => {
    const service = await startEmbedded({ config: SMALL })
    const written: string[] = []
    for (let life = 0; life < 3; life += 1) {
      for (let i = 0; i < 100; i += 1) {
        const { memory_ids } = await service.ok('observe', { ...place, input_text: textOf(life * 100 + i) })
        written.push(...(memory_ids ?? []))
      }
      await service.restart()
    }
    expect(historyFiles(service.dir).length).toBeGreaterThan(2)
    expect(written).toHaveLength(300)
    expect(await idsOf(service)).toEqual(written)
    await service.close()
    expect(service.lines.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
  })

  test('loses nothing that was answered when the process is killed between archive and unlink, or anywhere else', async () => {
    const dir = dataFolder()
    const written: string[] = []
    for (let life = 0; life < 3; life += 1) {
      const args = ['--segment-bytes', '65536', '--snapshot-min-bytes', '4096']
      const running = await startProcess(dir, args)
      const client = new HttpClient(running.url)
      for (let i = 0; i < 80; i += 1) {
        const body = { ...place, input_text: textOf(written.length) }
        written.push(...(answerOf(await client.call('observe', body)).memory_ids ?? []))
      }
      await running.end('SIGKILL')
      await client.close()
    }
    const service = await startEmbedded({ dir, config: SMALL })
    expect(historyFiles(dir).length).toBeGreaterThan(1)
    expect(written).toHaveLength(240)
    expect(await idsOf(service)).toEqual(written)
  })

  test('has a note of each govern request: hashes, counts and decisions, and no text', async () => {
    const service = await startEmbedded()
    const candidate = {
      external_memory_id: 'vec-1',
      source_backend: 'vector-db',
      text: 'The wizard deploys from the release branch.',
      lifecycle_hint: 'current',
      authority: { source_trust: 'trusted', evidence_requirement: 'none' },
    }
    const other = { ...candidate, external_memory_id: 'vec-2', lifecycle_hint: 'failed' }
    const body = { ...place, query_text: 'how to deploy', run_id: 'run-7', consumer_agent_id: 'asker' }
    const answer = await service.ok('govern', { ...body, candidates: [candidate, other] })
    await service.ok('govern', { ...body, run_id: 'run-8', candidates: [candidate] })
    const [newest, note] = await service.history.notes(KEY, 9)
    expect(newest).toMatchObject({ runId: 'run-8', body: { counts: { use_now: 1 } } })
    expect(note).toMatchObject({
      atMs: service.clock.nowMs(),
      runId: 'run-7',
      body: {
        kind: 'govern',
        mode: 'standard',
        consumer: { agentId: 'asker', teamId: null },
        querySha256: codec.sha256('how to deploy'),
        promptSha256: codec.sha256(answer.agent_context.prompt_text),
        counts: { use_now: 1, inspect_before_use: 1, do_not_use: 0, rehydrate: 0 },
        candidates: [
          { externalId: 'vec-1', surface: 'use_now', ruleId: 'K12' },
          { externalId: 'vec-2', surface: 'inspect_before_use', ruleId: 'K6' },
        ],
      },
    })
    expect(JSON.stringify(note)).not.toContain('wizard')
    expect(JSON.stringify(note)).not.toContain('how to deploy')
    await service.restart()
    expect(await service.history.notes(KEY, 9)).toEqual([newest, note])
    expect(await service.history.notes('history/other', 9)).toEqual([])
  })
})
