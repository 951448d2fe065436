import { expect, test } from 'vitest'
import type { GuideEntry, GuideView } from '../../src/core/guide/entry.ts'
import { markRelevantWarnings } from '../../src/core/guide/relevance.ts'
import type { Content, MemoryRecord } from '../../src/core/model/record.ts'
import { idOf, sampleEntry, sampleRecord, VIEW } from '../support/guide-samples.ts'

type Parts = readonly [Partial<Content>, Partial<Omit<MemoryRecord, 'content'>>]

function isRelevant(
  [content, record]: Parts,
  view: Partial<GuideView>,
  usable: readonly GuideEntry[] = [],
): boolean {
  const warning = sampleEntry(sampleRecord(idOf(1), content, record), { surface: 'do_not_use', rank: 9 })
  return markRelevantWarnings([...usable, warning], { ...VIEW, ...view }).at(-1)?.relevantWarning ?? false
}

const usable = (
  content: Partial<Content>,
  record: Partial<Omit<MemoryRecord, 'content'>>,
): readonly GuideEntry[] => [sampleEntry(sampleRecord(idOf(2), content, record))]

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

test('only a do_not_use memory is a warning', () => {
  const [entry] = markRelevantWarnings(usable({}, { taskSignature: 't' }), { ...VIEW, taskSignature: 't' })
  expect(entry?.relevantWarning).toBe(false)
})
