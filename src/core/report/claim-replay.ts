import {
  CLAIM_AUTHORITIES,
  CLAIM_KINDS,
  type ClaimAuthority,
  type ClaimKind,
  SURFACES,
  type Surface,
} from '../base/closed-sets.ts'
import { recordOf } from '../base/collections.ts'
import { CLAIM_LEDGER_STATUSES, type ClaimView, claimLedgerProjection } from '../guide/claims.ts'
import { type StoredGuide, viewerOf } from '../guide/decision.ts'
import {
  amountOf,
  objectsOf,
  partOf,
  textOf,
  textsOf,
  type WireObject,
  wordOf,
} from '../measure/wire-object.ts'
import { lifecycleStateAt } from '../model/lifecycle.ts'
import type { Consumer, MemoryRecord } from '../model/record.ts'
import { byId } from '../model/references.ts'
import type { ActorState } from '../model/state.ts'
import { canSee, type Viewer } from '../model/visibility.ts'
import { admissionIn } from '../policy/admission.ts'
import { type ArtifactMismatch, mismatches } from './comparison.ts'
import { isWrittenAfter } from './memory-state.ts'
import type { Supplied } from './supplied-objects.ts'

/** Claims looked at for a replay, the newest first, as for a guide. */
const CLAIMS_MAX = 200
const LIVE_MAX = 12
const SLOTS_MAX = 8
const ROWS_MAX = 400
const ID_CHARS_MAX = 256
const CODES_MAX = 8
const CODE = /^[\w:.-]{1,64}$/
/** Where a guide that names a claim puts it when it may not be used. */
const AUDIT_ONLY = 'audit_only'

type Status = (typeof CLAIM_LEDGER_STATUSES)[number]

/** A claim by its ids and codes; neither subject nor predicate, slot or value. Null: not said, or no known word. */
interface ReplayedClaim {
  readonly claim_id: string
  readonly memory_id: string | null
  readonly claim_kind: ClaimKind | null
  readonly authority: ClaimAuthority | null
  readonly status: Status | null
  readonly agent_surface: Surface | typeof AUDIT_ONLY | null
  readonly reason_codes: readonly string[]
}

/** The claim ledger of a guide, as it is told. */
export interface ClaimReplay {
  readonly source: 'runtime' | 'supplied'
  readonly live_claims: readonly ReplayedClaim[]
  /** A slot by the newest claim that was superseded in it. */
  readonly superseded_slots: readonly { readonly claim_id: string; readonly superseded_count: number }[]
  readonly counts: Readonly<Record<Status, number>>
}

/**
 * The claims that the consumer of a guide sees and that were written at or before it; their status is of now. Null when
 * there are none, and for a hold-out, which told none. One whose first contents are kept no longer counts as old.
 */
export function recordedClaims(
  state: ActorState,
  story: Pick<StoredGuide, 'exposure'>,
  nowMs: number,
): ClaimReplay | null {
  const { exposure } = story
  if (exposure.heldOut) return null
  const viewer = viewerOf({ exposure })
  const views: ClaimView[] = []
  // A claim that was erased since is in no lookup any more; it is counted as redacted.
  const erased = [...state.erasures.values()].filter(({ seq }) => seq > exposure.seq)
  for (const id of [...state.claims.toReversed(), ...erased.map(({ memoryId }) => memoryId)]) {
    const record = state.memories.get(id)
    if (record?.claim == null || !canSee(viewer, record) || isWrittenAfter(record, exposure.seq)) continue
    views.push(viewOf(state, record, viewer, exposure.taskSignature, nowMs))
    if (views.length === CLAIMS_MAX) break
  }
  const ledger = claimLedgerProjection(views)
  if (ledger === null) return null
  return {
    source: 'runtime',
    live_claims: ledger.live_claims.map(
      ({ claim_id, memory_id, claim_kind, authority, status, agent_surface, reason_codes }) => {
        return { claim_id, memory_id, claim_kind, authority, status, agent_surface, reason_codes }
      },
    ),
    superseded_slots: ledger.superseded_slots.flatMap(({ claims }) =>
      claims.slice(0, 1).map(({ claim_id }) => ({ claim_id, superseded_count: claims.length })),
    ),
    counts: ledger.counts,
  }
}

/** Every claim that a replay counts, whatever its status. */
export function claimCountOf(replay: ClaimReplay | null): number {
  return Object.values(replay?.counts ?? {}).reduce((sum, count) => sum + count, 0)
}

