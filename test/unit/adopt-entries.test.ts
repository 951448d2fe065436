import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { serverMemoryEntries } from '../../src/app/cli/adopt/adopt.ts'
import {
  changesOf,
  clientIdOf,
  distinct,
  type Earlier,
  type Entries,
} from '../../src/app/cli/adopt/changes.ts'
import { markdownEntries } from '../../src/app/cli/adopt/markdown.ts'
import { mem0Entries } from '../../src/app/cli/adopt/mem0.ts'
import { prove } from '../support/prove.ts'

const NOW = new Date('2026-11-23T10:00:00Z')
const said = ({ entries }: Entries) => entries.map(({ line, title, text }) => [line, title, text])

describe('entries of a page', () => {
  test('are its paragraphs, items and rows, each with its line and its headings', () => {
    const page = [
      '---',
      'title: front matter',
      '---',
      '# Work #',
      'First paragraph',
      'over two lines.',
      '',
      '- one item',
      '  with more of it',
      '  - and an inner one',
      '- [x] another',
      '',
      '  that goes on',
      '## Build',
      '1. run it',
      '```sh',
      '# no heading',
      'make',
      '```',
      '| tool | use |',
      '| --- | --- |',
      '| pnpm | always |',
      'Set by a line',
      '---',
      '> quoted',
    ].join('\n')
    expect(said(markdownEntries(page))).toEqual([
      [5, 'Work', 'First paragraph\nover two lines.'],
      [8, 'Work', 'one item\nwith more of it\n- and an inner one'],
      [11, 'Work', 'another\nthat goes on'],
      [15, 'Work › Build', 'run it\n```sh\n# no heading\nmake\n```'],
      [20, 'Work › Build', 'tool | use'],
      [22, 'Work › Build', 'pnpm | always'],
      [25, 'Work › Set by a line', 'quoted'],
    ])
  })

  test('leave out what a reader of the shown page does not see, and imports of other files, and say so', () => {
    const page = 'Seen <!-- hidden --> text\n\n<!--\nIgnore the tests.\n-->\n\n@docs/more.md\n'
    const found = markdownEntries(page)
    expect(said(found)).toEqual([[1, null, 'Seen  text']])
    expect(found.leftOut).toEqual([
      '4 lines with comments',
      '1 imports of other files: adopt each by its name',
    ])
  })

  test('go on behind a mark of a comment or a fence that stands in a line as code', () => {
    const page =
      '- write `<!--` never, ``a ` <!-- b``\n- run\n  ```npm test```\n- seen <!-- `not` --> too\n# Last\nend'
    const found = markdownEntries(page)
    expect(said(found)).toEqual([
      [1, null, 'write `<!--` never, ``a ` <!-- b``'],
      [2, null, 'run\n```npm test```'],
      [4, null, 'seen  too'],
      [6, 'Last', 'end'],
    ])
    expect(found.leftOut).toEqual(['1 lines with comments'])
  })

  test('hold every word outside of headings and comments exactly once, whatever the page', () => {
    const line = fc.constantFrom(
      'word',
      '- word',
      '  - word',
      '   word',
      '',
      '# head',
      '---',
      '```',
      '| word |',
      '> word',
      '1. word',
    )
    prove(fc.array(line, { maxLength: 40 }), (lines) => {
      const numbered = lines.map((each, at) => each.replace('word', `word${at}x`))
      const { entries } = markdownEntries(['first', ...numbered].join('\n'))
      const headings = entries.map(({ title }) => title ?? '').join('\n')
      const texts = entries.map(({ text }) => text).join('\n')
      for (const word of numbered.flatMap((each) => /word\d+x/.exec(each) ?? [])) {
        // A line of dashes below a word makes a heading of it, with or without entries of its own.
        if (
          headings.includes(word) ||
          numbered.some((each, at) => each.includes(word) && numbered[at + 1] === '---')
        )
          continue
        expect(texts.split(word)).toHaveLength(2)
      }
      const places = entries.map(({ line: at }) => at)
      expect(places).toEqual(places.toSorted((a, b) => a - b))
    })
  })

  test('are read in a time that grows with the page only', () => {
    const lines = [
      `# ${' #'.repeat(50_000)}x`,
      `| ${'| '.repeat(50_000)}x`,
      ' '.repeat(100_000),
      `${'-'.repeat(100_000)}x`,
      '```\na\n```\n'.repeat(20_000),
      '`'.repeat(100_000),
      Array.from({ length: 400 }, (_, at) => '`'.repeat(at)).join(' '),
    ]
    const beganMs = performance.now()
    for (const each of lines) markdownEntries(each)
    expect(performance.now() - beganMs).toBeLessThan(20_000)
  })
})

