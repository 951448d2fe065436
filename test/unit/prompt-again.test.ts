import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCodec } from '../../src/adapters/codec/codec.ts'
import type { GuideCommand } from '../../src/core/guide/entry.ts'
import type { ExposureRecord } from '../../src/core/model/events.ts'
import { evolve } from '../../src/core/model/evolve.ts'
import { type ActorState, emptyState } from '../../src/core/model/state.ts'
import { gapBefore, promptAgain } from '../../src/core/report/prompt-again.ts'
import { anyHistory, type Step } from '../arbitraries.ts'
import { storedIn } from '../support/audit-samples.ts'
import { memoryOf, runOf } from '../support/commands.ts'
import { hitsOf, play } from '../support/history.ts'
import { proofsOf } from '../support/prove.ts'
import { replayed, World } from '../support/world.ts'

const prove = proofsOf('prompt again')
const codec = createCodec()

/** What is asked in one of the other ways: by handles, in brief, without what the run was shown, held out. */
interface Asked {
  readonly command: GuideCommand
  readonly isHeldOut: boolean
}

const anyAsking = fc.array(
  fc.record({ handles: fc.boolean(), isBrief: fc.boolean(), omits: fc.boolean(), isHeldOut: fc.boolean() }),
  { minLength: 1, maxLength: 5 },
)

/** A history with its prompts by guide. */
function told(history: readonly Step[], askedOf: (command: GuideCommand, at: number) => Asked) {
  const world = new World()
  const prompts = new Map<string, string>()
  for (const [at, step] of history.entries()) {
    if (step.kind !== 'guide') {
      play(world, step)
      continue
    }
    const { command, isHeldOut } = askedOf(step.command, at)
    const { events, answer } = world.compiled(command, hitsOf(world, step), world.state, isHeldOut)
    world.commit(events)
    prompts.set(answer.guide_trace_id, answer.agent_context.prompt_text)
  }
  return { world, prompts }
}

function againOn(state: ActorState, world: World, exposure: ExposureRecord) {
  const { decision } = storedIn(world, exposure)
  if (decision === null) throw new Error('every guide of a world is explained')
  return gapBefore({ exposure, decision }, state) === null
    ? promptAgain(state, { exposure, decision }, (text) => codec.sha256(text))
    : 'gone'
}

describe('the prompt of a recorded guide', () => {
  test('on the state before the guide it is the text that was answered, however it was asked', () => {
    prove(
      fc.record({ history: anyHistory, asking: anyAsking }),
      ({ history, asking }) => {
        const { world, prompts } = told(history, (command, at) => {
          const way = asking[at % asking.length]
          return {
            command: {
              ...command,
              handles: way?.handles === true,
              lines: way?.isBrief === true ? 'brief' : 'full',
              omitShownIn: way?.omits === true ? command.runId : null,
            },
            isHeldOut: way?.isHeldOut === true,
          }
        })
        const state = emptyState('default', 'default')
        for (const turn of world.turns) {
          for (const exposure of world.guides.filter(({ seq }) => seq === turn.seq)) {
            const text = prompts.get(exposure.guideTraceId)
            expect(againOn(state, world, exposure)).toEqual({ text, isReproduced: true })
          }
          evolve(state, turn)
        }
      },
      60,
    )
  })

  test('on a later state it is that text too, or says that it is not', () => {
    let [tried, reproduced] = [0, 0]
    prove(anyHistory, (history) => {
      const { world, prompts } = told(history, (command) => ({ command, isHeldOut: false }))
      for (const exposure of world.guides) {
        const again = againOn(world.state, world, exposure)
        if (again === 'gone') continue
        tried += 1
        if (again?.isReproduced === true) reproduced += 1
        expect(again?.isReproduced).toBe(again?.text === prompts.get(exposure.guideTraceId))
      }
    })
    expect(reproduced).toBeGreaterThan(tried / 2)
  })

  test('what was revised, reported and suppressed since is taken back', () => {
    const world = new World()
    const id = world.write(memoryOf({ text: 'the pump runs at night' }, { clientId: 'pump' }))
    world.write(runOf({ outcome: 'failed', summary: 'The pump did not start.' }, { taskSignature: 'pump' }))
    world.write(runOf({ outcome: 'succeeded', summary: 'Primed it first.' }, { taskSignature: 'pump' }))
    const { guide_trace_id, agent_context } = world.guide({ taskSignature: 'pump', runId: 'run' })
    const [guide] = world.guides
    if (guide === undefined) throw new Error('there is a guide')
    const then = replayed(world.turns.slice(0, -1))
    world.write(memoryOf({ text: 'the pump runs at noon' }, { clientId: 'pump' }))
    world.write(runOf({ outcome: 'succeeded', summary: 'A new pump.' }, { taskSignature: 'pump' }))
    world.feedback({
      guideTraceId: guide_trace_id,
      runId: 'run',
      outcome: 'negative',
      memoryIds: [id],
      verifierStatus: 'failed',
    })
    world.lifecycle({ operation: 'suppress', memoryIds: [id] })
    expect(world.record(id).content.text).toBe('the pump runs at noon')
    expect(agent_context.prompt_text).toContain('the pump runs at night')
    for (const state of [then, world.state]) {
      expect(againOn(state, world, guide)).toEqual({ text: agent_context.prompt_text, isReproduced: true })
    }
  })

  test.each([
    [3, 30],
    [4, 30],
    // What the limit cut off is not on record.
    [5, 3],
  ])('of %i runs alike and a limit of %i the one that stands for the rest does so again', (runs, limit) => {
    const world = new World()
    for (let at = 0; at < runs; at += 1)
      world.write(
        runOf({ outcome: 'succeeded', summary: `Primed it, time ${at}.` }, { taskSignature: 'pump' }),
      )
    const { agent_context } = world.guide({ taskSignature: 'pump', limit })
    const [guide] = world.guides
    if (guide === undefined) throw new Error('there is a guide')
    expect(agent_context.prompt_text).toMatch(/\d more runs? succeeded, last/)
    const then = replayed(world.turns.slice(0, -1))
    world.write(runOf({ outcome: 'succeeded', summary: 'A new pump.' }, { taskSignature: 'pump' }))
    for (const state of [then, world.state])
      expect(againOn(state, world, guide)).toEqual({ text: agent_context.prompt_text, isReproduced: true })
  })
})
