import { describe, expect, test } from 'vitest'
import { gatherCandidates, visibleCountOf } from '../../src/core/guide/candidates.ts'
import type { GuideCommand } from '../../src/core/guide/entry.ts'
import type { MemoryWrite } from '../../src/core/model/commands.ts'
import type { Audience } from '../../src/core/model/record.ts'
import { claimOf, guideOf, handoffOf, memoryOf, runOf } from '../support/commands.ts'
import { answering, hitsIn, type NamedHit } from '../support/named-hit.ts'
import { World } from '../support/world.ts'

const ANNS: Audience = { lane: 'private', ownerAgentId: 'ann', ownerTeamId: null }

describe('what a guide considers', () => {
  const NO_HITS: readonly NamedHit[] = []
  const gathered = (world: World, parts: Partial<GuideCommand> = {}, hits = NO_HITS) =>
    [...gatherCandidates(world.state, guideOf(parts), hitsIn(world.state, hits), world.nowMs)].map(
      ({ record, recallSources }) => ({
        text: record.content.text,
        why: recallSources.map(({ reason }) => reason),
      }),
    )
  const texts = (world: World, parts: Partial<GuideCommand> = {}, hits = NO_HITS): readonly string[] =>
    gathered(world, parts, hits).map(({ text }) => text)
  const weak = (world: World, parts: Partial<GuideCommand> = {}, hits = NO_HITS): readonly string[] =>
    [...gatherCandidates(world.state, guideOf(parts), hitsIn(world.state, hits), world.nowMs)].flatMap(
      (one) => (one.isWeak ? one.record.content.text : []),
    )
  const noted = (world: World, count: number, rest: Partial<MemoryWrite> = {}): readonly string[] =>
    Array.from({ length: count }, (_, n) => world.write(memoryOf({ text: `note ${n}` }, rest)))

  test('all of a scope of twelve visible memories, the newest first, and nothing of one of thirteen', () => {
    const world = new World()
    noted(world, 12)
    noted(world, 5, { audience: ANNS })
    expect(visibleCountOf(world.state, guideOf())).toBe(12)
    expect(gathered(world)).toEqual(
      Array.from({ length: 12 }, (_, n) => ({ text: `note ${11 - n}`, why: ['small_scope'] })),
    )
    noted(world, 1)
    expect(visibleCountOf(world.state, guideOf())).toBe(13)
    expect(gathered(world)).toEqual([])
  })

  test('the six oldest visible preferences, rules and words of a project, in a scope of any size', () => {
    const world = new World()
    noted(world, 13)
    world.write(memoryOf({ text: 'hers' }, { memoryType: 'rule', audience: ANNS }))
    for (let n = 0; n < 7; n++)
      world.write(memoryOf({ text: `rule ${n}` }, { memoryType: n % 2 === 0 ? 'rule' : 'preference' }))
    expect(gathered(world)).toEqual(
      [0, 1, 2, 3, 4, 5].map((n) => ({ text: `rule ${n}`, why: ['standing_memory'] })),
    )
  })

  test('with full power the twenty-four newest live claims', () => {
    const world = new World()
    noted(world, 13)
    const claims = Array.from({ length: 26 }, (_, n) => claimOf(`slot ${n}`, { value: `${n}` }))
    world.observe({ claims })
    world.observe({ claims: [claimOf('slot 25', { value: 'newer' })] })
    expect(gathered(world)).toEqual([])
    const told = gathered(world, { fullPower: true })
    expect(told.map(({ why }) => why)).toEqual(Array.from({ length: 24 }, () => ['live_claim']))
    expect([told[0]?.text, told[1]?.text, told[23]?.text]).toEqual([
      'service port: newer',
      'service port: 24',
      'service port: 2',
    ])
  })

  test('with full power the runs of the task: handoffs, then what went well, then the rest, the newest first', () => {
    const world = new World()
    noted(world, 13)
    const task = { taskSignature: 'task' }
    for (const n of [1, 2, 3]) {
      world.write(runOf({ text: `went well ${n}` }, task))
      world.write(runOf({ text: `failed ${n}`, outcome: n === 2 ? 'blocked' : 'failed' }, task))
    }
    world.observe({ handoff: handoffOf(memoryOf({ text: 'handed over' }, task), { anchor: 'a' }) })
    world.write(runOf({ text: 'other task' }, { taskSignature: 'other' }))
    world.write(memoryOf({ text: 'no run' }, task))
    world.write(runOf({ text: 'hers' }, { ...task, audience: ANNS }))
    const asked = { fullPower: true, taskSignature: 'task', limit: 30 }
    const all = [
      'handed over',
      'went well 3',
      'went well 2',
      'went well 1',
      'failed 3',
      'failed 2',
      'failed 1',
    ]
    expect(texts(world, asked)).toEqual(all)
    expect(texts(world, { ...asked, fullPower: false })).toEqual([])
    expect(texts(world, { ...asked, taskSignature: null })).toEqual([])
    // Two of each go first at least, a third of the limit of each where that is more.
    const early = [
      'handed over',
      'went well 3',
      'failed 3',
      'failed 2',
      'went well 2',
      'went well 1',
      'failed 1',
    ]
    expect(texts(world, { ...asked, limit: 6 })).toEqual(early)
    expect(texts(world, { ...asked, limit: 1 })).toEqual(early)
    expect(texts(world, { ...asked, limit: 7 }).slice(0, 5)).toEqual([
      'handed over',
      'went well 3',
      'went well 2',
      'failed 3',
      'failed 2',
    ])
  })

  test('with full power the runs of the workflow and of the run that asks', () => {
    const world = new World()
    noted(world, 13)
    world.write(runOf({ text: 'of the flow' }, { workflowSignature: 'flow' }))
    world.write(runOf({ text: 'of the run' }, { runId: 'run', clientId: 'c' }))
    world.write(runOf({ text: 'of both' }, { workflowSignature: 'flow', runId: 'run' }))
    expect(texts(world, { fullPower: true, workflowSignature: 'flow' })).toEqual(['of both', 'of the flow'])
    expect(texts(world, { fullPower: true, runId: 'run' })).toEqual(['of both', 'of the run'])
    expect(texts(world, { fullPower: true, runId: 'run', workflowSignature: 'flow' })).toEqual([
      'of both',
      'of the run',
      'of the flow',
    ])
    world.write(runOf({ text: 'of another run' }, { runId: 'another', clientId: 'c' }))
    expect(texts(world, { fullPower: true, runId: 'run' })).toEqual(['of both'])
  })

  test('a handoff in force that names who asks comes before the others', () => {
    const world = new World()
    noted(world, 13)
    const hand = (text: string, targetAgentId: string | null): unknown =>
      world.observe({
        handoff: handoffOf(memoryOf({ text }, { taskSignature: 'task' }), { anchor: text, targetAgentId }),
      })
    hand('for me', 'local-agent')
    hand('for Ann', 'ann')
    expect(texts(world, { fullPower: true, taskSignature: 'task' })[0]).toBe('for me')
  })

  const hitOf = (memoryId: string, isAboveFloor: boolean): NamedHit =>
    answering(memoryId, { coverage: 0.5, matchedTerms: 2, isAboveFloor })

  test('a memory that is found twice once, with both reasons', () => {
    const world = new World()
    world.observe({ claims: [claimOf('slot')] })
    world.write(memoryOf({ text: 'a rule' }, { memoryType: 'rule' }))
    world.write(runOf({ text: 'a run' }, { taskSignature: 'task' }))
    const command = guideOf({ fullPower: true, taskSignature: 'task' })
    const told = [...gatherCandidates(world.state, command, hitsIn(world.state, []), world.nowMs)].map(
      ({ record, recallSources }) => [record.content.text, ...recallSources],
    )
    const structured = { kind: 'structured', score: 0 }
    const recent = { kind: 'recent', score: 0, reason: 'small_scope' }
    expect(told).toEqual([
      ['a run', { ...structured, reason: 'same_task' }, recent],
      ['service port: one', { ...structured, reason: 'live_claim' }, recent],
      ['a rule', recent, { ...structured, reason: 'standing_memory' }],
    ])
  })

  test('what its text recalls, and the rest of its run behind it', () => {
    const world = new World()
    noted(world, 13)
    const hit = world.write(memoryOf({ text: 'hit' }, { runId: 'run' }))
    world.write(memoryOf({ text: 'beside' }, { runId: 'run' }))
    world.write(memoryOf({ text: 'hers' }, { runId: 'run', audience: ANNS }))
    world.write(memoryOf({ text: 'elsewhere' }, { runId: 'other run' }))
    const hidden = world.write(memoryOf({ text: 'hidden' }, { audience: ANNS }))
    const told = gathered(world, {}, [hitOf(hit, true), hitOf(hidden, true), hitOf('nobody', true)])
    expect(told.map(({ text }) => text)).toEqual(['hit', 'beside'])
    // The rest of its run comes with a strong match only; its neighbour comes with any.
    expect(weak(world, {}, [hitOf(hit, true)])).toEqual([])
    expect(weak(world, {}, [hitOf(hit, false)])).toEqual(['hit', 'beside'])
  })

  test('the rest of the run of a hit, the newest first, while fewer than twice the limit are ranked by text', () => {
    const world = new World()
    noted(world, 13)
    const [hit = '', ...rest] = noted(world, 6, { runId: 'run' })
    const alone = world.write(memoryOf({ text: 'alone' }))
    const told = (limit: number, ...ids: readonly string[]): readonly string[] =>
      gathered(
        world,
        { limit },
        ids.map((id) => hitOf(id, true)),
      ).map(({ text, why }) => `${text}: ${why[0]}`)
    const ranked = ['note 0: text_match', 'note 1: neighbour_of_match', 'note 2: neighbour_of_match']
    const [first = '', second = '', weak = ''] = ranked
    const run = ['note 5: same_run', 'note 4: same_run', 'note 3: same_run']
    expect(rest).toHaveLength(5)
    // A neighbour that is weak beside the best comes last.
    expect(told(2, hit)).toEqual([first, second, ...run, weak])
    expect(told(2, hit, alone).toSorted()).toEqual(['alone: text_match', ...ranked])
    // Beside another hit, too, where the other neighbour is weak as well.
    expect(told(3, hit, alone).slice(2)).toEqual([...run, second, weak])
    const command = guideOf({ limit: 2 })
    const hits = hitsIn(world.state, [hitOf(hit, true)])
    const last = [...gatherCandidates(world.state, command, hits, world.nowMs)].at(-2)
    expect(last?.recallSources).toEqual([{ kind: 'structured', score: 0, reason: 'same_run' }])
  })

  test('a handoff before what went well, and that before what did not, however old they are', () => {
    const world = new World()
    noted(world, 13)
    const task = { taskSignature: 'task' }
    const handed = memoryOf({ text: 'for Ann' }, task)
    world.observe({ handoff: handoffOf(handed, { anchor: 'a', targetAgentId: 'ann' }) })
    for (const n of [1, 2, 3]) {
      world.write(runOf({ text: `went well ${n}` }, task))
      world.write(runOf({ text: `failed ${n}`, outcome: 'failed' }, task))
    }
    const asked = { fullPower: true, taskSignature: 'task', limit: 3 }
    expect(texts(world, asked)).toEqual([
      'for Ann',
      'went well 3',
      'failed 3',
      'failed 2',
      'went well 2',
      'went well 1',
      'failed 1',
    ])
  })

  test('of a task, a workflow and a run that nobody knows nothing', () => {
    const world = new World()
    noted(world, 13)
    for (const key of ['taskSignature', 'workflowSignature', 'runId'])
      expect(texts(world, { fullPower: true, [key]: 'unknown' })).toEqual([])
  })

  test('four hundred runs of a task, the newest', () => {
    const world = new World()
    noted(world, 13)
    const memories = Array.from({ length: 401 }, (_, n) =>
      runOf({ text: `run ${n}` }, { taskSignature: 'task' }),
    )
    world.observe({ memories })
    const told = texts(world, { fullPower: true, taskSignature: 'task' })
    expect([told.length, told[0], told[399]]).toEqual([400, 'run 400', 'run 1'])
  })

  test('the very first memory of a scope, when it is a rule', () => {
    const world = new World()
    world.write(memoryOf({ text: 'first' }, { memoryType: 'rule' }))
    noted(world, 13)
    expect(texts(world)).toEqual(['first'])
  })
})
