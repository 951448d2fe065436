import { describe, expect, test } from 'vitest'
import { evolve } from '../../src/core/model/evolve.ts'
import type { TraceDerivedSkill } from '../../src/core/model/skill-candidate.ts'
import { SKILLS_MAX, type SkillDraft } from '../../src/core/model/skill-candidate.ts'
import { emptyState } from '../../src/core/model/state.ts'
import { imageOf, stateFrom, stateHash } from '../../src/core/model/state-image.ts'

const SKILL: TraceDerivedSkill = {
  contract_version: 'svc_trace_derived_skill_candidate_v1',
  skill_name: 'Continue fix:login',
  applies_when: ['task_signature:fix:login'],
  does_not_apply_when: [],
  procedure_steps: ['Inject the clock'],
  acceptance_checks: [],
  authority_state: 'candidate',
  export_policy: {
    agent_prompt_included: false,
    runtime_mutation: false,
    required_gate: 'admission_and_promotion_gate',
  },
  source_trace_ids: ['run:run-1'],
  source_signal_ids: [],
  target_files: [],
  failure_counterexamples: [],
  evidence_refs: [],
  promotion_status: 'candidate_only',
}

const draft = (place: number): SkillDraft => ({
  candidateId: `skill:${place}`,
  signatureKind: 'task_signature',
  signature: `task ${place}`,
  derivedFor: null,
  skill: SKILL,
  sourceMemoryIds: [],
})

function stateWith(count: number, reviewed: readonly number[]) {
  const state = emptyState('default', 'default')
  const turn = (event: Parameters<typeof evolve>[1]['events'][number]): void =>
    evolve(state, { seq: state.seq + 1, atMs: state.seq, events: [event] })
  for (let place = 0; place < count; place += 1) {
    turn({ type: 'skill_proposed', draft: draft(place) })
    if (!reviewed.includes(place)) continue
    turn({
      type: 'skill_reviewed',
      candidateId: `skill:${place}`,
      sourceMemoryIds: [],
      decision: 'promoted',
      reviewerId: 'ann',
      reason: 'looked at',
    })
  }
  return { state, turn }
}

describe('skill candidates of an actor', () => {
  test('are bounded: the oldest that nobody reviewed make room, reviewed ones last', () => {
    const { state, turn } = stateWith(SKILLS_MAX, [0, 1])
    turn({ type: 'skill_proposed', draft: draft(SKILLS_MAX) })
    expect(state.skills.size).toBe(SKILLS_MAX)
    expect(['skill:0', 'skill:1', 'skill:2', 'skill:3'].map((id) => state.skills.has(id))).toEqual([
      true,
      true,
      false,
      true,
    ])
    const all = stateWith(
      SKILLS_MAX,
      Array.from({ length: SKILLS_MAX }, (_, place) => place),
    )
    all.turn({ type: 'skill_proposed', draft: draft(SKILLS_MAX) })
    expect([all.state.skills.size, all.state.skills.has('skill:0')]).toEqual([SKILLS_MAX, false])
  })

  test('a proposal of the same id takes its place and moves to the newest end', () => {
    const { state, turn } = stateWith(3, [])
    turn({ type: 'skill_proposed', draft: { ...draft(0), skill: { ...SKILL, skill_name: 'Another' } } })
    expect([...state.skills.keys()]).toEqual(['skill:1', 'skill:2', 'skill:0'])
    expect(state.skills.get('skill:0')?.skill.skill_name).toBe('Another')
  })

  test('count in the digest, with their reviews, and come back from an image', () => {
    const { state } = stateWith(2, [1])
    const back = stateFrom(imageOf(state))
    expect(back.skills).toEqual(state.skills)
    expect([...back.skills.keys()]).toEqual([...state.skills.keys()])
    expect(stateHash(back)).toBe(stateHash(state))
    expect(stateHash(stateWith(2, []).state)).not.toBe(stateHash(state))
  })

  test('an image of before there were any holds none', () => {
    const image = imageOf(emptyState('default', 'default'))
    const older = { ...image, sections: image.sections.filter(({ name }) => name !== 'skills') }
    const back = stateFrom(older)
    expect(back.skills.size).toBe(0)
    // Nothing of it was in the digest that an older snapshot holds.
    expect(stateHash(back)).toBe(stateHash(stateFrom(image)))
  })
})
