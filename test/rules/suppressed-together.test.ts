import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSuppressed } from '../../src/core/model/lifecycle.ts'
import { stateHash } from '../../src/core/model/state-image.ts'
import { CORRECTED } from '../arbitraries.ts'
import { eraseOf, memoryOf } from '../support/commands.ts'
import { proofsOf } from '../support/prove.ts'
import { reloaded } from '../support/reload.ts'
import { World } from '../support/world.ts'

// What was suppressed with another memory of the same text, from there on.

const prove = proofsOf('suppressed-together')
const [SAID] = CORRECTED
const OTHER = 'The night build of the mobile app runs on the third machine.'

function operate(world: World, id: string, operation: 'suppress' | 'unsuppress', ms: number | null = null) {
  const untilMs = ms === null ? null : world.nowMs + ms
  return world.lifecycle({ operation, memoryIds: [id], untilMs })
}

function isSuppressedIn(world: World, id: string): boolean {
  return isSuppressed(world.record(id).facets, world.nowMs)
}

test('H4: what an operator lifts or suppresses by itself no longer follows', () => {
  const world = new World()
  const first = world.write(memoryOf({ text: SAID }))
  operate(world, first, 'suppress')
  const second = world.write(memoryOf({ text: SAID }, { clientId: 'b' }))
  const third = world.write(memoryOf({ text: SAID }, { clientId: 'c' }))
  operate(world, second, 'unsuppress')
  operate(world, third, 'suppress')
  operate(world, first, 'suppress', 60_000)
  expect([second, third].map((id) => isSuppressedIn(world, id))).toEqual([false, true])
  operate(world, first, 'unsuppress')
  expect(isSuppressedIn(world, third)).toBe(true)
})

test('H4: what says something else by now is not suppressed again with it', () => {
  prove(fc.constantFrom('first', 'second'), (clientId) => {
    const world = new World()
    const first = world.write(memoryOf({ text: SAID }, { clientId: 'first' }))
    operate(world, first, 'suppress')
    const second = world.write(memoryOf({ text: SAID }, { clientId: 'second' }))
    operate(world, first, 'unsuppress')
    world.write(memoryOf({ text: OTHER }, { clientId }))
    operate(world, first, 'suppress')
    expect([first, second].map((id) => isSuppressedIn(world, id))).toEqual([true, false])
  })
})

test('H4: what is suppressed itself stays so, whatever suppressed text a revision says', () => {
  prove(fc.tuple(fc.boolean(), fc.boolean()), ([isOwnTimed, isOtherTimed]) => {
    const world = new World()
    const own = world.write(memoryOf({ text: OTHER }, { clientId: 'own' }))
    operate(world, own, 'suppress', isOwnTimed ? 120_000 : null)
    const other = world.write(memoryOf({ text: SAID }))
    operate(world, other, 'suppress', isOtherTimed ? 60_000 : null)
    const before = world.record(own).facets.suppression
    world.write(memoryOf({ text: SAID }, { clientId: 'own' }))
    const isLonger = isOwnTimed && !isOtherTimed
    expect(world.record(own).facets.suppression).toEqual(
      isLonger ? expect.objectContaining({ untilMs: null }) : before,
    )
    operate(world, other, 'unsuppress')
    expect(isSuppressedIn(world, own)).toBe(!isLonger)
  })
})

test('H4: a request that names both suppresses each for itself, in whatever order', () => {
  prove(fc.boolean(), (isFirstNamedFirst) => {
    const world = new World()
    const first = world.write(memoryOf({ text: SAID }))
    operate(world, first, 'suppress')
    const second = world.write(memoryOf({ text: SAID }, { clientId: 'b' }))
    const memoryIds = isFirstNamedFirst ? [first, second] : [second, first]
    world.lifecycle({ operation: 'suppress', memoryIds })
    operate(world, first, 'unsuppress')
    expect([first, second].map((id) => isSuppressedIn(world, id))).toEqual([false, true])
  })
})

test('H4: once the first is erased, what says it again follows the copy that is left', () => {
  const world = new World()
  const first = world.write(memoryOf({ text: SAID }))
  operate(world, first, 'suppress')
  const second = world.write(memoryOf({ text: SAID }, { clientId: 'b' }))
  world.erase(eraseOf([first]))
  const third = world.write(memoryOf({ text: SAID }, { clientId: 'c' }))
  expect(isSuppressedIn(world, third)).toBe(true)
  operate(world, second, 'unsuppress')
  expect(isSuppressedIn(world, third)).toBe(false)
})

test('H4: a request that lifts both lifts each once, and after an erasure the copy stays suppressed', () => {
  const world = new World()
  const first = world.write(memoryOf({ text: SAID }))
  operate(world, first, 'suppress')
  const second = world.write(memoryOf({ text: SAID }, { clientId: 'b' }))
  const { changedMemoryIds } = world.lifecycle({ operation: 'unsuppress', memoryIds: [first, second] })
  expect(changedMemoryIds).toEqual([first, second])
  expect([first, second].map((id) => isSuppressedIn(world, id))).toEqual([false, false])
  operate(world, first, 'suppress')
  world.erase(eraseOf([first]))
  expect(isSuppressedIn(world, second)).toBe(true)
  const back = reloaded(world)
  expect(stateHash(back.state)).toBe(stateHash(world.state))
})

test('H4: a copy that was erased is left alone when the first is suppressed or restored', () => {
  prove(fc.tuple(fc.boolean(), fc.array(fc.constantFrom('suppress', 'unsuppress'))), ([isLate, acts]) => {
    const world = new World()
    const first = world.write(memoryOf({ text: SAID }))
    operate(world, first, 'suppress')
    const second = world.write(memoryOf({ text: SAID }, { clientId: 'b' }))
    if (isLate) operate(world, first, 'unsuppress')
    world.erase(eraseOf([second]))
    const changes = world.record(second).changes
    for (const act of ['unsuppress', 'suppress', ...acts] as const) operate(world, first, act)
    expect(world.record(second).changes).toEqual(changes)
  })
})
