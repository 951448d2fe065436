import { digestOf } from '../core/base/digest.ts'
import { actorKeyOf } from '../core/base/ids.ts'

/** Which guides withhold memory, so that there are runs without it to compare with. */
export interface HoldOut {
  /** Share of runs, 0 to 100; 0: none. */
  readonly percent: number
  /** `tenant/scope` of the actors that it applies to; empty: every one. */
  readonly actorKeys: readonly string[]
}

const LANE = 0x1_0000_0000

/**
 * Draws by the run, so that all guides of one run are alike: one that had memory at times shows nothing. A guide
 * without a run is drawn by its own id, whose bits are random.
 */
export function isHeldOut(
  { percent, actorKeys }: HoldOut,
  place: { readonly tenantId: string; readonly scope: string },
  runId: string | null,
  guideTraceId: string,
): boolean {
  if (percent === 0) return false
  const key = actorKeyOf(place.tenantId, place.scope)
  if (actorKeys.length > 0 && !actorKeys.includes(key)) return false
  const draw = Number.parseInt(digestOf([key, runId ?? guideTraceId]).slice(0, 8), 16) / LANE
  return draw * 100 < percent
}
