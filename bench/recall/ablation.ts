import { RecallView } from '../../src/actor/recall-view.ts'
import { languages } from '../../src/adapters/language/languages.ts'
import { systemEntropy } from '../../src/adapters/system/entropy.ts'
import { OPERATIONS } from '../../src/contract/operations.ts'
import { parseRequest } from '../../src/contract/parse.ts'
import { WEIGHTS, type Weights } from '../../src/core/guide/candidate-scores.ts'
import { secondStage } from '../../src/core/guide/second-stage.ts'
import { evolve } from '../../src/core/model/evolve.ts'
import { type ActorState, emptyState } from '../../src/core/model/state.ts'
import { RANK_LIMIT_MAX } from '../../src/core/search/rank-job.ts'
import { SearchWorkspace } from '../../src/core/search/workspace.ts'
import { decideObserve } from '../../src/core/write/observe.ts'
import { guideCommand } from '../../src/runtime/normalise/guide.ts'
import { observeCommand } from '../../src/runtime/normalise/observe.ts'
import type { Dialogue } from './dialogues.ts'
import type { Scopes } from './through-interface.ts'

/** The ranking with one signal taken out, by name. */
export const WITHOUT: Readonly<Record<string, Partial<Weights>>> = {
  'all signals': {},
  'no neighbours': { after: [], before: [] },
  'no runs': { run: 0 },
  'no named authors': { author: 0 },
  'no coverage': { coverage: 0 },
  'no recency': { recency: 0 },
  'text alone': { after: [], before: [], run: 0, author: 0, coverage: 0, recency: 0 },
}

/** The ranking by itself, without a service, so that its weights can be changed. */
export function rankingOnly(dialogues: readonly Dialogue[]): (weights: Partial<Weights>) => Scopes {
  const scopes = new Map(dialogues.map((dialogue) => [dialogue, scopeOf(dialogue)]))
  return (changed) => {
    const weights = { ...WEIGHTS, ...changed }
    return {
      ask: (dialogue, queryText) => Promise.resolve(scopes.get(dialogue)?.ask(queryText, weights) ?? []),
      idsOf: (dialogue) => scopes.get(dialogue)?.ids ?? new Map(),
    }
  }
}

function scopeOf(dialogue: Dialogue) {
  const entropy = systemEntropy()
  const state: ActorState = emptyState('default', dialogue.id)
  const view = RecallView.empty(new SearchWorkspace(languages))
  const ids = new Map<string, string>()
  for (const turn of dialogue.turns) {
    const body = { input_text: turn.text, actor: turn.speaker, run_id: `session-${turn.session}` }
    const { command } = observeCommand(parseRequest(OPERATIONS.observe, body).request)
    const atMs = Date.UTC(2026, 0, 1) + state.seq * 1000
    const { events, effect } = decideObserve(state, command, atMs, () => entropy.uuid(atMs))
    evolve(state, { seq: state.seq + 1, atMs, events })
    view.apply(state, events)
    const [memoryId] = effect.memoryIds
    if (memoryId !== undefined) ids.set(turn.id, memoryId)
  }
  const ask = (queryText: string, weights: Weights): readonly string[] => {
    const { command } = guideCommand(
      parseRequest(OPERATIONS.guide, { query_text: queryText, limit: 200 }).request,
    )
    const hits = view.hitsOf(
      view.rank(view.job(state, view.query(queryText), command.consumer, RANK_LIMIT_MAX)),
    )
    return Array.from(secondStage(state, command, hits, weights), ({ record }) => record.memoryId)
  }
  return { ids, ask }
}
