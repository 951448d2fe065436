import { z } from 'zod'
import type { MemgovRuntime, ObserveBody } from '../../src/index.ts'
import { atLeast, atMost, type Findings, joined, meanOf, shareOf } from './counts.ts'
import { inTurn, observed, type Shown, shown } from './host.ts'

// Work over time: a project's history and what its tasks are shown, and short sequences with what must hold at their end.

const verifier = z.tuple([z.string(), z.string()]).nullable()
const files = z.array(z.string())
const Memory = z.object({
  t: z.literal('mem'),
  lab: z.string(),
  text: z.string(),
  kind: z.string(),
  observed_at: z.string(),
})
const Run = z.object({
  t: z.literal('exec'),
  lab: z.string(),
  sig: z.string(),
  title: z.string(),
  summary: z.string(),
  outcome: z.string(),
  files,
  checks: files,
  steps: files,
  ver: verifier,
  observed_at: z.string(),
})
const Handoff = z.object({
  t: z.literal('handoff'),
  lab: z.string(),
  sig: z.string(),
  summary: z.string(),
  next: z.string(),
  files,
})
export const HistoryStep = z.discriminatedUnion('t', [Memory, Run, Handoff])
export const Task = z.object({
  query: z.string(),
  task_signature: z.string().nullable(),
  must_use_now: files,
  must_warn: files,
  must_not_use_now: files,
})
export const Question = z.object({ query: z.string(), answer: z.string() })
type HistoryStep = z.infer<typeof HistoryStep>

export interface History {
  readonly steps: readonly HistoryStep[]
  readonly tasks: readonly z.infer<typeof Task>[]
  readonly questions: readonly z.infer<typeof Question>[]
}

const SCOPE = 'history'
const STALE_GOAL = atMost(3 / 14)
const LINES_GOAL = atMost(8)

export async function history(
  runtime: MemgovRuntime,
  { steps, tasks, questions }: History,
): Promise<Findings> {
  const ids = new Map<string, string>()
  for (const step of steps) ids.set(step.lab, await observed(runtime, bodyOf(step)))
  const idOf = (label: string) => ids.get(label) ?? label
  const asked = await inTurn(tasks, async (task) => ({
    task,
    seen: await shown(runtime, {
      scope: SCOPE,
      query_text: task.query,
      mode: 'full_power',
      limit: 30,
      ...(task.task_signature === null ? {} : { task_signature: task.task_signature }),
    }),
  }))
  const answered = await inTurn(questions, async ({ query, answer }) => ({
    id: answer,
    seen: await shown(runtime, { scope: SCOPE, query_text: query, limit: 30 }),
  }))
  type Wanted = 'must_use_now' | 'must_warn' | 'must_not_use_now'
  const named = (wanted: Wanted) =>
    asked.flatMap(({ task, seen }) =>
      task[wanted].map((id) => ({ id, surface: seen.surfaces.get(idOf(id)) })),
    )
  const guides = [...asked, ...answered].map(({ seen }) => seen)
  return joined([
    shareOf('history: needed memory in use_now', named('must_use_now'), isUsed, atLeast(0.9)),
    shareOf(
      'history: failed run warned of',
      named('must_warn'),
      ({ surface }) => surface === 'do_not_use',
      atLeast(1),
    ),
    shareOf('history: replaced memory in use_now', named('must_not_use_now'), isUsed, STALE_GOAL),
    shareOf(
      'history: newer first where both are in use_now',
      bothUsed(guides, ids),
      isNewerFirst,
      atLeast(1),
    ),
    shareOf(
      'history: question answered in use_now',
      answered.map(({ id, seen }) => ({ id, surface: seen.surfaces.get(idOf(id)) })),
      isUsed,
      atLeast(0.9),
    ),
    shareOf('history: answer shown at all', answered, ({ id, seen }) => seen.surfaces.has(idOf(id))),
    meanOf(
      'history: lines of use_now a task',
      'lines',
      asked.map(({ seen }) => [...seen.surfaces.values()].filter((surface) => surface === 'use_now').length),
      LINES_GOAL,
    ),
  ])
}

const isUsed = ({ surface }: { readonly surface: string | undefined }) => surface === 'use_now'

/** The body that a host would send; what has no time of its own is seen when it is sent. */
function bodyOf(step: HistoryStep): ObserveBody {
  switch (step.t) {
    case 'mem':
      return {
        scope: SCOPE,
        input_text: step.text,
        memory: { kind: step.kind, observed_at: step.observed_at },
      }
    case 'handoff':
      return {
        scope: SCOPE,
        handoff: {
          summary: step.summary,
          next_action: step.next,
          task_signature: step.sig,
          target_files: step.files,
        },
      }
    case 'exec':
      return {
        scope: SCOPE,
        execution: {
          run_id: step.lab,
          task_signature: step.sig,
          title: step.title,
          summary: step.summary,
          outcome: step.outcome,
          target_files: step.files,
          acceptance_checks: step.checks,
          workflow_steps: step.steps,
          observed_at: step.observed_at,
          ...(step.ver === null ? {} : { verifier: { name: step.ver[0], status: step.ver[1] } }),
        },
      }
  }
}

