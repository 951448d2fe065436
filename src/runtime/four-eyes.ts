import type { Actor } from '../actor/actor.ts'
import { DomainError } from '../core/base/errors.ts'
import type { ActorState } from '../core/model/state.ts'
import type { Call, RuntimeParts } from './parts.ts'

const OWN_WORDS =
  'This key wrote it, and whoever writes a memory does not approve it: ask with the key of another operator.'

/** Refuses, inside a turn, what the key of a request may not approve. */
export type ApprovalCheck = (state: ActorState) => void

/**
 * The four-eyes rule: a key does not approve what it wrote itself. Who wrote a memory stands in the turn that wrote it,
 * for as long as history keeps that. Without keys nobody knows who writes, and there is no such rule.
 * @param approvedIn memories that the request would approve, by id
 * @returns a check that throws operator_key_required, or overloaded where one was written anew meanwhile
 */
export async function approvalCheck(
  { history, codec }: Pick<RuntimeParts, 'history' | 'codec'>,
  actor: Actor,
  { principal }: Pick<Call<unknown>, 'principal'>,
  approvedIn: (state: ActorState) => readonly string[],
): Promise<ApprovalCheck> {
  if (principal === null) return () => {}
  const written = await actor.read((state) =>
    approvedIn(state).map((memoryId) => ({ memoryId, seq: state.memories.get(memoryId)?.seq ?? 0 })),
  )
  const own: string[] = []
  for (const { memoryId, seq } of written) {
    const record = seq === 0 ? null : await history.recordAt(actor.key, seq)
    if (record !== null && codec.decodeTurn(record.payload).principal === principal.keyId) own.push(memoryId)
  }
  return (state) => {
    const isSame = written.every(({ memoryId, seq }) => (state.memories.get(memoryId)?.seq ?? 0) === seq)
    if (!isSame) throw new DomainError('overloaded', { where: 'review' })
    if (own.length > 0)
      throw new DomainError('operator_key_required', { four_eyes: true, memory_ids: own }, OWN_WORDS)
  }
}
