import { expect, test } from 'vitest'
import type { GuideView } from '../../src/core/guide/entry.ts'
import { isStrongMatch, sharedNameTest, touchTest } from '../../src/core/guide/fold.ts'
import type { Content, MemoryRecord } from '../../src/core/model/record.ts'
import { idOf, sampleEntry, sampleRecord, VIEW } from '../support/guide-samples.ts'

type Parts = readonly [Partial<Content>, Partial<Omit<MemoryRecord, 'content'>>]

function isRelevant(
  [content, record]: Parts,
  view: Partial<GuideView>,
  usable: readonly MemoryRecord[] = [],
): boolean {
  return touchTest({ ...VIEW, ...view }, usable)(sampleRecord(idOf(1), content, record))
}

const usable = (
  content: Partial<Content>,
  record: Partial<Omit<MemoryRecord, 'content'>>,
): readonly MemoryRecord[] => [sampleRecord(idOf(2), content, record)]

test('a warning of the task or workflow that is asked for is relevant', () => {
  expect(isRelevant([{}, { taskSignature: 't' }], { taskSignature: 't' })).toBe(true)
  expect(isRelevant([{}, { workflowSignature: 'w' }], { workflowSignature: 'w' })).toBe(true)
  expect(isRelevant([{}, { taskSignature: 't' }], { taskSignature: 'u', workflowSignature: 't' })).toBe(false)
  expect(isRelevant([{}, {}], {})).toBe(false)
})

test('a warning that names a path or identifier of the query is relevant', () => {
  expect(
    isRelevant([{ targetFiles: ['src/auth/Login.ts'] }, {}], { queryIdentifiers: ['auth/login.ts'] }),
  ).toBe(true)
  expect(isRelevant([{ targetFiles: ['src/auth/login.ts'] }, {}], { queryIdentifiers: ['in.ts'] })).toBe(
    false,
  )
  expect(isRelevant([{ text: 'Call getUserById() twice.' }, {}], { queryIdentifiers: ['getUserById'] })).toBe(
    true,
  )
  expect(
    isRelevant([{ text: 'Call getUserByIdentity() twice.' }, {}], { queryIdentifiers: ['getUserById'] }),
  ).toBe(false)
})

test('a warning that shares a signature or path with usable memory is relevant', () => {
  expect(isRelevant([{}, { taskSignature: 't' }], {}, usable({}, { taskSignature: 't' }))).toBe(true)
  expect(isRelevant([{ targetFiles: ['a.ts'] }, {}], {}, usable({ targetFiles: ['a.ts'] }, {}))).toBe(true)
  expect(isRelevant([{ targetFiles: ['a.ts'] }, {}], {}, usable({ targetFiles: ['b.ts'] }, {}))).toBe(false)
})

test('a warning of the run that asks is relevant', () => {
  expect(isRelevant([{}, { runId: 'r-7' }], { queryIdentifiers: ['r-7'] })).toBe(true)
  expect(isRelevant([{}, { runId: 'r-7' }], { queryIdentifiers: ['r-70'] })).toBe(false)
})

test('a warning may name what usable memory names: paths, symbols and ids, not words, numbers or dates', () => {
  const shares = (said: string, useNow: Partial<Content>): boolean =>
    sharedNameTest(usable(useNow, {}))(sampleRecord(idOf(1), { text: said }))
  expect(shares('refreshToken() loops.', { text: 'Call refreshToken() once.' })).toBe(true)
  expect(shares('Broke src/db/pool.ts.', { text: 'x', targetFiles: ['src/db/pool.ts'] })).toBe(true)
  expect(shares('JIRA-123 came back.', { summary: 'JIRA-123 is closed.' })).toBe(true)
  expect(shares('The token loops.', { text: 'Call the token once.' })).toBe(false)
  expect(shares('Failed on 2026-10-30 at 8080.', { text: 'Since 2026-10-30 the port is 8080.' })).toBe(false)
  expect(shares('refreshToken() loops.', { text: 'Call refreshTokens() once.' })).toBe(false)
})

test('a strong match is one that shows on its own what the memory is about', () => {
  const found = (reason: string, isWeak = false): boolean =>
    isStrongMatch(
      sampleEntry(sampleRecord(idOf(1), {}), { recallSources: [{ kind: 'x', score: 1, reason }], isWeak }),
    )
  expect(['exact_identifier', 'text_match', 'semantic_match'].map((reason) => found(reason))).toEqual([
    true,
    true,
    true,
  ])
  expect(['weak_text_match', 'same_task', 'recency'].map((reason) => found(reason))).toEqual([
    false,
    false,
    false,
  ])
  expect(found('text_match', true)).toBe(false)
})
