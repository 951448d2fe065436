import { assert } from '../base/assert.ts'
import type { Surface } from '../base/closed-sets.ts'
import type { CandidateDecision, CandidateFacts, GovernMode, HistoryState, OutcomeState } from './govern.ts'

export interface GovernRule {
  readonly id: string
  readonly reasonCode: string
  /** The law in one sentence, for the list of rules. */
  readonly law: string
  /** Null: the row does not decide in that mode. */
  readonly actions: Readonly<Record<GovernMode, Surface | null>>
  readonly holds: (facts: CandidateFacts) => boolean
  /** One sentence about this candidate, without a word of its text. */
  readonly reason: (facts: CandidateFacts, mode: GovernMode) => string
}

const DO_NOT_USE = { standard: 'do_not_use', strict: 'do_not_use', firewall: 'do_not_use' } as const
const REHYDRATE = { standard: 'rehydrate', strict: 'rehydrate', firewall: 'rehydrate' } as const
const INSPECT = {
  standard: 'inspect_before_use',
  strict: 'inspect_before_use',
  firewall: 'inspect_before_use',
} as const
const USE_NOW = { standard: 'use_now', strict: 'use_now', firewall: 'use_now' } as const
const FIREWALL_BLOCKS = { standard: null, strict: null, firewall: 'do_not_use' } as const
const INSPECT_OR_BLOCK = { ...INSPECT, firewall: 'do_not_use' } as const

/**
 * The admission table for candidates of an external backend. Order is the policy: the first row that holds and decides
 * in the mode of the request wins. What this runtime knows (scope, screening, history) comes before what the source
 * says of itself, where both block; the trusted rows come last, so that any doubt outweighs them.
 */
