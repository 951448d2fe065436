import { createRuntime, type MemgovRuntime } from '../../src/index.ts'
import { withFolder } from '../suite/folder.ts'
import type { Dialogue } from './dialogues.ts'

export interface Scopes {
  /** Memory ids that a guide exposes, in rank order. */
  readonly ask: (dialogue: Dialogue, queryText: string) => Promise<readonly string[]>
  /** Memory id of each turn. */
  readonly idsOf: (dialogue: Dialogue) => ReadonlyMap<string, string>
}

const ALL = { limit: 200, context_char_budget: 1_000_000 }

/** Observes each dialogue into a scope of its own, as any host would, and asks by guides. */
export function withScopes<T>(
  dialogues: readonly Dialogue[],
  work: (scopes: Scopes) => Promise<T>,
): Promise<T> {
  return withFolder('recall', async (dataDir) => {
    const runtime = await createRuntime({ dataDir, durability: 'none', logLevel: 'warn' })
    try {
      const ids = new Map<Dialogue, ReadonlyMap<string, string>>()
      for (const dialogue of dialogues) ids.set(dialogue, await observed(runtime, dialogue))
      return await work({
        ask: async (dialogue, queryText) => {
          const { agent_context } = await runtime.guide({ scope: dialogue.id, query_text: queryText, ...ALL })
          return agent_context.memory_ids
        },
        idsOf: (dialogue) => ids.get(dialogue) ?? new Map(),
      })
    } finally {
      await runtime.close()
    }
  })
}

async function observed(
  runtime: MemgovRuntime,
  { id, turns }: Dialogue,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  for (const turn of turns) {
    const { memory_ids } = await runtime.observe({
      scope: id,
      input_text: turn.text,
      actor: turn.speaker,
      run_id: `session-${turn.session}`,
    })
    const [memoryId] = memory_ids
    if (memoryId !== undefined) ids.set(turn.id, memoryId)
  }
  return ids
}
