import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { IN_MEMORY } from '../../src/app/config/options.ts'
import { startEmbedded } from '../harness/embedded.ts'
import { calling, KEY, place, SMALL, toldBy, traffic, wordsIn } from '../harness/erasing-scopes.ts'
import { foundIn, Secrets } from '../harness/secrets.ts'

const NOT_FOUND = 'guide_trace_not_found'

describe('an erasure of guides', () => {
  test('leaves no byte of what they asked in any file, in memory, or in what history tells, and spares all others', async () => {
    const service = await startEmbedded({ config: SMALL })
    const call = calling(service)
    const secrets = new Secrets('asked')
    const kept = new Secrets('kept')
    await traffic(call, 10, kept)
    const ask = (runId: string, words: Secrets, operationId?: string) =>
      service.ok('guide', {
        ...place,
        query_text: `shift report of src/${words.word()}.ts, ${words.word()}`,
        run_id: runId,
        mode: 'full_power',
        ...(operationId === undefined ? {} : { operation_id: operationId }),
      })
    const ofRun = [await ask('gone', secrets, 'op-one'), await ask('gone', secrets)]
    const lone = await ask('stays', secrets)
    const other = await ask('stays', kept)
    const reason = `It asked for ${kept.word()}`
    const heard = { run_id: 'gone', outcome: 'neutral', used_surface: 'use_now', reason }
    await service.ok('feedback', { ...place, ...heard, guide_trace_id: ofRun[0]?.guide_trace_id })
    await traffic(call, 25, kept)
    await service.restart()
    const late = await ask('gone', secrets)
    const before = foundIn(service.dir, secrets.words)
    expect(secrets.words.filter((each) => !before.some((line) => line.startsWith(each)))).toEqual([])
    expect(before.some((line) => line.includes('/hist/'))).toBe(true)
    const traces = [...ofRun, lone, late].map(({ guide_trace_id }) => guide_trace_id)
    const ledger = join(service.dir, 'ledger')
    const uuids = traces
      .slice(0, 3)
      .map((id) => Buffer.from(id.slice(id.indexOf(':') + 1).replaceAll('-', ''), 'hex'))
    expect(foundIn(ledger, uuids)).not.toEqual([])
    const counters = await service.ok('listMemories', { ...place, limit: 200 })

    const erasure = {
      ...place,
      reason: 'asked for',
      run_ids: ['gone', 'never'],
      guide_trace_ids: [lone.guide_trace_id],
    }
    const answer = await service.ok('erase', { ...erasure, operation_id: 'op-erase' })
    expect(answer).toMatchObject({
      erased_memory_ids: [],
      guide_effect: { erased_guide_count: 4, missing: ['never'] },
    })
    expect(answer.guide_effect?.erased_guide_trace_ids.toSorted()).toEqual(traces.toSorted())

    expect(foundIn(service.dir, secrets.words)).toEqual([])
    expect(foundIn(ledger, uuids)).toEqual([])
    expect(wordsIn(await toldBy(service), secrets.words)).toEqual([])
    expect(wordsIn(JSON.stringify(service.lines), secrets.words)).toEqual([])
    const left = foundIn(service.dir, kept.words)
    expect(kept.words.filter((each) => !left.some((line) => line.startsWith(each)))).toEqual([])
    expect(await service.ok('listMemories', { ...place, limit: 200 })).toEqual(counters)
    const digest = await service.digest(place)
    await service.restart()
    expect(await service.digest(place)).toBe(digest)
    for (const guide_trace_id of traces) {
      for (const [operation, body] of [
        ['decisionTrace', {}],
        ['decisionReport', {}],
        ['feedback', heard],
      ] as const) {
        const refused = await service.refused(operation, { ...place, ...body, guide_trace_id })
        expect(refused.error, operation).toBe(NOT_FOUND)
        expect(refused.details, operation).toMatchObject({ guide_trace_id, erased: true })
      }
    }
    await service.ok('decisionTrace', { ...place, guide_trace_id: other.guide_trace_id })
    // A later guide of the run is another matter.
    const again = await ask('gone', kept)
    await service.ok('decisionTrace', { ...place, guide_trace_id: again.guide_trace_id })
    const repeat = { ...place, reason: 'asked for', guide_trace_ids: traces }
    expect((await service.ok('erase', repeat)).guide_effect).toMatchObject({
      erased_guide_count: 0,
      already_erased: traces,
    })
    const unknown = { ...place, reason: 'asked for', run_ids: ['never'] }
    expect((await service.refused('erase', unknown)).error).toBe(NOT_FOUND)
    await service.close()
    expect(service.lines.filter(({ level }) => level === 'error')).toEqual([])
    expect(foundIn(service.dir, secrets.words)).toEqual([])
  })

  test('of one consumer spares the guides that others had in the same run', async () => {
    const service = await startEmbedded()
    await service.ok('observe', { ...place, input_text: 'The pump is off.' })
    const ask = (agent: string) =>
      service.ok('guide', { ...place, query_text: 'pump', run_id: 'both', consumer_agent_id: agent })
    const [ann, bob] = [await ask('ann'), await ask('bob')]
    const erasure = { ...place, reason: 'asked for', run_ids: ['both'], consumer_agent_id: 'ann' }
    const { guide_effect } = await service.ok('erase', erasure)
    expect(guide_effect?.erased_guide_trace_ids).toEqual([ann.guide_trace_id])
    await service.ok('decisionTrace', { ...place, guide_trace_id: bob.guide_trace_id })
    const foreign = { ...erasure, run_ids: undefined, guide_trace_ids: [bob.guide_trace_id] }
    expect((await service.refused('erase', foreign)).error).toBe(NOT_FOUND)
  })
})