export const GOVERN_RULES: readonly GovernRule[] = [
  {
    id: 'K1',
    reasonCode: 'blocked_by_source',
    law: 'A candidate whose source blocks it, or hints suppressed or archived, is do_not_use.',
    actions: DO_NOT_USE,
    holds: ({ candidate: { requirement, hint } }) =>
      requirement === 'blocked' || hint === 'suppressed' || hint === 'archived',
    reason: ({ candidate }) =>
      candidate.requirement === 'blocked' ? 'its source blocks it' : hintReason(candidate.hint),
  },
  {
    id: 'K2',
    reasonCode: 'runtime_history',
    law: 'A candidate that says exactly what is suppressed, failed or superseded here, and what no memory for direct use says, is do_not_use.',
    actions: DO_NOT_USE,
    holds: ({ history }) => history !== null && !history.isNear && history.state !== 'contested',
    reason: historyReason,
  },
  {
    id: 'K17',
    reasonCode: 'runtime_history',
    law: 'A candidate with which runs failed until it failed is do_not_use.',
    actions: DO_NOT_USE,
    holds: ({ outcome }) => outcome === 'failed',
    reason: outcomeReason,
  },
  {
    id: 'K3',
    reasonCode: 'scope_mismatch',
    law: 'In firewall mode a candidate of another scope is do_not_use.',
    actions: FIREWALL_BLOCKS,
    holds: ({ hasOtherScope }) => hasOtherScope,
    reason: () => 'it belongs to another scope',
  },
  {
    id: 'K4',
    reasonCode: 'content_screening',
    law: 'In firewall mode a candidate with a screening finding is do_not_use.',
    actions: FIREWALL_BLOCKS,
    holds: ({ findings }) => findings.length > 0,
    reason: screeningReason,
  },
  {
    id: 'K5',
    reasonCode: 'rehydration_required_by_source',
    law: 'A candidate whose source asks for rehydration is rehydrate.',
    actions: REHYDRATE,
    holds: ({ candidate }) => candidate.requirement === 'rehydrate_before_use',
    reason: () => 'its source asks to fetch the evidence first',
  },
  {
    id: 'K6',
    reasonCode: 'negative_hint',
    law: 'A candidate hinted failed, stale or contested is inspect_before_use, in firewall mode do_not_use.',
    actions: INSPECT_OR_BLOCK,
    holds: ({ candidate: { hint } }) => hint === 'failed' || hint === 'stale' || hint === 'contested',
    reason: ({ candidate }) => hintReason(candidate.hint),
  },
  {
    id: 'K7',
    reasonCode: 'lifecycle_candidate_signal',
    law: 'A candidate about work whose text says that it failed, is stale or contested is inspect_before_use, in firewall mode do_not_use.',
    actions: INSPECT_OR_BLOCK,
    holds: ({ selfClaim }) => selfClaim !== null,
    reason: ({ selfClaim }) =>
      selfClaim === 'negative'
        ? 'its own text says that it failed'
        : `its own text says that it is ${selfClaim === 'stale' ? 'out of date' : 'contested'}`,
  },
  {
    id: 'K8',
    reasonCode: 'scope_mismatch',
    law: 'A candidate of another scope is inspect_before_use.',
    actions: { ...INSPECT, firewall: null },
    holds: ({ hasOtherScope }) => hasOtherScope,
    reason: () => 'it belongs to another scope',
  },
  {
    id: 'K9',
    reasonCode: 'content_screening',
    law: 'A candidate with a screening finding is inspect_before_use.',
    actions: { ...INSPECT, firewall: null },
    holds: ({ findings }) => findings.length > 0,
    reason: screeningReason,
  },
  {
    id: 'K10',
    reasonCode: 'runtime_history',
    law: 'A candidate that says exactly what is contested here, or nearly what is held back here, is inspect_before_use.',
    actions: INSPECT,
    holds: ({ history }) => history !== null && (history.isNear || history.state === 'contested'),
    reason: historyReason,
  },
  {
    id: 'K18',
    reasonCode: 'runtime_history',
    law: 'A candidate that outcomes of runs demoted or contested is inspect_before_use.',
    actions: INSPECT,
    holds: ({ outcome }) => outcome === 'demoted' || outcome === 'contested',
    reason: outcomeReason,
  },
  {
    id: 'K11',
    reasonCode: 'inspection_required_by_source',
    law: 'A candidate whose source asks for inspection, or says nothing of evidence, is inspect_before_use.',
    actions: INSPECT,
    holds: ({ candidate }) => candidate.requirement === 'inspect_before_use',
    reason: () => 'its source does not allow use without inspection',
  },
  {
    id: 'K12',
    reasonCode: 'trusted_current_or_procedure_candidate',
    law: 'A candidate of a trusted source, current or procedure, that needs no evidence is use_now.',
    actions: USE_NOW,
    holds: (facts) => facts.candidate.sourceTrust === 'trusted' && isOffered(facts),
    reason: ({ candidate }) => `its trusted source marks it as ${candidate.hint}`,
  },
  {
    id: 'K13',
    reasonCode: 'trusted_current_or_procedure_candidate',
    law: 'In standard mode a candidate of a known source, current or procedure, that needs no evidence is use_now.',
    actions: { standard: 'use_now', strict: null, firewall: null },
    holds: (facts) => facts.candidate.sourceTrust === 'known' && isOffered(facts),
    reason: ({ candidate }) => `its known source marks it as ${candidate.hint}`,
  },
  {
    id: 'K14',
    reasonCode: 'candidate_requires_inspection_before_direct_use',
    law: 'Every other candidate is inspect_before_use.',
    actions: INSPECT,
    holds: () => true,
    reason: ({ candidate }, mode) =>
      candidate.hint === 'unknown'
        ? 'its source does not mark it as current or procedure'
        : `source trust ${candidate.sourceTrust} is not enough in ${mode} mode`,
  },
]

/** The first row of the table that holds and decides in this mode. */
export function decideByTable(facts: CandidateFacts, mode: GovernMode): CandidateDecision {
  for (const rule of GOVERN_RULES) {
    const surface = rule.actions[mode]
    if (surface === null || !rule.holds(facts)) continue
    return {
      facts,
      surface,
      ruleId: rule.id,
      reasonCode: rule.reasonCode,
      reason: rule.reason(facts, mode),
      storedMemoryId: null,
      disputes: [],
    }
  }
  return assert(false, 'the last row holds always') as never
}

