import { describe, expect, test } from 'vitest'
import { useRecorderScope } from '../harness/recorder-scope.ts'

const recorder = useRecorderScope()
const { write, ask, replay, journal } = recorder

describe('what a guide led to', () => {
  test('outcomes and the changes that they made, and not those of another guide', async () => {
    const id = await write('Releases are tagged by hand.')
    const asked = { run_id: 'run-1' }
    const first = await ask(asked)
    const second = await ask({ run_id: 'run-2' })
    const outcome = {
      reason: 'it broke',
      outcome: 'negative',
      used_surface: 'use_now',
      used_memory_ids: [id],
    }
    const told = [
      { run_id: 'run-1', guide_trace_id: first.guide_trace_id },
      { run_id: 'run-2', guide_trace_id: second.guide_trace_id },
    ]
    for (const each of told)
      await recorder.embedded.ok('feedback', { ...recorder.place, ...outcome, ...each })
    const report = await journal(first)
    expect(report.attribution).toMatchObject({
      present: true,
      outcome: 'negative',
      used_memory_ids: [id],
      contradicted_memory_ids: [id],
      supported_memory_ids: [],
    })
    expect(report.effects.outcomes).toMatchObject([{ run_id: 'run-1', names_guide: true }])
    expect(report.effects.facet_changes).toMatchObject([
      { memory_id: id, to: 'demoted', cause: 'weak_negative', by_this_guide: true },
      { memory_id: id, to: 'contested', cause: 'repeated_weak_negative', by_this_guide: false },
    ])
  })

  test('evidence that an outcome takes back is among its changes, and what was only observed supports nothing', async () => {
    const [id, other] = [
      await write('Releases are tagged by hand.'),
      await write('Tags of releases are signed.'),
    ]
    const tell = async (run_id: string, used_memory_ids: readonly string[], body: object) => {
      const guide = await ask({ run_id })
      const { guide_trace_id } = guide
      const told = { run_id, guide_trace_id, used_memory_ids, reason: 'it ran', ...body }
      await recorder.embedded.ok('feedback', { ...recorder.place, used_surface: 'use_now', ...told })
      return guide
    }
    const failed = await tell('run-1', [id, other], { outcome: 'negative', verifier_status: 'failed' })
    const observed = await tell('run-2', [id], { outcome: 'positive' })
    expect((await journal(observed)).attribution).toMatchObject({
      attributed_memory_ids: [id],
      supported_memory_ids: [],
    })
    const verified = await tell('run-3', [id], { outcome: 'positive', verifier_status: 'passed' })
    const report = await journal(verified)
    expect(report.attribution.supported_memory_ids).toEqual([id])
    const lifted = { memory_id: id, from: 'demoted', to: 'active', cause: 'evidence_withdrawn' }
    expect(report.effects.facet_changes).toMatchObject([{ ...lifted, by_this_guide: true }])
    const before = (await journal(failed)).effects.facet_changes
    expect(before.at(-1)).toMatchObject({ ...lifted, by_this_guide: false })
  })

  test('memory that five verified successes of its task lift is among what the last one led to', async () => {
    const ids = [await write('Releases are tagged by hand.'), await write('Tags of releases are signed.')]
    const [id = '', used = ''] = ids
    const tell = async (run_id: string, body: object) => {
      const guide = await ask({ run_id })
      const { guide_trace_id } = guide
      const told = { run_id, guide_trace_id, reason: 'it ran', used_surface: 'use_now', ...body }
      await recorder.embedded.ok('feedback', { ...recorder.place, ...told })
      return guide
    }
    await tell('run-0', { outcome: 'negative', used_memory_ids: [id] })
    let last = { guide_trace_id: '' }
    for (let at = 1; at <= 5; at += 1) {
      last = await tell(`run-${at}`, {
        outcome: 'positive',
        verifier_status: 'passed',
        used_memory_ids: [used],
      })
    }
    expect((await journal(last)).effects.facet_changes).toMatchObject([
      { memory_id: id, to: 'active', cause: 'task_successes', by_this_guide: true },
    ])
  })

  test('agents that share a run learn of their own guides in it; an operator finds those of all by the run', async () => {
    await write('Releases are tagged by hand.')
    const [ann, ben] = [{ consumer_agent_id: 'ann' }, { consumer_agent_id: 'ben' }]
    const first = await ask({ run_id: 'run-1', ...ann })
    const other = await ask({ run_id: 'run-1', ...ben })
    const own = await ask({ run_id: 'run-1', ...ann })
    const named = { replay_source: 'journal', guide_trace_id: first.guide_trace_id }
    const forAnn = await replay({ ...named, ...ann })
    expect(forAnn.effects.later_guides.map((row) => row.guide_trace_id)).toEqual([own.guide_trace_id])
    // The replay of a guide is of its consumer, whoever asks.
    const forOperator = await replay(named)
    expect(forOperator.effects).toEqual(forAnn.effects)
    const ofRun = await replay({ replay_source: 'journal', run_id: 'run-1' })
    expect([ofRun.guide_trace_id, ...ofRun.other_guides.map((row) => row.guide_trace_id)]).toEqual([
      own.guide_trace_id,
      other.guide_trace_id,
      first.guide_trace_id,
    ])
  })

  test('an outcome that names no memory is told apart: nothing was used, and the run still ended', async () => {
    await write('Releases are tagged by hand.')
    const first = await ask({ run_id: 'run-1' })
    const other = await ask({ run_id: 'run-2' })
    const neutral = {
      ...recorder.place,
      outcome: 'neutral',
      used_surface: 'use_now',
      reason: 'read and left',
    }
    await recorder.embedded.ok('feedback', { ...neutral, run_id: 'run-1' })
    await recorder.embedded.ok('feedback', {
      ...neutral,
      run_id: 'run-9',
      guide_trace_id: first.guide_trace_id,
    })
    await recorder.embedded.ok('feedback', { ...neutral, run_id: 'run-2' })
    const report = await journal(first)
    expect(report.attribution.present).toBe(false)
    expect(report.effects.outcomes).toEqual([])
    expect(report.effects.unnamed_outcomes).toMatchObject([
      { run_id: 'run-1', outcome: 'neutral', used_surface: 'use_now', names_guide: false },
      { run_id: 'run-9', outcome: 'neutral', used_surface: 'use_now', names_guide: true },
    ])
    expect((await journal(other)).effects.unnamed_outcomes).toMatchObject([{ run_id: 'run-2' }])
    await recorder.embedded.restart()
    expect((await journal(first)).effects).toEqual(report.effects)
  })

  test('later guides of its run, and none of another', async () => {
    await write('Releases are tagged by hand.')
    const first = await ask({ run_id: 'run-1' })
    await ask({ run_id: 'run-2' })
    const third = await ask({ run_id: 'run-1' })
    const { effects } = await journal(first)
    expect(effects.later_guides).toMatchObject([{ guide_trace_id: third.guide_trace_id, run_id: 'run-1' }])
    expect(effects.cut).toBe(false)
    const facts = Array.from({ length: 250 }, (_, at) => `Fact number ${at} about nothing in particular.`)
    await Promise.all(
      facts.map((input_text) => recorder.embedded.ok('observe', { ...recorder.place, input_text })),
    )
    expect((await journal(first)).effects.cut).toBe(false)
    await Promise.all(facts.slice(0, 10).map((text) => write(`Again: ${text}`)))
    expect((await journal(first)).effects.cut).toBe(true)
  })
})

