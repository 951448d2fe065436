import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decisionOf } from '../../src/core/guide/decision.ts'
import type { ActorEvent } from '../../src/core/model/events.ts'
import { RuleCounts } from '../../src/core/model/rule-counts.ts'
import { stateHash } from '../../src/core/model/state-image.ts'
import { anyGuideCommand, anyHistory, anyStep } from '../arbitraries.ts'
import { hitsOf, worldAfter } from '../support/history.ts'
import { proofsOf } from '../support/prove.ts'
import { replayed } from '../support/world.ts'

const prove = proofsOf('decision')
const anyGuide = fc.record({
  history: anyHistory,
  command: anyGuideCommand,
  ask: anyStep.filter((step) => step.kind === 'guide'),
})

function recordIn(events: readonly ActorEvent[]) {
  const [exposed, decided] = events
  if (exposed?.type !== 'exposed' || decided?.type !== 'guide_decided')
    throw new Error('two events of a guide')
  return { exposed, decision: decisionOf(decided, exposed) }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

describe('decision records', () => {
  test('A1: a guide records what it exposed, in order, with rule, reason and signals, and what it left out', () => {
    prove(
      anyGuide,
      ({ history, command, ask }) => {
        const world = worldAfter(history)
        const { events, answer } = world.compiled(command, hitsOf(world, ask))
        const { agent_context: context, memory_use_receipt: receipt } = answer
        const { decision } = recordIn(events)
        expect(decision.printed.map(({ memoryId, surface }) => [memoryId, surface])).toEqual(
          receipt.decision_summaries.map((row) => [row.memory_id, row.agent_surface]),
        )
        expect(decision.printed.map((row) => [row.ruleId, row.reasonCodes, row.signals])).toEqual(
          receipt.decision_summaries.map((row) => [row.rule_id, row.reason_codes, row.recall_sources]),
        )
        for (const row of decision.printed) {
          expect(row.reason).toBe(
            world.admission(row.memoryId, command.taskSignature, command.consumer).reason,
          )
        }
        expect(decision.omitted.map((row) => [row.memoryId, row.surface, row.omitted])).toEqual(
          receipt.omitted.map((row) => [row.memory_id, row.surface, row.reason]),
        )
        expect(decision.omitted.map((row) => row.intoId ?? undefined)).toEqual(
          receipt.omitted.map((row) => row.into),
        )
        expect(decision.promptHash).toBe(sha256(context.prompt_text))
        expect(decision.promptChars).toBe(context.prompt_text.length)
        expect(decision.queryHash).toBe(sha256(command.queryText))
        expect(decision.targetFiles).toEqual(context.target_files)
        expect(JSON.stringify(decision)).not.toContain('## ')
      },
      80,
    )
  })

  test('A1: the record of a guide changes no state but the counts of rules', () => {
    prove(
      anyGuide,
      ({ history, command, ask }) => {
        const world = worldAfter(history)
        world.commit(world.compiled(command, hitsOf(world, ask)).events)
        const without = world.turns.map((turn) => ({
          ...turn,
          events: turn.events.filter(({ type }) => type !== 'guide_decided'),
        }))
        const uncounted = { ...world.state, ruleCounts: new RuleCounts() }
        expect(stateHash(replayed(without))).toBe(stateHash(uncounted))
      },
      40,
    )
  })

  test('A2: a hold-out shows warnings only, records what it kept back, and tells the agent nothing', () => {
    prove(
      anyGuide,
      ({ history, command, ask }) => {
        const world = worldAfter(history)
        const hits = hitsOf(world, ask)
        const roomy = { ...command, budgetChars: 1_000_000 }
        const guided = world.compiled(roomy, hits)
        const { events, answer } = world.compiled(roomy, hits, world.state, true)
        const { exposed, decision } = recordIn(events)
        const warnings = guided.answer.agent_context.do_not_use_memory_ids
        expect(answer.agent_context.memory_ids).toEqual(warnings)
        expect(exposed).toMatchObject({ heldOut: true, memoryIds: warnings })
        const kept = decision.omitted.filter((row) => row.omitted === 'hold_out').map((row) => row.memoryId)
        const shown = guided.answer.agent_context.memory_ids
        expect(kept).toEqual(shown.filter((id) => !warnings.includes(id)))
        expect(answer.memory_use_receipt.hold_out).toEqual({ withheld_memory_ids: kept })
        const forAgent = JSON.stringify(answer.agent_context)
        for (const id of kept) expect(forAgent).not.toContain(id)
        expect(forAgent).not.toMatch(/hold.?out|withh/i)
      },
      60,
    )
  })
})
