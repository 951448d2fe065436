import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { imageOf, stateFrom, stateHash } from '../../src/core/model/state-image.ts'
import { isVisibleTo } from '../../src/core/model/visibility.ts'
import { decideFeedback } from '../../src/core/write/attribution.ts'
import { anyConsumer, anyGuideCommand, anyHistory, anyOutcomeReport, anyStep } from '../arbitraries.ts'
import { claimOf, feedbackOf, memoryOf } from '../support/commands.ts'
import { hitsOf, worldAfter } from '../support/history.ts'
import { answering } from '../support/named-hit.ts'
import { idsUnder, parsePrompt } from '../support/prompt-parser.ts'
import { proofsOf } from '../support/prove.ts'
import { refusalOf, World } from '../support/world.ts'

const prove = proofsOf('exposure')
const anyHits = anyStep.filter((step) => step.kind === 'guide')
const anyGuide = fc.record({ history: anyHistory, command: anyGuideCommand, ask: anyHits })
const HEADINGS = {
  use_now: 'USE NOW',
  inspect_before_use: 'INSPECT BEFORE USE',
  do_not_use: 'DO NOT USE',
  rehydrate: 'REHYDRATE',
} as const

/** Reasons that are none of the memory itself: they say how it fits the question. */
const BY_MATCH = ['weak_match', 'other_entity']

describe('exposure is what was printed', () => {
  test('E1: id lists, receipt and ledger hold exactly the ids in prompt_text, each on its own surface', () => {
    prove(
      anyGuide,
      ({ history, command, ask }) => {
        const world = worldAfter(history)
        const { agent_context: context, memory_use_receipt: receipt } = world.guide(
          command,
          hitsOf(world, ask),
        )
        const printed = parsePrompt(context.prompt_text)
        const lists = {
          use_now: context.use_now_memory_ids,
          inspect_before_use: context.inspect_before_use_memory_ids,
          do_not_use: context.do_not_use_memory_ids,
          rehydrate: context.rehydrate_memory_ids,
        }
        const ledger = world.guides.at(-1)
        const event = world.lastEvents()[0]
        if (ledger === undefined || event?.type !== 'exposed') throw new Error('a guide records its exposure')
        expect([...printed.bracketedIds].sort()).toEqual([...context.memory_ids].sort())
        expect(receipt.exposed_memory_ids).toEqual(context.memory_ids)
        expect(ledger.memoryIds).toEqual(context.memory_ids)
        expect(event.memoryIds).toEqual(context.memory_ids)
        for (const surface of ['use_now', 'inspect_before_use', 'do_not_use', 'rehydrate'] as const) {
          expect(idsUnder(printed, HEADINGS[surface])).toEqual(lists[surface])
          expect(ledger.memoryIds.filter((_, rank) => ledger.surfaces[rank] === surface)).toEqual(
            lists[surface],
          )
        }
        const omitted = receipt.omitted.map((entry) => entry.memory_id)
        expect(omitted.filter((id) => context.memory_ids.includes(id))).toEqual([])
      },
      60,
    )
  })

  test('E1: every exposed memory is shown on the surface that the rules give it now', () => {
    prove(anyGuide, ({ history, command, ask }) => {
      const world = worldAfter(history)
      const { nowMs } = world
      world.guide(command, hitsOf(world, ask))
      world.nowMs = nowMs
      const ledger = world.guides.at(-1)
      const decided = world.lastEvents()[1]
      if (decided?.type !== 'guide_decided') throw new Error('a guide records why')
      for (const [rank, id] of (ledger?.memoryIds ?? []).entries()) {
        const { surface } = world.admission(id, command.taskSignature, command.consumer)
        const isByMatch = BY_MATCH.includes(decided.words[decided.codes[rank] ?? -1] ?? '')
        expect([ledger?.surfaces[rank], isByMatch]).toEqual(
          isByMatch ? ['inspect_before_use', surface === 'use_now'] : [surface, false],
        )
        expect(isVisibleTo(world.record(id).audience, command.consumer)).toBe(true)
      }
    })
  })

  test('E2: the id lists of the four surfaces are disjoint, and no id stands twice in one', () => {
    prove(
      anyGuide,
      ({ history, command, ask }) => {
        const world = worldAfter(history)
        const { agent_context: context } = world.guide(command, hitsOf(world, ask))
        const all = [
          ...context.use_now_memory_ids,
          ...context.inspect_before_use_memory_ids,
          ...context.do_not_use_memory_ids,
          ...context.rehydrate_memory_ids,
        ]
        expect(new Set(all).size).toBe(all.length)
        expect([...all].sort()).toEqual([...context.memory_ids].sort())
      },
      60,
    )
  })
})