function viewOf(
  state: ActorState,
  record: MemoryRecord,
  viewer: Consumer,
  askedSignature: string | null,
  nowMs: number,
): ClaimView {
  if (state.erasures.has(record.memoryId)) {
    return { record, surface: 'do_not_use', lifecycleState: 'suppressed' }
  }
  const { surface } = admissionIn(state, record, { nowMs, askedSignature, consumer: viewer })
  return { record, surface, lifecycleState: lifecycleStateAt(record.facets, nowMs) }
}

/** The first ledger of a request that lists or counts a claim, as supplied: ids and known words, no text. */
export function suppliedClaims(ledgers: readonly Supplied[]): ClaimReplay | null {
  for (const { value } of ledgers) {
    const live_claims = objectsOf(value, 'live_claims').slice(0, LIVE_MAX).flatMap(suppliedRow)
    const superseded_slots = objectsOf(value, 'superseded_slots').slice(0, SLOTS_MAX).flatMap(suppliedSlot)
    const said = partOf(value, 'counts')
    const counted = (status: Status): number =>
      Math.floor(amountOf(said, status) ?? live_claims.filter((row) => row.status === status).length)
    const counts = recordOf(CLAIM_LEDGER_STATUSES, counted)
    const replay: ClaimReplay = { source: 'supplied', live_claims, superseded_slots, counts }
    if (live_claims.length + superseded_slots.length + claimCountOf(replay) > 0) return replay
  }
  return null
}

function suppliedRow(row: WireObject): readonly ReplayedClaim[] {
  const claimId = textOf(row, 'claim_id')
  if (claimId === null) return []
  return [
    {
      claim_id: claimId.slice(0, ID_CHARS_MAX),
      memory_id: textOf(row, 'memory_id')?.slice(0, ID_CHARS_MAX) ?? null,
      claim_kind: wordOf(CLAIM_KINDS, textOf(row, 'claim_kind')),
      authority: wordOf(CLAIM_AUTHORITIES, textOf(row, 'authority')),
      status: wordOf(CLAIM_LEDGER_STATUSES, textOf(row, 'status')),
      agent_surface: wordOf([...SURFACES, AUDIT_ONLY], textOf(row, 'agent_surface')),
      reason_codes: textsOf(row, 'reason_codes')
        .filter((code) => CODE.test(code))
        .slice(0, CODES_MAX),
    },
  ]
}

function suppliedSlot(slot: WireObject): ClaimReplay['superseded_slots'] {
  const claims = objectsOf(slot, 'claims')
  const named = claims.length > 0 ? textOf(claims[0] ?? {}, 'claim_id') : textOf(slot, 'claim_id')
  const count = claims.length > 0 ? claims.length : Math.floor(amountOf(slot, 'superseded_count') ?? 0)
  return named === null ? [] : [{ claim_id: named.slice(0, ID_CHARS_MAX), superseded_count: count }]
}

/**
 * Ledgers that name a claim or memory which is no claim that the consumer sees. A ledger of an operator snapshot may
 * be of another viewer: there it has to be a claim of the actor.
 */
export function ledgerMismatches(
  ledgers: readonly Supplied[],
  { exposure }: Pick<StoredGuide, 'exposure'>,
  state: ActorState,
): readonly ArtifactMismatch[] {
  const own = viewerOf({ exposure })
  return ledgers.flatMap(({ name, value }) => {
    const viewer = name.startsWith('operator_snapshot') ? null : own
    const rows = [value, ...objectsOf(value, 'superseded_slots')]
      .flatMap((part) => [...objectsOf(part, 'live_claims'), ...objectsOf(part, 'claims')])
      .slice(0, ROWS_MAX)
    const fields = ['claim_id', 'memory_id'].filter((field) =>
      rows.some((row) => !isClaimName(state, textOf(row, field), field, viewer)),
    )
    return mismatches(name, fields, { exposure })
  })
}

function isClaimName(state: ActorState, name: string | null, field: string, viewer: Viewer): boolean {
  if (name === null) return true
  return byId(state, name).some((record) => {
    const { claim, memoryId } = record
    const isNamed = name === (field === 'claim_id' ? claim?.claimId : memoryId)
    return claim !== null && isNamed && canSee(viewer, record)
  })
}
