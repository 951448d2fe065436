import type { Candidate } from '../core/external/govern.ts'
import { type CandidateHashes, refText } from '../core/external/recorded-candidates.ts'
import type { RuntimeParts } from './parts.ts'

type Hashing = Pick<RuntimeParts, 'codec' | 'entropy' | 'clock'>

/**
 * Hashes of candidates under the key of their actor. Each actor has a key of its own, so that nobody who reads two of
 * them learns that they hold the same; it moves with the actor, wherever that is stored.
 * @param key null: the actor has none yet, and one is made
 */
export function hashesOf(
  { codec, entropy, clock }: Hashing,
  key: string | null,
  candidates: readonly Candidate[],
): CandidateHashes {
  const nowMs = clock.nowMs()
  const own = key ?? `${entropy.uuid(nowMs)}${entropy.uuid(nowMs)}`
  return {
    key: own,
    refs: candidates.map((candidate) => codec.keyedHash(own, refText(candidate))),
    textHashes: candidates.map(({ text }) => codec.keyedHash(own, text)),
  }
}
