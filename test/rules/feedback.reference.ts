import type { Standing, Surface } from '../../src/core/base/closed-sets.ts'
import type { Report } from '../support/subject.ts'

// What outcomes do to one memory, written from the specification and not from the code: nothing is carried along, every
// answer looks through all that was said.

export function isVerifiedFailure(report: Report): boolean {
  if (report.outcome !== 'negative') return false
  return (
    report.verifierStatus === 'failed' ||
    report.toolStatus === 'failed' ||
    report.runtimeSignalRefs.length > 0
  )
}

export function isDirect(report: Report, exposedOn: Surface): boolean {
  if (report.outcome !== 'positive') return false
  switch (exposedOn) {
    case 'use_now':
      return ['use_now', 'explicit_host_assertion'].includes(report.usedSurface)
    case 'inspect_before_use':
      return (
        report.usedSurface === 'explicit_host_assertion' ||
        (report.usedSurface === 'use_now' && report.verifierStatus === 'passed')
      )
    default:
      return false
  }
}

/** From the strongest to the weakest. */
const ORDER = ['verified negative', 'verified positive', 'weak negative', 'direct positive'] as const
type Strength = (typeof ORDER)[number]

interface Said {
  readonly runId: string
  readonly isNegative: boolean
  readonly isVerified: boolean
  /** Other memories that the same report names. */
  readonly others: readonly string[]
}

interface Voice {
  readonly runId: string
  readonly strength: Strength
  readonly isNegative: boolean
}

/** The standing of one memory under outcomes alone. */
export class StandingModel {
  standing: Standing = 'active'
  readonly #isRun: boolean
  readonly #said: Said[] = []

  constructor(isRun: boolean) {
    this.#isRun = isRun
  }

  take(report: Report, exposedOn: Surface, others: readonly string[] = []): void {
    const isNegative = report.outcome === 'negative'
    if (!isNegative && !isDirect(report, exposedOn)) return
    const isVerified = isNegative ? isVerifiedFailure(report) : report.verifierStatus === 'passed'
    const said = { runId: report.runId, isNegative, isVerified, others }
    const isRepeat = this.#said.some(
      (past) =>
        past.runId === said.runId &&
        past.isNegative === isNegative &&
        past.isVerified === isVerified &&
        past.others.every((other) => others.includes(other)),
    )
    // No outcome leaves failed.
    if (isRepeat || this.standing === 'failed') return
    this.#said.push(said)
    this.standing = this.#derived()
  }

  #isTakenAway(blame: Said): boolean {
    if (!blame.isNegative || blame.others.length === 0) return false
    const later = this.#said.slice(this.#said.indexOf(blame) + 1)
    return later.some((success) => {
      if (success.isNegative || !success.isVerified || success.runId === blame.runId) return false
      const hasFailed = this.#said.some(
        (own) => own.runId === success.runId && own.isNegative && own.isVerified && own.others.length === 0,
      )
      return !hasFailed && blame.others.every((other) => !success.others.includes(other))
    })
  }

  #strength(said: Said): Strength {
    if (!said.isNegative) return said.isVerified ? 'verified positive' : 'direct positive'
    if (!said.isVerified) return 'weak negative'
    const isProved = this.#said.some(
      (other) =>
        other.isNegative &&
        other.isVerified &&
        other.runId !== said.runId &&
        !this.#isTakenAway(other) &&
        said.others.every((name) => !other.others.includes(name)),
    )
    return said.others.length === 0 || isProved ? 'verified negative' : 'weak negative'
  }

  /** Each run once, with its strongest word, where it first spoke in that direction. */
  #voices(): readonly Voice[] {
    const heard = this.#said.filter((said) => !this.#isTakenAway(said))
    const voices: (Voice & { readonly at: number })[] = []
    for (const runId of new Set(heard.map((said) => said.runId))) {
      const own = heard.filter((said) => said.runId === runId)
      const strength = ORDER.find((each) => own.some((said) => this.#strength(said) === each))
      if (strength === undefined) continue
      const isNegative = strength.endsWith('negative')
      const at = heard.findIndex((said) => said.runId === runId && said.isNegative === isNegative)
      voices.push({ runId, strength, isNegative, at })
    }
    return voices.sort((a, b) => a.at - b.at)
  }

  #derived(): Standing {
    let standing: Standing = 'active'
    const past: Voice[] = []
    const forgiven = new Set<Voice>()
    for (const voice of this.#voices()) {
      standing = this.#next(standing, past, forgiven, voice)
      past.push(voice)
      if (standing === 'failed') break
    }
    return standing
  }

  #next(standing: Standing, past: readonly Voice[], forgiven: Set<Voice>, voice: Voice): Standing {
    const before = (strength: Strength) => past.filter((each) => each.strength === strength)
    if (!voice.isNegative) {
      if (standing === 'demoted') return 'active'
      if (standing !== 'contested' || voice.strength !== 'verified positive') return standing
      const lastNegative = past.findLastIndex((each) => each.isNegative)
      const isSecond = past.slice(lastNegative + 1).some((each) => each.strength === 'verified positive')
      return isSecond ? 'active' : 'contested'
    }
    const isStrong = voice.strength === 'verified negative'
    if (isStrong && this.#isRun) {
      const last = past.findLast((each) => ['verified negative', 'verified positive'].includes(each.strength))
      if (last?.isNegative === true && before('verified negative').length > 0) return 'failed'
    }
    if (standing === 'contested') return 'contested'
    if (standing === 'active' && isProven(past)) {
      const recent = [...forgiven].filter((each) => usesAfter(past, each) < 5)
      forgiven.add(voice)
      const isContested = isStrong
        ? recent.length > 1 || recent.some((each) => each.strength === 'verified negative')
        : recent.length > 1
      if (isContested) return 'contested'
      return recent.length === 1 ? 'demoted' : 'active'
    }
    if (isStrong) return 'contested'
    const answered = past.findLastIndex((each) => !each.isNegative)
    const isSecond = past.slice(answered + 1).some((each) => each.strength === 'weak negative')
    return isSecond ? 'contested' : 'demoted'
  }
}

function isUse(voice: Voice): boolean {
  return voice.strength.startsWith('verified')
}

function isProven(past: readonly Voice[]): boolean {
  const last = past.filter(isUse).slice(-4)
  return last.length >= 3 && last.every((voice) => !voice.isNegative)
}

function usesAfter(past: readonly Voice[], voice: Voice): number {
  return past.slice(past.indexOf(voice) + 1).filter(isUse).length
}