/** After the table: the memory of this id says more than the candidate does. */
export const STORED_MEMORY_RULE = {
  id: 'K15',
  reasonCode: 'runtime_memory',
  law: 'A candidate with the id of a visible memory gets the stricter of its surface and that of the memory.',
} as const

/** After the table: only candidates that would be used can contradict each other. */
export const CONTRADICTION_RULE = {
  id: 'K16',
  reasonCode: 'candidate_contradiction',
  surface: 'inspect_before_use',
  law: 'Of two candidates that would be use_now and contradict each other both are inspect_before_use, or only the older when their source gives both a time under the same key.',
} as const

/** The laws of govern that no single row holds, by id. */
export const GOVERN_LAWS: Readonly<Record<string, string>> = {
  KL1: 'Taking source trust away never raises a candidate.',
  KL2: 'A negative lifecycle hint never raises a candidate.',
  KL3: 'A stricter evidence requirement never lets a text guide more than before.',
  KL4: 'A finding, another scope, a history or what runs said of it never raises a candidate.',
  KL5: 'The order of candidates changes no decision.',
  KL6: 'Without record govern changes no state: asked twice it answers the same, and nothing is journaled.',
  KL7: 'Whatever a candidate says, the sections of prompt_text hold exactly its id lists.',
  KL8: 'No word of a do_not_use candidate reaches the prompt.',
  KL9: 'With default authority no candidate is use_now.',
  KL10: 'Exactly what is suppressed in the actor, and used there in no other memory, is do_not_use in every mode, whatever the source says.',
  KL11: 'A memory that the consumer cannot see leaves no trace in a govern answer.',
  KL12: 'A candidate that is held back already contests nobody.',
  KL13: 'Of 100 000 external memories one more takes the place of the one that was governed longest ago, and one that runs have spoken of goes only when all have been spoken of.',
  KL14: 'What is said of an external memory changes no memory of the scope, also one with the same id, and the other way round.',
  KL15: 'Feedback about an external memory needs the trace of a govern request that recorded it as a candidate, or nothing is changed.',
  KL16: 'After an erasure of external memory govern answers as if that memory had never been recorded, and the others stay as they are.',
  KL17: 'What was said in a lane changes no answer to a consumer who does not see the lane.',
  KL18: 'Evidence about an external memory comes to what the same evidence comes to about a memory of the scope.',
}

/** All three that the source must say for direct use. The other rows have taken away every other requirement. */
function isOffered({ candidate: { requirement, hint } }: CandidateFacts): boolean {
  return requirement === 'none' && (hint === 'current' || hint === 'procedure')
}

function hintReason(hint: string): string {
  return `its source marks it as ${hint}`
}

const HISTORY_SENTENCES = {
  suppressed: 'is suppressed',
  failed: 'failed',
  superseded: 'was superseded',
  contested: 'is contested',
} as const satisfies Record<HistoryState, string>

function historyReason({ history }: CandidateFacts): string {
  const content = history?.isNear === true ? 'nearly the same content' : 'the same content'
  return `${content} ${HISTORY_SENTENCES[history?.state ?? 'suppressed']} in this scope`
}

const OUTCOME_SENTENCES = {
  failed: 'two runs failed with it',
  contested: 'a run failed with it, or several reported against it',
  demoted: 'a run reported against it',
} as const satisfies Record<OutcomeState, string>

function outcomeReason({ outcome }: CandidateFacts): string {
  return `${OUTCOME_SENTENCES[outcome ?? 'demoted']} in this scope`
}

function screeningReason({ findings }: CandidateFacts): string {
  return `content screening found ${kindsOf(findings).join(', ').replaceAll('_', ' ')}`
}

/** What the runtime knows speaks against it. */
export function isHeldAgainst({ history, outcome }: CandidateFacts): boolean {
  return history !== null || outcome !== null
}

/** The kinds of findings, each once, in a fixed order. */
export function kindsOf(findings: CandidateFacts['findings']): readonly string[] {
  return [...new Set(findings.map((finding) => finding.kind))].sort()
}
