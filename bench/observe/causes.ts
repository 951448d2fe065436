/** What some threads got of the cores between two looks. */
export interface Look {
  /** Milliseconds since 1970. */
  readonly fromMs: number
  readonly toMs: number
  readonly serving: Use
  /** The other threads of the service together: journal, collector, compiler, pool. */
  readonly helpers: Use
  readonly generator: Use
}

export interface Use {
  readonly ranMs: number
  /** Had work and no core. */
  readonly waitedMs: number
}

/** A time of which something is known: a request from when it was due to its answer, or a pause of the collector. */
export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

export const CAUSES = [
  'serving thread works: requests in front, then the own one',
  'serving thread has work and no core',
  'collector works',
  'collector has no core',
  'collector waits for its helper threads',
  'serving thread waits, another thread of the service works (flush)',
  'serving thread waits, another thread of the service has no core',
  'serving thread waits, the generator works',
  'serving thread waits, the generator has no core',
  'all wait: the disk, wake-ups on their way',
] as const
export type Cause = (typeof CAUSES)[number]

/**
 * What the time of `requests` went to, a share for each cause; together 1. A moment that several requests wait through counts
 * for each of them. Of a look that a span overlaps in part, so much counts; within it causes keep their shares.
 */
export function causesOf(
  looks: readonly Look[],
  pauses: readonly Span[],
  requests: readonly Span[],
): ReadonlyMap<Cause, number> {
  const ms = new Map<Cause, number>()
  for (const look of laidBack(looks)) {
    const lookMs = look.toMs - look.fromMs
    const waitingMs = overlap(look, requests)
    if (lookMs <= 0 || waitingMs === 0) continue
    for (const [cause, share] of sharesOf(look, Math.min(1, overlap(look, pauses) / lookMs))) {
      ms.set(cause, (ms.get(cause) ?? 0) + share * waitingMs)
    }
  }
  const all = [...ms.values()].reduce((sum, each) => sum + each, 0)
  return new Map(CAUSES.map((cause) => [cause, all === 0 ? 0 : (ms.get(cause) ?? 0) / all]))
}

/** The system counts a wait when it ends: what does not fit into its look happened in those before it. */
function laidBack(looks: readonly Look[]): readonly Look[] {
  const late = { serving: 0, helpers: 0, generator: 0 }
  const fitted = looks.toReversed().map((look): Look => {
    const fit = (who: keyof typeof late): Use => {
      const { ranMs } = look[who]
      const dueMs = look[who].waitedMs + late[who]
      const waitedMs = Math.min(dueMs, Math.max(0, look.toMs - look.fromMs - ranMs))
      late[who] = dueMs - waitedMs
      return { ranMs, waitedMs }
    }
    return { ...look, serving: fit('serving'), helpers: fit('helpers'), generator: fit('generator') }
  })
  return fitted.toReversed()
}

function overlap({ fromMs, toMs }: Span, others: readonly Span[]): number {
  return others.reduce(
    (sum, other) => sum + Math.max(0, Math.min(toMs, other.toMs) - Math.max(fromMs, other.fromMs)),
    0,
  )
}

/** Shares of one look, each of what those before it left over. */
function sharesOf({ fromMs, toMs, serving, helpers, generator }: Look, paused: number): [Cause, number][] {
  const lookMs = toMs - fromMs
  let left = 1
  const taken = (ms: number): number => {
    const share = Math.min(left, ms / lookMs)
    left -= share
    return share
  }
  const worked = taken(serving.ranMs)
  const waited = taken(serving.waitedMs)
  const asleepInPause = paused * left
  left -= asleepInPause
  return [
    ['serving thread works: requests in front, then the own one', worked * (1 - paused)],
    ['serving thread has work and no core', waited * (1 - paused)],
    ['collector works', worked * paused],
    ['collector has no core', waited * paused],
    ['collector waits for its helper threads', asleepInPause],
    ['serving thread waits, another thread of the service works (flush)', taken(helpers.ranMs)],
    ['serving thread waits, another thread of the service has no core', taken(helpers.waitedMs)],
    ['serving thread waits, the generator works', taken(generator.ranMs)],
    ['serving thread waits, the generator has no core', taken(generator.waitedMs)],
    ['all wait: the disk, wake-ups on their way', left],
  ]
}
