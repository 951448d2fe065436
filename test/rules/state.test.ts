import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Decide } from '../../src/actor/actor.ts'
import { createCodec } from '../../src/adapters/codec/codec.ts'
import { evolve } from '../../src/core/model/evolve.ts'
import { OPERATION_WINDOW_MS } from '../../src/core/model/state.ts'
import { imageOf, stateFrom, stateHash } from '../../src/core/model/state-image.ts'
import { decideObserve } from '../../src/core/write/observe.ts'
import { once, operationKeyOf } from '../../src/runtime/parts.ts'
import { anyGuideCommand, anyHistory, anyStep } from '../arbitraries.ts'
import { memoryOf, observeOf } from '../support/commands.ts'
import { hitsOf, play, worldAfter } from '../support/history.ts'
import { proofsOf } from '../support/prove.ts'
import { reloaded } from '../support/reload.ts'
import { refusalOf, replayed, World } from '../support/world.ts'

const prove = proofsOf('state')
const codec = createCodec()
const anyHits = anyStep.filter((step) => step.kind === 'guide')

/** One turn of an actor, as the runtime runs it. */
function turnOf<Reply>(world: World, decide: Decide<Reply>): Reply {
  const { events, reply } = decide(world.state, world.nowMs)
  world.commit(events)
  return reply
}

function observing(world: World, text: string): Decide<{ readonly memoryIds: readonly string[] }> {
  return (state, nowMs) => {
    const command = observeOf({ memories: [memoryOf({ text })] })
    const { events, effect } = decideObserve(state, command, nowMs, () => world.newId())
    return { events, reply: { memoryIds: effect.memoryIds } }
  }
}

describe('a repeated operation', () => {
  const anyOperation = fc.record({
    id: fc.constantFrom('op-1', 'op-2', 'op-3'),
    text: fc.constantFrom('one', 'two'),
    waitMs: fc.constantFrom(0, 0, 0, 60_000, OPERATION_WINDOW_MS),
  })

  test('D1: the same operation id and body give the stored answer and write nothing twice', () => {
    prove(fc.array(anyOperation, { maxLength: 20 }), (operations) => {
      const world = new World()
      const known = new Map<string, { text: string; reply: object; atMs: number }>()
      for (const { id, text, waitMs } of operations) {
        world.nowMs += waitMs
        const key = operationKeyOf(codec, 'observe', { operation_id: id, text }, id)
        const before = stateHash(world.state)
        const first = known.get(id)
        const atMs = world.nowMs
        if (first === undefined) {
          known.set(id, { text, reply: turnOf(world, once(codec, key, observing(world, text))), atMs })
          continue
        }
        const isKept = first.text === text && first.atMs > atMs - OPERATION_WINDOW_MS
        const repeat = () => turnOf(world, once(codec, key, observing(world, text)))
        if (isKept) expect(repeat()).toEqual(first.reply)
        else expect(refusalOf(repeat)?.code).toBe('operation_conflict')
        expect(stateHash(world.state)).toBe(before)
      }
      expect(world.memoryIds.length).toBe(known.size)
    })
  })

  test('D1: the order of fields and the operation id itself are no part of the body', () => {
    prove(fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue()), (body) => {
      const turned = Object.fromEntries(Object.entries(body).toReversed())
      const keys = [body, turned, { ...body, operation_id: 'op' }].map((sent) =>
        operationKeyOf(codec, 'observe', sent, 'op'),
      )
      expect(new Set(keys.map((key) => key?.requestHash)).size).toBe(1)
      expect(operationKeyOf(codec, 'forget', body, 'op')?.requestHash).not.toBe(keys[0]?.requestHash)
    })
  })

  test('D1: a repeat after a restart gives the same answer', () => {
    prove(fc.string(), (text) => {
      const world = new World()
      const key = operationKeyOf(codec, 'observe', { text }, 'op')
      const reply = turnOf(world, once(codec, key, observing(world, text)))
      const back = reloaded(world)
      expect(turnOf(back, once(codec, key, observing(back, text)))).toEqual(reply)
      expect(stateHash(back.state)).toBe(stateHash(world.state))
    })
  })
})

describe('the state is what its turns say', () => {
  test('D2: replay of the turns gives the digest of the live state', () => {
    prove(anyHistory, (history) => {
      const world = worldAfter(history)
      const again = replayed(world.turns.map((turn) => codec.decodeTurn(codec.encodeTurn(turn))))
      expect(stateHash(again)).toBe(stateHash(world.state))
      expect(again.exposures).toEqual(world.state.exposures)
    })
  })

  test('D2: an image read back has the digest of the live state, and goes on as the live one does', () => {
    prove(fc.tuple(anyHistory, anyHistory), ([before, after]) => {
      const live = worldAfter(before)
      const back = reloaded(live)
      expect(stateHash(back.state)).toBe(stateHash(live.state))
      for (const step of after) expect(play(back, step)?.code).toBe(play(live, step)?.code)
      expect(back.turns).toEqual(live.turns)
      expect(stateHash(back.state)).toBe(stateHash(live.state))
    })
  })

  test('D2: an image plus the turns after it is the live state, wherever the image was taken', () => {
    prove(fc.tuple(anyHistory, fc.nat()), ([history, cut]) => {
      const world = worldAfter(history)
      const at = cut % (world.turns.length + 1)
      const state = stateFrom(imageOf(replayed(world.turns.slice(0, at))))
      for (const turn of world.turns.slice(at)) evolve(state, turn)
      expect(stateHash(state)).toBe(stateHash(world.state))
    })
  })

  test('D2: two states that differ by one turn have different digests', () => {
    prove(anyHistory, (history) => {
      const world = worldAfter(history)
      const digests = world.turns.map((_, at) => stateHash(replayed(world.turns.slice(0, at + 1))))
      expect(new Set(digests).size).toBe(digests.length)
    })
  })

  test('D3: a rejected request changes nothing, and deciding alone changes nothing', () => {
    prove(fc.tuple(anyHistory, anyHistory, anyGuideCommand, anyHits), ([first, then, command, ask]) => {
      const world = worldAfter(first)
      for (const step of then) {
        const before = stateHash(world.state)
        const turns = world.turns.length
        if (play(world, step) === null) continue
        expect(stateHash(world.state)).toBe(before)
        expect(world.turns.length).toBe(turns)
      }
      const before = stateHash(world.state)
      world.compiled(command, hitsOf(world, ask))
      expect(stateHash(world.state)).toBe(before)
    })
  })
})
