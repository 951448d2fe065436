import { inGroups, openEmbedded } from './suite/embedded.ts'
import { mulberry32, sentence, zipfWords } from './synthetic-text.ts'

/** The scope that benches fill. */
export const SCOPE = 'bench'

/** Requests of about the size that agents send, the same ones for the same seed. */
export interface Requests {
  readonly observe: () => object
  readonly guide: () => GuideBody
  /** Candidates of another store, never the same ones. */
  readonly govern: () => object
}

export interface GuideBody {
  readonly scope: string
  readonly query_text: string
}

const SEED = 1
const RUN_MEMORIES = 5
const TASK_MEMORIES = 50
const WORDS_PER_MEMORY = 34
const WORDS_PER_QUERY = 12
const QUERIED_MEMORIES = 1_000
/** What another store answers a search with. */
const CANDIDATES = 20

/** Texts with a Zipf vocabulary; a guide asks with some words of a memory that was seeded, so that it recalls. */
export function requestsOf(seed: number): Requests {
  const nextText = textsOf(seed)
  const random = mulberry32(seed)
  const textOfSeed = textsOf(SEED)
  const seeded = Array.from({ length: QUERIED_MEMORIES }, () => textOfSeed().split(' '))
  let made = 0
  let governed = 0
  return {
    observe() {
      made += 1
      const input_text = nextText()
      const run_id = `run-${Math.floor(made / RUN_MEMORIES)}`
      if (made % RUN_MEMORIES !== 0) return { scope: SCOPE, run_id, input_text }
      const task_signature = `task-${Math.floor(made / TASK_MEMORIES)}`
      const outcome = random() < 0.7 ? 'succeeded' : 'failed'
      return { scope: SCOPE, input_text, execution: { run_id, task_signature, outcome } }
    },
    guide() {
      const words = seeded[Math.floor(random() * seeded.length)] ?? []
      const from = Math.floor(random() * (WORDS_PER_MEMORY - WORDS_PER_QUERY))
      return { scope: SCOPE, query_text: words.slice(from, from + WORDS_PER_QUERY).join(' ') }
    },
    govern() {
      governed += 1
      const first = governed * CANDIDATES
      const candidates = Array.from({ length: CANDIDATES }, (_, at) => ({
        external_memory_id: `memory-${first + at}`,
        source_backend: 'another-store',
        text: nextText(),
        lifecycle_hint: 'current',
        authority: { source_trust: 'trusted', evidence_requirement: 'none' },
      }))
      return { scope: SCOPE, query_text: 'what holds for the next release', candidates }
    },
  }
}

function textsOf(seed: number): () => string {
  const random = mulberry32(seed)
  const word = zipfWords(random)
  return () => sentence(random, word, WORDS_PER_MEMORY)
}

/** As many as one actor takes at once. */
const IN_FLIGHT = 200

/**
 * Writes so many memories into a new data folder, durably, through the service itself. What is returned shuts it
 * down in order, with a snapshot; without that the folder is what a killed process leaves.
 */
export async function seedScope(
  dataDir: string,
  memories: number,
  options: Readonly<Record<string, unknown>> = {},
  seed: number = SEED,
): Promise<() => Promise<void>> {
  const { call, close } = await openEmbedded(dataDir, options)
  const { observe } = requestsOf(seed)
  await inGroups(memories, IN_FLIGHT, () => call('observe', observe()))
  return close
}
