import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ORIGINS } from '../../src/core/base/closed-sets.ts'
import type { ObserveCommand } from '../../src/core/model/commands.ts'
import { isLess, voiceOf } from '../../src/core/model/principal.ts'
import type { Audience, Consumer } from '../../src/core/model/record.ts'
import { imageOf, stateFrom, stateHash } from '../../src/core/model/state-image.ts'
import { isVisibleTo } from '../../src/core/model/visibility.ts'
import { FILES_REPORTED_MAX, Workspace } from '../../src/core/model/workspace.ts'
import { EVERYONE, LOCAL, memoryOf, observeOf, runOf } from '../support/commands.ts'
import { proving } from '../support/prove.ts'
import { AUTHORITY, replayed, World } from '../support/world.ts'

const prove = proving(150)
const FILES = ['src/a.ts', 'src/b.ts', 'docs/c.md']
const AGENTS: readonly Consumer[] = [
  { agentId: 'ann', teamId: null },
  { agentId: 'bob', teamId: 'red' },
  { agentId: 'cid', teamId: 'blue' },
]
const AUDIENCES: readonly Audience[] = [
  EVERYONE,
  { lane: 'private', ownerAgentId: 'ann', ownerTeamId: null },
  { lane: 'shared', ownerAgentId: null, ownerTeamId: 'red' },
]

const anyMemory = fc.record({
  kind: fc.constantFrom('fact', 'rule', 'run', 'event'),
  files: fc.subarray(FILES),
  origin: fc.constantFrom(...ORIGINS),
  audience: fc.constantFrom(...AUDIENCES),
  runId: fc.constantFrom(null, 'r1', 'r2'),
})
const anyReport = fc.record({
  path: fc.constantFrom(...FILES),
  digest: fc.constantFrom('x', 'y', null),
  origin: fc.constantFrom(...ORIGINS),
  audience: fc.constantFrom(...AUDIENCES),
  reporter: fc.constantFrom(...AGENTS),
  runId: fc.constantFrom(null, 'r1', 'r2'),
})
type Memory = typeof anyMemory extends fc.Arbitrary<infer Value> ? Value : never
type Report = typeof anyReport extends fc.Arbitrary<infer Value> ? Value : never
const anySteps = fc.array(fc.oneof(anyMemory, anyReport), { minLength: 1, maxLength: 10 })

function wrote(world: World, { kind, files, origin, audience, runId }: Memory, n: number): void {
  const content = {
    text: `statement ${n} of the suite`,
    targetFiles: files,
    ...(kind === 'run' ? { outcome: 'succeeded' as const } : {}),
  }
  const rest = { origin, audience, runId }
  if (kind === 'run') world.write(runOf(content, rest))
  else
    world.write(
      memoryOf(content, {
        ...rest,
        memoryType: kind === 'rule' ? 'rule' : kind === 'event' ? 'event' : 'fact',
      }),
    )
}

function reported({ path, digest, origin, audience, reporter, runId }: Report): ObserveCommand {
  const files = { changes: [{ path, digest }], origin }
  return observeOf({ files, viewpoint: reporter, claimAudience: audience, runId })
}

/** The world of these steps, with all of its reports or those that are wanted; each step takes its time either way. */
function worldOf(steps: readonly (Memory | Report)[], wants: (report: Report) => boolean): World {
  const world = new World()
  for (const [n, step] of steps.entries()) {
    const before = world.nowMs
    if ('kind' in step) wrote(world, step, n)
    else if (wants(step)) world.observe(reported(step))
    world.nowMs = before + 1000
  }
  return world
}

const promptFor = (world: World, consumer: Consumer): string =>
  world.compiled({ queryText: 'the suite', consumer }).answer.agent_context.prompt_text

