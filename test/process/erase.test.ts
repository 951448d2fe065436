import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as elapsed } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { actorKeyHashOf } from '../../src/adapters/files/actor-folders.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { type Embedded, startEmbedded } from '../harness/embedded.ts'
import {
  type Call,
  calling,
  KEY,
  neighbours,
  place,
  SMALL,
  toldBy,
  traffic,
  wordsIn,
} from '../harness/erasing-scopes.ts'
import { HttpClient } from '../harness/http-client.ts'
import { startProcess } from '../harness/process.ts'
import { scaled } from '../harness/scale.ts'
import { foundIn, Secrets } from '../harness/secrets.ts'

const KILLS = scaled(3)

/** Marks of erasures that are not finished. */
function marksIn(dir: string): readonly string[] {
  const folder = join(dir, 'erasing')
  return existsSync(folder) ? readdirSync(folder).filter((name) => name !== 'reserve') : []
}

/** Writes a word into every place of a memory that takes text; the ids of all memories that hold one. */
async function tellSecrets(call: Call, secrets: Secrets, kept: Secrets): Promise<readonly string[]> {
  const word = () => secrets.word()
  const ids: string[] = []
  const write = async (body: object, key?: string) => {
    const answer = await call('observe', {
      ...place,
      ...body,
      ...(key === undefined ? {} : { operation_id: key }),
    })
    if ('memory_ids' in answer && Array.isArray(answer.memory_ids)) ids.push(...answer.memory_ids.map(String))
  }
  const kind = word()
  const memory = (mark: string) => ({
    client_id: 'pump-note',
    kind,
    title: `Pump ${word()}`,
    text: `The pump in hall ${mark} is switched off with ${word()}.`,
    summary: `Pump: ${word()}`,
    target_files: [`src/${word()}.ts`],
    payload: { note: word(), deep: [{ [word()]: word() }] },
    metadata: { by: word() },
  })
  await write({ memory: memory(word()) }, 'op-write')
  await write({ memory: memory(word()) }, 'op-revise')
  await write({ input_text: `${'A long tale of the pump. '.repeat(1600)} ${word()} ends it.` })
  await write({
    execution: {
      title: `Switch ${word()}`,
      summary: `Pump run: ${word()}`,
      outcome: `odd ${word()}`,
      workflow_steps: [`press ${word()}`],
      acceptance_checks: [`see ${word()}`],
      tools: [word()],
      verifier: { name: word(), status: 'passed', summary: word() },
      evidence_refs: [`note:${word()}`],
      raw_ref: word(),
      slots: { own: word() },
    },
  })
  await write({
    handoff: {
      title: word(),
      summary: `Pump: ${word()}`,
      handoff_text: word(),
      next_action: word(),
      risk: word(),
      anchor: 'pump-line',
    },
    claims: [
      {
        subject_key: word(),
        predicate: word(),
        value: { code: word() },
        slot_key: word(),
        evidence_refs: [word()],
        metadata: { own: word() },
      },
    ],
  })
  await call('observe', { ...place, input_text: `Another pump in hall ${kept.word()} stays on.` })
  const guide = await call('guide', {
    ...place,
    query_text: `pump hall ${secrets.words[4] ?? ''}`,
    mode: 'full_power',
    include_packets: true,
    operation_id: 'op-guide',
    run_id: 'run-pump',
  })
  const trace = 'guide_trace_id' in guide ? guide.guide_trace_id : null
  await call('feedback', {
    ...place,
    run_id: 'run-pump',
    outcome: 'positive',
    used_surface: 'explicit_host_assertion',
    reason: `It said ${word()} and that held`,
    used_memory_ids: [ids[0]],
    guide_trace_id: trace,
    operation_id: 'op-feedback',
  })
  await call('rehydrate', {
    ...place,
    reason: 'read',
    memory_ids: ids,
    mode: 'full',
    operation_id: 'op-read',
  })
  const text = `The pump in hall ${secrets.words[0] ?? ''} is off.`
  await call('govern', {
    ...place,
    query_text: `pump ${secrets.words[0] ?? ''}`,
    candidates: [{ external_memory_id: 'ext', source_backend: 'vector', text }],
  })
  return [...new Set(ids)]
}

async function answersOf(service: Embedded): Promise<readonly Uint8Array[]> {
  return service.registry.use(place.tenant_id, place.scope, async ({ state }) => {
    return [...state.operations.values()].flatMap(({ answer }) => answer ?? [])
  })
}