test('an erasure of external memory takes its name out of audit notes, also of those before the clock was set back and of copies that a repair kept', async () => {
  const service = await startEmbedded()
  const word = new Secrets('external').word()
  const reference = { source_backend: 'vectors', external_memory_id: word }
  const candidates = [{ ...reference, text: 'It is kept elsewhere.' }]
  await service.ok('govern', { ...place, query_text: 'Deploy', candidates, run_id: 'run', record: true })
  await service.restart()
  const [notes = ''] = readdirSync(join(service.dir, 'hist'))
  copyFileSync(join(service.dir, 'hist', notes), join(service.dir, 'quarantine', notes))
  service.clock.advance(-3_600_000)
  await service.ok('erase', { ...place, reason: 'asked for', external_ids: [reference] })
  expect(foundIn(service.dir, [word])).toEqual([])
  await service.close()
})

const BACKEND = 'vectors'
const offered = (external_memory_id: string, text: string) => ({
  external_memory_id,
  source_backend: BACKEND,
  text,
  lifecycle_hint: 'current',
  authority: { source_trust: 'trusted', evidence_requirement: 'none' },
})
const erasing = (external_memory_id: string) => ({
  ...place,
  reason: 'asked for',
  external_ids: [{ source_backend: BACKEND, external_memory_id }],
})

test.each([true, false])(
  'the audit forgets an erased name also where another is disputed by it, recorded: %s',
  async (record) => {
    const service = await startEmbedded()
    const gone = new Secrets('external').word()
    const candidates = [
      offered(gone, 'The deploy port is 8080.'),
      offered('kept', 'The deploy port is 9090.'),
    ]
    const body = { ...place, query_text: 'port', record, candidates, include_records: true }
    const { memory_admission_records: records } = await service.ok('govern', body)
    expect(records?.at(1)?.reason_codes).toContain(`disputed_by:${gone}`)
    await service.restart()
    expect(foundIn(service.dir, [gone]).join()).toContain('/hist/notes-')
    const { external_effect } = await service.ok('erase', erasing(gone))
    expect(external_effect).toMatchObject({ erased_count: 1, held_count: record ? 1 : 0 })
    expect(foundIn(service.dir, [gone])).toEqual([])
    const again = await service.ok('erase', erasing(gone))
    expect(again.external_effect).toMatchObject({ erased_count: 0, already_erased_count: 1 })
    await service.close()
  },
)

test('the audit does not name what is erased while its govern request goes on', async () => {
  const service = await startEmbedded({ dir: IN_MEMORY })
  await service.ok('observe', { ...place, input_text: 'The release is on Friday.' })
  const candidates = Array.from({ length: 200 }, (_, n) =>
    offered(`candidate-${n}`, `Step ${n}: the valve ${n} is opened with the key ${n * 7}. `.repeat(400)),
  )
  const body = { ...place, query_text: 'valve', record: true, context_char_budget: 1_000_000 }
  const governing = service.ok('govern', { ...body, candidates })
  const decided = () =>
    service.registry.use(place.tenant_id, place.scope, async ({ state }) => state.external.size > 0)
  while (!(await decided())) await turnOfLoop()
  await service.ok('erase', erasing('candidate-0'))
  await governing
  const notes = JSON.stringify(await service.history.notes(KEY, 10))
  expect(notes).toContain('"candidate-1"')
  expect(notes).not.toContain('"candidate-0"')
  await service.close()
})
