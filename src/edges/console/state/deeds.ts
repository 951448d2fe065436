import { signal } from '@preact/signals'
import { type Call, post } from '../wire/call.ts'
import { ask, asRefusal, type Refusal, returns } from '../wire/exchange.ts'
import { where } from './place.ts'
import { session } from './session.ts'

/** What a person may do about a memory or a dispute: what is sent, in words what it does, and what takes it back. */
export interface Deed {
  readonly name: string
  /** What changes, told before it is done. */
  readonly effect: string
  readonly callFor: (reason: string) => Call
  /** Null: nothing takes it back; the effect says so. */
  readonly undo: ((answer: DeedAnswer, reason: string) => Call) | null
}

export interface DeedAnswer {
  readonly previous_verdict?: string | null
}

/** What a deed would change, as the service tells it when it only tries. */
export interface Tried {
  readonly changes?: readonly {
    readonly memory_id: string
    readonly facet: string
    readonly to: string | null
  }[]
}

/** The request of a deed that is only tried: nothing changes by it. */
export function trialOf(deed: Deed): Call {
  const call = deed.callFor('looked at before it is done')
  return { ...call, fields: { ...call.fields, dry_run: true } }
}

/** What was done last, until the next deed: it can be taken back. */
export interface Done {
  readonly said: string
  readonly undo: (() => Promise<void>) | null
}
export const lastDone = signal<Done | null>(null)

export async function carryOut(deed: Deed, reason: string): Promise<Refusal | null> {
  // Whoever takes it back may look at another scope by then.
  const here = where()
  try {
    const answer = await ask<DeedAnswer>(deed.callFor(reason))
    const { undo } = deed
    const takeBack = async () => {
      if (undo === null) return
      const call = undo(answer, `taken back: ${reason}`)
      await ask({ ...call, fields: { ...call.fields, ...here } })
      lastDone.value = { said: `Taken back: ${deed.name.toLowerCase()}.`, undo: null }
      returns.value += 1
    }
    lastDone.value = { said: `Done: ${deed.name.toLowerCase()}.`, undo: undo === null ? null : takeBack }
    returns.value += 1
    return null
  } catch (error) {
    return asRefusal(error)
  }
}

const FORGET = '/v1/forget'
const SETTLE = '/v1/operator/settle'

function forget(
  operation: string,
  memoryId: string,
  reason: string,
  more: Readonly<Record<string, string>> = {},
): Call {
  return post(FORGET, {
    ...where(),
    operation,
    target: 'memory',
    memory_ids: [memoryId],
    reason,
    actor: session.value.reviewer,
    ...more,
  })
}

export function suppress(memoryId: string, name = 'Suppress'): Deed {
  return {
    name,
    effect: 'Guides show it as a warning only, without its text. Nothing is deleted; it can be restored.',
    callFor: (reason) => forget('suppress', memoryId, reason),
    undo: (_, reason) => forget('unsuppress', memoryId, reason),
  }
}

export function unsuppress(memoryId: string): Deed {
  return {
    name: 'Restore',
    effect: 'The suppression ends. What the other records say of it decides its surface again.',
    callFor: (reason) => forget('unsuppress', memoryId, reason),
    undo: (_, reason) => forget('suppress', memoryId, reason),
  }
}

/** The word of a person: in force and trusted. Nothing takes a word back, so that its undo is a suppression. */
export function activate(memoryId: string, name: string): Deed {
  return {
    name,
    effect:
      'You vouch for it: it is in force and trusted from the next guide on. Undo suppresses it, for a word cannot be unsaid.',
    callFor: (reason) =>
      forget('activate', memoryId, reason, { outcome: 'positive', used_surface: 'explicit_host_assertion' }),
    undo: (_, reason) => forget('suppress', memoryId, reason),
  }
}

export type DisputeVerdict = 'a' | 'b' | 'both' | 'neither'

export function settle(a: string, b: string, verdict: DisputeVerdict): Deed {
  const { name, effect } = VERDICTS[verdict]
  const callFor = (given: string, reason: string) =>
    post(SETTLE, { ...where(), memory_ids: [a, b], verdict: given, reason, actor: session.value.reviewer })
  return {
    name,
    effect,
    callFor: (reason) => callFor(verdict, reason),
    undo: ({ previous_verdict: before }, reason) => callFor(before ?? 'reopen', reason),
  }
}

const VERDICTS: Readonly<Record<DisputeVerdict, { readonly name: string; readonly effect: string }>> = {
  a: { name: 'Keep A', effect: 'A keeps its surface. B is superseded: guides only warn of it.' },
  b: { name: 'Keep B', effect: 'B keeps its surface. A is superseded: guides only warn of it.' },
  both: {
    name: 'Keep both',
    effect: 'They do not contradict each other. Both keep their surface, for good.',
  },
  neither: { name: 'Keep neither', effect: 'Both are suppressed: guides only warn of them.' },
}

export function settleSkill(skillId: string, verdict: 'promote' | 'reject'): Deed {
  const callFor = (given: string, reason: string) =>
    post(SETTLE, { ...where(), skill_id: skillId, verdict: given, reason, actor: session.value.reviewer })
  return {
    name: verdict === 'promote' ? 'Promote' : 'Reject',
    effect:
      verdict === 'promote'
        ? 'It is written as a procedure of your authority, derived from the runs. Agents are shown it from the next guide on.'
        : 'It is hidden until new runs change its steps.',
    callFor: (reason) => callFor(verdict, reason),
    undo: (_, reason) => callFor('reopen', reason),
  }
}
