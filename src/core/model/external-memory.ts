import { assert } from '../base/assert.ts'
import type { Standing, Surface } from '../base/closed-sets.ts'
import { type EvidenceLedger, emptyLedger } from './evidence.ts'
import {
  type Audience,
  type ExternalName,
  type ExternalShown,
  type MemoryRecord,
  NO_COUNTS,
} from './record.ts'
import { audienceKey, canSee, type Viewer } from './visibility.ts'

// What an actor knows of memory that another store holds: which candidates it governed, and what runs said of them. The
// text is never here. What is known of one is kept under its backend and id, and in no lookup of stored memory.

/** What the runs of one audience said of a memory. Opinions are not added up: each audience has its own. */
export interface Opinion extends Pick<MemoryRecord, 'audience' | 'counters' | 'marks' | 'changes'> {
  readonly standing: Standing
  readonly ledger: EvidenceLedger
}

/** Immutable: a change replaces it. */
export interface ExternalMemory extends ExternalName {
  /** On which it stood last. */
  readonly surface: Surface
  readonly governedCount: number
  /** When it was governed last. */
  readonly atMs: number
  readonly seq: number
  /** In the order of the first outcome; empty: no run has said anything. */
  readonly opinions: readonly Opinion[]
}

/** Above every slot of a memory that the actor holds. */
const FIRST_SLOT = 2 ** 48
const SLOT_DIGITS = 12

/** As which number evidence names it. */
export function slotOf({ ref }: Pick<ExternalName, 'ref'>): number {
  return FIRST_SLOT + Number.parseInt(ref.slice(0, SLOT_DIGITS), 16)
}

/** The candidates of a request by name. */
export function namesIn(shown: ExternalShown): readonly (ExternalName & { readonly surface: Surface })[] {
  return shown.externalIds.map((externalId, at) => {
    const sourceBackend = shown.sourceBackends[at]
    const ref = shown.refs[at]
    const textHash = shown.textHashes[at]
    const domain = shown.domains[at]
    const surface = shown.surfaces[at]
    assert(
      sourceBackend !== undefined && ref !== undefined && textHash !== undefined,
      'every candidate has a name',
    )
    assert(domain !== undefined && surface !== undefined, 'every candidate has a surface')
    return { sourceBackend, externalId, ref, textHash, domain, surface }
  })
}

/** The candidates without erased ones; the same object when it has none of them. */
export function withoutErased(shown: ExternalShown, isErased: (ref: string) => boolean): ExternalShown {
  if (!shown.refs.some(isErased)) return shown
  const kept = <Item>(items: readonly Item[]): readonly Item[] =>
    items.filter((_, at) => !isErased(shown.refs[at] ?? ''))
  const { audience, sourceBackends, externalIds, refs, textHashes, domains, surfaces } = shown
  return {
    audience,
    sourceBackends: kept(sourceBackends),
    externalIds: kept(externalIds),
    refs: kept(refs),
    textHashes: kept(textHashes),
    domains: kept(domains),
    surfaces: kept(surfaces),
  }
}

/** Who hears what is said without a lane. */
export const EVERYONE: Audience = { lane: 'shared', ownerAgentId: null, ownerTeamId: null }

/** The opinion of an audience, also before it has any. */
export function opinionOf(memory: ExternalMemory | undefined, audience: Audience): Opinion {
  const key = audienceKey(audience)
  const known = memory?.opinions.find((opinion) => audienceKey(opinion.audience) === key)
  if (known !== undefined) return known
  return {
    audience,
    standing: 'active',
    counters: NO_COUNTS,
    marks: [],
    changes: [],
    ledger: emptyLedger(),
  }
}

/** The opinions that a consumer may know of; null: all. */
export function opinionsFor(
  { opinions }: Pick<ExternalMemory, 'opinions'>,
  consumer: Viewer,
): readonly Opinion[] {
  return opinions.filter((opinion) => canSee(consumer, opinion))
}

/** The less usable first. */
export const USABILITY: readonly Standing[] = ['failed', 'contested', 'demoted', 'active']

/** The least usable standing of the opinions that a consumer may know of; active when there is none. */
export function standingFor(memory: ExternalMemory | undefined, consumer: Viewer): Standing {
  const known = memory === undefined ? [] : opinionsFor(memory, consumer)
  return USABILITY.find((standing) => known.some((opinion) => opinion.standing === standing)) ?? 'active'
}
