import type { Embedded, Place } from '../harness/embedded.ts'

// Hosts that work through tasks with what guides show them and report how it went: which memory is usable in the end.

/** What is known about one kind of task; `bad` makes every run fail that follows it. */
export interface Topic {
  readonly query: string
  readonly good: readonly string[]
  readonly bad: string | null
}

export interface Host {
  /** What it names of a failure: the guilty memory when there is one, or everything that it used. */
  readonly blames: 'guilty' | 'everything'
  /** Whether it also uses what it has to inspect. */
  readonly uses: 'use_now' | 'use_now and inspected'
  /** The surface that it sends for what it inspected. */
  readonly says: 'explicit_host_assertion' | 'use_now'
}

export interface Shelf {
  readonly good: number
  readonly bad: number
}

interface Known {
  readonly topic: Topic
  readonly goodIds: readonly string[]
  readonly badId: string | null
}

/** The usable memory after every `step` tasks. `flaky`: the share of runs that fail for no reason of memory. */
export async function simulated(
  service: Embedded,
  place: Place,
  topics: readonly Topic[],
  host: Host,
  options: { readonly tasks: number; readonly step: number; readonly flaky: number; readonly seed: number },
): Promise<readonly Shelf[]> {
  const known: Known[] = []
  for (const topic of topics) {
    const written: string[] = []
    for (const text of [...topic.good, ...(topic.bad === null ? [] : [topic.bad])]) {
      const { memory_ids } = await service.ok('observe', { ...place, input_text: text })
      written.push(...memory_ids)
    }
    const badId = topic.bad === null ? null : (written.at(-1) ?? null)
    known.push({ topic, goodIds: written.filter((id) => id !== badId), badId })
  }
  const chance = chances(options.seed)
  const shelves: Shelf[] = []
  for (let task = 0; task < options.tasks; task += 1) {
    const of = known[task % known.length]
    if (of !== undefined) await oneTask(service, place, of, host, `run-${task}`, chance() < options.flaky)
    if ((task + 1) % options.step === 0) shelves.push(await shelfOf(service, place, known))
  }
  return shelves
}

async function oneTask(
  service: Embedded,
  place: Place,
  { topic, goodIds, badId }: Known,
  host: Host,
  run_id: string,
  isFlake: boolean,
): Promise<void> {
  const { guide_trace_id, agent_context } = await service.ok('guide', {
    ...place,
    query_text: topic.query,
    run_id,
  })
  const followed = agent_context.use_now_memory_ids
  // What has to be inspected is checked first: what is wrong is found out, and not used.
  const inspected =
    host.uses === 'use_now' ? [] : agent_context.inspect_before_use_memory_ids.filter((id) => id !== badId)
  const own = (ids: readonly string[]) => ids.filter((id) => goodIds.includes(id) || id === badId)
  const used = [...own(followed), ...own(inspected)]
  const isMisled = badId !== null && followed.includes(badId)
  const hasFailed = isMisled || isFlake
  const named = hasFailed && isMisled && host.blames === 'guilty' ? [badId] : used
  if (named.length === 0) {
    if (!hasFailed) await recorded(service, place, topic, run_id)
    return
  }
  await service.ok('feedback', {
    ...place,
    guide_trace_id,
    run_id,
    reason: hasFailed ? 'the tests failed' : 'the tests passed',
    outcome: hasFailed ? 'negative' : 'positive',
    used_surface: own(inspected).length > 0 ? host.says : 'use_now',
    used_memory_ids: named,
    verifier_status: hasFailed ? 'failed' : 'passed',
  })
}

/** A run that used no memory has nothing to name: it is recorded. */
async function recorded(service: Embedded, place: Place, { query }: Topic, run_id: string): Promise<void> {
  const verifier = { name: 'tests', status: 'passed' }
  const execution = { run_id, summary: `${query}: done`, outcome: 'succeeded', verifier }
  await service.ok('observe', { ...place, execution })
}

async function shelfOf(service: Embedded, place: Place, known: readonly Known[]): Promise<Shelf> {
  let [good, bad] = [0, 0]
  for (const { topic, goodIds, badId } of known) {
    const { agent_context } = await service.ok('guide', { ...place, query_text: topic.query })
    const usable = new Set(agent_context.use_now_memory_ids)
    good += goodIds.filter((id) => usable.has(id)).length
    bad += badId !== null && usable.has(badId) ? 1 : 0
  }
  return { good, bad }
}

/** Numbers from 0 to 1 that are the same for the same seed (a linear congruential generator). */
function chances(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
