import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { eachToken, GRAM, WHOLE, WORD } from '../../src/core/search/tokens.ts'
import { proving } from '../support/prove.ts'
import { createIndex, search, spelledIn } from '../support/search.ts'

function tokens(text: string, kind: number): string[] {
  const found: string[] = []
  eachToken(text, (source, start, end, each) => {
    if (each === kind) found.push(source.lower.slice(start, end))
  })
  return found
}

describe('identifiers are kept whole and split', () => {
  test.each([
    ['getUserId', ['getuserid'], ['get', 'user', 'id']],
    ['HTTPServer', ['httpserver'], ['http', 'server']],
    ['E_CONN_RESET', ['e_conn_reset'], ['conn', 'reset']],
    ['max-retry-count', ['max-retry-count'], ['max', 'retry', 'count']],
    ['1.20.3', ['1.20.3'], ['1', '20', '3']],
    ['std::vector', ['std::vector'], ['std', 'vector']],
    ['src/auth/session.ts', ['src/auth/session.ts', 'session.ts'], ['src', 'auth', 'session', 'ts']],
    ['src\\auth\\session.ts', ['src/auth/session.ts', 'session.ts'], ['src', 'auth', 'session', 'ts']],
    ['user.getId()', ['user.getid', 'getid'], ['user', 'get', 'id']],
    ['conf.max_retries', ['conf.max_retries', 'max_retries'], ['conf', 'max', 'retries']],
    [
      '0190b2f4-9a1c-7c3e-8f00-1234567890ab',
      ['0190b2f4-9a1c-7c3e-8f00-1234567890ab'],
      ['0190b2f4', '9a1c', '7c3e', '8f00', '1234567890ab'],
    ],
  ])('%s', (text, whole, words) => {
    expect(tokens(`see (${text}), please`, WHOLE)).toEqual(whole)
    expect(tokens(`see (${text}), please`, WORD)).toEqual(['see', ...words, 'please'])
  })

  test('no compound is read together with the text around it', () => {
    const text = 'a-1 '.repeat(500)
    const looks = [vi.spyOn(String.prototype, 'indexOf'), vi.spyOn(String.prototype, 'lastIndexOf')]
    const found = tokens(text, WHOLE)
    const read = looks
      .flatMap((look) => look.mock.contexts)
      .map(String)
      .join('').length
    vi.restoreAllMocks()
    expect(found).toHaveLength(500)
    expect(read).toBeLessThan(20 * text.length)
  })

  test('a plural of capitals is one word', () => {
    expect(tokens('two APIs', WORD)).toEqual(['two', 'apis'])
  })

  test('a blob is neither kept whole nor cut at its humps', () => {
    const blob = 'aGVsbG8gd29ybGQh'.repeat(30)
    expect(tokens(`${blob}/x`, WHOLE)).toEqual([])
    expect(tokens(blob, WORD)).toEqual([blob.toLowerCase().slice(0, 64)])
  })
})

test('a query knows which of its words are exact identifiers', () => {
  const text = `Why does src/auth/session.ts or session.ts in v1.2 (release 1.20.3, 2024-05-01) of @acme/web-app throw
    E_CONN_RESET, TS2345 or CVE-2024-12 in getUserId, std::vector, a1b2c3d4 and __init__, but not the well-known YouTube
    page and/or 24/7, 3.5 and 20th, e.g. the 3-year-old plan of GitHub?`
  expect(search.query(text).identifiers).toEqual([
    'src/auth/session.ts',
    'session.ts',
    'v1.2',
    '1.20.3',
    '2024-05-01',
    'e_conn_reset',
    'ts2345',
    'cve-2024-12',
    'getuserid',
    'std::vector',
    'a1b2c3d4',
  ])
})

test('accents, full-width forms and capitals make no difference', () => {
  expect(tokens('Crème BRÛLÉE Ｐａｒｉｓ Ångström Йод Ёлка', WORD)).toEqual([
    'creme',
    'brulee',
    'paris',
    'angstrom',
    'йод',
    'елка',
  ])
})

test('scripts without spaces come as overlapping pairs, a single character alone', () => {
  expect(tokens('東京都 is 猫', GRAM)).toEqual(['東京', '京都', '猫'])
  expect(tokens('ข้อมูล', GRAM)).toEqual(['ข้', '้อ', 'อม', 'มู', 'ูล'])
  expect(tokens('がくせい', GRAM)).toEqual(['がく', 'くせ', 'せい'])
  expect(tokens('데이터베이스', GRAM)).toEqual(['데이', '이터', '터베', '베이', '이스'])
  expect(tokens('𠮷野', GRAM)).toContain('𠮷')
})

test('words of any spaced script are words, emoji are none', () => {
  expect(tokens('Привет мир 👋 नमस्ते दुनिया γειά', WORD)).toEqual(['привет', 'мир', 'नमस्ते', 'दुनिया', 'γεια'])
})

test('endings behind an apostrophe go, and so do negated auxiliaries', () => {
  expect(tokens("Anna's dog won't bark; they’ll don't l'amour", WORD)).toEqual([
    'anna',
    'dog',
    'bark',
    'they',
    'l',
    'amour',
  ])
})

test('regular and irregular forms of a word meet, names of things stay', () => {
  const terms = (text: string) => search.query(text).terms.map((term) => term.spellings[0])
  expect(terms('retries retrying')).toEqual(terms('retry'))
  expect(terms('went bought children')).toEqual(terms('go buy child'))
  expect(terms('ts2345 münchen überfällig')).toEqual(['ts2345', 'munchen', 'uberfallig'])
})

test('a query of stop words asks for nothing', () => {
  expect(search.query('What is it that you have, and why?').terms).toEqual([])
})

test('a long query is bounded in text and terms, and its end counts', () => {
  const words = Array.from({ length: 20_000 }, (_, at) => `w${at.toString(36)}x`)
  expect(search.query(words.join(' ')).terms).toHaveLength(256)
  const repeated = `${'alpha beta '.repeat(5_000)} omega`
  expect(search.query(repeated).terms.map((term) => term.spellings[0])).toEqual(['alpha', 'beta', 'omega'])
})

test('whatever is written is found: every term of a text is in the index that holds it', () => {
  const word = fc.constantFrom(
    'src/a/b.ts',
    'getUserId',
    'Ünder_score',
    '東京都庁',
    'v1.2.3',
    "it's",
    'İstanbul',
    'ΣΑΣ',
  )
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.array(fc.oneof(word, fc.string({ maxLength: 6 })), { maxLength: 12 }).map((words) => words.join(' ')),
  )
  proving(400)(text, (written) => {
    const index = createIndex()
    index.add({ fields: [{ text: written, weight: 1 }], visibilityClass: 0 })
    const spelled = spelledIn(index.image())
    for (const term of search.query(written).terms) {
      expect(spelled).toContain(term.spellings[0])
    }
    index.remove(0, [{ text: written, weight: 1 }])
    expect(index.docCount).toBe(0)
  })
})
