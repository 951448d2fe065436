import { expect, test } from 'vitest'
import type { RequestOf } from '../../src/contract/operations.ts'
import { observeCommand } from '../../src/runtime/normalise/observe.ts'
import { isLarge, screenJobsOf } from '../../src/runtime/observe.ts'

const LONG = 'x'.repeat(16 * 1024 + 1)
const commandOf = (request: RequestOf<'observe'>) => observeCommand(request).command

test.each<[string, RequestOf<'observe'>]>([
  ['one text', { input_text: LONG.slice(1), handoff: { summary: '' } }],
  ['eight memories', { nodes: Array.from({ length: 8 }, () => ({ text: 'short' })) }],
])('what is short enough is done in one turn: %s', (_, request) => {
  expect(isLarge(commandOf(request))).toBe(false)
})

test.each<[string, RequestOf<'observe'>]>([
  ['a text', { input_text: LONG }],
  ['a title', { memory: { text: 'short', title: LONG } }],
  ['a list', { execution: { summary: 'short', target_files: [LONG] } }],
  ['a run', { execution: { summary: 'short' }, run_id: LONG }],
  ['a reference', { memory: { text: 'short', raw_ref: LONG } }],
  ['an addressee', { handoff: { summary: 'short', target_role: LONG } }],
  ['a handoff', { handoff: { handoff_text: LONG } }],
  ['a claim', { claims: [{ subject_key: 'a', predicate: 'is', value: { inner: LONG } }] }],
  ['nine memories', { nodes: Array.from({ length: 9 }, () => ({ text: 'short' })) }],
])('more than that is large, whatever it is made of: %s', (_, request) => {
  expect(isLarge(commandOf(request))).toBe(true)
})

test('every text of a large request is for the pool: of memories, nodes, the handoff and claims, each with its context', () => {
  const command = commandOf({
    input_text: LONG,
    nodes: [{ text: 'short' }, { text: `${LONG}y` }],
    handoff: { handoff_text: `${LONG}z` },
    claims: [{ subject_key: 'port', predicate: 'is', value: 'open' }],
  })
  const jobs = screenJobsOf(command)
  const texts = new Set(jobs.map(({ text }) => text))
  for (const text of [LONG, 'short', `${LONG}y`, `${LONG}z`]) expect(texts).toContain(text)
  expect([...texts].some((text) => text.includes('open'))).toBe(true)
  expect(jobs[0]?.context).toEqual({ domain: 'general', declaredType: 'fact', queryText: null })
})

test('of unknown fields of a memory twenty are named, and the rest is counted', () => {
  const colours = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`colour${at}`, 'red']))
  const { command, warnings } = observeCommand({ memory: { text: 'x', ...colours } })
  expect(command.memories[0]?.content.payload).toEqual(colours)
  expect(warnings).toHaveLength(21)
  expect(warnings.at(-1)).toBe('10 further fields of memory are not known and were kept as payload')
})
