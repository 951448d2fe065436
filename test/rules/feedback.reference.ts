import type { Standing, Surface } from '../../src/core/base/closed-sets.ts'
import type { Report } from '../support/subject.ts'

// What outcomes do to one memory, written from the specification and not from the code.

export function isStrong(report: Report, named: number): boolean {
  if (report.outcome !== 'negative') return false
  const hasFailed =
    report.verifierStatus === 'failed' ||
    report.toolStatus === 'failed' ||
    report.runtimeSignalRefs.length > 0
  return hasFailed && named <= 3
}

export function isDirect(report: Report, exposedOn: Surface): boolean {
  if (report.outcome !== 'positive') return false
  switch (exposedOn) {
    case 'use_now':
      return ['use_now', 'explicit_host_assertion'].includes(report.usedSurface)
    case 'inspect_before_use':
      return report.usedSurface === 'explicit_host_assertion'
    default:
      return false
  }
}

/** The standing of one memory under outcomes alone. */
export class StandingModel {
  standing: Standing = 'active'
  readonly #isRun: boolean
  readonly #counted = new Set<string>()
  /** Runs with a weak negative since the memory was last active. */
  #weak = new Set<string>()
  /** Runs with a strong negative that no verified positive has answered. */
  #strong = new Set<string>()
  /** Runs with a verified direct positive since the last negative. */
  #verified = new Set<string>()

  constructor(isRun: boolean) {
    this.#isRun = isRun
  }

  take(report: Report, exposedOn: Surface): void {
    const key = `${report.runId} ${report.outcome}`
    if (this.#counted.has(key)) return
    this.#counted.add(key)
    if (report.outcome === 'negative') this.#negative(report)
    else if (isDirect(report, exposedOn)) this.#direct(report)
  }

  #negative(report: Report): void {
    const { runId } = report
    const isHit = this.standing === 'active' || this.standing === 'demoted'
    if (isStrong(report, 1)) {
      if (this.#isRun && hasOther(this.#strong, runId)) this.standing = 'failed'
      else if (isHit) this.standing = 'contested'
      this.#strong.add(runId)
    } else {
      if (isHit) this.standing = hasOther(this.#weak, runId) ? 'contested' : 'demoted'
      this.#weak.add(runId)
    }
    this.#verified.clear()
  }

  #direct(report: Report): void {
    const isVerified = report.verifierStatus === 'passed'
    const isSecond = isVerified && hasOther(this.#verified, report.runId)
    if (this.standing === 'demoted' || (this.standing === 'contested' && isSecond)) {
      this.standing = 'active'
      this.#weak.clear()
    }
    if (!isVerified) return
    this.#strong.clear()
    this.#verified.add(report.runId)
  }
}

function hasOther(runs: ReadonlySet<string>, runId: string): boolean {
  return [...runs].some((run) => run !== runId)
}
