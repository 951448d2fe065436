import { createRuntime, type MemgovRuntime } from '../../src/index.ts'
import { withFolder } from '../suite/folder.ts'
import type { Memory, Scope } from './sets.ts'

const ALL = { limit: 200, context_char_budget: 1_000_000 }

export const SURFACES = ['use_now', 'inspect_before_use', 'rehydrate', 'do_not_use'] as const

/** How many memories a guide shows on each surface, in the order of SURFACES. */
export type Shown = readonly number[]

/** A scope that holds the memories of one set. */
export interface GuidedScope {
  /** Ids of the set that a guide exposes, in rank order. */
  readonly ask: (text: string) => Promise<readonly string[]>
  /** What a host sees that says no more than the question. */
  readonly shown: (text: string) => Promise<Shown>
}

/** Observes each scope into one of its own, as any host would, and asks by guides. */
export function withGuided<Result>(
  scopes: readonly Scope[],
  work: (scopes: ReadonlyMap<Scope, GuidedScope>) => Promise<Result>,
): Promise<Result> {
  return withFolder('recall-sets', async (dataDir) => {
    const runtime = await createRuntime({ dataDir, durability: 'none', logLevel: 'warn' })
    try {
      const guided = new Map<Scope, GuidedScope>()
      for (const scope of scopes) guided.set(scope, await observed(runtime, scope))
      return await work(guided)
    } finally {
      await runtime.close()
    }
  })
}

async function observed(runtime: MemgovRuntime, { name, memories }: Scope): Promise<GuidedScope> {
  const idsOfSet = new Map<string, string>()
  for (const memory of memories) {
    const { memory_ids } = await runtime.observe({ scope: name, ...bodyOf(memory) })
    for (const memoryId of memory_ids) idsOfSet.set(memoryId, memory.id)
  }
  return {
    async ask(text) {
      const { agent_context } = await runtime.guide({ scope: name, query_text: text, ...ALL })
      return agent_context.memory_ids.map((memoryId) => idsOfSet.get(memoryId) ?? memoryId)
    },
    async shown(text) {
      const { agent_context } = await runtime.guide({ scope: name, query_text: text })
      return SURFACES.map((surface) => agent_context[`${surface}_memory_ids`].length)
    },
  }
}

/** A request that observes it. */
export function bodyOf({ text, run, speaker }: Memory): object {
  return {
    memory: { text, type: 'fact' },
    ...(run === null ? {} : { run_id: run }),
    ...(speaker === null ? {} : { actor: speaker }),
  }
}
