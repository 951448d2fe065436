import fc from 'fast-check'
import { type Candidate, GOVERN_MODES, type GovernMode } from '../../src/core/external/govern.ts'
import {
  admissionSummary,
  firewallSummary,
  governContext,
  governReceipt,
} from '../../src/core/external/govern-context.ts'
import { admissionRecord, admissionRecordObject } from '../../src/core/external/govern-record.ts'
import {
  anyCandidates,
  anyMode,
  commandOf,
  decide,
  MARKED,
  MARKS,
  offeredOf,
  renderAdmission,
} from './govern-samples.ts'
import type { proofsOf } from './prove.ts'

export function answerTo(candidates: readonly Candidate[], mode: GovernMode = 'standard', isCompact = true) {
  const command = commandOf({
    mode,
    candidates,
    isCompact,
    tenantId: 't',
    scope: 's',
    role: 'worker',
    profile: 'long_qa',
  })
  const decisions = decide(command, MARKED)
  const rendered = renderAdmission(decisions, command)
  const records = decisions.map((decision) => admissionRecord(decision, rendered, command))
  return {
    decisions,
    rendered,
    context: governContext(decisions, rendered, command),
    receipt: governReceipt(decisions, rendered),
    records,
    object: admissionRecordObject(records, rendered, command),
    admission: admissionSummary(decisions, command),
    firewall: firewallSummary(decisions, command),
  }
}

export type Answer = ReturnType<typeof answerTo>

/** One candidate for each thing that can be known of one. */
export const EACH_KIND: readonly Candidate[] = [
  offeredOf({ externalId: 'current' }),
  offeredOf({ externalId: 'procedure', hint: 'procedure' }),
  offeredOf({ externalId: 'unsaid', hint: 'unknown' }),
  offeredOf({ externalId: 'stale', hint: 'stale' }),
  offeredOf({ externalId: 'contested', hint: 'contested', sourceTrust: 'untrusted' }),
  offeredOf({ externalId: 'failed', hint: 'failed' }),
  offeredOf({ externalId: 'archived', hint: 'archived' }),
  offeredOf({ externalId: 'suppressed', hint: 'suppressed' }),
  offeredOf({ externalId: 'forbidden', requirement: 'blocked' }),
  offeredOf({ externalId: 'pointer', requirement: 'rehydrate_before_use' }),
  offeredOf({ externalId: 'unproven', requirement: 'inspect_before_use' }),
  offeredOf({ externalId: 'unknown', sourceTrust: 'unknown' }),
  offeredOf({ externalId: 'ordering', text: `an order ${MARKS.finding}` }),
  offeredOf({ externalId: 'elsewhere', metadataScope: 'elsewhere' }),
  offeredOf({ externalId: 'self-stale', text: 'This workflow is obsolete.', readsSelfClaims: true }),
  offeredOf({ externalId: 'self-failed', text: 'The approach failed.', readsSelfClaims: true }),
  offeredOf({ externalId: 'here-failed', text: `${MARKS.history}failed` }),
  offeredOf({ externalId: 'here-superseded', text: `${MARKS.history}superseded` }),
  offeredOf({ externalId: 'here-suppressed', text: `${MARKS.history}suppressed` }),
  offeredOf({ externalId: 'here-contested', text: `${MARKS.history}contested` }),
  offeredOf({ externalId: 'one', text: '\u00a7slot=1' }),
  offeredOf({ externalId: 'other', text: '\u00a7slot=2' }),
]

/** A law of the answer to any candidates in any mode. */
export function proveAnswers(
  prove: ReturnType<typeof proofsOf>,
  law: (answer: Answer, mode: GovernMode) => void,
): void {
  for (const mode of GOVERN_MODES) {
    law(answerTo(EACH_KIND, mode), mode)
    for (const candidate of EACH_KIND) law(answerTo([candidate], mode), mode)
  }
  prove(
    fc.tuple(anyCandidates, anyMode, fc.boolean()),
    ([candidates, mode, isCompact]) => law(answerTo(candidates, mode, isCompact), mode),
    120,
  )
}
