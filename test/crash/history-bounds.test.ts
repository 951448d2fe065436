import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ExplainedGuides } from '../../src/actor/explained-guides.ts'
import { createCodec } from '../../src/adapters/codec/codec.ts'
import { unexplainedTurn } from '../../src/core/model/erasure.ts'
import type { Turn } from '../../src/core/model/events.ts'
import { imageOf } from '../../src/core/model/state-image.ts'
import { guideOf, memoryOf } from '../support/commands.ts'
import { replayed, World } from '../support/world.ts'
import { coverTwice, readAll, startLife, until } from './history-life.ts'
import { DIR, GRANT, ManualTimers } from './journal-life.ts'
import { SimulatedDisk } from './simulated-disk.ts'

const codec = createCodec()
const GUIDES = 40

function guided(guides = GUIDES): World {
  const world = new World('t', 's')
  world.write(memoryOf({ text: 'the build needs node twenty' }))
  for (let made = 0; made < guides; made += 1) world.guide(guideOf({ queryText: `build ${made}` }))
  return world
}

const isExplained = (turn: Turn) => turn.events.some(({ type }) => type === 'guide_decided')
/** The state, but for how often rules decided: that is told by explanations, and of the past nobody asks it. */
const bytesOf = (turns: readonly Turn[]) => {
  const image = imageOf(replayed(turns, 't', 's'))
  return { ...image, sections: image.sections.filter(({ name }) => name !== 'rule_counts') }
}

test('explanations before the bound are not archived; every turn, exposure and the state they give stay', async () => {
  const world = guided()
  const disk = new SimulatedDisk()
  const process = disk.start()
  const bounds = [
    { actorKey: 't/s', keptFromSeq: 21 },
    { actorKey: 'nobody/here', keptFromSeq: 99 },
  ]
  const life = await startLife(process, new ManualTimers(), {
    bounds,
    journal: { segmentBytes: 65_536, padTo: 4096 },
  })
  for (const turn of world.turns) {
    await life.journal.append(GRANT, {
      actorKey: 't/s',
      actorSeq: turn.seq,
      payload: codec.encodeTurn(turn),
    })
    await life.journal.append(GRANT, { actorKey: 'u/s', actorSeq: turn.seq, payload: Buffer.alloc(3000, 1) })
  }
  coverTwice(life.journal, 't/s', world.turns.length)
  coverTwice(life.journal, 'u/s', world.turns.length)
  await until(() => disk.namesIn(`${DIR}/wal`).length < 3)
  expect(disk.namesIn(`${DIR}/hist`).length).toBeGreaterThan(1)
  const kept = (await readAll(life.history, 't/s', 1, world.turns.length)).map(({ payload }) =>
    codec.decodeTurn(payload),
  )
  expect(kept.filter(isExplained).map(({ seq }) => seq)).toEqual(
    world.turns.filter((turn) => isExplained(turn) && turn.seq >= 21).map(({ seq }) => seq),
  )
  expect(kept.map(unexplainedTurn)).toEqual(world.turns.map(unexplainedTurn))
  expect(bytesOf(kept)).toEqual(bytesOf(world.turns))
})

test('an actor keeps the explanations of its newest guides, as many as the bound and at most one step more', () => {
  const world = guided(60)
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 4 }), (steps, step) => {
      const bound = new ExplainedGuides(steps * step, step)
      const explained: number[] = []
      for (const turn of world.turns) {
        bound.apply(turn)
        if (isExplained(turn)) explained.push(turn.seq)
        const kept = explained.filter((seq) => seq >= bound.keptFromSeq).length
        expect(kept).toBeGreaterThanOrEqual(Math.min(explained.length, steps * step))
        expect(kept).toBeLessThanOrEqual((steps + 1) * step)
      }
    }),
  )
})
