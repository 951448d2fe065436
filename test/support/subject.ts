import type { Surface } from '../../src/core/base/closed-sets.ts'
import type { FeedbackCommand } from '../../src/core/model/commands.ts'
import { memoryOf, runOf } from './commands.ts'
import { answering } from './named-hit.ts'
import { type GuideAnswer, World } from './world.ts'

/** How a run went with a memory. */
export type Report = Pick<
  FeedbackCommand,
  'runId' | 'outcome' | 'usedSurface' | 'verifierStatus' | 'toolStatus' | 'runtimeSignalRefs'
>

export const negative = (runId: string, isStrongOne: boolean): Report => ({
  runId,
  outcome: 'negative',
  usedSurface: 'use_now',
  verifierStatus: isStrongOne ? 'failed' : null,
  toolStatus: null,
  runtimeSignalRefs: [],
})
export const positive = (runId: string, isVerified: boolean): Report => ({
  ...negative(runId, false),
  outcome: 'positive',
  usedSurface: 'explicit_host_assertion',
  verifierStatus: isVerified ? 'passed' : null,
})

/** Reports by short words: `p` verified positive, `h` direct positive, `f` strong negative, `w` weak; each of its own run. */
export function said(words: string, from = 0): readonly Report[] {
  return words.split('').map((word, n) => {
    const runId = `run ${from + n}`
    if (word === 'p' || word === 'h') return positive(runId, word === 'p')
    return negative(runId, word === 'f')
  })
}

/** A world with one memory, which guides show and outcomes are about, and some that stand beside it. */
export class Subject {
  readonly world = new World()
  readonly id: string
  /** What a report may name beside the memory. */
  readonly companions: readonly string[]

  constructor(isRun: boolean, companions = 0) {
    const words = { text: 'the subject' }
    this.id = this.world.write(isRun ? runOf(words) : memoryOf(words))
    this.companions = Array.from({ length: companions }, (_, n) =>
      this.world.write(memoryOf({ text: `companion number ${n}` })),
    )
  }

  get standing() {
    return this.world.record(this.id).facets.standing
  }

  /** A guide whose question the memory answers: it is shown also when it has become a warning. */
  guide(): GuideAnswer {
    return this.world.guide({}, [answering(this.id)])
  }

  /** Shows the memory, then reports; returns the surface it was shown on. */
  report(report: Report, reason = 'as it went', others: readonly string[] = []): Surface {
    const { guide_trace_id: guideTraceId } = this.guide()
    const exposure = this.world.exposure(guideTraceId)
    const exposedOn = exposure?.surfaces[exposure.memoryIds.indexOf(this.id)] ?? 'do_not_use'
    this.world.feedback({ ...report, guideTraceId, memoryIds: [this.id, ...others], reason })
    return exposedOn
  }

  reportAll(reports: readonly Report[]): this {
    for (const report of reports) this.report(report)
    return this
  }
}
