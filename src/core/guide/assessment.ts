import { type BySurface, countBySurface } from '../base/by-surface.ts'
import {
  GUIDANCE_AUTHORITIES,
  type GuidanceAuthority,
  type RecommendedPosture,
  type Surface,
} from '../base/closed-sets.ts'
import type { GuideEntry } from './entry.ts'
import type { RenderedPrompt } from './render.ts'

export type RiskLevel = 'low' | 'medium' | 'high'

const REASONS_MAX = 8
const STALE_STATES: readonly string[] = ['superseded', 'expired', 'demoted', 'archived']

/** What the printed memories amount to: the same reading stands in context, receipt and packets. */
export interface Assessment {
  /** History took part: at least one memory was printed. */
  readonly historyUsed: boolean
  /** Something printed can change the next action: usable, to verify, to fetch, or a branch that failed. */
  readonly actionableHistoryUsed: boolean
  readonly recommendedPosture: RecommendedPosture
  /** The best authority among what was printed. */
  readonly authority: GuidanceAuthority
  readonly risk: {
    readonly negative_transfer_risk: RiskLevel
    readonly blocked_authority_count: number
    readonly stale_memory_count: number
    readonly reasons: readonly string[]
  }
  /** One sentence without memory text. */
  readonly summary: string
}

export function assess(rendered: RenderedPrompt): Assessment {
  const { printed } = rendered
  const counts = countBySurface(printed)
  const authorities = new Set<GuidanceAuthority>()
  for (const entry of printed) authorities.add(authorityOf(entry))
  return {
    historyUsed: printed.length > 0,
    actionableHistoryUsed: printed.some(
      (entry) => entry.surface !== 'do_not_use' || entry.record.domain === 'execution',
    ),
    recommendedPosture: postureFor(printed, counts),
    authority: GUIDANCE_AUTHORITIES.find((authority) => authorities.has(authority)) ?? 'none',
    risk: {
      negative_transfer_risk: riskLevel(printed, counts),
      blocked_authority_count: counts.do_not_use,
      stale_memory_count: printed.filter((entry) => STALE_STATES.includes(entry.lifecycleState)).length,
      reasons: riskReasons(printed),
    },
    summary: summarise(rendered, counts),
  }
}

/**
 * Blocked on do_not_use; candidate while it must be verified or fetched; trusted for a passed verifier or a trusted
 * claim; else advisory.
 */
export function authorityOf(
  entry: Pick<GuideEntry, 'surface' | 'record'>,
): Exclude<GuidanceAuthority, 'none'> {
  if (entry.surface === 'do_not_use') return 'blocked'
  if (entry.surface !== 'use_now') return 'candidate'
  const { content, claim } = entry.record
  const isVerified = content.verifier.some((verifier) => verifier.status === 'passed')
  return isVerified || claim?.authority === 'trusted' ? 'trusted' : 'advisory'
}

export function idsOf(printed: readonly GuideEntry[], surface: Surface): readonly string[] {
  const ids: string[] = []
  for (const entry of printed) if (entry.surface === surface) ids.push(entry.record.memoryId)
  return ids
}

function postureFor(printed: readonly GuideEntry[], counts: BySurface<number>): RecommendedPosture {
  const isSupported = (entry: GuideEntry): boolean =>
    entry.surface === 'use_now' &&
    (entry.record.domain === 'execution' ||
      entry.record.source === 'handoff' ||
      entry.record.counters.positive > 0)
  if (printed.some(isSupported)) return 'reuse_supported_history'
  if (counts.use_now > 0) return 'use_as_context'
  if (counts.inspect_before_use > 0) return 'inspect_before_use'
  return counts.rehydrate > 0 ? 'rehydrate_before_use' : 'ignore_history'
}

/** High: a warning touches what is asked and nothing may be used. Medium: any warning or anything to verify. */
function riskLevel(printed: readonly GuideEntry[], counts: BySurface<number>): RiskLevel {
  if (counts.use_now === 0 && printed.some((entry) => entry.relevantWarning)) return 'high'
  return counts.do_not_use > 0 || counts.inspect_before_use > 0 ? 'medium' : 'low'
}

function riskReasons(printed: readonly GuideEntry[]): readonly string[] {
  const reasons = new Set<string>()
  for (const entry of printed) if (entry.surface !== 'use_now') reasons.add(entry.reasonCode)
  return [...reasons].slice(0, REASONS_MAX)
}

function summarise(rendered: RenderedPrompt, counts: BySurface<number>): string {
  const left = rendered.omitted.length
  const cut = left === 0 ? '' : ` ${left} more did not fit the character budget.`
  if (rendered.printed.length === 0) {
    return left === 0 ? 'No reusable memory was found.' : `No memory was shown.${cut}`
  }
  return (
    `Memory shown: ${counts.use_now} usable now, ${counts.inspect_before_use} to verify first, ` +
    `${counts.do_not_use} as warnings, ${counts.rehydrate} to rehydrate.${cut}`
  )
}
