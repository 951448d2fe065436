import { TopDocs } from './top-docs.ts'
import { scan, type VectorJob } from './vectors.ts'

/** The documents nearest to a query, and how all visible ones lie. */
export interface NearestResult {
  /** The nearest first; at the same cosine the newer one. */
  readonly docs: Int32Array
  readonly cosines: Float64Array
  /** Visible documents. */
  readonly visible: number
  /** Median of the cosines of all visible documents. */
  readonly median: number
  /** From the median down to where the lowest sixth begins: one deviation of what has nothing to do with the query. */
  readonly deviation: number
}

/** Share of a normal distribution that lies below one deviation under its mean. */
const LOWER_SHARE = 0.1587

/** Nanoseconds for each number read and for each scan besides; docs/recall.md, Embeddings. */
const NUMBER_NS = 1.5
const SCAN_NS = 40_000

/** Expected time of `nearest`, in nanoseconds of one undisturbed thread. */
export function estimateNearestNs({ visible, dimensions }: VectorJob): number {
  return SCAN_NS + visible * dimensions * NUMBER_NS
}

/** Exact: every visible vector is compared. What is not visible has no part in anything that comes out. */
export function nearest(job: VectorJob): NearestResult {
  const top = new TopDocs(job.limit)
  const all = new Float32Array(job.visible)
  let visible = 0
  scan(job, (doc, cosine) => {
    all[visible] = cosine
    visible += 1
    if (top.admits(doc, cosine)) top.add(doc, cosine, 0)
  })
  const size = top.count
  const docs = new Int32Array(size)
  const cosines = new Float64Array(size)
  top.settle({ docs, scores: cosines, masks: new Uint32Array(size) }, 0)
  const sorted = all.subarray(0, visible).sort()
  const median = sorted[Math.floor(visible / 2)] ?? 0
  const deviation = median - (sorted[Math.floor(visible * LOWER_SHARE)] ?? median)
  return { docs, cosines, visible, median, deviation }
}

/** One memory near the query. */
export interface NearDoc {
  readonly doc: number
  readonly cosine: number
  /** 0 is the nearest. */
  readonly place: number
  readonly isAboveFloor: boolean
}

// Why these numbers: docs/recall.md, Embeddings.

/** With fewer visible vectors nothing can be said about what is usual among them. */
export const VECTORS_MIN = 16
/** Deviations beyond what the nearest of so many unrelated memories is expected to reach. */
export const DEVIATIONS_BEYOND = 1
/** Cosine above the median that is asked for however alike the memories of a scope are. */
export const COSINE_ABOVE_MEDIAN = 0.1
export const COSINE_MIN = 0.2
/** Deviations above the median from which on a memory may fill the list, once another one passes. */
export const FILLER_DEVIATIONS = 2
const FILLER_ABOVE_MEDIAN = 0.05

/**
 * What of a result is near at all, the nearest first. Cosines of one model say little beside those of another, so they
 * are judged by those of the whole scope: of n unrelated memories the nearest is expected at √(2 ln n) deviations.
 */
export function nearDocs({ docs, cosines, visible, median, deviation }: NearestResult): readonly NearDoc[] {
  if (visible < VECTORS_MIN) return []
  const expected = Math.sqrt(2 * Math.log(visible))
  const floor = Math.max(
    COSINE_MIN,
    median + COSINE_ABOVE_MEDIAN,
    median + (expected + DEVIATIONS_BEYOND) * deviation,
  )
  const filler = median + Math.max(FILLER_ABOVE_MEDIAN, FILLER_DEVIATIONS * deviation)
  const near: NearDoc[] = []
  for (const [place, doc] of docs.entries()) {
    const cosine = cosines[place] ?? 0
    if (cosine < filler) break
    near.push({ doc, cosine, place, isAboveFloor: cosine >= floor })
  }
  return near
}
