import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { closeEmbedded, startEmbedded } from '../harness/embedded.ts'
import { idsOf, observe, paged, place } from '../harness/paged.ts'
import { provingAsync } from '../support/prove.ts'

afterEach(closeEmbedded)

describe('memories', () => {
  test('every memory is on exactly one page, the newest first, whatever is written between pages', async () => {
    await provingAsync(25)(
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 0, max: 4 }),
      async (count, limit, writes) => {
        const real = await startEmbedded()
        const before: string[] = []
        for (let at = 0; at < count; at += 1) {
          before.push(await observe(real, `the valve ${at} is open`, { client_id: `v${at}` }))
        }
        let written = 0
        const body = { ...place, limit }
        const listed = await paged(real, 'searchMemories', body, async () => {
          for (let at = 0; at < writes; at += 1) {
            written += 1
            await observe(real, `a later note ${written}`)
            // A revision does not move a memory.
            await observe(real, `the valve is shut, said ${written}`, { client_id: `v${written % count}` })
          }
        })
        expect(idsOf(listed)).toEqual(before.toReversed())
        await real.close()
      },
    )
  })

  test('a filter lists what has the field, and nothing else', async () => {
    const real = await startEmbedded()
    const kept = await observe(
      real,
      'Use the STAGING bucket for uploads',
      { kind: 'rule', origin: 'user', target_files: ['src/up.ts'], task_signature: 'upload' },
      { run_id: 'run-1' },
    )
    const other = await observe(real, 'Lunch is at noon', { kind: 'event', owner_agent_id: 'ann' })
    const filters: readonly object[] = [
      { memory_type: 'rule' },
      { kind: 'rule' },
      { origin: 'user' },
      { memory_lane: 'shared' },
      { run_id: 'run-1' },
      { task_signature: 'upload' },
      { file: 'src/up.ts' },
      { surface: 'use_now' },
      { text: 'staging BUCKET' },
      { text: 'uploads staging', text_match: 'words' },
    ]
    for (const filter of filters) {
      expect(
        idsOf(await paged(real, 'searchMemories', { ...place, ...filter })),
        JSON.stringify(filter),
      ).toEqual([kept])
    }
    expect(idsOf(await paged(real, 'searchMemories', { ...place, text: 'uploads staging' }))).toEqual([])
    expect(idsOf(await paged(real, 'searchMemories', { ...place, owner_agent_id: 'ann' }))).toEqual([other])
    // An operator sees every lane; a consumer what that consumer sees.
    expect(idsOf(await paged(real, 'searchMemories', place))).toEqual([other, kept])
    const asBob = { ...place, consumer_agent_id: 'bob' }
    expect(idsOf(await paged(real, 'searchMemories', asBob))).toEqual([kept])
    expect((await real.refused('listMemories', { ...asBob, memory_id: other })).error).toBe(
      'memory_not_found',
    )
  })

  test('a filter that little fits is answered in bounded pages that reach the end', async () => {
    const real = await startEmbedded({ config: { durability: 'none' } })
    const first = await observe(real, 'the needle')
    for (let at = 0; at < 20; at += 1) {
      await real.ok('observe', {
        ...place,
        nodes: Array.from({ length: 100 }, (_, node) => ({
          kind: 'event',
          text: `reading ${at}.${node}: ${'dry hay '.repeat(1100)}`,
        })),
      })
    }
    let pages = 0
    const found = await paged(real, 'searchMemories', { ...place, text: 'needle' }, async () => {
      pages += 1
    })
    expect(idsOf(found)).toEqual([first])
    expect(pages).toBeGreaterThan(0)
    expect(pages).toBeLessThan(10)
  })

  test('one memory is told whole: revisions, changes, outcomes and the guides that showed it', async () => {
    const real = await startEmbedded()
    const long = `The rollout goes by region. ${'It waits for the check. '.repeat(40)}`
    const id = await observe(real, 'The rollout goes at once', { client_id: 'rollout' })
    await observe(real, long, { client_id: 'rollout' })
    const guide = await real.ok('guide', { ...place, query_text: 'how does the rollout go', run_id: 'run-7' })
    await real.ok('feedback', {
      ...place,
      run_id: 'run-7',
      reason: 'it was wrong',
      outcome: 'negative',
      used_surface: 'use_now',
      guide_trace_id: guide.guide_trace_id,
      used_memory_ids: [id],
      verifier_status: 'failed',
    })
    const [listed] = (await real.ok('listMemories', place)).items
    expect(listed?.text?.length).toBeLessThanOrEqual(400)
    const [whole] = (await real.ok('listMemories', { ...place, memory_id: id })).items
    expect(whole).toMatchObject({
      memory_id: id,
      text: long.trim(),
      lifecycle_state: 'contested',
      surface: 'inspect_before_use',
      rule_id: 'S4',
      counters: { negative_strong: 1 },
      detail: {
        revisions: [{ text: 'The rollout goes at once' }],
        changes: [{ facet: 'standing', to: 'contested' }],
        outcomes: [{ run_id: 'run-7', outcome: 'negative' }],
        guides: [{ guide_trace_id: guide.guide_trace_id, surface: 'use_now' }],
        guides_cut: false,
      },
    })
  })

  test('an erased memory is listed by its tombstone, without a word of it', async () => {
    const real = await startEmbedded()
    const id = await observe(real, 'the passphrase is tangerine')
    await real.ok('erase', { ...place, reason: 'asked for', memory_ids: [id], actor: 'ann' })
    const page = await real.ok('listMemories', { ...place, memory_id: id })
    expect(page.items[0]).toMatchObject({ text: null, erased: { reason: 'asked for', by: 'ann' } })
    const derived = await observe(real, 'the passphrase is long', { derived_from: [id] })
    const { blast_radius: touched } = await real.ok('blastRadius', { ...place, memory_id: id })
    expect(touched.memories).toMatchObject([{ memory_id: id, erased: true }])
    expect(touched.derivatives).toMatchObject([{ memory_id: derived, erased: false }])
    expect(JSON.stringify(page)).not.toContain('tangerine')
    expect(idsOf(await paged(real, 'searchMemories', { ...place, text: 'tangerine' }))).toEqual([])
    // It is in no state and on no surface, as for the filters of forget and erase.
    for (const filter of [{ lifecycle_state: 'active' }, { surface: 'inspect_before_use' }]) {
      const live = idsOf(await paged(real, 'searchMemories', { ...place, ...filter }))
      const meant = await real.ok('erase', { ...place, reason: 'tried', dry_run: true, filter })
      expect(live).toEqual(meant.filter_effect?.memory_ids)
      expect(live).not.toContain(id)
    }
  })

  test('a secret in a text is masked, in the list and in the whole memory', async () => {
    const real = await startEmbedded()
    const id = await observe(real, `deploy with password=${'hunter2hunter2'} today`)
    const list = await real.ok('listMemories', place)
    const whole = await real.ok('listMemories', { ...place, memory_id: id })
    expect(JSON.stringify([list, whole])).not.toContain('hunter2hunter2')
  })

  test('a secret that the end of what a list reads cuts in two is not shown', async () => {
    const real = await startEmbedded()
    const token = `gh${'p_'}${'Ab3dE5gH1jK'.repeat(4).slice(0, 36)}`
    const long = `${'token'}=${'Ab3dE5gH1jK'.repeat(64)} and ${'words '.repeat(42)}`
    for (let cut = 4; cut < 40; cut += 6) await observe(real, `${long.padEnd(1000 - cut)}${token} end ${cut}`)
    const { items } = await real.ok('listMemories', place)
    expect(items.length).toBe(6)
    for (const { text } of items) expect(text).toMatch(/^token=\*{4} [^_]*$/)
  })

  test('a secret in the name of a file, a tool, a slot or a role is masked in guides and lists', async () => {
    const real = await startEmbedded()
    const secret = `gh${'p_'}${'Ab3dE5gH1jK'.repeat(4).slice(0, 36)}`
    const named = { target_files: [`dump/${secret}`], tools: [`curl ${secret}`] }
    const memory = { kind: 'rule', text: 'deploy from main', ...named }
    const claim = { subject_key: 'deploy', predicate: 'from', value: { note: `the key:\n${secret}` } }
    const slot = { slot_key: `deploy ${secret}`, conflict_policy: 'singleton_latest' } as const
    await real.ok('observe', { ...place, memory, claims: [{ ...claim, ...slot }] })
    const handoff = { anchor: 'a', summary: 'deploy', target_role: `role ${secret}`, ...named }
    await real.ok('observe', { ...place, handoff })
    const failed = { title: 'deploy', outcome: 'failed', target_files: named.target_files }
    await real.ok('observe', { ...place, execution: failed })
    const guide = await real.ok('guide', { ...place, query_text: 'deploy', include_packets: true })
    expect(guide.agent_context.memory_ids.length).toBe(4)
    expect(guide.agent_context.target_files).toEqual(['dump/**** (github token masked)'])
    const list = await real.ok('listMemories', place)
    expect(JSON.stringify([guide, list])).not.toContain(secret)
  })

  test('a secret in a reference or in the reason of an erasure is masked, in lists, guides and reports', async () => {
    const real = await startEmbedded()
    const secret = 'hunter2hunter2'
    const cited = { title: 'deploy', summary: 'deploy', outcome: 'succeeded', task_signature: 'deploy' }
    const execution = { ...cited, run_id: 'run-1', evidence_refs: [`https://ci:${secret}@ci.example.com/1`] }
    const { memory_ids } = await real.ok('observe', { ...place, execution })
    const [memory_id = ''] = memory_ids
    const guide = await real.ok('guide', { ...place, query_text: 'deploy', include_packets: true })
    const { guide_trace_id } = guide
    const answers = [
      guide,
      await real.ok('listMemories', { ...place, memory_id }),
      await real.ok('decisionTrace', { ...place, guide_trace_id }),
      await real.ok('operatorSnapshot', { ...place, guide_trace_id }),
    ]
    const reason = `password=${secret} was in it`
    const { tombstones } = await real.ok('erase', { ...place, reason, memory_ids })
    expect(tombstones[0]?.reason).toMatch(/^password=\*{4} .* was in it$/)
    answers.push(await real.ok('listMemories', { ...place, memory_id }))
    for (const answer of answers) {
      expect(JSON.stringify(answer)).toContain(memory_id)
      expect(JSON.stringify(answer)).not.toContain(secret)
    }
  })
})
