import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { digested } from '../../actor/snapshotting.ts'
import { createCodec } from '../../adapters/codec/codec.ts'
import { parseTraceId, partsOfActorKey } from '../../core/base/ids.ts'
import type { ExposureRecord } from '../../core/model/events.ts'
import { evolve } from '../../core/model/evolve.ts'
import { type ActorState, emptyState } from '../../core/model/state.ts'
import { stateFrom, stateHash } from '../../core/model/state-image.ts'
import type { StoreReader } from '../../ports/store-reader.ts'

const codec = createCodec()

/** All that is stored of one actor, in short. */
export type ActorFacts = Awaited<ReturnType<typeof factsOf>>

/**
 * Reads an actor whole: its snapshot has its digest, every turn is one, and they have no gap and lead from the snapshot to the end.
 * What replay from the first turn gives is compared with the snapshot, where every turn is kept whole: of erased guides and external
 * memory the turns are gone, while what they had counted stays.
 */
export async function factsOf(reader: StoreReader, actorKey: string) {
  const { tenantId, scope } = partsOfActorKey(actorKey)
  const problems: string[] = []
  // Before anything else: nodes may go on meanwhile.
  const headSeq = await reader.headOf(actorKey)
  const stored = await reader.snapshot(actorKey)
  const state = stored === null ? emptyState(tenantId, scope) : stateFrom(stored.image)
  if (stored !== null && (await digested(stored.image)) !== stored.image.stateHash)
    problems.push('the rows of its snapshot do not have the digest that stands with them')
  const isWhole = state.erasedGuides.size + state.external.erasures.size === 0
  const replayed = stored === null || !isWhole ? null : emptyState(tenantId, scope)
  const sum = createHash('sha256')
  let firstSeq = 0
  let lastSeq = 0
  let turns = 0
  for await (const { actorSeq, payload } of reader.turns(actorKey, 1)) {
    const turn = codec.decodeTurn(payload)
    if (turn.seq !== actorSeq) problems.push(`turn ${actorSeq} says that it is turn ${turn.seq}`)
    if (turns === 0) firstSeq = actorSeq
    else if (actorSeq !== lastSeq + 1) problems.push(`turn ${lastSeq + 1} is not there`)
    lastSeq = actorSeq
    turns += 1
    sum.update(`${actorSeq} ${payload.length} `).update(payload)
    if (actorSeq === state.seq + 1) evolve(state, turn)
    if (replayed !== null && actorSeq === replayed.seq + 1 && actorSeq <= (stored?.seq ?? 0))
      evolve(replayed, turn)
  }
  if (replayed !== null && replayed.seq === stored?.seq && stateHash(replayed) !== stored.image.stateHash)
    problems.push('its turns give another state than its snapshot holds')
  if (state.seq < headSeq) problems.push(`it ends at turn ${state.seq}, and turn ${headSeq} is told of`)
  return {
    state,
    stateHash: stateHash(state),
    /** Kept turns, and a digest over their numbers and bytes. */
    firstSeq,
    turns,
    turnsDigest: sum.digest('hex'),
    /** The turn that its snapshot covers; null: it has none. */
    snapshotSeq: stored?.seq ?? null,
    problems,
  }
}

export async function actorKeysOf(reader: StoreReader): Promise<readonly string[]> {
  const keys: string[] = []
  for await (const key of reader.actors()) keys.push(key)
  return keys
}

/** How an actor differs in two stores; null: in nothing. */
export async function differenceOf(
  source: StoreReader,
  target: StoreReader,
  actorKey: string,
): Promise<string | null> {
  const before = await factsOf(source, actorKey)
  const after = await factsOf(target, actorKey)
  const [problem] = [...before.problems, ...after.problems]
  if (problem !== undefined) return problem
  if (before.stateHash !== after.stateHash) return 'its state hash is another'
  if (before.turnsDigest !== after.turnsDigest) return 'its kept turns are others'
  if ((await source.isErasing(actorKey)) && !(await target.isErasing(actorKey)))
    return 'the mark of its erasure is missing'
  if (!isDeepStrictEqual(await source.notes(actorKey), await target.notes(actorKey)))
    return 'its audit notes are others'
  const sets = await exposureSets(source.exposures(actorKey), before.state.exposures)
  if (!isDeepStrictEqual(sets, await exposureSets(target.exposures(actorKey))))
    return 'its exposure sets are others'
  return null
}

/**
 * Every exposure set of an actor, the oldest first.
 * @param kept those in the ledger
 * @param inState those of turns that no snapshot covers, which are not in the ledger yet
 */
export async function exposureSets(
  kept: AsyncIterable<ExposureRecord> | Iterable<ExposureRecord>,
  inState: ActorState['exposures'] = new Map(),
): Promise<readonly ExposureRecord[]> {
  const sets = new Map<string, ExposureRecord>()
  for await (const record of kept) sets.set(record.guideTraceId, record)
  for (const [trace, record] of inState) sets.set(trace, record)
  return [...sets.values()]
    .filter(({ guideTraceId }) => parseTraceId(guideTraceId) !== null)
    .sort((a, b) => (a.guideTraceId < b.guideTraceId ? -1 : 1))
}
