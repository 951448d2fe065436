import type { MemoryRecord } from '../../src/core/model/record.ts'
import { isVisibleTo, type Viewer } from '../../src/core/model/visibility.ts'
import { SIGNATURES } from '../arbitraries.ts'
import { World } from '../support/world.ts'

const SIGNATURE = SIGNATURES[0]

export function candidateIn(world: World, candidateId: string | undefined) {
  return candidateId === undefined ? undefined : world.state.skills.get(candidateId)
}

export function isSound(world: World, record: MemoryRecord, eyes: Viewer): boolean {
  const { facets, findings, audience } = record
  const isReadable =
    eyes === null ? audience.lane === 'shared' && audience.ownerTeamId === null : isVisibleTo(audience, eyes)
  const isLifted = facets.suppression === null || (facets.suppression.untilMs ?? Infinity) <= world.nowMs
  const isLive = facets.validity === 'live' && (facets.validUntilMs ?? Infinity) > world.nowMs
  const isTrue = facets.trust === 'trusted' && facets.standing !== 'contested' && findings.length === 0
  return isReadable && isLifted && isLive && isTrue && record.taskSignature === SIGNATURE
}

/** Runs in the order in which the actor first wrote of them, with their steps. */
export function runsOf(world: World): readonly (readonly [string, readonly MemoryRecord[]])[] {
  const runs = new Map<string, MemoryRecord[]>()
  for (const runId of world.state.runLines.keys()) runs.set(runId, [])
  for (const record of world.records()) {
    const isStep = record.domain === 'execution' && record.handoff === null && record.claim === null
    if (record.runId !== null && isStep) runs.get(record.runId)?.push(record)
  }
  return [...runs].filter(([, steps]) => steps.length > 0)
}

export function armBy(world: World, runId: string, steps: readonly MemoryRecord[]): string | null {
  const own = world.guides.filter((guide) => guide.runId === runId)
  if (own.some(({ surfaces }) => surfaces.includes('use_now'))) return 'guided'
  if (own.length > 0) return own.every(({ heldOut }) => heldOut) ? 'without_memory' : null
  // Feedback needs exposure: a run that it names had memory from some guide.
  if (marksOf(world, runId).length > 0) return null
  const isPossible = world.guides.some(
    (guide) =>
      guide.runId === null &&
      steps.some(
        ({ producerAgentId, seq }) =>
          (producerAgentId ?? 'local-agent') === guide.consumerAgentId && guide.seq < seq,
      ),
  )
  return isPossible ? null : 'without_memory'
}

export function endOf(world: World, runId: string, steps: readonly MemoryRecord[]): boolean | null {
  const marks = marksOf(world, runId)
  if (marks.some((mark) => mark.outcome === 'negative')) return false
  const outcomes = steps
    .toSorted((a, b) => a.seq - b.seq || a.slot - b.slot)
    .flatMap(({ content }) =>
      content.outcome === null || content.outcome === 'unknown' ? [] : [content.outcome],
    )
  const last = outcomes.at(-1)
  if (last === 'succeeded') return true
  if (last === 'failed' || last === 'blocked') return false
  return marks.some((mark) => mark.direct) ? true : null
}

/** A run of the signature that succeeded, and that no feedback speaks against. */
export function isGood(world: World, runId: string): boolean {
  const steps = world
    .records()
    .filter((record) => record.runId === runId && record.taskSignature === SIGNATURE)
    .filter(({ domain, handoff, claim }) => domain === 'execution' && handoff === null && claim === null)
  const isLowered = steps.some(({ facets }) => facets.standing !== 'active')
  return endOf(world, runId, steps) === true && !isLowered
}

export function marksOf(world: World, runId: string) {
  return world.records().flatMap(({ marks }) => marks.filter((mark) => mark.runId === runId))
}
