import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AGENT_ROLES } from '../../src/core/base/closed-sets.ts'
import type { GuideCommand } from '../../src/core/guide/entry.ts'
import { memoryPacket } from '../../src/core/guide/memory-packet.ts'
import { renderPrompt } from '../../src/core/guide/render.ts'
import type { Consumer, HandoffFacts } from '../../src/core/model/record.ts'
import { guideOf, handoffOf, memoryOf } from '../support/commands.ts'
import { hostileText, idOf, sampleEntry, sampleRecord, VIEW } from '../support/guide-samples.ts'
import { proving } from '../support/prove.ts'
import { World } from '../support/world.ts'

const prove = proving(100)
const TASK = 'release'

type Address = Pick<HandoffFacts, 'targetAgentId' | 'targetTeamId' | 'targetRole'>

const NOBODY: Address = { targetAgentId: null, targetTeamId: null, targetRole: null }
const ANN: Consumer = { agentId: 'ann', teamId: 'red' }

const anyAddress: fc.Arbitrary<Address> = fc.record({
  targetAgentId: fc.constantFrom(null, 'ann', 'ben'),
  targetTeamId: fc.constantFrom(null, 'red', 'blue'),
  targetRole: fc.constantFrom(null, ...AGENT_ROLES),
})

/** A handoff of an anchor of its own. */
function handOver(world: World, at: number, address: Address): string {
  const memory = memoryOf(
    { text: `Handed over ${at}.`, summary: `Handed over ${at}.` },
    { taskSignature: TASK },
  )
  const handoff = handoffOf(memory, { anchor: `anchor-${at}`, ...address })
  return world.observe({ handoff, taskSignature: TASK }).memoryIds[0] ?? ''
}

function shown(world: World, said: Partial<GuideCommand> = {}) {
  const asked = guideOf({ fullPower: true, taskSignature: TASK, consumer: ANN, limit: 50, ...said })
  return world.compiled(asked).answer.agent_context
}

const withoutHeader = (promptText: string): string => promptText.slice(promptText.indexOf('\n\n'))

describe('to whom a handoff is addressed', () => {
  test('G4: the role that asks changes no id, no surface, no order and no line, whatever role a handoff names', () => {
    prove(fc.array(anyAddress, { minLength: 1, maxLength: 6 }), (addresses) => {
      const world = new World()
      for (const [at, address] of addresses.entries()) handOver(world, at, address)
      const answers = AGENT_ROLES.map((role) => {
        const { prompt_text, agent_role, ...rest } = shown(world, { role })
        expect(agent_role).toBe(role)
        return JSON.stringify([rest, withoutHeader(prompt_text)])
      })
      expect(new Set(answers).size).toBe(1)
    })
  })

  test('the role that a handoff names changes nothing but its line', () => {
    prove(fc.array(anyAddress, { minLength: 1, maxLength: 6 }), (addresses) => {
      const [named, plain] = [true, false].map((isNamed) => {
        const world = new World()
        for (const [at, address] of addresses.entries())
          handOver(world, at, isNamed ? address : { ...address, targetRole: null })
        const context = shown(world)
        const { memory_ids, use_now_memory_ids, inspect_before_use_memory_ids, rehydrate_memory_ids } =
          context
        return [memory_ids, use_now_memory_ids, inspect_before_use_memory_ids, rehydrate_memory_ids]
      })
      expect(named).toEqual(plain)
    })
  })

  test('handoffs in force that name the consumer come first, then the others, each the newest first', () => {
    prove(fc.array(anyAddress, { minLength: 2, maxLength: 8 }), (addresses) => {
      const world = new World()
      const ids = addresses.map((address, at) => handOver(world, at, address))
      const isMine = ({ targetAgentId, targetTeamId }: Address) =>
        targetAgentId === 'ann' || targetTeamId === 'red'
      const newestFirst = ids.toReversed()
      const mine = newestFirst.filter((id) => isMine(addresses[ids.indexOf(id)] ?? NOBODY))
      const others = newestFirst.filter((id) => !mine.includes(id))
      expect(shown(world).memory_ids).toEqual([...mine, ...others])
    })
  })

  test('a handoff that was replaced takes no place before one in force', () => {
    const world = new World()
    handOver(world, 1, { ...NOBODY, targetAgentId: 'ann' })
    handOver(world, 2, NOBODY)
    const replaced = handoffOf(memoryOf({ text: 'Again.' }, { taskSignature: TASK }), { anchor: 'anchor-1' })
    const { memoryIds } = world.observe({ handoff: replaced, taskSignature: TASK })
    expect(shown(world).memory_ids[0]).toBe(memoryIds[0])
  })

  test('its line and its packet say to whom, as far as the writer said', () => {
    const record = (address: Address) =>
      sampleRecord(
        idOf(1),
        { text: 'Go on.' },
        {
          source: 'handoff',
          domain: 'execution',
          handoff: {
            handoffId: `handoff:${idOf(1)}`,
            anchor: null,
            handoffKind: 'task_handoff',
            handoffText: null,
            nextAction: null,
            risk: null,
            ...address,
          },
        },
      )
    const lineOf = (address: Address) => renderPrompt([sampleEntry(record(address))], VIEW).lines.use_now[0]
    expect(lineOf(NOBODY)).toBe(`[${idOf(1)}] handoff (1970-01-01): Go on.`)
    expect(lineOf({ ...NOBODY, targetRole: 'reviewer' })).toBe(
      `[${idOf(1)}] handoff (1970-01-01) to role reviewer: Go on.`,
    )
    const all = { targetAgentId: 'worker-2', targetTeamId: 'core', targetRole: 'worker' }
    expect(lineOf(all)).toBe(
      `[${idOf(1)}] handoff (1970-01-01) to agent worker-2, team core, role worker: Go on.`,
    )
    const rendered = renderPrompt([sampleEntry(record(all))], VIEW)
    expect(memoryPacket(rendered, VIEW, () => '').relevant_memories[0]?.execution_state).toMatchObject({
      handoff_target: 'worker-2',
      handoff_target_team: 'core',
      actor_role: 'worker',
    })
  })

  test('G6: what stands in the name of an addressee opens no section and speaks for no other id', () => {
    prove(hostileText, (name) => {
      const handoff = {
        handoffId: `handoff:${idOf(1)}`,
        anchor: null,
        handoffKind: 'task_handoff',
        targetAgentId: name,
        targetTeamId: name,
        targetRole: name,
        handoffText: null,
        nextAction: null,
        risk: null,
      }
      const record = sampleRecord(idOf(77), { text: 'Go on.' }, { source: 'handoff', handoff })
      const { promptText, lines } = renderPrompt([sampleEntry(record)], VIEW)
      expect(promptText.split('\n').filter((line) => /^\s*(?:#|\[)/u.test(line))).toEqual([
        '## USE NOW: may guide the next action',
        lines.use_now[0],
      ])
      expect(lines.use_now[0]?.length).toBeLessThanOrEqual(400)
    })
  })
})
