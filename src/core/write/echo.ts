import type { MemoryWrite } from '../model/commands.ts'
import { isOfOneMoment } from '../model/occurrence.ts'
import type { Consumer, MemoryRecord } from '../model/record.ts'
import { exposureTotalsOf } from '../model/state.ts'
import { isSeenByAllWhoSee, isVisibleTo } from '../model/visibility.ts'
import { admissionIn } from '../policy/admission.ts'
import type { Decision } from './decision.ts'
import { isSaidWhole, type Similar } from './similar.ts'
import { MEMORY_TEXT_MAX } from './write-memory.ts'

/** Sources that an echo is derived from. */
const ECHO_SOURCES_MAX = 8

/** What a general memory repeats of what guides have shown. */
export interface Echo {
  /** The shown memory that says exactly this to everyone the new one is for, and may be used: nothing is to be stored. */
  readonly exactId: string | null
  /** The shown memories that say the same in these or nearly these words, candidates first. */
  readonly sourceIds: readonly string[]
}

const NO_ECHO: Echo = { exactId: null, sourceIds: [] }

/**
 * Whether an agent only says what it may have read from a guide, and may use as it is. General memory without a client
 * id: runs, handoffs, claims, named memories, events and evidence are never echoes, nor is what a user, a verifier or a
 * tool says. A text above 32 000 characters is always stored, because only its compact form is compared.
 * @param eyes of the writer: who asks first, then whoever the memory belongs to
 */
export function echoOf(
  decision: Decision,
  similar: Similar,
  input: MemoryWrite,
  eyes: readonly Consumer[],
): Echo {
  const { text } = input.content
  if (decision.isOperators) return NO_ECHO
  if (input.origin !== 'agent' || input.domain !== 'general' || input.clientId !== null) return NO_ECHO
  if (isOfOneMoment(input) || text === '' || text.length > MEMORY_TEXT_MAX) return NO_ECHO
  const shown = (memoryId: string): MemoryRecord | null => {
    const record = decision.state.memories.get(memoryId)
    if (record === undefined || !isSaidWhole(record) || !wasShown(decision, record)) return null
    if (decision.seen(memoryId)?.content !== record.content) return null
    return eyes.some((consumer) => isVisibleTo(record.audience, consumer)) ? record : null
  }
  const equal = similar.exact(text).flatMap((memoryId) => shown(memoryId) ?? [])
  const exact = equal.find(
    (record) =>
      isSeenByAllWhoSee(record.audience, input.audience) && isUsableBy(eyes[0] ?? null, decision, record),
  )
  if (exact !== undefined) return { exactId: exact.memoryId, sourceIds: [] }
  const near = similar.nearDuplicates(text, (memoryId) => shown(memoryId) !== null)
  if (equal.length + near.length === 0) return NO_ECHO
  const sources = [...equal.map((record) => record.memoryId), ...near]
  const isCandidate = (memoryId: string): boolean => decision.seen(memoryId)?.facets.trust === 'candidate'
  return {
    exactId: null,
    sourceIds: [
      ...sources.filter(isCandidate),
      ...sources.filter((memoryId) => !isCandidate(memoryId)),
    ].slice(0, ECHO_SOURCES_MAX),
  }
}

/** True when a guide printed what it says; a do_not_use or rehydrate line does not. */
export function wasShown(decision: Decision, record: MemoryRecord): boolean {
  const totals = exposureTotalsOf(decision.state, record)
  return totals.use_now > 0 || totals.inspect_before_use > 0
}

/** True when the writer would be told to use it now, whatever is asked, and this request has changed nothing of it. */
function isUsableBy(writer: Consumer | null, decision: Decision, record: MemoryRecord): boolean {
  if (writer === null || decision.seen(record.memoryId) !== record) return false
  if (!isVisibleTo(record.audience, writer)) return false
  const ask = { nowMs: decision.nowMs, askedSignature: null, consumer: writer }
  return admissionIn(decision.state, record, ask).surface === 'use_now'
}