describe('an erasure', () => {
  test('leaves no byte of the memory in any file, in memory, or in what history tells', async () => {
    const service = await startEmbedded({ config: SMALL })
    const call = calling(service)
    const secrets = new Secrets('erased')
    const kept = new Secrets('kept')
    await traffic(call, 20, kept)
    const ids = await tellSecrets(call, secrets, kept)
    await traffic(call, 60, kept)
    const { guide_trace_id } = await service.ok('guide', {
      ...place,
      query_text: `pump hall ${secrets.words[0]}`,
      operation_id: 'op-late',
    })
    const answers = await answersOf(service)
    expect(answers.length).toBeGreaterThan(4)
    const quarantine = join(service.dir, 'quarantine')
    mkdirSync(quarantine, { recursive: true })
    const word = secrets.words[0] ?? ''
    writeFileSync(join(quarantine, '0000000000000001.wal.4096.torn'), word)
    writeFileSync(join(quarantine, '0000000000000001.hist'), word)
    writeFileSync(join(quarantine, `${actorKeyHashOf(KEY)}.7.9.snap`), word)
    // The words are really there, or their absence would prove nothing.
    const before = foundIn(service.dir, secrets.words)
    expect(secrets.words.filter((each) => !before.some((line) => line.startsWith(each)))).toEqual([])
    expect(before.some((line) => line.includes('/hist/'))).toBe(true)
    expect(before.some((line) => line.includes('/snap/'))).toBe(true)
    expect(before.some((line) => line.includes('/idx/'))).toBe(true)

    const totals = await countersOf(service, ids)
    const answer = await service.ok('erase', {
      ...place,
      reason: 'the owner asked for it',
      actor: 'operator',
      memory_ids: ids,
      client_ids: ['nobody'],
      operation_id: 'op-erase',
    })
    expect(answer.erased_memory_ids.toSorted()).toEqual([...ids].sort())
    expect(answer.missing_memory_ids).toEqual(['nobody'])
    expect(answer.tombstones).toHaveLength(ids.length)
    expect(answer.purged.history_files).toBeGreaterThan(0)

    expect(foundIn(service.dir, [...secrets.words, ...answers])).toEqual([])
    expect(wordsIn(await toldBy(service), secrets.words)).toEqual([])
    expect(wordsIn(JSON.stringify(service.lines), secrets.words)).toEqual([])
    expect(await countersOf(service, ids)).toEqual(totals)
    // Others lost nothing, in no scope.
    const left = foundIn(service.dir, kept.words)
    expect(kept.words.filter((each) => !left.some((line) => line.startsWith(each)))).toEqual([])
    const digest = await service.digest(place)
    await service.restart()
    expect(await service.digest(place)).toBe(digest)
    expect(foundIn(service.dir, [...secrets.words, ...answers])).toEqual([])
    for (const where of neighbours) {
      const { agent_context } = await service.ok('guide', { ...where, query_text: 'shift report 59' })
      expect(agent_context.prompt_text).toContain('Shift report 59')
    }
    // No guide shows it; feedback for a guide of before is still taken.
    const { agent_context } = await service.ok('guide', {
      ...place,
      query_text: 'pump hall switched off',
      limit: 200,
    })
    expect(agent_context.memory_ids.filter((id) => ids.includes(id))).toEqual([])
    expect(agent_context.prompt_text).toContain(kept.words[80] ?? 'none')
    const feedback = {
      run_id: 'late',
      outcome: 'positive',
      used_surface: 'explicit_host_assertion',
      reason: 'it held',
    }
    await service.ok('feedback', { ...place, ...feedback, guide_trace_id, used_memory_ids: [ids[0]] })
    await service.refused('rehydrate', { ...place, reason: 'read', memory_ids: ids })
    // Answers of before are known ids without an answer; the erasure itself can be repeated.
    const repeat = { ...place, query_text: `pump hall ${secrets.words[0]}`, operation_id: 'op-late' }
    expect((await service.refused('guide', repeat)).details).toMatchObject({ expired: true })
    const again = {
      ...place,
      reason: 'the owner asked for it',
      actor: 'operator',
      memory_ids: ids,
      client_ids: ['nobody'],
    }
    expect(await service.ok('erase', { ...again, operation_id: 'op-erase' })).toMatchObject({
      erased_memory_ids: answer.erased_memory_ids,
      purged: { journal_segments: 0, history_files: 0 },
    })
    expect((await service.ok('erase', again)).already_erased_memory_ids.toSorted()).toEqual([...ids].sort())
    await service.close()
    expect(service.lines.filter(({ level }) => level === 'error')).toEqual([])
    expect(foundIn(service.dir, secrets.words)).toEqual([])
  })
})

