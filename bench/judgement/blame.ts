import { z } from 'zod'
import type { MemgovRuntime } from '../../src/index.ts'
import { mulberry32 } from '../synthetic-text.ts'
import { atLeast, atMost, type Findings, joined, shareOf } from './counts.ts'
import { inTurn, observed, type Shown, shown } from './host.ts'

// Tasks that go wrong where a bad memory is used, or at random, told by hosts that blame as hosts do.

export const Topic = z.object({
  topic: z.string(),
  query: z.string(),
  good1: z.string(),
  good2: z.string(),
  bad: z.string(),
})
type Topic = z.infer<typeof Topic>

const ROUNDS = 3
const FLAKY_ROUNDS = 6
const FLAKY_SHARE = 0.15
/** Chance decides too much of one course of tasks. */
const FLAKY_SEEDS = [1, 2, 3, 5, 7, 11, 13, 17, 19, 23] as const

/** Who a host blames for a task that failed. */
type Blame = 'the guilty one' | 'everything used'
/** What a host says of inspected memory that helped: the surface of a line to use, or that it vouches for it. */
type Praise = 'use_now' | 'explicit_host_assertion'

interface Known {
  readonly topic: Topic
  readonly scope: string
  readonly good: readonly string[]
  readonly bad: string | null
}

interface Case {
  readonly id: string
  readonly isUsed: boolean
}

export async function feedback(runtime: MemgovRuntime, topics: readonly Topic[]): Promise<Findings> {
  const exact = await blamed(runtime, topics, 'the guilty one')
  const shared = await blamed(runtime, topics, 'everything used')
  const flaky = await inTurn(['use_now', 'explicit_host_assertion'] as const, async (praise) => {
    const courses = await inTurn(FLAKY_SEEDS, (seed) => shaken(runtime, topics, praise, seed))
    return shareOf(
      `feedback: all good, ${FLAKY_SHARE * 100} % fail by chance, host says ${praise}: in use_now after ${
        FLAKY_ROUNDS * topics.length
      } tasks, ${FLAKY_SEEDS.length} courses`,
      courses.flat(),
      ({ isUsed }) => isUsed,
      atLeast(praise === 'use_now' ? 0.8 : 0.9),
    )
  })
  return joined([exact, shared, ...flaky])
}

/** Every topic once a round; a task fails when it used the bad memory. What stands on use_now is counted as a round begins. */
async function blamed(runtime: MemgovRuntime, topics: readonly Topic[], blame: Blame): Promise<Findings> {
  const known = await inTurn(topics, (topic) => learnt(runtime, topic, `blame-${blame}`, true))
  const findings: Findings[] = []
  for (let round = 1; round <= ROUNDS; round += 1) {
    const good: Case[] = []
    const bad: Case[] = []
    for (const { topic, scope, good: goodIds, bad: badId } of known) {
      const run = `${scope}-${round}`
      const seen = await shown(runtime, { scope, query_text: topic.query, run_id: run })
      const used = usedNow(seen)
      const isFailed = badId !== null && used.includes(badId)
      good.push(...casesOf(topic, goodIds, used))
      if (badId !== null) bad.push(...casesOf(topic, [badId], used))
      if (used.length === 0) continue
      const guilty = used.filter((id) => blame === 'everything used' || id === badId)
      await told(runtime, scope, run, seen, isFailed, isFailed ? guilty : used, 'use_now')
    }
    const tasks = `tasks ${(round - 1) * topics.length + 1} to ${round * topics.length}`
    const name = `feedback: host blames ${blame}, ${tasks}`
    // Of a host that blames everything and reports nothing of what is inspected, nothing can be asked.
    const isJudged = round > 1 && blame === 'the guilty one'
    findings.push(
      shareOf(`${name}: good in use_now`, good, ({ isUsed }) => isUsed, isJudged ? atLeast(1) : undefined),
      shareOf(`${name}: bad in use_now`, bad, ({ isUsed }) => isUsed, isJudged ? atMost(0) : undefined),
    )
  }
  return joined(findings)
}

/** Tasks that fail by chance, each after all good memory of its topic was used; how it stands at the end. */
async function shaken(
  runtime: MemgovRuntime,
  topics: readonly Topic[],
  praise: Praise,
  seed: number,
): Promise<readonly Case[]> {
  const random = mulberry32(seed)
  const known = await inTurn(topics, (topic) => learnt(runtime, topic, `flaky-${seed}-${praise}`, false))
  for (let round = 1; round <= FLAKY_ROUNDS; round += 1) {
    for (const { topic, scope } of known) {
      const run = `${scope}-${round}`
      const seen = await shown(runtime, { scope, query_text: topic.query, run_id: run })
      const isFailed = random() < FLAKY_SHARE
      const now = usedNow(seen)
      const inspected = [...seen.surfaces.keys()].filter(
        (id) => seen.surfaces.get(id) === 'inspect_before_use',
      )
      // A failure is told of everything at once: who names memory in parts would blame more exactly than it knows.
      const parts =
        isFailed || praise === 'use_now'
          ? [{ ids: [...now, ...inspected], surface: 'use_now' as const }]
          : [
              { ids: now, surface: 'use_now' as const },
              { ids: inspected, surface: praise },
            ]
      for (const { ids, surface } of parts)
        if (ids.length > 0) await told(runtime, scope, run, seen, isFailed, ids, surface)
    }
  }
  const ends = await inTurn(known, async ({ topic, scope, good }) =>
    casesOf(topic, good, usedNow(await shown(runtime, { scope, query_text: topic.query }))),
  )
  return ends.flat()
}

/** A scope of its own, so that what is counted is the feedback and not the search. */
async function learnt(runtime: MemgovRuntime, topic: Topic, host: string, withBad: boolean): Promise<Known> {
  const scope = `${host}-${topic.topic}`
  const learn = (text: string) => observed(runtime, { scope, input_text: text, memory: { kind: 'fact' } })
  const good = await inTurn([topic.good1, topic.good2], learn)
  return { topic, scope, good, bad: withBad ? await learn(topic.bad) : null }
}

async function told(
  runtime: MemgovRuntime,
  scope: string,
  run: string,
  { traceId }: Shown,
  isFailed: boolean,
  ids: readonly string[],
  surface: Praise,
): Promise<void> {
  await runtime.feedback({
    scope,
    run_id: run,
    guide_trace_id: traceId,
    outcome: isFailed ? 'negative' : 'positive',
    used_surface: surface,
    used_memory_ids: ids,
    verifier_status: isFailed ? 'failed' : 'passed',
    reason: isFailed ? 'the task failed' : 'the task succeeded',
  })
}

function usedNow({ surfaces }: Shown): readonly string[] {
  return [...surfaces.keys()].filter((id) => surfaces.get(id) === 'use_now')
}

function casesOf({ topic }: Topic, ids: readonly string[], used: readonly string[]): readonly Case[] {
  return ids.map((id) => ({ id: topic, isUsed: used.includes(id) }))
}
