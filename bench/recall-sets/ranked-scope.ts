import { RecallView } from '../../src/actor/recall-view.ts'
import { languages } from '../../src/adapters/language/languages.ts'
import { ObserveRequest } from '../../src/contract/observe.ts'
import { evolve } from '../../src/core/model/evolve.ts'
import { type ActorState, emptyState } from '../../src/core/model/state.ts'
import type { NearHit, TextHits } from '../../src/core/rerank/signals.ts'
import { rankLimitFor } from '../../src/core/search/rank-job.ts'
import type { About, RankResult } from '../../src/core/search/rank-result.ts'
import { SearchWorkspace } from '../../src/core/search/workspace.ts'
import { decideObserve } from '../../src/core/write/observe.ts'
import { observeCommand } from '../../src/runtime/normalise/observe.ts'
import { bodyOf } from './guided.ts'
import type { Scope } from './sets.ts'
import { weaklyNear } from './weak-embedder.ts'

/** A scope in memory, without anything around it: what a ranking reads. */
export interface RankedScope {
  readonly state: ActorState
  /** By slot, the id of the memory in its set. */
  readonly ids: readonly string[]
  readonly hits: (queryText: string) => TextHits
  /** By what a question is told from one about something else. */
  readonly about: (queryText: string) => About
  /** What a weak model of embeddings finds near. */
  readonly near: (queryText: string) => readonly NearHit[]
}

export const CONSUMER = { agentId: 'local-agent', teamId: null }
/** What a guide may ask for at most. */
const LIMIT = 200

export function rankedScope({ name, memories }: Scope, search = new SearchWorkspace(languages)): RankedScope {
  const state = emptyState('default', name)
  const recall = RecallView.empty(search)
  let made = 0
  const newId = (): string => {
    made += 1
    return `00000000-0000-7000-8000-${made.toString(16).padStart(12, '0')}`
  }
  for (const memory of memories) {
    const { command } = observeCommand(ObserveRequest.parse({ scope: name, ...bodyOf(memory) }))
    const { events } = decideObserve(state, command, made, newId)
    evolve(state, { seq: state.seq + 1, atMs: made, events })
    recall.apply(state, events)
  }
  const ranked = (queryText: string): RankResult =>
    recall.rank(recall.job(state, recall.query(queryText), CONSUMER, rankLimitFor(LIMIT)))
  const near = weaklyNear(
    state.records.map(({ memoryId, content }) => ({ memoryId, text: content.text })),
    rankLimitFor(LIMIT),
  )
  return {
    state,
    near,
    ids: memories.map(({ id }) => id),
    hits: (queryText) => recall.hitsOf(ranked(queryText)),
    about: (queryText) => ranked(queryText).about,
  }
}
