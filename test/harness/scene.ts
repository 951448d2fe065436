import type { Embedded, Place } from './embedded.ts'
import type { Answer } from './reply.ts'

/** A loop of guides around one run that memory of an earlier run may help. */
export interface Loop {
  readonly place: Place
  /** The guide that could not know of the memory yet. */
  readonly before: Answer<'guide'>
  /** The guide that gave it for direct use. */
  readonly after: Answer<'guide'>
  readonly memoryId: string
  /** Memory that both guides gave. */
  readonly other: string
  /** What the feedback endpoint answered; null: there was no feedback. */
  readonly feedback: Answer<'feedback'> | null
}

const ASKED = { query_text: 'Why does the login test fail?', consumer_agent_id: 'worker-1' }

/** One scope in which a loop is played. */
export class Scene {
  readonly #real: Embedded
  readonly #place: Place
  readonly #more: object

  /** @param more fields of both guides */
  constructor(real: Embedded, scope: string, more: object = {}) {
    this.#real = real
    this.#place = { tenant_id: 'measure', scope }
    this.#more = more
  }

  /**
   * @param told outcome and verifier status of the run; null: nobody tells
   * @param lanes whose memory the earlier run is; everybody's unless given
   * @param first how the run went before the memory was there; null: nobody tells
   */
  async loop(told: object | null, lanes: object = {}, first: string | null = 'failed'): Promise<Loop> {
    const [real, place] = [this.#real, this.#place]
    const noted = await real.ok('observe', { ...place, input_text: 'The login test needs a running cache.' })
    const asked = { ...place, ...ASKED, run_id: 'run-2', task_signature: 'fix:login', ...this.#more }
    const before = await real.ok('guide', asked)
    if (first !== null) {
      const execution = { run_id: 'run-2', title: 'Without what was learned', outcome: first }
      await real.ok('observe', { ...place, execution })
    }
    const learned = await real.ok('observe', {
      ...place,
      ...lanes,
      execution: {
        run_id: 'run-1',
        task_signature: 'fix:login',
        workflow_signature: 'wf:login',
        title: 'Inject the clock into the login test',
        summary: 'The login test passes with an injected clock.',
        outcome: 'succeeded',
        workflow_steps: ['Reproduce the failure', 'Inject the clock'],
        acceptance_checks: ['pnpm test login'],
        target_files: ['src/login.ts'],
        verifier: { name: 'vitest', status: 'passed' },
      },
    })
    const memoryId = learned.memory_ids[0] ?? ''
    const after = await real.ok('guide', asked)
    const feedback =
      told === null
        ? null
        : await real.ok('feedback', {
            ...place,
            reason: 'the run ended',
            run_id: 'run-2',
            used_surface: 'use_now',
            guide_trace_id: after.guide_trace_id,
            used_memory_ids: [memoryId],
            ...told,
          })
    return { place, before, after, memoryId, other: noted.memory_ids[0] ?? '', feedback }
  }
}
