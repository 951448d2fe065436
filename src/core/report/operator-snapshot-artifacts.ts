import { SURFACES } from '../base/closed-sets.ts'
import {
  fieldOf,
  flagOf,
  isObject,
  objectsOf,
  partOf,
  textOf,
  type WireObject,
} from '../measure/wire-object.ts'
import { type Artifact, type ArtifactMismatch, mismatchesOf } from './artifact.ts'
import type { FocusGuide } from './operator-snapshot-guide.ts'
import { ROWS_MAX } from './operator-snapshot-view.ts'

/** Objects that tell of one guide; the others tell of claims, effects and paths. */
const GUIDE_ARTIFACTS: readonly string[] = [
  'agent_context',
  'guide_packet',
  'memory_use_receipt',
  'memory_decision_trace',
  'memory_decision_audit',
]

/** One object that the caller handed in, and what it says of a guide. */
export interface SuppliedObject {
  readonly artifact: Artifact
  readonly value: WireObject
}

/**
 * What all supplied objects together say of one guide; null when none tells of a guide.
 * @param named the guide that they are said to be of, where they do not say it themselves
 */
export function suppliedGuideIn(supplied: readonly SuppliedObject[], named: string | null): Artifact | null {
  const telling = supplied.map(({ artifact }) => artifact).filter(tellsOfGuide)
  const first = telling[0]
  if (first === undefined) return null
  const firstWith = <Value>(read: (artifact: Artifact) => Value | null): Value | null => {
    for (const artifact of telling) {
      const value = read(artifact)
      if (value !== null) return value
    }
    return null
  }
  return {
    name: first.name,
    guideTraceId: firstWith((artifact) => artifact.guideTraceId) ?? named,
    runId: firstWith((artifact) => artifact.runId),
    exposed: firstWith((artifact) => artifact.exposed),
    promptHash: firstWith((artifact) => artifact.promptHash),
    outcome: firstWith((artifact) => artifact.outcome),
    usedMemoryIds: firstWith((artifact) => artifact.usedMemoryIds),
  }
}

function tellsOfGuide({ name, guideTraceId, exposed }: Artifact): boolean {
  return GUIDE_ARTIFACTS.includes(name) && (guideTraceId !== null || exposed !== null)
}

/** What became of one supplied object. */
export interface ArtifactRow {
  readonly artifact: string
  readonly status: 'agrees' | 'differs' | 'as_supplied'
  readonly guide_trace_id: string | null
  readonly run_id: string | null
  readonly memory_ids: readonly string[]
}

/**
 * An object of the guide in focus is compared with the record and never believed over it; every other one is listed as
 * supplied.
 */
export function compareArtifacts(
  supplied: readonly SuppliedObject[],
  focus: FocusGuide | null,
): { readonly rows: readonly ArtifactRow[]; readonly mismatches: readonly ArtifactMismatch[] } {
  const mismatches: ArtifactMismatch[] = []
  const rows = supplied.map((one): ArtifactRow => {
    const { artifact } = one
    const isCompared = focus !== null && isAboutFocus(artifact, focus)
    const found = isCompared ? mismatchesOf(artifact, focus.story, focus.outcomes) : []
    mismatches.push(...found)
    return {
      artifact: artifact.name,
      status: !isCompared ? 'as_supplied' : found.length === 0 ? 'agrees' : 'differs',
      guide_trace_id: artifact.guideTraceId,
      run_id: artifact.runId,
      memory_ids: namedIds(one),
    }
  })
  return { rows, mismatches: mismatches.slice(0, ROWS_MAX) }
}

function isAboutFocus(artifact: Artifact, { story }: FocusGuide): boolean {
  if (!tellsOfGuide(artifact)) return false
  return artifact.guideTraceId === null || artifact.guideTraceId === story.exposure.guideTraceId
}

/** Memories that an object names: those of a guide, or of the live claims of a ledger. */
function namedIds({ artifact, value }: SuppliedObject): readonly string[] {
  const { exposed } = artifact
  const ids =
    exposed === null
      ? objectsOf(value, 'live_claims').flatMap((row) => textOf(row, 'memory_id') ?? [])
      : SURFACES.flatMap((surface) => exposed[surface])
  return [...new Set(ids)].slice(0, ROWS_MAX)
}

/** What a supplied effect report says. */
export interface EffectSection {
  readonly present: boolean
  readonly impact_direction: string | null
  readonly changed_future_behavior: boolean | null
  readonly token_delta: number | null
  readonly context_size_delta: number | null
  readonly repeated_discovery_delta: number | null
  readonly reason: string
}

/** Effects are measured elsewhere: without a report there is nothing to say. */
export function effectSection(supplied: WireObject | null): EffectSection {
  const inner = supplied === null ? null : fieldOf(supplied, 'effect_report')
  const report = isObject(inner) ? inner : (supplied ?? {})
  const impact = partOf(report, 'history_impact')
  const efficiency = partOf(report, 'efficiency')
  return {
    present: supplied !== null,
    impact_direction: textOf(impact, 'impact_direction'),
    changed_future_behavior: flagOf(impact, 'changed_future_behavior'),
    token_delta: numberIn(efficiency, 'token_delta'),
    context_size_delta: numberIn(efficiency, 'context_size_delta'),
    repeated_discovery_delta: numberIn(efficiency, 'repeated_discovery_delta'),
    reason:
      supplied === null
        ? 'No effect report was supplied.'
        : 'As the supplied effect report says; it was not measured again.',
  }
}

function numberIn(value: WireObject, name: string): number | null {
  const found = fieldOf(value, name)
  return typeof found === 'number' && Number.isFinite(found) ? found : null
}
