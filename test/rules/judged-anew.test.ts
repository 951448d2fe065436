import fc from 'fast-check'
import { expect, test } from 'vitest'
import { disputesOf } from '../../src/core/model/dispute.ts'
import type { ActorEvent } from '../../src/core/model/events.ts'
import { stateHash } from '../../src/core/model/state-image.ts'
import { contestedByText, judgeAnew } from '../../src/core/write/dispute.ts'
import { anyHistory } from '../arbitraries.ts'
import { eraseOf, memoryOf } from '../support/commands.ts'
import { worldAfter } from '../support/history.ts'
import { proofsOf } from '../support/prove.ts'
import { NEWER, OLDER, textOf, UNRELATED } from '../support/statements.ts'
import { replayed, World } from '../support/world.ts'

const prove = proofsOf('judged-anew')

/** What an earlier build wrote when it took one text for the correction of another. */
function corrected(memoryId: string, byMemoryId: string): ActorEvent {
  const reason = `${byMemoryId} corrects it`
  return { type: 'standing_changed', memoryId, to: 'contested', cause: 'corrected', reason, byMemoryId }
}

/** Every turn that is left to be made. */
function judge(world: World): number {
  let turns = 0
  for (let left = contestedByText(world.state); left.size > 0; left = contestedByText(world.state)) {
    world.commit(judgeAnew(world.state, world.similar, left, world.nowMs))
    turns += 1
  }
  return turns
}

test('C14: what words alone contested gets its standing back, and a dispute where the engine of today finds one', () => {
  prove(fc.tuple(anyHistory, fc.boolean()), ([history, isDispute]) => {
    const world = worldAfter(history)
    const older = world.write(memoryOf({ text: UNRELATED }, { clientId: 'older' }))
    const by = world.write(memoryOf({ text: NEWER }, { clientId: 'by' }))
    if (isDispute) {
      // Said as an earlier build would have: no dispute of it is known.
      world.write(memoryOf({ text: OLDER, confidence: 0.8 }, { clientId: 'older' }))
      world.write(memoryOf({ text: `${NEWER} ` }, { clientId: 'by' }))
    }
    const facets = world.record(older).facets
    const others = world.records().filter(({ memoryId }) => memoryId !== older)
    world.commit([corrected(older, by)])
    expect(world.admission(older).ruleId).toBe('S4')
    expect(judge(world)).toBe(1)
    expect(world.record(older).facets).toEqual(facets)
    expect(world.record(older).changes.at(-1)).toMatchObject({ cause: 'judged_anew', byMemoryId: by })
    const sides = disputesOf(world.state, world.record(older), world.nowMs, null)
    expect(sides.some(({ memoryId }) => memoryId === by)).toBe(isDispute)
    expect(world.admission(older).ruleId).toBe(isDispute ? 'S12' : 'S10')
    for (const { memoryId, facets: before } of others) expect(world.record(memoryId).facets).toEqual(before)
  })
})

test('C14: once, whatever is read again in between, and replay gives the same', () => {
  prove(
    fc.integer({ min: 1, max: 150 }),
    (count) => {
      const world = new World()
      const by = world.write(memoryOf({ text: NEWER }))
      const victims = Array.from({ length: count }, (_victim, n) =>
        world.write(memoryOf({ text: 'The lunch menu has soup.' }, { clientId: `c${n}` })),
      )
      world.commit(victims.map((id) => corrected(id, by)))
      expect(judge(world)).toBe(1)
      expect(judge(world)).toBe(0)
      for (const id of victims) expect(world.surface(id)).toBe('use_now')
      expect(stateHash(replayed(world.turns))).toBe(stateHash(world.state))
    },
    10,
  )
})

test('C14: other evidence since then counts, one text still corrects at most three, and what was erased is left', () => {
  prove(fc.integer({ min: 1, max: 6 }), (count) => {
    const world = new World()
    const by = world.write(
      memoryOf({ text: textOf({ subject: 0, value: 90 }) }, { declared: ['superseded'] }),
    )
    const victims = Array.from({ length: count }, (_victim, n) =>
      world.write(memoryOf({ text: textOf({ subject: 0, value: 30 + n }) }, { declared: ['suppressed'] })),
    )
    const [first = ''] = victims
    const erased = world.write(memoryOf({ text: UNRELATED }))
    const known = world.state.disputes.size
    world.commit([...victims, erased].map((id) => corrected(id, by)))
    world.erase(eraseOf([erased]))
    const against = world.write(memoryOf({ text: UNRELATED }))
    const edge = { type: 'contradicts', src: { id: against }, dst: { id: first }, confidence: 1 } as const
    world.observe({ edges: [edge] })
    judge(world)
    expect(world.record(first).facets.standing).toBe('contested')
    expect(world.record(first).changes.at(-1)?.cause).toBe('contradicted')
    for (const id of victims.slice(1)) expect(world.record(id).facets.standing).toBe('active')
    expect(world.record(erased).facets.standing).toBe('contested')
    // The one that corrected them is superseded: it disputes nobody any more.
    expect(world.state.disputes.size).toBe(known)
  })
})
