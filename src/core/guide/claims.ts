import type { ClaimFacts } from '../model/record.ts'
import { maskSecrets, plainStart } from '../screening/secrets.ts'
import { clip, foldText } from '../text/escape.ts'
import type { GuideEntry } from './entry.ts'

const LIVE_MAX = 12
const SLOTS_MAX = 8
const SUPERSEDED_PER_SLOT_MAX = 4
const VALUE_CHARS_MAX = 360
/** Read of a long value. What follows what is shown may change it: the end of an id in brackets. */
const START_CHARS = 4_096
const FOLDED_CHARS_MIN = 1_024

/** A claim as a guide sees it; a `GuideEntry` is one. */
export type ClaimView = Pick<GuideEntry, 'record' | 'surface' | 'lifecycleState'>

export const CLAIM_LEDGER_STATUSES = ['active', 'contested', 'superseded', 'retired', 'redacted'] as const
type ClaimStatus = (typeof CLAIM_LEDGER_STATUSES)[number]

/**
 * The claim ledger as far as the consumer sees it: live claims (at most 12) and, per slot, up to four superseded ones,
 * newest first. Null when there is no claim. A blocked claim shows no value.
 */
export function claimLedgerProjection(views: readonly ClaimView[]) {
  const rows = views
    .flatMap((view) => (view.record.claim === null ? [] : [{ view, claim: view.record.claim }]))
    .toSorted(
      (a, b) => b.view.record.seq - a.view.record.seq || b.view.record.ordinal - a.view.record.ordinal,
    )
    .map(({ view, claim }) => ({ view, claim, status: statusOf(view, claim) }))
  if (rows.length === 0) return null
  const live = rows.filter(({ status }) => status === 'active' || status === 'contested')
  const superseded = new Map<string, ClaimRow[]>()
  for (const row of rows) {
    const { slotKey } = row.claim
    if (row.status !== 'superseded' || slotKey === null) continue
    const slot = superseded.get(slotKey)
    if (slot === undefined && superseded.size < SLOTS_MAX) superseded.set(slotKey, [row])
    else if (slot !== undefined && slot.length < SUPERSEDED_PER_SLOT_MAX) slot.push(row)
  }
  const countOf = (status: ClaimStatus): number => rows.filter((row) => row.status === status).length
  return {
    contract_version: 'svc_claim_ledger_projection_v1' as const,
    agent_prompt_included: false as const,
    runtime_mutation: false as const,
    live_claims: live.slice(0, LIVE_MAX).map(told),
    superseded_slots: Array.from(superseded, ([slot_key, claims]) => ({
      slot_key: maskSecrets(slot_key),
      claims: claims.map(told),
    })),
    counts: {
      active: countOf('active'),
      contested: countOf('contested'),
      superseded: countOf('superseded'),
      retired: countOf('retired'),
      redacted: countOf('redacted'),
    },
  }
}

interface ClaimRow {
  readonly view: ClaimView
  readonly claim: ClaimFacts
  readonly status: ClaimStatus
}

/** Only of what is in the answer: a value may be megabytes. */
function told({ view, claim, status }: ClaimRow) {
  const isShown = view.surface !== 'do_not_use' && status !== 'retired' && status !== 'redacted'
  return {
    claim_id: claim.claimId,
    memory_id: view.record.memoryId,
    subject_key: maskSecrets(claim.subjectKey),
    predicate: maskSecrets(claim.predicate),
    slot_key: claim.slotKey === null ? null : maskSecrets(claim.slotKey),
    claim_kind: claim.claimKind,
    conflict_policy: claim.conflictPolicy,
    authority: claim.authority,
    confidence: view.record.content.confidence,
    status,
    agent_surface: claim.authority === 'evidence_only' ? ('audit_only' as const) : view.surface,
    reason_codes: [reasonCodeOf(status, claim)],
    value_text: isShown ? shownValue(view, claim) : null,
  }
}

function statusOf(view: ClaimView, claim: ClaimFacts): ClaimStatus {
  if (view.lifecycleState === 'suppressed') return 'redacted'
  // A blocked claim is retired when it is written, which expires it: what it was asked to be comes first.
  if (claim.authority === 'blocked' || view.lifecycleState === 'failed') return 'retired'
  if (view.lifecycleState === 'superseded' || view.lifecycleState === 'expired') return 'superseded'
  return view.lifecycleState === 'contested' ? 'contested' : 'active'
}

function reasonCodeOf(status: ClaimStatus, claim: ClaimFacts): string {
  if (status === 'superseded') return 'claim_ledger_superseded'
  if (status === 'retired' || status === 'redacted') return 'claim_ledger_blocked'
  if (claim.authority === 'evidence_only') return 'claim_ledger_evidence_only'
  if (status === 'contested') return 'claim_ledger_contested_manual_inspect'
  return claim.conflictPolicy === 'singleton_latest'
    ? 'claim_ledger_live_singleton'
    : 'claim_ledger_live_claim'
}

/** Of a long value only the beginning is read, unless a secret begins in it or what is hidden leaves little of it. */
function shownValue({ record }: ClaimView, claim: ClaimFacts): string {
  const text = typeof claim.value === 'string' ? claim.value : JSON.stringify(claim.value)
  const isSecret = record.findings.includes('secret')
  const start = isSecret ? null : plainStart(text, START_CHARS)
  const folded = start === null ? '' : foldText(start)
  if (folded.length >= FOLDED_CHARS_MIN) return clip(folded, VALUE_CHARS_MAX)
  const masked = maskSecrets(text)
  // What it is the value of may be all that says that it is a secret.
  return clip(foldText(masked === text && isSecret ? '****' : masked), VALUE_CHARS_MAX)
}
