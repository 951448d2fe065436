import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { startEmbedded } from '../harness/embedded.ts'
import type { Answer } from '../harness/reply.ts'
import { anyAttempt, type CodingAttempt } from '../support/coding-attempts.ts'
import { provingAsync } from '../support/prove.ts'

const prove = provingAsync(25, { seed: 11 })
/** Recorded attempts, where BENCH_DATA names the folder of recorded texts. */
const RECORDED = join(process.env['BENCH_DATA'] ?? '', 'agent-runs', 'coding-attempts.jsonl')
const NOT_HELPED = ['negative', 'insufficient_evidence']
const real = await startEmbedded({ config: { durability: 'none' } })
let scopes = 0

interface Played {
  readonly directions: readonly string[]
  readonly surfaces: readonly [told: string, retold: string]
  readonly skills: Answer<'proposeSkills'>
}

/** The attempt is observed as the agent saw it, shown to the next run, and judged by the hidden tests there. */
async function played(attempt: CodingAttempt): Promise<Played> {
  const place = { tenant_id: 'coding', scope: `attempt ${(scopes += 1)}` }
  const task_signature = `fix:${attempt.instance_id}`
  const asked = {
    ...place,
    query_text: `Fix ${attempt.instance_id}`,
    consumer_agent_id: 'coder',
    run_id: 'second',
    task_signature,
  }
  const before = await real.ok('guide', asked)
  // Without memory it ended the other way, so that there is a difference to show.
  const outcome = attempt.resolved ? 'failed' : 'succeeded'
  await real.ok('observe', { ...place, execution: { run_id: 'second', title: 'Without memory', outcome } })
  const written = await real.ok('observe', {
    ...place,
    execution: {
      run_id: 'first',
      task_signature,
      title: `Attempt ${attempt.try} at ${attempt.instance_id}`,
      summary: `${attempt.model} edited ${attempt.edited_files.join(', ')}.`,
      outcome: attempt.test_outcome === true ? 'succeeded' : 'failed',
      target_files: attempt.edited_files,
      workflow_steps: attempt.edited_files.map((file) => `Edit ${file}`),
      verifier: { name: 'visible tests', status: attempt.test_outcome === true ? 'passed' : 'failed' },
    },
  })
  const memoryId = written.memory_ids[0] ?? ''
  const told = await real.ok('guide', asked)
  await real.ok('feedback', {
    ...place,
    reason: attempt.resolved ? 'the hidden tests passed' : 'a hidden test failed',
    run_id: 'second',
    outcome: attempt.resolved ? 'positive' : 'negative',
    verifier_status: attempt.resolved ? 'passed' : 'failed',
    used_surface: 'use_now',
    guide_trace_id: told.guide_trace_id,
    used_memory_ids: [memoryId],
  })
  const retold = await real.ok('guide', asked)
  const directionOf = async (before_guide: object, after_guide: object) => {
    const { effect_report } = await real.ok('measure', {
      ...place,
      product_trace: { before_guide, after_guide },
    })
    return effect_report.history_impact.impact_direction
  }
  return {
    directions: [
      await directionOf(before, told),
      await directionOf(before, retold),
      await directionOf(told, retold),
    ],
    surfaces: [surfaceOf(told, memoryId), surfaceOf(retold, memoryId)],
    skills: await real.ok('proposeSkills', { ...place, task_signature }),
  }
}

function surfaceOf({ agent_context: context }: Answer<'guide'>, memoryId: string): string {
  if (context.use_now_memory_ids.includes(memoryId)) return 'use_now'
  if (context.inspect_before_use_memory_ids.includes(memoryId)) return 'inspect_before_use'
  return context.do_not_use_memory_ids.includes(memoryId) ? 'do_not_use' : 'rehydrate'
}

/** Whatever the hidden tests say, nothing is claimed that they do not. */
async function holdsFor(attempt: CodingAttempt): Promise<Played> {
  const seen = await played(attempt)
  const isShown = attempt.test_outcome === true
  expect(seen.surfaces[0]).toBe(isShown ? 'use_now' : 'do_not_use')
  if (isShown && attempt.resolved) {
    expect(seen.surfaces[1]).toBe('use_now')
    expect(seen.directions[0]).toBe('positive')
    expect(seen.skills.candidates).toMatchObject([{ task_signature: `fix:${attempt.instance_id}` }])
    return seen
  }
  expect(seen.surfaces[1]).not.toBe('use_now')
  for (const direction of seen.directions) expect(NOT_HELPED).toContain(direction)
  if (isShown) expect(seen.directions[0]).toBe('negative')
  expect(seen.skills.candidates).toEqual([])
  return seen
}

describe('coding attempts whose visible tests passed', () => {
  test('fall when a hidden test fails, are never measured as help and give no skill', async () => {
    await prove(anyAttempt, async (attempt) => {
      await holdsFor(attempt)
    })
  })

  test('an invented attempt of each kind is judged as it must be', async () => {
    const attempt = {
      instance_id: 'acme__reader-7',
      model: 'model-a',
      edited_files: ['lib/io/reader.py'],
      try: 1,
      test_outcome: true,
      resolved: false,
    }
    expect((await holdsFor(attempt)).directions[0]).toBe('negative')
    expect((await holdsFor({ ...attempt, resolved: true })).directions[0]).toBe('positive')
    expect((await holdsFor({ ...attempt, test_outcome: false })).directions[0]).toBe('insufficient_evidence')
  })

  test.skipIf(!existsSync(RECORDED))(
    'the same holds for recorded attempts (skipped where BENCH_DATA names no recordings)',
    async () => {
      const attempts = readFileSync(RECORDED, 'utf8').split('\n').flatMap(attemptIn)
      const misjudged = attempts.filter((one) => one.test_outcome === true && !one.resolved)
      expect(misjudged.length).toBeGreaterThan(0)
      for (const attempt of attempts) await holdsFor(attempt)
    },
    60_000,
  )
})

function attemptIn(line: string): readonly CodingAttempt[] {
  if (line === '') return []
  const row = JSON.parse(line)
  return [{ ...row, resolved: row.resolved === true, edited_files: row.edited_files ?? [] }]
}