const request = (ids: readonly string[]) => ({ ...place, reason: 'asked for', memory_ids: ids })

describe('an erasure that is cut off', () => {
  test('says that it is recorded and not finished, and the next start finishes it', async () => {
    const service = await startEmbedded({ config: SMALL })
    const secrets = new Secrets('late')
    const kept = new Secrets('kept')
    const ids = await tellSecrets(calling(service), secrets, kept)
    await traffic(calling(service), 40, kept)
    // A draft that cannot be removed stands in the way of every rewritten file.
    const hist = join(service.dir, 'hist')
    const blocks = readdirSync(hist)
      .filter((name) => name.endsWith('.hist'))
      .map((name) => join(hist, `${name}.tmp`))
    expect(blocks.length).toBeGreaterThan(0)
    for (const path of blocks) mkdirSync(path)
    const refusal = await service.refused('erase', request(ids))
    expect(refusal).toMatchObject({ status: 503, error: 'erase_incomplete', details: { step: 'history' } })
    const { agent_context } = await service.ok('guide', { ...place, query_text: 'pump hall', limit: 200 })
    expect(agent_context.memory_ids.filter((id) => ids.includes(id))).toEqual([])
    for (const path of blocks) rmSync(path, { recursive: true })
    expect(marksIn(service.dir)).toHaveLength(1)
    await service.restart()
    await service.erasuresResumed
    expect(foundIn(service.dir, secrets.words)).toEqual([])
    expect(marksIn(service.dir)).toEqual([])
    const answer = await service.ok('erase', request(ids))
    expect(answer.already_erased_memory_ids.toSorted()).toEqual([...ids].sort())
    expect(foundIn(service.dir, secrets.words)).toEqual([])
    await service.close()
  })

  test('by SIGKILL at any moment is finished by the next start, and can be repeated after it', async () => {
    const service = await startEmbedded({ config: SMALL })
    const secrets = new Secrets('killed')
    const kept = new Secrets('kept')
    const ids = await tellSecrets(calling(service), secrets, kept)
    await traffic(calling(service), 40, kept)
    await service.close()
    let wholeMs = 0
    for (let kill = 0; kill <= KILLS; kill += 1) {
      const dir = dataFolder()
      cpSync(service.dir, dir, { recursive: true })
      const running = await startProcess(dir, ['--segment-bytes', '65536', '--snapshot-min-bytes', '4096'])
      const client = new HttpClient(running.url)
      const startedMs = performance.now()
      const answered = client.call('erase', request(ids)).catch(() => null)
      // The first one is let through, so that the others can be killed while they are at it.
      if (kill === 0) {
        expect((await answered)?.answer?.erased_memory_ids).toHaveLength(ids.length)
        wholeMs = performance.now() - startedMs
      } else await elapsed((wholeMs * (kill - 0.5)) / KILLS)
      expect(wordsIn(running.stderr(), secrets.words)).toEqual([])
      await running.end('SIGKILL')
      await answered
      await client.close()
      if (kill === 0) expect(foundIn(dir, secrets.words)).toEqual([])
      const again = await startEmbedded({ dir, config: SMALL })
      await again.erasuresResumed
      const { tenant_id, scope } = place
      const erased = await again.registry.use(tenant_id, scope, async ({ state }) => state.erasures.size)
      // Recorded means that the start alone has finished it; else nothing of it has happened.
      expect([0, ids.length]).toContain(erased)
      if (erased > 0) expect(foundIn(dir, secrets.words)).toEqual([])
      expect(marksIn(dir)).toEqual([])
      const answer = await again.ok('erase', request(ids))
      expect([...answer.erased_memory_ids, ...answer.already_erased_memory_ids].sort()).toEqual(
        [...ids].sort(),
      )
      expect(foundIn(dir, secrets.words)).toEqual([])
      const left = foundIn(dir, kept.words)
      expect(kept.words.filter((each) => !left.some((line) => line.startsWith(each)))).toEqual([])
      await again.close()
    }
  })
})

async function countersOf(service: Embedded, ids: readonly string[]): Promise<object> {
  return service.registry.use(place.tenant_id, place.scope, async ({ state }) => ({
    counters: ids.map((id) => state.memories.get(id)?.counters),
    totals: [...state.exposureTotals],
    exposureCount: state.exposureCount,
    exposureDigest: state.exposureDigest,
  }))
}
