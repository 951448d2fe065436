import { type Known, usableOf } from './known.ts'
import type { Ask } from './naming.ts'
import type { Random } from './random.ts'

const SIGNATURES = ['repair:cache', 'repair:index', 'ship:shop'] as const
const STEPS = ['Reproduce the failure', 'Inject the clock', 'Run the tests again']

/** A run that succeeds, a guide that shows it, an outcome, and the review of the skill that it gives. */
export function loopOf(random: Random, number: number): readonly Ask[] {
  const task_signature = random.pick(SIGNATURES)
  const run_id = `loop-${number}`
  const step = (outcome: string, passed: string): Ask => {
    const execution = {
      run_id,
      task_signature,
      title: `Inject the clock into the test of ${task_signature}`,
      summary: `The test of ${task_signature} passes with an injected clock.`,
      outcome,
      workflow_steps: STEPS,
      acceptance_checks: ['pnpm test'],
      verifier: { name: 'vitest', status: passed },
    }
    return () => ({ operation: 'observe', body: { execution } })
  }
  const guide: Ask = () => ({
    operation: 'guide',
    body: {
      query_text: `Why does the test of ${task_signature} fail?`,
      run_id,
      task_signature,
      include_packets: true,
    },
  })
  const feedback: Ask = (_, known) => {
    const shown = known.guides.at(-1) ?? {}
    return {
      operation: 'feedback',
      body: {
        reason: 'The run ended.',
        run_id,
        outcome: 'positive',
        used_surface: 'use_now',
        verifier_status: 'passed',
        guide_trace_id: shown['guide_trace_id'],
        used_memory_ids: usableOf(shown).slice(0, 40),
      },
    }
  }
  const propose: Ask = () => ({
    operation: 'proposeSkills',
    body: { task_signature, include_markdown: true },
  })
  const review = (operation: string, reviewer_id: string): Ask => {
    return (_: Random, known: Known) => ({
      operation,
      body: { candidate_id: known.skillIds.at(-1) ?? 'skill:none', reviewer_id, reason: 'It is looked at.' },
    })
  }
  const ends: readonly (readonly Ask[])[] = [
    [review('promoteSkill', 'ann'), review('promoteSkill', 'ann'), review('rejectSkill', 'bob')],
    [review('rejectSkill', 'ann'), review('promoteSkill', 'bob')],
    [step('failed', 'failed'), review('promoteSkill', 'ann'), propose],
  ]
  return [step('succeeded', 'passed'), guide, feedback, propose, ...random.pick(ends)]
}
