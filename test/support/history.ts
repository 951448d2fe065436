import type { MemoryWrite } from '../../src/core/model/commands.ts'
import type { Step } from '../arbitraries.ts'
import { handoffOf, SPOKESMAN } from './commands.ts'
import { answering, type NamedHit } from './named-hit.ts'
import { refusalOf, World } from './world.ts'

/** Plays one step as a real command; null when it was carried out, else the refusal. */
export function play(world: World, step: Step) {
  return refusalOf(() => act(world, step))
}

/** The actor after a history; refused steps leave it as it was. */
export function worldAfter(steps: readonly Step[], world = new World()): World {
  for (const step of steps) play(world, step)
  return world
}

export function hitsOf(world: World, step: Step & { kind: 'guide' }): readonly NamedHit[] {
  const hits = step.hits.flatMap(({ pick, score, isAboveFloor }) => {
    const memoryId = picked(world, pick)
    return memoryId === null
      ? []
      : [answering(memoryId, { score, coverage: 0.5, isExact: score > 7, isAboveFloor })]
  })
  return hits.toSorted((a, b) => b.score - a.score)
}

function act(world: World, step: Step): void {
  switch (step.kind) {
    case 'observe': {
      const refs = (picks: readonly number[]) =>
        picks.flatMap((pick) => {
          // A quarter of the references name something that does not exist.
          const id = pick % 4 === 3 ? 'nothing' : picked(world, pick)
          return id === null ? [] : [{ id }]
        })
      const [first, ...others] = step.memories
      const memories =
        first === undefined
          ? []
          : [
              {
                ...verified(world, repeating(world, first, step.repeated)),
                derivedFrom: refs(step.derivedFrom),
                supersedes: refs(step.supersedes),
              },
              ...others,
            ]
      world.observe({ memories, viewpoint: step.viewpoint, principal: step.isOperator ? SPOKESMAN : null })
      return
    }
    case 'claims':
      world.observe({ claims: step.claims, claimAudience: step.audience, claimOrigin: step.origin })
      return
    case 'handoff': {
      const memory = { ...step.memory, clientId: step.clientId, derivedFrom: [], declared: [] }
      const content = { ...memory.content, outcome: null }
      world.observe({
        handoff: handoffOf({ ...memory, content }, { anchor: step.anchor, nextAction: 'go on' }),
      })
      return
    }
    case 'edge': {
      const src = picked(world, step.src)
      const dst = picked(world, step.dst)
      if (src === null || dst === null) return
      const edge = { type: step.type, src: { id: src }, dst: { id: dst }, confidence: 1 }
      world.observe({ edges: [edge], viewpoint: step.viewpoint })
      return
    }
    case 'guide':
      world.guide(step.command, hitsOf(world, step))
      return
    case 'feedback':
      feedback(world, step)
      return
    case 'lifecycle': {
      const { operation, viewpoint } = step
      // What is lifted is mostly suppressed.
      const suppressed = world.records().find(({ facets }) => facets.suppression !== null)?.memoryId
      const target = (operation === 'unsuppress' ? suppressed : null) ?? picked(world, step.pick)
      const untilMs = operation === 'suppress' && step.untilMs !== null ? world.nowMs + step.untilMs : null
      const memoryIds = target === null ? [] : [target]
      world.lifecycle({ operation, viewpoint, untilMs, memoryIds })
      return
    }
    case 'wait':
      world.nowMs += step.ms
      return
  }
}

/** With the text of another memory. */
function repeating(world: World, input: MemoryWrite, pick: number | null): MemoryWrite {
  const memoryId = pick === null ? null : picked(world, pick)
  const text = memoryId === null ? '' : world.record(memoryId).content.text
  return text === '' ? input : { ...input, content: { ...input.content, text } }
}

/** A succeeded run with evidence was verified, and it used the newest candidate. */
function verified(world: World, input: MemoryWrite): MemoryWrite {
  const { content } = input
  const used = world.records().findLast(({ facets }) => facets.trust === 'candidate')?.memoryId
  if (used === undefined || content.outcome !== 'succeeded' || content.evidenceRefs.length === 0) return input
  const verifier = [{ name: 'check', status: 'passed', summary: null }] as const
  return { ...input, content: { ...content, verifier, evidenceRefs: [used] } }
}

function feedback(world: World, step: Step & { kind: 'feedback' }): void {
  const guide = step.guide === null ? null : (world.guides.at(-1 - step.guide) ?? null)
  const exposed = guide?.memoryIds ?? []
  const memoryIds = step.picks.flatMap((pick) => {
    const id = step.isWild || guide === null ? picked(world, pick) : (exposed[pick % exposed.length] ?? null)
    return id === null ? [] : [id]
  })
  const { report, consumer } = step
  const guideTraceId = guide?.guideTraceId ?? null
  world.feedback({ ...report, guideTraceId, memoryIds, viewpoint: consumer })
}

function picked(world: World, pick: number): string | null {
  const { memoryIds } = world
  return memoryIds.length === 0 ? null : (memoryIds[pick % memoryIds.length] ?? null)
}