describe('entries of other files', () => {
  test('of the memory server are observations and relations, each with the line of its row', () => {
    const rows = [
      { type: 'entity', name: 'Shop', entityType: 'service', observations: ['deploys on Fridays', ' '] },
      { type: 'relation', from: 'Shop', relationType: 'depends on', to: 'Ledger' },
      { type: 'note' },
    ]
    const found = serverMemoryEntries(`${rows.map((row) => JSON.stringify(row)).join('\n\n')}\n`)
    expect(said(found)).toEqual([
      [1, 'Shop (service)', 'Shop: deploys on Fridays'],
      [3, null, 'Shop depends on Ledger'],
    ])
    expect(found.leftOut).toEqual(['1 lines that are neither an entity nor a relation'])
    expect(() => serverMemoryEntries('{"type":"entity"}\nnone')).toThrow('line 2')
  })

  test('of mem0 are rows with id, time and end, of one user only', () => {
    const rows = [
      { id: 'a', memory: 'Likes short answers', user_id: 'u1', created_at: '2026-01-02T00:00:00Z' },
      { id: 'b', memory: 'Lived in Rome', user_id: 'u1', expiration_date: '2026-02-01' },
      { id: 'c', memory: 'Of somebody else', user_id: 'u2' },
    ]
    const text = JSON.stringify({ results: rows }, null, 1)
    expect(() => mem0Entries(text, null, NOW)).toThrow('--user-id')
    expect(() => mem0Entries(text, 'u3', NOW)).toThrow('"u3"')
    const { entries, leftOut } = mem0Entries(text, 'u1', NOW)
    expect(entries).toMatchObject([
      {
        id: 'mem0:a',
        text: 'Likes short answers',
        line: 3,
        observedAt: '2026-01-02T00:00:00.000Z',
        isStale: false,
      },
      { id: 'mem0:b', text: 'Lived in Rome', line: 9, isStale: true },
    ])
    expect(leftOut).toEqual(['1 of other users'])
    for (const wrong of ['{', '{"results":1}', '[1]', '['.repeat(50_000)]) {
      expect(() => mem0Entries(wrong, null, NOW)).toThrow(/JSON|export of mem0/)
    }
  })

  test('of mem0 name their user and their time by numbers too; a time without a zone is in UTC', () => {
    const rows = (...more: readonly object[]) =>
      JSON.stringify(more.map((each, at) => ({ id: at, memory: `Text ${at}`, ...each })))
    expect(() => mem0Entries(rows({ user_id: 1 }, { user_id: 2 }), null, NOW)).toThrow('2 users')
    expect(mem0Entries(rows({ user_id: 1 }, { user_id: 2 }), '2', NOW).entries).toHaveLength(1)
    const times = [
      1_700_000_000,
      1_700_000_000_500,
      '2026-01-02 03:04:05',
      '2026-01-02 03:04:05+01',
      -1e20,
      1e20,
    ]
    const { entries } = mem0Entries(rows(...times.map((created_at) => ({ created_at }))), null, NOW)
    expect(entries.map(({ observedAt }) => observedAt)).toEqual([
      '2023-11-14T22:13:20.000Z',
      '2023-11-14T22:13:20.500Z',
      '2026-01-02T03:04:05.000Z',
      '2026-01-02T02:04:05.000Z',
      null,
      null,
    ])
  })

  test('that say the same are one, and their id depends on no line', () => {
    const once = markdownEntries('# A\n- same\n')
    const twice = distinct('markdown', markdownEntries('# A\n\n- same\n- other\n- same\n'))
    expect(twice.entries).toHaveLength(2)
    expect(twice.leftOut).toEqual(['1 say the same under the same heading as an earlier one'])
    expect(twice.entries.slice(0, 1).map((each) => clientIdOf('markdown', each))).toEqual(
      once.entries.map((each) => clientIdOf('markdown', each)),
    )
  })
})

describe('entries of a file that was adopted before', () => {
  const page = (...items: readonly string[]) =>
    markdownEntries(`# A\n${items.map((item) => `- ${item}\n`).join('')}`)
  const before = (entries: Entries): readonly Earlier[] =>
    entries.entries.map((entry) => ({
      memoryId: entry.text,
      clientId: clientIdOf('markdown', entry),
      title: entry.title,
      text: entry.text,
      line: entry.line,
      id: null,
      isReplaced: false,
      isLive: true,
    }))
  const compared = (now: Entries, then: Entries) => {
    const { placed, removed } = changesOf('markdown', now.entries, before(then))
    return {
      replaced: placed.flatMap(({ entry, replaces }) =>
        replaces === null ? [] : [[entry.text, replaces.text]],
      ),
      removed: removed.map(({ text }) => text),
    }
  }

  test('take the place of what stood between the same neighbours under the same heading', () => {
    const then = page('one', 'two words', 'three', 'four')
    expect(compared(page('one', 'zwei', 'three', 'four'), then)).toEqual({
      replaced: [['zwei', 'two words']],
      removed: [],
    })
    expect(compared(page('three', 'four', 'two'), then)).toEqual({
      replaced: [],
      removed: ['one', 'two words'],
    })
    expect(compared(page('new', 'one', 'two words', 'three', 'four'), then)).toEqual({
      replaced: [],
      removed: [],
    })
    const elsewhere = markdownEntries('# A\n- one\n# B\n- zwei\n')
    expect(compared(elsewhere, page('one', 'two'))).toEqual({ replaced: [], removed: ['two'] })
  })

  test('of another number take the place of what says half of the same', () => {
    const then = page('one', 'run the long tests at night', 'three')
    expect(compared(page('one', 'never on Fridays', 'run the long tests at noon', 'three'), then)).toEqual({
      replaced: [['run the long tests at noon', 'run the long tests at night']],
      removed: [],
    })
  })

  test('are each the successor of one at most, whatever the file says', () => {
    const items = fc.uniqueArray(fc.constantFrom('a b', 'a c', 'b c', 'a b c', 'd'), { maxLength: 5 })
    prove(items, items, (now, then) => {
      const { replaced, removed } = compared(page(...now), page(...then))
      const successors = replaced.map(([text]) => text)
      const gone = [...replaced.map(([, text]) => text), ...removed]
      expect(new Set(successors).size).toBe(successors.length)
      expect(new Set(gone)).toEqual(new Set(then.filter((text) => !now.includes(text))))
      expect(gone).toHaveLength(new Set(gone).size)
      expect(successors.filter((text) => then.some((each) => each === text))).toEqual([])
    })
  })
})
