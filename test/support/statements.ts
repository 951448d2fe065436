import fc from 'fast-check'
import { ORIGINS, type Origin } from '../../src/core/base/closed-sets.ts'
import type { MemoryWrite } from '../../src/core/model/commands.ts'
import { disputesOf } from '../../src/core/model/dispute.ts'
import { admissionIn } from '../../src/core/policy/admission.ts'
import { memoryOf } from './commands.ts'
import type { World } from './world.ts'

// Statements of which two cannot both hold exactly when they are of one subject and give it different values.

const SUBJECTS = [
  (value: number) => `The request timeout of the billing gateway is ${value} seconds.`,
  (value: number) => `The port of the staging database is ${value + 5400}.`,
  (value: number) => `The upload limit of the photo service is ${value} megabytes.`,
] as const
export const SUBJECT_COUNT = SUBJECTS.length

export interface Statement {
  readonly subject: number
  readonly value: number
}

export function textOf({ subject, value }: Statement): string {
  return SUBJECTS[subject % SUBJECTS.length]?.(value) ?? ''
}

/** Two statements that dispute each other. */
export const [OLDER, NEWER] = [textOf({ subject: 0, value: 30 }), textOf({ subject: 0, value: 45 })]
export const UNRELATED = textOf({ subject: 1, value: 32 })

export const anyStatement: fc.Arbitrary<Statement> = fc.record({
  subject: fc.nat({ max: SUBJECTS.length - 1 }),
  value: fc.constantFrom(30, 45, 60),
})

/** Who counts for how much, written from the specification: of guidance an agent more than a tool, of facts alike. */
export function rankOf(origin: Origin, isGuidance: boolean): number {
  if (origin === 'user') return 3
  if (origin === 'verifier') return 2
  if (origin === 'agent') return 1
  if (origin === 'tool') return isGuidance ? 0.5 : 1
  return 0
}

export const TYPES = ['fact', 'rule', 'preference', 'project_context', 'procedure'] as const
export const anyOrigin = fc.constantFrom(...ORIGINS)
export const anyType = fc.constantFrom(...TYPES)

export function say(world: World, text: string, rest: Partial<MemoryWrite> = {}): string {
  return world.write(memoryOf({ text }, rest))
}

/** Who yields to whom now, as an operator sees it. */
export function yieldings(world: World): readonly string[] {
  return world
    .records()
    .flatMap((record) =>
      disputesOf(world.state, record, world.nowMs, null)
        .filter(({ yields }) => yields)
        .map(({ memoryId }) => `${record.memoryId} to ${memoryId}`),
    )
    .sort()
}

/** At one instant: what ends by the clock does not end between two looks. */
export function surfacesAt(world: World, ids: readonly string[], nowMs: number): readonly string[] {
  const ask = { nowMs, askedSignature: null, consumer: null }
  return ids.map((id) => `${id} ${admissionIn(world.state, world.record(id), ask).surface}`)
}
