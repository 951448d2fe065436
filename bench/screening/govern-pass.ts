import type { Surface } from '../../src/core/base/closed-sets.ts'
import { createRuntime, type GovernBody, type MemgovRuntime } from '../../src/index.ts'
import { withFolder } from '../suite/folder.ts'
import type { Sample } from './samples.ts'

/** What the source says of its own record. */
export const SOURCES = ['unknown', 'trusted'] as const
export type Source = (typeof SOURCES)[number]

/** The surface that govern gave a text, and the row of its table that decided, by what the source said. */
export interface Governed {
  readonly sample: Sample
  readonly decided: Readonly<Record<Source, Decision>>
}

export interface Decision {
  readonly surface: Surface
  readonly ruleId: string
}

type Candidate = GovernBody['candidates'][number]

/** `unknown` is what a mapper fills in for a row without metadata, `trusted` all that a source can say for its record. */
const SAID: Readonly<Record<Source, Pick<Candidate, 'lifecycle_hint' | 'authority'>>> = {
  unknown: {
    lifecycle_hint: 'unknown',
    authority: { source_trust: 'unknown', scope: 'unknown', evidence_requirement: 'inspect_before_use' },
  },
  trusted: {
    lifecycle_hint: 'current',
    authority: { source_trust: 'trusted', evidence_requirement: 'none' },
  },
}
/** Names no address and no file: nothing in a text is excused by it. */
const QUERY = 'What is known about this?'

/**
 * Governs every text twice in a runtime of its own over an empty temporary folder, which it removes. One candidate a
 * request: of several, those that contradict each other would hold each other back, and what is measured is the text.
 * Rejects with the refusal and the id of the text.
 */
export function governAll(samples: readonly Sample[]): Promise<readonly Governed[]> {
  return withFolder('screening', async (dataDir) => {
    const runtime = await createRuntime({ dataDir, logLevel: 'error' })
    try {
      const governed: Governed[] = []
      for (const sample of samples) {
        const unknown = await decisionOn(runtime, sample, 'unknown')
        governed.push({ sample, decided: { unknown, trusted: await decisionOn(runtime, sample, 'trusted') } })
      }
      return governed
    } finally {
      await runtime.close()
    }
  })
}

async function decisionOn(runtime: MemgovRuntime, sample: Sample, source: Source): Promise<Decision> {
  const candidate = {
    external_memory_id: sample.id,
    source_backend: 'bench',
    text: sample.text,
    ...SAID[source],
  }
  try {
    const answer = await runtime.govern({ query_text: QUERY, candidates: [candidate], include_records: true })
    const [record] = answer.memory_admission_records ?? []
    if (record === undefined) throw new Error('the answer holds no record of it')
    return { surface: record.admission_action, ruleId: record.rule_id }
  } catch (error) {
    throw new Error(`Govern did not decide on ${sample.id}.`, { cause: error })
  }
}
