import { describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../src/contract/operations.ts'
import { parseRequest } from '../../src/contract/parse.ts'
import { observeCommand } from '../../src/runtime/normalise/observe.ts'
import { refusalOf } from '../contract/parsing.ts'

const observe = (body: object) => observeCommand(parseRequest(OPERATIONS.observe, body).request)
const memoriesOf = (body: object) => observe(body).command.memories
const onlyMemory = (body: object) => {
  const memories = memoriesOf(body)
  expect(memories).toHaveLength(1)
  return memories[0]!
}

describe('where text comes from', () => {
  test('input_text is the text of a memory that names none', () => {
    const { content } = onlyMemory({ input_text: 'Use pnpm', memory: { kind: 'preference' } })
    expect(content).toMatchObject({ text: 'Use pnpm', title: null, titleIsCallers: false, summary: null })
  })

  test.each(['text', 'content', 'input_text'])('memory.%s overrides input_text', (key) => {
    expect(onlyMemory({ input_text: 'outer', memory: { [key]: 'inner' } }).content.text).toBe('inner')
  })

  test.each([
    [{ summary: 'S', title: 'T' }, 'S'],
    [{ text_summary: 'S', title: 'T' }, 'S'],
    [{ title: 'T' }, 'T'],
    [{ text: '  ', title: 'T' }, 'T'],
  ])('the memory %j has the text %s', (memory, text) => {
    expect(onlyMemory({ memory }).content.text).toBe(text)
  })

  test.each([{ payload: { a: 1 } }, { raw_ref: 's3://x' }, { evidence_ref: 'log://x' }])(
    'a titled memory with %j and no words is a pointer without text',
    (pointer) => {
      const { content } = onlyMemory({ memory: { title: 'Build log', ...pointer } })
      expect(content).toMatchObject({ text: '', title: 'Build log', titleIsCallers: true })
    },
  )

  test.each([
    [{ outcome: 'failed' }, ''],
    [{ title: 'T', outcome: 'failed' }, 'T'],
    [{ title: 'T', summary: 'S' }, 'S'],
    [{ outcome: 'failed', steps: ['a', 'b'] }, 'a\nb'],
    [{ title: 'T', evidence_ref: 'log://x' }, ''],
  ])('the step %j without input_text has the text %j', (execution, text) => {
    expect(onlyMemory({ execution }).content.text).toBe(text)
  })

  test.each(['failed', 'blocked'])(
    'a %s step without title, summary, files and checks says what to send for a later reader',
    (outcome) => {
      const warned = (execution: object) =>
        observe({ input_text: 'It hung.', execution: { outcome, ...execution } }).warnings.filter((warning) =>
          warning.includes('send execution.title or execution.summary'),
        )
      expect(warned({})).toHaveLength(1)
      for (const said of [
        { title: 'T' },
        { summary: 'S' },
        { target_files: ['a.ts'] },
        { acceptance_checks: ['c'] },
      ])
        expect(warned(said)).toEqual([])
      expect(warned({ outcome: 'succeeded' })).toEqual([])
      expect(warned({ outcome: 'interrupted' })).toEqual([])
    },
  )

  test('execution with input_text is one memory', () => {
    const body = { input_text: 'Title\nSummary', execution: { title: 'Title', summary: 'Summary' } }
    expect(onlyMemory(body)).toMatchObject({
      domain: 'execution',
      memoryType: 'execution_memory',
      content: { text: 'Title\nSummary', summary: 'Summary', title: 'Title' },
    })
  })

  test('memory and execution together are two memories, and input_text belongs to the memory', () => {
    const body = { input_text: 'Use pnpm', memory: { kind: 'preference' }, execution: { title: 'Ran tests' } }
    expect(memoriesOf(body).map(({ domain, content }) => [domain, content.text])).toEqual([
      ['general', 'Use pnpm'],
      ['execution', 'Ran tests'],
    ])
  })

  test('beside a memory with its own text, input_text belongs to the step', () => {
    const body = {
      input_text: 'Ran tests',
      memory: { text: 'Use pnpm' },
      execution: { outcome: 'succeeded' },
    }
    expect(memoriesOf(body).map(({ content }) => content.text)).toEqual(['Use pnpm', 'Ran tests'])
  })

  test('a memory that names only lane and owner describes the step beside it', () => {
    const memory = { memory_lane: 'private', owner_agent_id: 'a' }
    expect(onlyMemory({ input_text: 'x', memory, execution: { title: 'T' } })).toMatchObject({
      domain: 'execution',
      audience: { lane: 'private', ownerAgentId: 'a' },
      content: { text: 'x' },
    })
  })

  test.each([
    {},
    { input_text: '' },
    { input_text: '   ', memory: { kind: 'fact' } },
    { memory: { payload: { a: 1 } } },
    { memory: {} },
    { execution: { run_id: 'r', target_files: ['a'] } },
    { claims: [], nodes: [], edges: [] },
    { run_id: 'r' },
  ])('%j is nothing to write', (body) => {
    expect(refusalOf(() => observe(body)).code).toBe('observe_requires_memory_or_handoff')
  })

  test.each([
    [{ memory: { text: 'x' }, execution: { run_id: 'r' } }, 'execution'],
    [{ memory: { kind: 'fact' }, handoff: { summary: 's' } }, 'memory'],
    [{ nodes: [{ text: 'x' }, { kind: 'fact' }] }, 'nodes.1'],
    [{ memory: { nodes: [{ kind: 'fact' }] } }, 'memory.nodes.0'],
  ])('%j is refused for its part without words', (body, path) => {
    const refusal = refusalOf(() => observe(body))
    expect(refusal).toMatchObject({ code: 'invalid_request', issues: [{ path }] })
  })

  test('edges alone are accepted, and so are a handoff and claims', () => {
    const edge = { type: 'supersedes', src: { client_id: 'new' }, dst: { id: 'old' } }
    expect(observe({ edges: [edge] }).command.edges).toEqual([
      { type: 'supersedes', src: { clientId: 'new' }, dst: { id: 'old' }, confidence: 0.75 },
    ])
    expect(observe({ handoff: { next_action: 'go' } }).command.handoff?.memory.content.text).toBe('go')
    expect(observe({ claims: [{ subject_key: 's', predicate: 'p', value: 1 }] }).command.claims).toHaveLength(
      1,
    )
  })

  test('nodes are memories, written after the memory and the step', () => {
    const body = {
      input_text: 'main',
      memory: { kind: 'fact', nodes: [{ text: 'inner' }] },
      execution: { title: 'step' },
      nodes: [{ title: 'outer', type: 'event' }],
    }
    expect(memoriesOf(body).map(({ memoryType, content }) => [memoryType, content.text])).toEqual([
      ['fact', 'main'],
      ['execution_memory', 'step'],
      ['fact', 'inner'],
      ['event', 'outer'],
    ])
  })
})

describe('nothing is derived', () => {
  test('ids and signatures that nobody sent stay absent', () => {
    for (const body of [{ input_text: 'x' }, { execution: { title: 'x', slots: { task_signature: 's' } } }]) {
      expect(onlyMemory(body)).toMatchObject({
        clientId: null,
        runId: null,
        taskId: null,
        taskFamily: null,
        taskSignature: null,
        workflowSignature: null,
        validUntilMs: null,
        observedAtMs: null,
      })
    }
  })

  test('what a part does not say, the request or its context says', () => {
    const body = {
      run_id: 'r',
      task_signature: 'top',
      context: { task_signature: 'context', workflow_signature: 'w', task_id: 'i', task_family: 'f' },
      execution: { title: 'x', task_id: 'own' },
    }
    expect(onlyMemory(body)).toMatchObject({
      runId: 'r',
      taskSignature: 'top',
      workflowSignature: 'w',
      taskId: 'own',
      taskFamily: 'f',
    })
  })
})

describe('lanes, owners and producers', () => {
  test.each([
    [{}, { lane: 'shared', ownerAgentId: null, ownerTeamId: null }],
    [{ owner_agent_id: 'a' }, { lane: 'private', ownerAgentId: 'a', ownerTeamId: null }],
    [{ owner_team_id: 't' }, { lane: 'shared', ownerAgentId: null, ownerTeamId: 't' }],
    [
      { owner_agent_id: 'a', owner_team_id: 't' },
      { lane: 'shared', ownerAgentId: 'a', ownerTeamId: 't' },
    ],
    [
      { owner_agent_id: 'a', memory_lane: 'shared' },
      { lane: 'shared', ownerAgentId: 'a' },
    ],
    [
      { agent_id: 'a', actor: 'b', producer_agent_id: 'c' },
      { lane: 'shared', ownerAgentId: null },
    ],
  ])('%j at the top level gives %j', (fields, audience) => {
    expect(onlyMemory({ input_text: 'x', ...fields }).audience).toMatchObject(audience)
    expect(onlyMemory({ execution: { title: 'x' }, ...fields }).audience).toMatchObject(audience)
    const claim = { subject_key: 's', predicate: 'p', value: 1 }
    expect(observe({ claims: [claim], ...fields }).command.claimAudience).toMatchObject(audience)
    expect(observe({ handoff: { summary: 's' }, ...fields }).command.handoff?.memory.audience).toMatchObject(
      audience,
    )
  })

  test('lane and owner inside memory count too, also for its claims', () => {
    const body = {
      memory: { text: 'x', memory_lane: 'private', owner_team_id: 't' },
      claims: [{ subject_key: 's', predicate: 'p', value: 1 }],
    }
    const { command } = observe(body)
    expect(command.memories[0]?.audience).toEqual({ lane: 'private', ownerAgentId: null, ownerTeamId: 't' })
    expect(command.claimAudience).toEqual(command.memories[0]?.audience)
  })

  test('the top level overrules memory and says so', () => {
    const body = { owner_agent_id: 'a', memory: { text: 'x', owner_agent_id: 'b' } }
    expect(onlyMemory(body).audience.ownerAgentId).toBe('a')
    expect(observe(body).warnings).toEqual([
      'memory.owner_agent_id differs from owner_agent_id: the one at the top level counts',
    ])
  })

  test('a node and a handoff have their own lane before that of the request', () => {
    const body = {
      owner_agent_id: 'a',
      nodes: [{ text: 'x', owner_agent_id: 'b' }, { text: 'y' }],
      handoff: { summary: 's', owner_agent_id: 'c' },
    }
    const { command } = observe(body)
    expect(command.memories.map(({ audience }) => audience.ownerAgentId)).toEqual(['b', 'a'])
    expect(command.handoff?.memory.audience.ownerAgentId).toBe('c')
  })

  test('a private memory without owner belongs to local-agent, never to everyone', () => {
    const { command, warnings } = observe({ input_text: 'x', memory_lane: 'private', agent_id: 'a' })
    expect(command.memories[0]?.audience).toEqual({
      lane: 'private',
      ownerAgentId: 'local-agent',
      ownerTeamId: null,
    })
    expect(warnings).toHaveLength(1)
  })

  test.each([
    [{ input_text: 'x', agent_id: 'a' }, 'a', null],
    [{ input_text: 'x', agent_id: 'a', producer_agent_id: 'p' }, 'p', null],
    [{ memory: { text: 'x', producer_agent_id: 'p' } }, 'p', null],
    [{ execution: { title: 'x', agent_id: 'e', team_id: 't' }, producer_agent_id: 'p' }, 'e', 't'],
    [{ input_text: 'x' }, null, null],
  ])('%j is produced by %s', (body, agent, team) => {
    expect(onlyMemory(body)).toMatchObject({ producerAgentId: agent, producerTeamId: team })
  })

  test.each([
    [
      { consumer_agent_id: 'c', producer_agent_id: 'p' },
      { agentId: 'c', teamId: null },
    ],
    [
      { producer_agent_id: 'p', owner_team_id: 't' },
      { agentId: 'p', teamId: 't' },
    ],
    [{ owner_agent_id: 'o' }, { agentId: 'o', teamId: null }],
    [{}, { agentId: 'local-agent', teamId: null }],
  ])('references of %j are resolved with the eyes of %j', (fields, viewpoint) => {
    expect(observe({ input_text: 'x', ...fields }).command.viewpoint).toEqual(viewpoint)
  })

  test('origin is agent unless something says otherwise', () => {
    const claims = [{ subject_key: 's', predicate: 'p', value: 1 }]
    expect(onlyMemory({ input_text: 'x' }).origin).toBe('agent')
    expect(onlyMemory({ input_text: 'x', origin: 'user' }).origin).toBe('user')
    expect(onlyMemory({ origin: 'user', memory: { text: 'x', origin: 'document' } }).origin).toBe('document')
    expect(observe({ claims }).command.claimOrigin).toBe('agent')
    expect(observe({ claims, memory: { text: 'x', origin: 'external' } }).command.claimOrigin).toBe(
      'external',
    )
  })
})
