import type { FlightRecorderReport } from '../../contract/flight-recorder.ts'
import type { Answer } from '../../contract/vocabulary.ts'

type Claims = Answer<typeof FlightRecorderReport>['claims']
type Claim = Claims[number]

/** What is known of a replay before its report is made. */
export interface ReplayFacts {
  readonly disputedCount: number
  readonly hasLists: boolean
  /** Memory that was held back and that the report gives a reason for. */
  readonly explainedBlockedCount: number
  readonly isHeldOut: boolean
  readonly comparedCount: number
  readonly seqBefore: number
  readonly seqAfter: number
}

/** What a replay knows of itself when its claims are made. */
export interface RecorderFacts extends ReplayFacts {
  readonly isRecorded: boolean
  /** Whether rules and reasons of that moment are still there. */
  readonly isExplained: boolean
  readonly exposedCount: number
  readonly blockedCount: number
  /** Claims of the ledger, whatever their status. */
  readonly claimCount: number
  readonly outcome: string | null
  readonly attributedCount: number
  /** Attributed ids that nothing says were shown. */
  readonly strayCount: number
  readonly mismatchCount: number
  /** Prompt lines and queries that were looked for in the report, and how many stand there. */
  readonly textsSought: number
  readonly textsFound: number
}

type Verdict = readonly [Claim['status'], string]

/** What a replay can be relied on for, or not, and the facts that say so. */
export function recorderClaims(facts: RecorderFacts): Claims {
  const claim = (name: Claim['claim'], [status, evidence]: Verdict): Claim => ({
    claim: name,
    status,
    evidence,
  })
  return [
    claim('agent_view_reconstructable', view(facts)),
    claim('prompt_payload_excluded', payload(facts)),
    claim('blocked_memory_visible', blocked(facts)),
    claim('claim_ledger_projection_replayable', ledger(facts)),
    claim('feedback_attribution_replayable', attribution(facts)),
    claim('supplied_artifacts_match_record', match(facts)),
    claim('runtime_read_only', readOnly(facts)),
  ]
}

function view(facts: RecorderFacts): Verdict {
  const shown = `${facts.exposedCount} memories`
  if (facts.isRecorded && facts.isExplained) {
    return ['pass', `The records hold ${shown} in order, with surface, rule and reason.`]
  }
  if (facts.isRecorded) {
    return ['warn', `The records hold ${shown} in order with their surfaces; the reasons are kept no longer.`]
  }
  if (!facts.hasLists) return ['fail', 'No supplied artifact says what was shown.']
  if (facts.disputedCount > 0) {
    return ['fail', `The supplied artifacts show ${facts.disputedCount} memories on more than one surface.`]
  }
  return ['warn', `Supplied artifacts name ${shown}; no record of this runtime confirms them.`]
}

function payload({ textsSought, textsFound }: RecorderFacts): Verdict {
  if (textsFound > 0) {
    return ['fail', `${textsFound} of ${textsSought} prompt lines and queries stand in this report.`]
  }
  if (textsSought === 0) return ['warn', 'No prompt or query was at hand to look for in this report.']
  return ['pass', `None of ${textsSought} prompt lines and queries stands in this report.`]
}

function blocked({ blockedCount, explainedBlockedCount }: RecorderFacts): Verdict {
  if (blockedCount === 0) return ['pass', 'No memory was held back.']
  const evidence = `${explainedBlockedCount} of ${blockedCount} memories that were held back have a reason.`
  if (explainedBlockedCount === blockedCount) return ['pass', evidence]
  return ['warn', evidence]
}

function ledger({ isRecorded, isHeldOut, claimCount }: RecorderFacts): Verdict {
  if (!isRecorded) {
    return ['warn', `Supplied artifacts tell ${claimCount} claims; no record of this runtime confirms them.`]
  }
  if (isHeldOut) return ['pass', 'The guide withheld memory and told no claim.']
  return ['pass', `The records hold ${claimCount} claims that the consumer sees and that were there by then.`]
}

function attribution({ outcome, attributedCount, strayCount, isRecorded }: RecorderFacts): Verdict {
  if (outcome === null) return ['warn', 'No outcome is known.']
  if (strayCount > 0) return ['fail', `${strayCount} attributed memories were not shown.`]
  const evidence = `Outcome ${outcome}, attributed to ${attributedCount} shown memories`
  return isRecorded ? ['pass', `${evidence} by the records.`] : ['warn', `${evidence} as supplied.`]
}

function match({ isRecorded, comparedCount, mismatchCount }: RecorderFacts): Verdict {
  // The request itself may say another run.
  if (mismatchCount > 0)
    return ['fail', `Request and artifacts say ${mismatchCount} things that the records contradict.`]
  if (comparedCount === 0) return ['pass', 'No artifact was supplied.']
  if (!isRecorded)
    return ['warn', `${comparedCount} artifacts were supplied and there is no record to compare.`]
  return ['pass', `${comparedCount} supplied artifacts say what the records say.`]
}

/** A replay is a read: a turn without events. */
function readOnly({ seqBefore, seqAfter }: RecorderFacts): Verdict {
  const evidence = `0 events were decided; the sequence stood at ${seqBefore} before and ${seqAfter} after.`
  return [seqBefore === seqAfter ? 'pass' : 'fail', evidence]
}