describe('beside a guide', () => {
  test('govern decisions of its run are told: ids and codes, no text', async () => {
    const candidate = {
      external_memory_id: 'mem0:1',
      source_backend: 'mem0',
      text: 'The secret word is xyzzy.',
    }
    const query_text = 'how are releases tagged'
    await recorder.embedded.ok('govern', {
      ...recorder.place,
      query_text,
      run_id: 'run-1',
      candidates: [candidate],
    })
    await recorder.embedded.ok('govern', {
      ...recorder.place,
      query_text,
      run_id: 'run-2',
      candidates: [candidate],
    })
    const report = await journal(await ask({ run_id: 'run-1' }))
    expect(report.govern_decisions).toMatchObject([
      {
        run_id: 'run-1',
        candidates: [{ external_memory_id: 'mem0:1', admission_action: 'inspect_before_use' }],
      },
    ])
    expect(JSON.stringify(report)).not.toContain('xyzzy')
  })

  test('govern decisions of another consumer are told to nobody, in a run and without one', async () => {
    const query_text = 'how are releases tagged'
    const governed = async (id: string, more: object): Promise<unknown> =>
      recorder.embedded.ok('govern', {
        ...recorder.place,
        query_text,
        ...more,
        candidates: [{ external_memory_id: id, source_backend: 'mem0', text: 'Tags are made by hand.' }],
      })
    await governed('own', {})
    await governed('of-ann', { consumer_agent_id: 'ann' })
    await governed('of-ann-here', { consumer_agent_id: 'ann', run_id: 'run-1' })
    const report = await journal(await ask({ run_id: 'run-1' }))
    const ids = JSON.stringify(report.govern_decisions)
    expect(ids).toContain('"own"')
    expect(ids).not.toContain('of-ann')
  })
})
