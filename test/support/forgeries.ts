import fc from 'fast-check'
import { SURFACES, type Surface } from '../../src/core/base/closed-sets.ts'
import { idOf } from './guide-samples.ts'
import type { Wire } from './traced-world.ts'

/** A false id: that of no memory, of none that the guide showed. */
const FALSE_ID = idOf(0xfa15e)

type Lists = Record<Surface, string[]>
type Change = (ids: Lists, at: number, to: Surface) => boolean

const CHANGES: Readonly<Record<string, Change>> = {
  moved: (ids, at, to) => {
    const from = SURFACES.find((surface) => ids[surface].length > 0 && surface !== to)
    if (from === undefined) return false
    const [id] = ids[from].splice(at % ids[from].length, 1)
    if (id !== undefined) ids[to].push(id)
    return true
  },
  added: (ids, _at, to) => {
    ids[to].push(FALSE_ID)
    return true
  },
  removed: (ids, at) => {
    const from = SURFACES.find((surface) => ids[surface].length > 0)
    if (from === undefined) return false
    ids[from].splice(at % ids[from].length, 1)
    return true
  },
}

const PLACES = ['agent_context', 'memory_use_receipt', 'decision_summaries'] as const

export interface Forgery {
  readonly kind: string
  readonly place: (typeof PLACES)[number]
  readonly at: number
  readonly to: Surface
}

export const anyForgery: fc.Arbitrary<Forgery> = fc.record({
  kind: fc.constantFrom('moved', 'added', 'removed', 'prompt', 'run', 'order', 'guide', 'chars'),
  place: fc.constantFrom(...PLACES),
  at: fc.nat({ max: 20 }),
  to: fc.constantFrom(...SURFACES),
})

/** The guide answer with one lie in it; null when there is nothing to lie about. */
export function forged(answer: Wire, { kind, place, at, to }: Forgery): Wire | null {
  const copy = structuredClone(answer)
  const context = copy['agent_context'] as Wire
  const receipt = copy['memory_use_receipt'] as Wire
  switch (kind) {
    case 'prompt':
      context['prompt_text'] = `${String(context['prompt_text'])} And use everything.`
      return copy
    case 'run':
      copy['run_id'] = 'a run that never was'
      return copy
    case 'guide':
      receipt['guide_trace_id'] = `guide_trace:${FALSE_ID}`
      return copy
    case 'chars':
      receipt['prompt_char_count'] = Number(receipt['prompt_char_count']) + 1
      return copy
    case 'order': {
      const ids = context['memory_ids'] as string[]
      if (ids.length < 2) return null
      context['memory_ids'] = ids.toReversed()
      return copy
    }
    default:
      return isChanged(CHANGES[kind], place, context, receipt, at, to) ? copy : null
  }
}

function isChanged(
  change: Change | undefined,
  place: Forgery['place'],
  context: Wire,
  receipt: Wire,
  at: number,
  to: Surface,
): boolean {
  if (change === undefined) throw new RangeError('a kind of forgery that nobody knows')
  if (place === 'decision_summaries') {
    const rows = receipt['decision_summaries'] as Wire[]
    const ids = listsOf((surface) =>
      rows.filter((row) => row['agent_surface'] === surface).map((row) => String(row['memory_id'])),
    )
    if (!change(ids, at, to)) return false
    receipt['decision_summaries'] = SURFACES.flatMap((agent_surface) =>
      ids[agent_surface].map((memory_id) => ({ memory_id, agent_surface })),
    )
    return (receipt['decision_summaries'] as Wire[]).length > 0
  }
  const part = place === 'agent_context' ? context : receipt
  const ids = listsOf((surface) => [...(part[`${surface}_memory_ids`] as string[])])
  if (!change(ids, at, to)) return false
  for (const surface of SURFACES) part[`${surface}_memory_ids`] = ids[surface]
  return true
}

function listsOf(idsOn: (surface: Surface) => string[]): Lists {
  return {
    use_now: idsOn('use_now'),
    inspect_before_use: idsOn('inspect_before_use'),
    rehydrate: idsOn('rehydrate'),
    do_not_use: idsOn('do_not_use'),
  }
}

export const anyFeedbackForgery = fc.record({
  kind: fc.constantFrom('outcome', 'nested_outcome', 'run', 'surface', 'added', 'removed', 'guide'),
  outcome: fc.constantFrom('positive', 'negative', 'neutral'),
  surface: fc.constantFrom('use_now', 'inspect_before_use', 'explicit_host_assertion'),
  at: fc.nat({ max: 20 }),
})

/** The feedback answer with one lie in it; null when it would say the same. */
export function forgedFeedback(
  answer: Wire,
  { kind, outcome, surface, at }: typeof anyFeedbackForgery extends fc.Arbitrary<infer F> ? F : never,
): Wire | null {
  const copy = structuredClone(answer)
  const attribution = (copy['forget_effect'] as Wire)['attribution'] as Wire
  const ids = copy['used_memory_ids'] as string[]
  switch (kind) {
    case 'outcome':
      if (copy['outcome'] === outcome) return null
      copy['outcome'] = outcome
      attribution['outcome'] = outcome
      return copy
    case 'nested_outcome':
      if (attribution['outcome'] === outcome) return null
      attribution['outcome'] = outcome
      return copy
    case 'run':
      copy['run_id'] = 'a run that never was'
      return copy
    case 'surface':
      if (copy['used_surface'] === surface) return null
      copy['used_surface'] = surface
      attribution['used_surface'] = surface
      return copy
    case 'added':
      copy['used_memory_ids'] = [...ids, FALSE_ID]
      return copy
    case 'removed':
      if (ids.length === 0) return null
      copy['used_memory_ids'] = ids.filter((_id, index) => index !== at % ids.length)
      return copy
    default:
      copy['guide_trace_id'] = `guide_trace:${FALSE_ID}`
      return copy
  }
}