describe('what was not exposed takes no feedback', () => {
  const anyAttempt = fc.record({
    history: anyHistory,
    command: anyGuideCommand,
    report: anyOutcomeReport,
    picks: fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
    stranger: fc.constantFrom('hidden' as const, 'nothing' as const),
    at: fc.nat({ max: 4 }),
  })

  test('E3: feedback that names one id outside the exposure is refused whole and changes nothing', () => {
    prove(
      anyAttempt,
      ({ history, command, report, picks, stranger, at }) => {
        const world = worldAfter(history)
        const { guide_trace_id: guideTraceId, agent_context: context } = world.guide(command)
        const outside = stranger === 'nothing' ? 'nothing' : world.write(memoryOf({ text: 'written later' }))
        const exposed = picks.flatMap((pick) => context.memory_ids[pick % context.memory_ids.length] ?? [])
        const memoryIds = exposed.toSpliced(at, 0, outside)
        const before = stateHash(world.state)
        const refusal = refusalOf(() => world.feedback({ ...report, guideTraceId, memoryIds }))
        expect(refusal?.code).toBe('guide_trace_used_memory_not_exposed')
        expect(refusal?.details['not_exposed_memory_ids']).toEqual([outside])
        expect(stateHash(world.state)).toBe(before)
        // The same request without it is taken.
        if (exposed.length === 0) return
        expect(world.feedback({ ...report, guideTraceId, memoryIds: exposed }).memoryIds).toEqual([
          ...new Set(exposed),
        ])
      },
      80,
    )
  })

  test('E3: a client id outside the exposure of the named guide is refused like an id', () => {
    prove(fc.tuple(anyOutcomeReport, fc.boolean()), ([report, isExposed]) => {
      const world = new World()
      const early = world.write(memoryOf({ text: 'early' }, { clientId: 'early' }))
      const { guide_trace_id: guideTraceId } = world.guide()
      world.write(memoryOf({ text: 'late' }, { clientId: 'late' }))
      const clientIds = isExposed ? ['early'] : ['early', 'late']
      const feedback = () => world.feedback({ ...report, guideTraceId, clientIds })
      if (isExposed) expect(feedback().memoryIds).toEqual([early])
      else expect(refusalOf(feedback)?.code).toBe('guide_trace_used_memory_not_exposed')
    })
  })

  test('E3: a claim may be named by its claim id', () => {
    prove(anyOutcomeReport, (report) => {
      const world = new World()
      const { claimIds, memoryIds } = world.observe({ claims: [claimOf('slot')] })
      const { guide_trace_id: guideTraceId } = world.guide()
      const effect = world.feedback({ ...report, guideTraceId, memoryIds: claimIds })
      expect(effect.memoryIds).toEqual(memoryIds)
    })
  })

  test('E3: without a guide only what some guide of the run or of the consumer exposed takes feedback', () => {
    prove(
      fc.record({
        history: anyHistory,
        report: anyOutcomeReport,
        asker: anyConsumer,
        teller: anyConsumer,
        runId: fc.constantFrom(null, 'run-1', 'run-2'),
      }),
      ({ history, report, asker, teller, runId }) => {
        const world = worldAfter(history)
        const memory = memoryOf({ text: 'the newest' })
        const id = world.write(memory)
        const hit = answering(id)
        world.guide({ consumer: asker, runId, budgetChars: 50_000 }, [hit])
        const isAsserted = report.usedSurface === 'explicit_host_assertion'
        const isSameAgent = asker.agentId === teller.agentId && asker.teamId === teller.teamId
        const isExposed = isSameAgent || runId === report.runId
        const before = stateHash(world.state)
        const refusal = refusalOf(() => world.feedback({ ...report, viewpoint: teller, memoryIds: [id] }))
        expect(refusal === null).toBe(isExposed || isAsserted)
        if (refusal !== null) expect(stateHash(world.state)).toBe(before)
        else expect(world.record(id).marks.length).toBe(isExposed ? 1 : 0)
      },
      80,
    )
  })

  test('E4: a guide that was answered accepts feedback, and the same after the actor was read again', () => {
    prove(
      fc.record({
        history: anyHistory,
        command: anyGuideCommand,
        report: anyOutcomeReport,
        isNamed: fc.boolean(),
      }),
      ({ history, command, report, isNamed }) => {
        const world = worldAfter(history)
        const { guide_trace_id, agent_context: context } = world.guide(command)
        if (context.memory_ids.length === 0) return
        const exposure = isNamed ? world.exposure(guide_trace_id) : null
        const guideTraceId = isNamed ? guide_trace_id : null
        const told = { ...report, guideTraceId, memoryIds: context.memory_ids, viewpoint: command.consumer }
        const live = decideFeedback(world.state, feedbackOf(told), exposure)
        const back = decideFeedback(stateFrom(imageOf(world.state)), feedbackOf(told), exposure)
        expect(live.effect.memoryIds).toEqual(context.memory_ids)
        expect(back).toEqual(live)
      },
      60,
    )
  })
})
