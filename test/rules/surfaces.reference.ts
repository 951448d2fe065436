import type {
  MemoryDomain,
  MemorySource,
  MemoryType,
  Outcome,
  Standing,
  Surface,
} from '../../src/core/base/closed-sets.ts'

// The policy a second time, in the words of the specification and without its code: what each column of a case may
// say, and which surface follows. The two are compared over the whole grid.

export interface Case {
  /** `over`: it had an end, and the end has come. */
  readonly suppression: 'none' | 'in_force' | 'in_force_with_end' | 'over'
  readonly standing: Standing
  /** `expired_by_clock`: live as stored, its time is up; `not_yet`: its time is still to come. */
  readonly validity: 'live' | 'superseded' | 'expired' | 'expired_by_clock' | 'not_yet'
  /** Whether another memory says otherwise and stands. */
  readonly yields: boolean
  readonly trust: 'trusted' | 'candidate' | 'derived_from_untrusted'
  readonly confidence: 0 | 0.59 | 0.6 | 1
  readonly hasFinding: boolean
  readonly isArchived: boolean
  /** Where the words are: a text, or nothing but one of the pointers; `empty` has neither. */
  readonly holds: 'text' | 'summary' | 'payload' | 'raw_ref' | 'evidence_ref' | 'empty'
  readonly what: What
  readonly outcome: Outcome | null
  readonly signature: 'not_asked' | 'same' | 'other' | 'memory_has_none'
}

export interface What {
  readonly domain: MemoryDomain
  readonly type: MemoryType
  readonly source: MemorySource
  /** A handoff to an agent or team that the one who asks is not. */
  readonly isForSomebodyElse: boolean
}

export interface Expected {
  readonly surface: Surface
  readonly rule: string
}

const BLOCKED = 'do_not_use'
const INSPECT = 'inspect_before_use'

/** First match wins. */
export function expectedOf(c: Case): Expected {
  if (c.suppression === 'in_force' || c.suppression === 'in_force_with_end')
    return { surface: BLOCKED, rule: 'S1' }
  if (c.standing === 'failed') return { surface: BLOCKED, rule: 'S2' }
  if (c.outcome === 'failed' || c.outcome === 'blocked') return { surface: BLOCKED, rule: 'S2' }
  if (c.validity === 'superseded') return { surface: BLOCKED, rule: 'S3' }
  if (c.validity === 'expired' || c.validity === 'expired_by_clock') return { surface: BLOCKED, rule: 'S3' }
  if (c.standing === 'contested') return { surface: INSPECT, rule: 'S4' }
  if (c.yields) return { surface: INSPECT, rule: 'S12' }
  if (c.trust !== 'trusted') return { surface: INSPECT, rule: 'S5' }
  if (c.standing === 'demoted') return { surface: INSPECT, rule: 'S5' }
  if (c.confidence === 0 || c.confidence === 0.59) return { surface: INSPECT, rule: 'S5' }
  if (c.hasFinding) return { surface: INSPECT, rule: 'S6' }
  if (c.isArchived) return { surface: 'rehydrate', rule: 'S7' }
  if (c.holds === 'payload' || c.holds === 'raw_ref' || c.holds === 'evidence_ref') {
    return { surface: 'rehydrate', rule: 'S7' }
  }
  if (c.what.isForSomebodyElse) return { surface: INSPECT, rule: 'S11' }
  if (c.what.domain === 'execution') {
    // A handoff is an active path: how it ended is not asked, only of which task it is.
    if (c.what.source !== 'handoff' && c.outcome !== 'succeeded') return { surface: INSPECT, rule: 'S8' }
    if (c.signature === 'other' || c.signature === 'memory_has_none') return { surface: INSPECT, rule: 'S8' }
  }
  if (c.what.type === 'event' || c.what.type === 'evidence') return { surface: INSPECT, rule: 'S9' }
  return { surface: 'use_now', rule: 'S10' }
}

const COLUMNS = {
  suppression: ['none', 'in_force', 'in_force_with_end', 'over'],
  standing: ['active', 'demoted', 'contested', 'failed'],
  validity: ['live', 'superseded', 'expired', 'expired_by_clock', 'not_yet'],
  yields: [false, true],
  trust: ['trusted', 'candidate', 'derived_from_untrusted'],
  confidence: [0, 0.59, 0.6, 1],
  hasFinding: [false, true],
  isArchived: [false, true],
  holds: ['text', 'summary', 'payload', 'raw_ref', 'evidence_ref', 'empty'],
  signature: ['not_asked', 'same', 'other', 'memory_has_none'],
} as const

const FOR_ALL = { isForSomebodyElse: false } as const

/** Types with the outcomes they may have: an outcome is told of runs, and a handoff has none of its own. */
const WHATS: readonly (readonly [What, readonly (Outcome | null)[]])[] = [
  ...(['fact', 'preference', 'project_context', 'procedure', 'event', 'evidence', 'rule'] as const).map(
    (type) => [{ domain: 'general', type, source: 'observe', ...FOR_ALL }, [null]] as const,
  ),
  [{ domain: 'general', type: 'evidence', source: 'claim', ...FOR_ALL }, [null]],
  [{ domain: 'general', type: 'fact', source: 'claim', ...FOR_ALL }, [null]],
  [
    { domain: 'execution', type: 'execution_memory', source: 'observe', ...FOR_ALL },
    [null, 'succeeded', 'failed', 'blocked', 'interrupted', 'unknown'],
  ],
  [{ domain: 'execution', type: 'execution_memory', source: 'handoff', ...FOR_ALL }, [null]],
  [{ domain: 'execution', type: 'execution_memory', source: 'handoff', isForSomebodyElse: true }, [null]],
]

type ColumnName = keyof typeof COLUMNS
const NAMES = Object.keys(COLUMNS).filter((name): name is ColumnName => name in COLUMNS)

/** How many cases the grid has. */
export const GRID_CASES =
  NAMES.reduce((product, name) => product * COLUMNS[name].length, 1) *
  WHATS.reduce((sum, [, outcomes]) => sum + outcomes.length, 0)

/** Every combination of the columns, types and outcomes. */
export function* grid(): Generator<Case> {
  for (const suppression of COLUMNS.suppression)
    for (const standing of COLUMNS.standing)
      for (const validity of COLUMNS.validity)
        for (const yields of COLUMNS.yields)
          for (const trust of COLUMNS.trust)
            for (const confidence of COLUMNS.confidence)
              for (const hasFinding of COLUMNS.hasFinding)
                for (const isArchived of COLUMNS.isArchived)
                  for (const holds of COLUMNS.holds)
                    for (const signature of COLUMNS.signature)
                      for (const [what, outcomes] of WHATS)
                        for (const outcome of outcomes)
                          yield {
                            suppression,
                            standing,
                            validity,
                            yields,
                            trust,
                            confidence,
                            hasFinding,
                            isArchived,
                            holds,
                            what,
                            outcome,
                            signature,
                          }
}
