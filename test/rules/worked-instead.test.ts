import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Audience } from '../../src/core/model/record.ts'
import { LOCAL, runOf } from '../support/commands.ts'
import { answering } from '../support/named-hit.ts'
import { proving } from '../support/prove.ts'
import { World } from '../support/world.ts'

const prove = proving(80)
const TASK = 'fix-login'
const PRIVATE: Audience = { lane: 'private', ownerAgentId: 'somebody-else', ownerTeamId: null }

/** A guide that recalls only the failed run, in a scope that is too large to be shown whole. */
function warningIn(world: World, failedId: string): string {
  const hit = answering(failedId, { matchedTerms: 3 })
  const { agent_context } = world.compiled({ consumer: LOCAL, limit: 1 }, [hit]).answer
  expect(agent_context.memory_ids).toEqual([failedId])
  return agent_context.do_not_use[0] ?? ''
}

function worldWithFailure(): { readonly world: World; readonly failedId: string } {
  const world = new World()
  const fillers = Array.from({ length: 14 }, (_, at) => runOf({ text: `Other work ${at}.` }))
  world.observe({ memories: fillers })
  const failedId = world.write(runOf({ text: 'Longer tokens.', outcome: 'failed' }, { taskSignature: TASK }))
  return { world, failedId }
}

describe('a warning about a failed run, when what succeeded was not recalled', () => {
  test('tells the newest run of the task that succeeded, without its id', () => {
    const { world, failedId } = worldWithFailure()
    world.write(runOf({ text: 'Fixed clock.' }, { taskSignature: TASK }))
    const worked = world.write(runOf({ text: 'Injected the clock.' }, { taskSignature: TASK }))
    const line = warningIn(world, failedId)
    expect(line).toMatch(/ \| worked instead: Injected the clock\.$/u)
    expect(line).not.toContain(worked)
  })

  test('V4: tells nothing of what the consumer cannot see or may not use, nor of another task', () => {
    const anyUseless = fc.constantFrom(
      runOf({ text: 'zqsecret' }, { taskSignature: TASK, audience: PRIVATE }),
      runOf({ text: 'zqsecret' }, { taskSignature: 'another' }),
      runOf({ text: 'zqsecret' }),
      runOf({ text: 'zqsecret', outcome: 'interrupted' }, { taskSignature: TASK }),
      runOf({ text: 'zqsecret', outcome: 'failed' }, { taskSignature: TASK }),
      runOf({ text: 'zqsecret', confidence: 0.3 }, { taskSignature: TASK }),
      runOf({ text: 'A manual says zqsecret.' }, { taskSignature: TASK, origin: 'document' }),
    )
    prove(fc.array(anyUseless, { maxLength: 6 }), (useless) => {
      const { world, failedId } = worldWithFailure()
      const before = warningIn(world, failedId)
      for (const memory of useless) world.write(memory)
      expect(warningIn(world, failedId)).toBe(before)
      expect(before).not.toContain('worked instead')
    })
  })
  test('a guide that withholds memory does not tell what worked either', () => {
    const { world, failedId } = worldWithFailure()
    world.write(runOf({ text: 'Injected the clock.' }, { taskSignature: TASK }))
    const hit = answering(failedId, { matchedTerms: 3 })
    const { answer } = world.compiled({ limit: 1 }, [hit], world.state, true)
    expect(answer.agent_context.do_not_use).toHaveLength(1)
    expect(answer.agent_context.prompt_text).not.toContain('worked instead')
  })
})