describe('what is said of files', () => {
  test('W1: it raises no surface, changes no facet, and takes only use_now away', () => {
    prove(anySteps, (steps) => {
      const [told, untold] = [worldOf(steps, () => true), worldOf(steps, () => false)]
      for (const [at, record] of told.records().entries()) {
        const same = untold.records()[at]
        if (same === undefined) throw new Error('both worlds have the memory')
        expect([record.facets, record.changes]).toEqual([same.facets, same.changes])
        for (const eyes of [null, ...AGENTS]) {
          const [now, otherwise] = [
            told.admission(record.memoryId, null, eyes),
            untold.admission(same.memoryId, null, eyes),
          ]
          expect(AUTHORITY[now.surface]).toBeLessThanOrEqual(AUTHORITY[otherwise.surface])
          if (now.surface === otherwise.surface) expect(now.ruleId).toBe(otherwise.ruleId)
          else
            expect([otherwise.surface, now.surface, now.ruleId]).toEqual([
              'use_now',
              'inspect_before_use',
              'S15',
            ])
        }
      }
    })
  })

  test('W2: only what its reporter sees, with no less authority, from before and of another run, is marked', () => {
    prove(anySteps, (steps) => {
      const world = worldOf(steps, () => true)
      for (const record of world.records()) {
        const counts = (report: Report): boolean =>
          isVisibleTo(record.audience, report.reporter) &&
          !isLess(
            { authority: report.origin, memoryType: record.memoryType },
            voiceOf(world.state, record),
          ) &&
          (report.runId === null || report.runId !== record.runId) &&
          record.content.targetFiles.includes(report.path)
        const written = steps.findIndex(
          (step, n) => 'kind' in step && record.content.text === `statement ${n} of the suite`,
        )
        const later = steps
          .slice(written + 1)
          .flatMap((step) => ('kind' in step || !counts(step) ? [] : [step]))
        const { fileMark } = world.admission(record.memoryId)
        if (later.length === 0) expect(fileMark).toBeNull()
        if (fileMark === null) continue
        expect(later.map(({ path }) => path)).toContain(fileMark.path)
        expect(later.findLast(({ path }) => path === fileMark.path)?.digest === null).toBe(fileMark.isGone)
      }
    })
  })

  test('W3: a consumer who may not know of a report is answered as if it had not been made', () => {
    prove(anySteps, (steps) => {
      const world = worldOf(steps, () => true)
      for (const consumer of AGENTS) {
        const without = worldOf(steps, ({ audience }) => isVisibleTo(audience, consumer))
        const inBoth = (prompt: string): string => prompt.replaceAll(/\[[0-9a-f-]{36}\]/gu, '[id]')
        expect(inBoth(promptFor(world, consumer))).toBe(inBoth(promptFor(without, consumer)))
      }
    })
  })

  const say = (world: World, digest: Report['digest'], parts: Partial<Report> = {}) =>
    world.observe(
      reported({
        path: 'src/a.ts',
        digest,
        origin: 'agent',
        audience: EVERYONE,
        reporter: LOCAL,
        runId: null,
        ...parts,
      }),
    )

  test('S15: a memory that names a file which is gone is to be inspected, until the file is there again', () => {
    const world = new World()
    const id = world.write(memoryOf({ text: 'a fact of the suite', targetFiles: ['./src/a.ts', 'src/b.ts'] }))
    say(world, null)
    expect(world.admission(id)).toMatchObject({
      surface: 'inspect_before_use',
      ruleId: 'S15',
      reasonCode: 'file_gone',
    })
    expect(promptFor(world, LOCAL)).toMatch(
      /verify: a file that it names is gone \| src\/a\.ts gone since \(\d{4}-\d\d-\d\d\)$/mu,
    )
    say(world, 'x')
    expect(world.surface(id)).toBe('use_now')
    expect(promptFor(world, LOCAL)).toMatch(/ \| src\/a\.ts changed since \(\d{4}-\d\d-\d\d\)$/mu)
    say(world, null, { reporter: { agentId: 'ann', teamId: null } })
    expect(world.surface(id)).toBe('inspect_before_use')
    say(world, 'x')
    expect(world.surface(id)).toBe('use_now')
    // What is observed anew has seen the file as it is.
    const anew = world.write(memoryOf({ text: 'another fact of the suite', targetFiles: ['src/a.ts'] }))
    expect(world.admission(anew).fileMark).toBeNull()
  })

  test('S15: what one reporter alone says is gone is there again when anybody whom its readers hear finds it there', () => {
    const ann = { agentId: 'ann', teamId: null }
    const bob = { agentId: 'bob', teamId: null }
    const ofBob: Audience = { lane: 'private', ownerAgentId: 'bob', ownerTeamId: null }
    const world = new World()
    say(world, 'x', { reporter: ann })
    const content = { text: 'a fact of the suite', targetFiles: ['src/a.ts'] }
    world.write(memoryOf(content, { runId: 'r1' }))
    say(world, null, { reporter: bob, audience: ofBob })
    expect(promptFor(world, bob)).toMatch(/src\/a\.ts gone since/u)
    // The file is as it was before the memory, or its own run made it again: neither is a change to tell.
    say(world, 'x', { reporter: ann })
    expect(promptFor(world, bob)).not.toMatch(/ since \(/u)
    say(world, null, { reporter: bob })
    expect(promptFor(world, ann)).toMatch(/src\/a\.ts gone since/u)
    say(world, 'y', { reporter: ann, runId: 'r1' })
    expect(promptFor(world, ann)).not.toMatch(/ since \(/u)
  })

  test('W2: the same digest again is no change, whoever says so', () => {
    const world = new World()
    say(world, 'x')
    const id = world.write(memoryOf({ text: 'a fact of the suite', targetFiles: ['src/a.ts'] }))
    const turns = world.turns.length
    say(world, 'x')
    expect(world.turns.length).toBe(turns)
    say(world, 'x', { reporter: { agentId: 'ann', teamId: null } })
    expect(world.admission(id).fileMark).toBeNull()
    say(world, 'y', { origin: 'tool' })
    expect(world.admission(id).fileMark).toMatchObject({ path: 'src/a.ts', isGone: false })
  })

  test('W2: the word of less authority marks no rule of a user', () => {
    const world = new World()
    const rule = { origin: 'user', memoryType: 'rule' } as const
    const id = world.write(memoryOf({ text: 'a rule of the suite', targetFiles: ['src/a.ts'] }, rule))
    say(world, null)
    expect(world.admission(id)).toMatchObject({ surface: 'use_now', fileMark: null })
    say(world, null, { origin: 'user' })
    expect(world.surface(id)).toBe('inspect_before_use')
  })

  test('W3: what is said is the same after a replay and after a snapshot', () => {
    proving(30)(anySteps, (steps) => {
      const world = worldOf(steps, () => true)
      for (const state of [replayed(world.turns), stateFrom(imageOf(world.state))]) {
        expect(stateHash(state)).toBe(stateHash(world.state))
        expect(state.workspace.rows()).toEqual(world.state.workspace.rows())
      }
    })
  })

  test('W3: who reports much makes room for it, and what others were told stays', () => {
    const workspace = new Workspace()
    const told = { audience: EVERYONE, reporter: LOCAL, authority: 'agent', runId: null } as const
    workspace.add({ ...told, changes: [{ path: 'kept', digest: 'x' }] }, 0, 1)
    const audience: Audience = { lane: 'private', ownerAgentId: 'ann', ownerTeamId: null }
    for (let n = 0; n <= FILES_REPORTED_MAX; n += 1)
      workspace.add({ ...told, audience, changes: [{ path: `file ${n}`, digest: 'x' }] }, 0, n)
    expect(workspace.size).toBe(FILES_REPORTED_MAX)
    expect(['kept', 'file 0', 'file 1', 'file 2'].map((path) => workspace.ofPath(path).length)).toEqual([
      1, 0, 0, 1,
    ])
  })
})
