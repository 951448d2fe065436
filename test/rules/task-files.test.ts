import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { GuideCommand } from '../../src/core/guide/entry.ts'
import { TASK_FILE_MEMORIES_MAX } from '../../src/core/guide/standing.ts'
import type { Audience } from '../../src/core/model/record.ts'
import { guideOf, memoryOf, runOf } from '../support/commands.ts'
import { answering, type NamedHit } from '../support/named-hit.ts'
import { proofsOf } from '../support/prove.ts'
import { World } from '../support/world.ts'

const prove = proofsOf('task files')
const ANNS: Audience = { lane: 'private', ownerAgentId: 'ann', ownerTeamId: null }
const FILE = 'src/test/clock.ts'
const ASKED: Partial<GuideCommand> = { fullPower: true, taskSignature: 'task', queryText: 'the login test' }
const TASK = { taskSignature: 'task' }

/** A scope that is not small, with a run of the asked task that changed the file. */
function worked(run: Parameters<typeof runOf>[0] = {}, rest: Parameters<typeof runOf>[1] = {}): World {
  const world = new World()
  for (let n = 0; n < 13; n += 1) world.write(memoryOf({ text: `note ${n}` }))
  world.write(runOf({ text: 'Injected the clock.', targetFiles: [FILE], ...run }, { ...TASK, ...rest }))
  return world
}

/** Weak hits of the question. */
function weakHits(memoryIds: readonly string[]): readonly NamedHit[] {
  const weak = { score: 1, coverage: 0.1, matchedTerms: 1, isExact: false, isAboveFloor: false }
  return memoryIds.map((memoryId) => ({ memoryId, ...weak }))
}

/** On which surface a guide shows each of the weak hits, and whether a file of the task is why. */
function shown(world: World, memoryIds: readonly string[], asked: Partial<GuideCommand> = {}) {
  const hits = weakHits(memoryIds)
  const { memory_use_receipt: receipt } = world.guide({ ...ASKED, ...asked }, hits)
  return memoryIds.map((memoryId) => {
    const found = receipt.decision_summaries.find((one) => one.memory_id === memoryId)
    const isOfFile = found?.recall_sources.some(({ reason }) => reason === 'task_file') ?? false
    return [found?.agent_surface ?? 'none', isOfFile]
  })
}

const OF_FILE = ['use_now', true]
const WEAK = ['inspect_before_use', false]

describe('S13: what names a file of the asked task is no weak match', () => {
  test('whether the run names it in its files or in its text, and the memory in either', () => {
    for (const run of [{}, { targetFiles: [], text: `Injected the clock of ${FILE}.` }]) {
      const world = worked(run)
      const inText = world.write(memoryOf({ text: `Tests take the time from ./${FILE}.` }))
      const inFiles = world.write(memoryOf({ text: 'Tests take the time.', targetFiles: [FILE] }))
      const other = world.write(memoryOf({ text: 'Tests take time, see src/test/time.ts.' }))
      expect(shown(world, [inText, inFiles, other])).toEqual([OF_FILE, OF_FILE, WEAK])
    }
  })

  test('not without its task, nor without full power', () => {
    const world = worked()
    const memory = world.write(memoryOf({ text: `Tests take the time from ${FILE}.` }))
    expect(shown(world, [memory], { taskSignature: 'another' })).toEqual([WEAK])
    expect(shown(world, [memory], { fullPower: false })).toEqual([WEAK])
  })

  test('only by a run that may be used, and that the consumer sees', () => {
    const said = `Tests take the time from ${FILE}.`
    const failed = worked({ outcome: 'failed' })
    const hidden = worked({}, { audience: ANNS })
    const unknown = worked({ outcome: null })
    for (const world of [failed, hidden, unknown])
      expect(shown(world, [world.write(memoryOf({ text: said }))])).toEqual([WEAK])
  })

  test('not by a name without a folder, nor by a file that many name', () => {
    const bare = worked({ targetFiles: ['clock.ts'] })
    expect(shown(bare, [bare.write(memoryOf({ text: 'Tests take the time from clock.ts.' }))])).toEqual([
      WEAK,
    ])
    const world = worked()
    const naming = (n: number): string => world.write(memoryOf({ text: `Case ${n} is in ${FILE}.` }))
    const three = [naming(1), naming(2), naming(3)]
    expect(shown(world, three)).toEqual([OF_FILE, OF_FILE, OF_FILE])
    expect(shown(world, [...three, naming(4)])).toEqual([WEAK, WEAK, WEAK, WEAK])
  })

  test('a few of them', () => {
    const files = Array.from({ length: 6 }, (_, n) => `src/part-${n}.ts`)
    const world = worked({ targetFiles: files })
    const memories = files.map((file) => world.write(memoryOf({ text: `Something is in ${file}.` })))
    const ofFile = shown(world, memories).filter(([, isOfFile]) => isOfFile)
    expect(ofFile).toHaveLength(TASK_FILE_MEMORIES_MAX)
  })

  test('S14 holds for it: what names another file than the question is at most inspect', () => {
    const world = worked({ targetFiles: ['src/refunds/create.ts', 'src/refunds/lock.ts'] })
    const lock = world.write(memoryOf({ text: 'Refunds are taken in turn by src/refunds/lock.ts.' }))
    expect(shown(world, [lock], { queryText: 'reject amounts of refunds' })).toEqual([OF_FILE])
    const asked = { queryText: 'reject amounts in src/invoices/create.ts' }
    expect(shown(world, [lock], asked)).toEqual([['inspect_before_use', true]])
  })

  test('S14 is asked of so much the less text, the more entities a question names', () => {
    const world = new World()
    const text = Array.from({ length: 400 }, (_, n) => `src/other${n}/file.ts`).join(' ')
    const id = world.write(memoryOf({ text }))
    const surfaceFor = (paths: number): readonly string[] => {
      const queryText = Array.from({ length: paths }, (_, n) => `src/asked${n}/file.ts`).join(' ')
      return world.guide({ queryText }, [answering(id)]).agent_context.use_now_memory_ids
    }
    expect(surfaceFor(16)).toEqual([])
    expect(surfaceFor(400)).toEqual([id])
  })

  test('relevance never raises a surface: no memory is shown above what the rules give it without a question', () => {
    const anyMemory = fc.record({
      confidence: fc.constantFrom(0.5, 0.9),
      memoryType: fc.constantFrom('fact' as const, 'event' as const, 'procedure' as const),
      origin: fc.constantFrom('agent' as const, 'document' as const),
      naming: fc.boolean(),
    })
    prove(fc.array(anyMemory, { minLength: 1, maxLength: 3 }), (memories) => {
      const world = worked()
      const ids = memories.map(({ confidence, memoryType, origin, naming }, n) => {
        const text = naming ? `Part ${n} is in ${FILE}.` : `Part ${n}.`
        return world.write(memoryOf({ text, confidence }, { memoryType, origin }))
      })
      for (const [at, [surface]] of shown(world, ids).entries()) {
        const { surface: without } = world.admission(ids[at] ?? '', 'task', guideOf().consumer)
        if (surface === 'use_now') expect(without).toBe('use_now')
        if (memories[at]?.naming === true) expect(surface).toBe(without)
      }
    })
  })
})
