import { describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../src/contract/operations.ts'
import { parseRequest } from '../../src/contract/parse.ts'
import type { MemoryWrite } from '../../src/core/model/commands.ts'
import { claimMemoryType } from '../../src/core/write/write-claim.ts'
import { jsonOf } from '../../src/runtime/normalise/memory.ts'
import { observeCommand } from '../../src/runtime/normalise/observe.ts'

const observe = (body: object) => observeCommand(parseRequest(OPERATIONS.observe, body).request)
const written = (body: object): { memory: MemoryWrite; warnings: readonly string[] } => {
  const { command, warnings } = observe(body)
  return { memory: command.memories[0]!, warnings }
}

describe('kinds', () => {
  test.each([
    [{ kind: 'fact' }, 'fact', 'fact'],
    [{ kind: 'Preference' }, 'preference', 'Preference'],
    [{ kind: 'project-context' }, 'project_context', 'project-context'],
    [{ kind: 'rule' }, 'rule', 'rule'],
    [{ kind: 'decision' }, 'fact', 'decision'],
    [{ kind: 'decision', type: 'procedure' }, 'fact', 'decision'],
    [{ type: 'concept', memory_kind: 'general_memory' }, 'fact', 'concept'],
    [{ type: 'self_model', memory_kind: 'general_memory' }, 'preference', 'self_model'],
    [{ kind: 'general_memory', type: 'topic' }, 'project_context', 'general_memory'],
    [{ type: 'entity' }, 'fact', 'entity'],
    [{ type: 'procedure' }, 'procedure', 'procedure'],
    [{ type: 'event' }, 'event', 'event'],
    [{ type: 'evidence' }, 'evidence', 'evidence'],
    [{}, 'fact', null],
  ])('%j is typed %s, and the word %s is kept', (memory, memoryType, kind) => {
    expect(written({ memory: { text: 'x', ...memory } }).memory).toMatchObject({
      memoryType,
      kind,
      domain: 'general',
      content: { outcome: null },
    })
  })

  test.each([
    [{ kind: 'decision' }, '"decision" is not known and is typed fact: send one of fact, preference'],
    [{ kind: 'prefrence' }, '"prefrence" is not known and is typed fact; did you mean preference?'],
    [{ kind: 'general_memory', type: 'rul' }, '"rul" is not known and is typed fact'],
  ])('of the unknown kind in %j warnings tell', (memory, told) => {
    const { warnings } = written({ memory: { text: 'x', ...memory } })
    expect(warnings).toEqual([expect.stringContaining(`memory.kind ${told}`)])
    expect(written({ memory: { text: 'x', kind: 'Self-Model' } }).warnings).toEqual([])
    expect(written({ memory: { text: 'x', kind: 'note' } }).warnings).toEqual([])
  })

  test('an execution kind makes execution memory, also from the top level', () => {
    for (const body of [
      { memory: { text: 'x', kind: 'execution_workflow' } },
      { input_text: 'x', memory_kind: 'execution_workflow' },
    ]) {
      expect(written(body).memory).toMatchObject({
        domain: 'execution',
        memoryType: 'execution_memory',
        content: { outcome: 'unknown' },
      })
    }
  })
})

describe('declared lifecycle', () => {
  test.each([
    [{ lifecycle: 'active' }, []],
    [{ lifecycle_hint: 'current' }, []],
    [{ lifecycle_hint: 'procedure' }, []],
    [{ lifecycle_hint: 'unknown' }, []],
    [{ lifecycle_hint: 'stale' }, ['demoted']],
    [{ lifecycle: 'Candidate' }, ['candidate']],
    [{ lifecycle: 'contested' }, ['contested']],
    [{ lifecycle: 'failed' }, ['failed']],
    [{ lifecycle: 'superseded' }, ['superseded']],
    [{ lifecycle: 'expired' }, ['expired']],
    [{ lifecycle_state: 'archived' }, ['archived']],
    [{ tier: 'archive' }, ['archived']],
    [{ tier: 'cold' }, []],
    [{ slots: { lifecycle_state: 'suppressed' } }, ['suppressed']],
    [
      { lifecycle: 'active', lifecycle_hint: 'failed', slots: { lifecycle_state: 'suppressed' } },
      ['failed', 'suppressed'],
    ],
  ])('%j declares %j', (fields, declared) => {
    const { memory, warnings } = written({ memory: { text: 'x', ...fields } })
    expect(memory.declared).toEqual(declared)
    expect(warnings).toEqual([])
  })

  test('an unknown word is named, and declares nothing', () => {
    const { memory, warnings } = written({ memory: { text: 'x', lifecycle: 'shiny' } })
    expect(memory.declared).toEqual([])
    expect(warnings).toEqual([expect.stringContaining('memory.lifecycle is not a known lifecycle word')])
  })

  test('the slots of a step declare too', () => {
    const body = { execution: { title: 'x', slots: { lifecycle_state: 'suppressed' } } }
    expect(written(body).memory.declared).toEqual(['suppressed'])
  })
})

describe('execution', () => {
  test.each([
    ['succeeded', 'succeeded', null],
    ['Failed', 'failed', null],
    ['blocked', 'blocked', null],
    ['interrupted', 'interrupted', null],
    ['unknown', 'unknown', null],
    ['', 'unknown', null],
  ])('the outcome %j is %s', (said, outcome, outcomeRaw) => {
    const { memory, warnings } = written({ execution: { title: 'x', outcome: said } })
    expect(memory.content).toMatchObject({ outcome, outcomeRaw })
    expect(warnings).toEqual([])
  })

  test.each([
    ...['success', 'ok', 'passed', 'done', 'completed'].map((word) => [word, 'succeeded'] as const),
    ...['failure', 'error'].map((word) => [word, 'failed'] as const),
  ])('the outcome %s means %s in any case, and the word is kept', (word, outcome) => {
    const said = [word, word.toUpperCase(), ` ${word.slice(0, 1).toUpperCase()}${word.slice(1)} `]
    for (const each of said) {
      const { memory, warnings } = written({ execution: { title: 'x', outcome: each } })
      expect([memory.content.outcome, memory.content.outcomeRaw]).toEqual([outcome, each.trim()])
      expect(warnings).toEqual([])
    }
  })

  test.each(['Exploded', 'successful', 'not ok', 'errors', 'undone'])(
    'the outcome %s is guessed at no further: it is kept, unknown, and the warning repeats it',
    (said) => {
      const { memory, warnings } = written({ execution: { title: 'x', outcome: said } })
      expect(memory.content).toMatchObject({ outcome: 'unknown', outcomeRaw: said })
      expect(warnings).toEqual([
        expect.stringMatching(/^execution\.outcome is treated as unknown: send one of/),
      ])
    },
  )

  test.each([
    ['succeeded', 'succeeded'],
    ['failed', 'failed'],
    ['blocked', 'was blocked'],
    ['interrupted', 'was interrupted'],
    ['unknown', 'ended'],
  ])('a run that %s and says nothing to a later reader warns', (outcome, ended) => {
    const warningsOf = (said: object) => written({ execution: { outcome, ...said } }).warnings
    expect(warningsOf({}).join()).toContain(`execution says that a run ${ended} and nothing that a later`)
    for (const said of [{ summary: 's' }, { files: ['f'] }]) expect(warningsOf(said)).toEqual([])
    const isFailure = outcome === 'failed' || outcome === 'blocked'
    for (const said of [{ steps: ['a'] }, { raw_ref: 'r' }, { evidence_ref: 'e' }])
      expect(warningsOf(said)).toHaveLength(isFailure ? 1 : 0)
  })

  test('aliases, lists and references find their place', () => {
    const execution = {
      title: 'x',
      steps: ['a', '', 'a'],
      files: ['f', 'f', ' '],
      tool_set: ['t'],
      tools: ['u'],
      acceptance_checks: ['c'],
      evidence_ref: 'e1',
      evidence_refs: ['e2', 'e1'],
      raw_ref: 'raw',
      resume_hint: 'go on',
      reuse_hint: 'or again',
      confidence: 0.2,
      observed_at: '2026-01-31T12:00:00+01:00',
      supersedes: ['my-id', '01980f1c-6f0a-7c31-9d52-3f6f0c8e4a11', { client_id: 'c' }, { id: 'i' }],
    }
    const { memory } = written({ execution })
    expect(memory).toMatchObject({
      observedAtMs: Date.UTC(2026, 0, 31, 11),
      supersedes: [
        { clientId: 'my-id' },
        { id: '01980f1c-6f0a-7c31-9d52-3f6f0c8e4a11' },
        { clientId: 'c' },
        { id: 'i' },
      ],
      content: {
        workflowSteps: ['a', 'a'],
        targetFiles: ['f'],
        tools: ['u', 't'],
        acceptanceChecks: ['c'],
        evidenceRefs: ['e1', 'e2'],
        rawRef: 'raw',
        nextAction: 'go on',
        confidence: 0.2,
        payload: { further_hints: ['or again'] },
      },
    })
  })

  test.each([
    ['vitest', [{ name: 'vitest', status: 'unknown', summary: null }], 0],
    [
      { name: 'vitest', status: 'passed', summary: '12 of 12' },
      [{ name: 'vitest', status: 'passed', summary: '12 of 12' }],
      0,
    ],
    [
      ['tsc', { status: 'great' }],
      [
        { name: 'tsc', status: 'unknown', summary: null },
        { name: 'verifier', status: 'unknown', summary: null },
      ],
      1,
    ],
  ])('the verifier %j is read as evidence', (verifier, evidence, warned) => {
    const { memory, warnings } = written({ execution: { title: 'x', verifier } })
    expect(memory.content.verifier).toEqual(evidence)
    expect(warnings).toHaveLength(warned)
  })
})

describe('what else is kept', () => {
  test('confidence is 0.75 unless stated, everywhere', () => {
    const body = {
      memory: { text: 'x' },
      execution: { title: 'x' },
      handoff: { summary: 's' },
      claims: [{ subject_key: 's', predicate: 'p', value: 1 }],
      edges: [{ type: 'part_of', src: 'a', dst: 'b' }],
    }
    const { command } = observe(body)
    expect([
      ...command.memories.map(({ content }) => content.confidence),
      command.handoff?.memory.content.confidence,
      command.claims[0]?.confidence,
      command.edges[0]?.confidence,
    ]).toEqual([0.75, 0.75, 0.75, 0.75, 0.75])
  })

  test('validity, observation and lineage of a memory are kept', () => {
    const memory = { text: 'x', valid_until: '2027-01-01', observed_at: '2025-01-01', derived_from: 'c' }
    expect(written({ memory }).memory).toMatchObject({
      validUntilMs: Date.UTC(2027, 0, 1),
      observedAtMs: Date.UTC(2025, 0, 1),
      derivedFrom: [{ clientId: 'c' }],
    })
  })

  test('cold content of a memory becomes its payload, and unlisted fields are named', () => {
    const memory = {
      text: 'x',
      payload: { log: 'long' },
      metadata: { a: 1 },
      slots: { b: 2 },
      salience: 0.3,
      colour: 'red',
    }
    const { memory: input, warnings } = written({ memory })
    expect(input.content.payload).toEqual({
      log: 'long',
      metadata: { a: 1 },
      slots: { b: 2 },
      salience: 0.3,
      colour: 'red',
    })
    expect(warnings).toEqual(['field memory.colour is not known and was kept as payload'])
  })

  test('a payload that collides with another field, or is no object, stays whole', () => {
    const clash = { text: 'x', payload: { slots: 1 }, slots: { b: 2 } }
    expect(written({ memory: clash }).memory.content.payload).toEqual({
      slots: { b: 2 },
      payload: { slots: 1 },
    })
    expect(written({ memory: { text: 'x', payload: 'raw' } }).memory.content.payload).toEqual({
      payload: 'raw',
    })
    expect(written({ memory: { text: 'x' } }).memory.content.payload).toBeNull()
  })

  test('the payload shares nothing with the body', () => {
    const body = { memory: { text: 'x', payload: { list: [1] } } }
    const { memory } = written(body)
    body.memory.payload.list.push(2)
    expect(memory.content.payload).toEqual({ list: [1] })
  })

  test('the cold content of a step becomes its payload', () => {
    const execution = {
      title: 'x',
      slots: { a: 1 },
      verification: { status: 'passed' },
      evidence: [{ e: 1 }],
      artifacts: [{ f: 2 }],
      importance: 1,
    }
    const { title: _title, ...cold } = execution
    expect(written({ execution }).memory.content.payload).toEqual(cold)
  })

  test('a copy is plain JSON with whole characters', () => {
    const odd = { a: undefined, b: Number.NaN, c: 'x\ud800', d: [undefined, 1n], ['e\udc00']: true }
    expect(jsonOf(odd)).toEqual({ b: null, c: 'x\ufffd', d: [null, null], ['e\ufffd']: true })
    const parsed: unknown = JSON.parse('{"__proto__": {"polluted": true}}')
    const copy = jsonOf(parsed)
    expect(Object.keys(Object(copy))).toEqual(['__proto__'])
    expect(Object(copy).polluted).toBeUndefined()
  })
})

describe('handoffs and claims', () => {
  test('a handoff is execution memory with facts of its own', () => {
    const handoff = {
      anchor: 'a',
      title: 'T',
      summary: 'S',
      handoff_text: 'H',
      next_action: 'N',
      target_agent: 'b',
      target_team_id: 't',
      target_role: 'reviewer',
      risk: 'low',
      file_path: 'f.ts',
      target_files: ['g.ts'],
      must_keep: ['k'],
      actor: 'me',
      mood: 'good',
    }
    const { command, warnings } = observe({ actor: 'other', task_signature: 's', handoff })
    expect(command.handoff).toMatchObject({
      memory: {
        domain: 'execution',
        memoryType: 'execution_memory',
        kind: 'patch_handoff',
        actorName: 'me',
        taskSignature: 's',
        content: {
          text: 'S\nH\nN',
          summary: 'S',
          nextAction: 'N',
          outcome: null,
          targetFiles: ['g.ts', 'f.ts'],
          payload: { must_keep: ['k'], file_path: 'f.ts', mood: 'good' },
        },
      },
      facts: {
        anchor: 'a',
        handoffKind: 'patch_handoff',
        targetAgentId: 'b',
        targetTeamId: 't',
        targetRole: 'reviewer',
        handoffText: 'H',
        nextAction: 'N',
        risk: 'low',
      },
    })
    expect(warnings).toEqual(['field handoff.mood is not known and was kept as payload'])
  })

  test('a handoff without file is about a task', () => {
    expect(observe({ handoff: { summary: 's' } }).command.handoff?.facts.handoffKind).toBe('task_handoff')
  })

  test('a claim has the defaults of the contract, and null is a value', () => {
    const { command } = observe({ run_id: 'r', claims: [{ subject_key: 's', predicate: 'p', value: null }] })
    expect(command).toMatchObject({ runId: 'r', claimProducerAgentId: null })
    expect(command.claims).toEqual([
      {
        clientId: null,
        subjectKey: 's',
        predicate: 'p',
        value: null,
        valueText: null,
        slotKey: null,
        claimKind: 'ordinary_fact',
        conflictPolicy: 'manual_or_inspect',
        authority: 'advisory',
        confidence: 0.75,
        validFromMs: null,
        evidenceRefs: [],
        sourceMemoryId: null,
        metadata: null,
      },
    ])
  })

  test.each([
    ['preference', 'advisory', 'preference'],
    ['project_fact', 'trusted', 'project_context'],
    ['execution_fact', 'advisory', 'fact'],
    ['external_fact', 'blocked', 'fact'],
    ['ordinary_fact', 'advisory', 'fact'],
    ['preference', 'evidence_only', 'evidence'],
  ] as const)('a %s claim of authority %s is %s memory', (claimKind, authority, memoryType) => {
    expect(claimMemoryType({ claimKind, authority })).toBe(memoryType)
  })

  test('the same warning is given once, and many are counted', () => {
    const nodes = Array.from({ length: 40 }, (_, index) => ({ text: 'x', [`f${index}`]: 1 }))
    const { warnings } = observe({ nodes })
    expect(warnings).toHaveLength(33)
    expect(warnings.at(-1)).toBe('there are 8 further warnings')
  })
})
