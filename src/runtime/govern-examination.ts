import type { Actor } from '../actor/actor.ts'
import type { Examination, GovernCommand } from '../core/external/govern.ts'
import { examineCandidates } from '../core/external/govern-examination.ts'
import { heldBackHistory } from '../core/external/govern-history.ts'
import { compareTexts, NotedComparisons, type TextComparer } from '../core/similarity/near-duplicate.ts'
import type { RuntimeParts } from './parts.ts'
import { inPool } from './pooled.ts'

// A pool answers 0.1 ms later than this thread would, whatever the size, and takes 0.1 ms of it: these bounds say for
// how long a request may hold the thread, about 2 ms. An idle pool first has to start a thread, which takes 50 ms.

/** Characters of all candidates above which their texts are examined in the worker pool. */
const POOLED_TEXT_MIN = 8 * 1024
/** Characters of all pairs above which texts are compared in the worker pool. */
const POOLED_PAIRS_MIN = 32 * 1024
/** Characters that go to the pool at once: copying them takes less than a millisecond. */
const BATCH_CHARS = 512 * 1024

/** What govern works with. */
export type GovernParts = Pick<
  RuntimeParts,
  'registry' | 'clock' | 'codec' | 'compute' | 'entropy' | 'history' | 'log'
>

/**
 * What the texts tell by themselves, read in the pool when they are long. Nobody waits for it in the actor.
 * @throws overloaded, shutting_down
 */
export async function examinationOf(parts: GovernParts, command: GovernCommand): Promise<Examination> {
  const { scope, mode, queryText, candidates } = command
  const job = { scope, mode, queryText, candidates }
  const chars = candidates.reduce((sum, { text, title }) => sum + text.length + (title?.length ?? 0), 0)
  if (chars <= POOLED_TEXT_MIN) return examineCandidates(job)
  return inPool(
    () => parts.compute.examine(job),
    () => examineCandidates(job),
    parts.log,
  )
}

/**
 * A comparer for the turn that follows: the pairs of texts that its look-ups will ask about now are compared in the
 * pool when they are long. What another turn has changed meanwhile is compared when it is asked.
 * @throws overloaded, shutting_down
 */
export async function comparerFor(
  parts: GovernParts,
  actor: Actor,
  { candidates, consumer }: GovernCommand,
  { readings }: Examination,
): Promise<TextComparer> {
  const noted = new NotedComparisons()
  const history = heldBackHistory(actor.state, actor.similar, consumer, parts.clock.nowMs(), noted.comparer)
  for (const [at, { text }] of candidates.entries()) {
    const reading = readings[at]
    if (reading !== undefined) history(text, reading.signature)
  }
  if (noted.chars <= POOLED_PAIRS_MIN) return noted.answered([])
  const answers: boolean[] = []
  for (const job of noted.jobs(BATCH_CHARS)) {
    const some = await inPool(
      () => parts.compute.compare(job),
      () => compareTexts(job),
      parts.log,
    )
    for (const answer of some) answers.push(answer)
  }
  return noted.answered(answers)
}
