import { expect, test } from 'vitest'
import { type BodyOperation, parse, refusalOf } from './parsing.ts'

test('a snapshot takes what a client shows an operator', () => {
  const body = {
    agent_context: { prompt_text: 'p' },
    guide_packet: {},
    memory_decision_trace: {},
    memory_decision_audit: {},
    effect_report: {},
    guide_trace_id: 'g',
    include_markdown: true,
    source_map: {},
  }
  expect(parse('operatorSnapshot', body)).toEqual({ request: body, warnings: [], unknown: [] })
})

const refused: readonly (readonly [BodyOperation, object, string, RegExp])[] = [
  ['operatorSnapshot', { agent_context: 'text' }, 'agent_context', /object/],
  ['operatorSnapshot', { include_markdown: 'yes' }, 'include_markdown', /true or false/],
  ['blastRadius', {}, 'memory_id', /exactly one of/],
  ['blastRadius', { memory_id: 'm', origin: 'user' }, 'memory_id', /exactly one of/],
  ['blastRadius', { memory_id: null }, 'memory_id', /exactly one of/],
  ['blastRadius', { origin: 'rumour' }, 'origin', /user, agent/],
]

test.each(refused)('%s %j is refused at %s', (operation, body, path, sentence) => {
  const { code, message, issues } = refusalOf(() => parse(operation, body))
  expect(code).toBe('invalid_request')
  expect(issues.map((issue) => issue.path)).toContain(path)
  expect(message).toMatch(sentence)
})
