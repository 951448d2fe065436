import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MemoryWrite } from '../../src/core/model/commands.ts'
import { stateHash } from '../../src/core/model/state-image.ts'
import { isSeenByAllWhoSee } from '../../src/core/model/visibility.ts'
import { anyAudience, anyHistory, CORRECTED } from '../arbitraries.ts'
import { claimOf, handoffOf, memoryOf, observeOf, runOf } from '../support/commands.ts'
import { worldAfter } from '../support/history.ts'
import { proofsOf } from '../support/prove.ts'
import { reloaded } from '../support/reload.ts'
import { World } from '../support/world.ts'

const prove = proofsOf('free-text-conflict')
const [OLD, , NEW] = CORRECTED
const TRUSTED = { origin: 'agent' } as const
const DOUBTFUL = { origin: 'document' } as const

describe('a newer text takes back an older one', () => {
  test('C5: a correction contests the older general memory, names itself and the kind of dispute, and moves nothing else', () => {
    prove(fc.tuple(anyHistory, fc.boolean()), ([history, isRevision]) => {
      const world = worldAfter(history)
      const older = world.write(memoryOf({ text: OLD }, { clientId: 'the older' }))
      if (isRevision) world.write(memoryOf({ text: 'nothing yet' }, { clientId: 'the newer' }))
      const facets = world.record(older).facets
      const newer = world.write(memoryOf({ text: NEW }, { clientId: 'the newer' }))
      expect(world.record(older).facets).toEqual({ ...facets, standing: 'contested' })
      const change = world.record(older).changes.at(-1)
      expect(change).toMatchObject({ cause: 'corrected', byMemoryId: newer })
      expect(change?.reason).toContain('no_longer')
      expect(world.admission(older)).toMatchObject({ ruleId: 'S4', reason: 'corrected by a newer memory' })
      expect(world.record(newer).facets.standing).toBe('active')
      expect(world.record(newer).changes).toEqual([])
    })
  })

  test('C5: only a correction of equal or higher trust counts', () => {
    prove(fc.tuple(fc.boolean(), fc.boolean()), ([isOldTrusted, isNewTrusted]) => {
      const world = new World()
      const older = world.write(memoryOf({ text: OLD }, isOldTrusted ? TRUSTED : DOUBTFUL))
      world.write(memoryOf({ text: NEW }, isNewTrusted ? TRUSTED : DOUBTFUL))
      const isContested = isNewTrusted || !isOldTrusted
      expect(world.record(older).facets.standing).toBe(isContested ? 'contested' : 'active')
    })
  })

  test('C5: a correction counts exactly when everyone who sees the older memory sees it', () => {
    prove(fc.tuple(anyAudience, anyAudience), ([audience, theirs]) => {
      const world = new World()
      const older = world.write(memoryOf({ text: OLD }, { audience }))
      world.write(memoryOf({ text: NEW }, { audience: theirs }))
      const isContested = isSeenByAllWhoSee(theirs, audience)
      expect(world.record(older).facets.standing).toBe(isContested ? 'contested' : 'active')
    })
  })

  test('C5: runs, handoffs and claims neither correct nor are corrected by their words', () => {
    type Write = (world: World, text: string) => string
    const anyKind = fc.constantFrom<Write>(
      (world, text) => world.write(runOf({ text })),
      (world, text) =>
        world.observe(observeOf({ handoff: handoffOf(memoryOf({ text }), {}) })).memoryIds[0] ?? '',
      (world, text) =>
        world.observe(observeOf({ claims: [claimOf(null, { value: text })] })).memoryIds[0] ?? '',
    )
    prove(fc.tuple(anyKind, fc.boolean()), ([write, isOlder]) => {
      const world = new World()
      const plain: Write = (_, text) => world.write(memoryOf({ text }))
      const older = (isOlder ? write : plain)(world, OLD)
      ;(isOlder ? plain : write)(world, NEW)
      expect(world.record(older).facets.standing).toBe('active')
    })
  })

  test('C5: without a cue, of another subject, before its time or out of force nothing is corrected', () => {
    const anyFault = fc.constantFrom<Partial<MemoryWrite> & { readonly text: string }>(
      { text: NEW.replace('Corrected: ', '').replace('no longer uses', 'uses the gateway and') },
      { text: 'Corrected: the lunch menu no longer has soup on it.' },
      { text: NEW, declared: ['contested'] },
      { text: NEW, declared: ['superseded'] },
    )
    prove(anyFault, ({ text, ...rest }) => {
      const world = new World()
      const older = world.write(memoryOf({ text: OLD }))
      world.write(memoryOf({ text }, rest))
      expect(world.record(older).facets.standing).toBe('active')
      const later = world.write(memoryOf({ text: OLD }, { clientId: 'later' }))
      expect(world.record(later).facets.standing).toBe('active')
    })
  })

  test('C5: what is written in one request does not correct itself', () => {
    prove(fc.boolean(), (isReversed) => {
      const world = new World()
      const memories = [memoryOf({ text: OLD }), memoryOf({ text: NEW })]
      world.observe(observeOf({ memories: isReversed ? memories.toReversed() : memories }))
      for (const record of world.records()) expect(record.facets.standing).toBe('active')
    })
  })

  test('C5: an actor that is read again decides the same', () => {
    prove(anyHistory, (history) => {
      const live = worldAfter(history)
      live.write(memoryOf({ text: OLD }))
      const back = reloaded(live)
      const command = observeOf({ memories: [memoryOf({ text: NEW })] })
      expect(back.observe(command)).toEqual(live.observe(command))
      expect(back.lastEvents()).toEqual(live.lastEvents())
      expect(stateHash(back.state)).toBe(stateHash(live.state))
    })
  })
})