interface TwoUsed {
  readonly id: string
  readonly newer: number
  readonly older: number
}

const isNewerFirst = ({ newer, older }: TwoUsed) => newer < older

/** Of each guide the statements `x_old` and `x_new` that are both on use_now, with their places. */
function bothUsed(guides: readonly Shown[], ids: ReadonlyMap<string, string>): readonly TwoUsed[] {
  const stems = [...ids.keys()].filter((label) => label.endsWith('_new')).map((label) => label.slice(0, -4))
  return guides.flatMap(({ surfaces, ids: order }) =>
    stems.flatMap((stem) => {
      const [newer, older] = [ids.get(`${stem}_new`), ids.get(`${stem}_old`)]
      if (newer === undefined || older === undefined) return []
      if (surfaces.get(newer) !== 'use_now' || surfaces.get(older) !== 'use_now') return []
      return [{ id: stem, newer: order.indexOf(newer), older: order.indexOf(older) }]
    }),
  )
}

const label = z.string()
const Step = z.discriminatedUnion('op', [
  z.object({ op: z.literal('observe'), label, text: z.string(), memory: z.record(z.string(), z.string()) }),
  z.object({
    op: z.literal('guide'),
    query: z.string(),
    sig: z.string().optional(),
    run: z.string().optional(),
  }),
  z.object({ op: z.literal('suppress'), label }),
  z.object({ op: z.literal('handoff'), label, sig: z.string(), summary: z.string(), next: z.string() }),
  z.object({ op: z.literal('run'), label, sig: z.string(), summary: z.string() }),
  z.object({
    op: z.literal('feedback'),
    label,
    run: z.string(),
    outcome: z.enum(['positive', 'negative', 'neutral']),
    verifier: z.enum(['passed', 'failed']).optional(),
    surface: z.enum(['use_now', 'explicit_host_assertion']).optional(),
  }),
])
export const Sequence = z.object({
  id: z.string(),
  steps: z.array(Step),
  expect: z.array(z.tuple([z.string(), z.string()])),
})

/** What a sequence has come to: memories by label, and what the guides of its runs and its last guide showed. */
interface Played {
  readonly ids: Map<string, string>
  readonly byRun: Map<string, Shown>
  last: Shown | null
}

export async function sequences(
  runtime: MemgovRuntime,
  all: readonly z.infer<typeof Sequence>[],
): Promise<Findings> {
  const judged = await inTurn(all, async ({ id, steps, expect }) => {
    const played: Played = { ids: new Map(), byRun: new Map(), last: null }
    for (const step of steps) await play(runtime, `sequence-${id}`, step, played)
    return { id, holds: expect.every(([subject, wanted]) => holdsOf(played, subject, wanted)) }
  })
  return shareOf('sequences: end as they must', judged, ({ holds }) => holds, atLeast(1))
}

/** `use_now` names the surface in the last guide, `!use_now` any other or none, `!label` another memory than that one. */
function holdsOf({ ids, last }: Played, subject: string, wanted: string): boolean {
  const id = ids.get(subject) ?? subject
  if (!wanted.startsWith('!')) return last?.surfaces.get(id) === wanted
  const refused = wanted.slice(1)
  const other = ids.get(refused)
  return other === undefined ? last?.surfaces.get(id) !== refused : id !== other
}

async function play(
  runtime: MemgovRuntime,
  scope: string,
  step: z.infer<typeof Step>,
  played: Played,
): Promise<void> {
  const { ids } = played
  switch (step.op) {
    case 'observe':
      ids.set(step.label, await observed(runtime, { scope, input_text: step.text, memory: step.memory }))
      return
    case 'run':
      ids.set(
        step.label,
        await observed(runtime, {
          scope,
          execution: {
            run_id: step.label,
            task_signature: step.sig,
            summary: step.summary,
            outcome: 'succeeded',
            verifier: { name: 'tests', status: 'passed' },
          },
        }),
      )
      return
    case 'handoff':
      ids.set(
        step.label,
        await observed(runtime, {
          scope,
          handoff: { task_signature: step.sig, summary: step.summary, next_action: step.next },
        }),
      )
      return
    case 'guide':
      played.last = await shown(runtime, {
        scope,
        query_text: step.query,
        ...(step.sig === undefined ? {} : { task_signature: step.sig }),
        ...(step.run === undefined ? {} : { run_id: step.run }),
      })
      if (step.run !== undefined) played.byRun.set(step.run, played.last)
      return
    case 'suppress':
      await runtime.forget({
        scope,
        operation: 'suppress',
        target: 'memory',
        memory_ids: [ids.get(step.label) ?? ''],
        reason: 'withdrawn',
      })
      return
    case 'feedback':
      await runtime.feedback({
        scope,
        run_id: step.run,
        guide_trace_id: played.byRun.get(step.run)?.traceId ?? '',
        outcome: step.outcome,
        used_surface: step.surface ?? 'use_now',
        used_memory_ids: [ids.get(step.label) ?? ''],
        reason: 'how it went',
        ...(step.verifier === undefined ? {} : { verifier_status: step.verifier }),
      })
  }
}
