import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Audience, Consumer } from '../../src/core/model/record.ts'
import { statusOf } from '../../src/core/model/skill-candidate.ts'
import { stateHash } from '../../src/core/model/state-image.ts'
import { decideProposals, derivedSkills } from '../../src/core/skills/derive.ts'
import { decideSettleSkill, SKILL_VERDICTS, type SkillVerdict } from '../../src/core/skills/settle.ts'
import { EVERYONE, eraseOf, runOf } from '../support/commands.ts'
import { answering } from '../support/named-hit.ts'
import { proofsOf } from '../support/prove.ts'
import { reloaded } from '../support/reload.ts'
import { replayed, World } from '../support/world.ts'

const prove = proofsOf('settled-skill')
const ORIGIN = { signatureKind: 'task_signature', signature: 'fix:login', derivedFor: null } as const
const STATUS = { promote: 'promoted', reject: 'rejected', reopen: 'pending_review' } as const
const hitOn = (memoryId: string) => answering(memoryId, { score: 9, matchedTerms: 2, isExact: true })

/** Two runs of one task that went the same way, of which one helped; and the candidate that they give. */
function proposing(
  audience: Audience = EVERYONE,
  derivedFor: Consumer | null = null,
): {
  readonly world: World
  readonly candidateId: string
  readonly runIds: readonly string[]
} {
  const world = new World()
  const runIds = ['run-1', 'run-2'].map((runId) =>
    world.write(
      runOf(
        { title: 'Fix the login', workflowSteps: ['reproduce it', 'inject the clock'] },
        { taskSignature: 'fix:login', runId, audience },
      ),
      derivedFor ?? undefined,
    ),
  )
  const asked = derivedFor === null ? {} : { consumer: derivedFor }
  const guide = world.guide({ ...asked, runId: 'run-3', taskSignature: 'fix:login' }, runIds.map(hitOn))
  world.feedback({
    runId: 'run-3',
    outcome: 'positive',
    guideTraceId: guide.guide_trace_id,
    memoryIds: runIds.slice(0, 1),
    verifierStatus: 'passed',
  })
  const { derived } = derivedSkills(
    world.state,
    [{ origin: { ...ORIGIN, derivedFor }, supplied: null }],
    world.nowMs,
  )
  const proposals = decideProposals(world.state, derived, () => 'one')
  world.commit(proposals.events)
  return { world, candidateId: proposals.candidateIds[0] ?? '', runIds }
}

function settle(world: World, candidateId: string, verdict: SkillVerdict) {
  const command = { candidateId, verdict, reason: 'looked at', actorName: 'olga' }
  const { events, effect } = decideSettleSkill(world.state, command, null, world.nowMs, () => world.newId())
  world.commit(events)
  return { events, effect }
}

const procedures = (world: World) => world.records().filter(({ memoryType }) => memoryType === 'procedure')

describe('a settled skill', () => {
  test('M23: the last verdict alone tells what is in force, and the same one again writes nothing', () => {
    const anyVerdicts = fc.array(fc.constantFrom(...SKILL_VERDICTS), { minLength: 1, maxLength: 6 })
    prove(anyVerdicts, (verdicts) => {
      const { world, candidateId, runIds } = proposing()
      let before: SkillVerdict | null = null
      for (const verdict of verdicts) {
        const { effect } = settle(world, candidateId, verdict)
        expect(effect.previous).toBe(before === 'reopen' ? null : before)
        before = verdict
        const candidate = world.state.skills.get(candidateId)
        expect(candidate).toEqual(effect.candidate)
        expect(candidate === undefined ? null : statusOf(candidate)).toBe(STATUS[verdict])
        expect(settle(world, candidateId, verdict).events).toEqual([])
        const inForce = procedures(world).filter(({ memoryId }) => world.surface(memoryId) === 'use_now')
        expect(inForce).toHaveLength(verdict === 'promote' ? 1 : 0)
      }
      expect(procedures(world)).toHaveLength(verdicts.includes('promote') ? 1 : 0)
      for (const { memoryId, derivedFrom } of procedures(world)) {
        expect(derivedFrom.toSorted()).toEqual(runIds.toSorted())
        expect(world.state.operatorMemories.has(memoryId)).toBe(true)
      }
      expect(stateHash(reloaded(world).state)).toBe(stateHash(world.state))
      expect(stateHash(replayed(world.turns))).toBe(stateHash(world.state))
    })
  })

  test('V2: what was derived from the runs of a team is for those who see these runs', () => {
    const ann = { agentId: 'ann', teamId: 'red' }
    const ofTeam: Audience = { lane: 'shared', ownerAgentId: null, ownerTeamId: 'red' }
    const ofAnn: Audience = { lane: 'private', ownerAgentId: 'ann', ownerTeamId: null }
    for (const audience of [ofTeam, ofAnn, EVERYONE]) {
      const { world, candidateId } = proposing(audience, ann)
      settle(world, candidateId, 'promote')
      const [procedure] = procedures(world)
      expect(procedure?.audience).toEqual(audience === ofTeam ? ofTeam : ofAnn)
    }
  })

  test('X1: one run of which is erased is gone, and so is its procedure, whatever the last verdict', () => {
    prove(fc.tuple(fc.constantFrom(...SKILL_VERDICTS), fc.nat(1)), ([verdict, at]) => {
      const { world, candidateId, runIds } = proposing()
      settle(world, candidateId, 'promote')
      const procedureId = procedures(world)[0]?.memoryId ?? ''
      settle(world, candidateId, verdict)
      const { erasedMemoryIds } = world.erase(eraseOf(runIds.slice(at, at + 1)))
      expect(erasedMemoryIds).toEqual([runIds[at], procedureId])
      expect(world.state.skills.has(candidateId)).toBe(false)
      expect(JSON.stringify(world.record(procedureId))).not.toContain('inject the clock')
      expect(stateHash(replayed(world.turns))).toBe(stateHash(world.state))
    })
  })

  test('X1: a procedure goes with its runs when its skill was open again and later runs gave other steps', () => {
    const { world, candidateId, runIds } = proposing()
    settle(world, candidateId, 'promote')
    const procedureId = procedures(world)[0]?.memoryId ?? ''
    settle(world, candidateId, 'reopen')
    for (const runId of ['run-4', 'run-5', 'run-6'])
      world.write(
        runOf(
          { title: 'Fix the login', workflowSteps: ['reproduce it', 'freeze the time'] },
          { taskSignature: 'fix:login', runId },
        ),
      )
    const { derived } = derivedSkills(world.state, [{ origin: ORIGIN, supplied: null }], world.nowMs)
    const proposals = decideProposals(world.state, derived, () => 'two')
    world.commit(proposals.events)
    expect(proposals.insertedCount).toBe(1)
    expect(world.erase(eraseOf(runIds.slice(0, 1))).erasedMemoryIds).toContain(procedureId)
  })

  test('M23: a rejected one is not in force again when an earlier suppression of its procedure ends', () => {
    prove(fc.tuple(fc.constantFrom('reject', 'reopen'), fc.boolean()), ([verdict, isOver]) => {
      const { world, candidateId } = proposing()
      settle(world, candidateId, 'promote')
      const id = procedures(world)[0]?.memoryId ?? ''
      world.lifecycle({ memoryIds: [id], reason: 'for now', untilMs: world.nowMs + 1_000 })
      if (isOver) world.nowMs += 2_000
      settle(world, candidateId, verdict)
      world.nowMs += 5_000
      expect(world.surface(id)).toBe('do_not_use')
    })
  })
})
