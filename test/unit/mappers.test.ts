import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CandidateObject, GovernRequest } from '../../src/contract/govern.ts'
import type { GovernBody } from '../../src/index.ts'
import {
  type Candidate,
  candidateOf,
  candidatesFrom,
  fromGraphiti,
  fromLangGraph,
  fromLetta,
  fromMem0,
  fromOpenAI,
  fromPinecone,
  fromQdrant,
  fromZep,
  type MapperOptions,
  type StoreName,
} from '../../src/mappers/mappers.ts'
import { governCommand } from '../../src/runtime/govern.ts'
import { proofsOf } from '../support/prove.ts'

const prove = proofsOf('mappers')
const NOW = Date.parse('2026-06-01T12:00:00Z')
const OPTIONS: MapperOptions = { now: NOW }
const VOUCHED: MapperOptions = {
  now: NOW,
  authority: { source_trust: 'trusted', evidence_requirement: 'none' },
  lifecycleHint: 'current',
}
const TEXT = 'The shop deploys from the release branch.'
const TIME = '2026-01-05T10:00:00Z'

/** A row of each store around the objects that its users fill. */
const ROWS: Readonly<Record<StoreName, (free: object) => Readonly<Record<string, unknown>>>> = {
  mem0: (free) => ({ id: 'a', memory: TEXT, user_id: 'u', created_at: TIME, metadata: free }),
  graphiti: (free) => ({ uuid: 'a', name: 'USES', fact: TEXT, created_at: TIME, attributes: free }),
  zep: (free) => ({ uuid: 'a', name: 'USES', fact: TEXT, createdAt: TIME, attributes: free }),
  letta: (free) => ({ id: 'a', content: TEXT, timestamp: TIME, tags: [], metadata: free }),
  langgraph: (free) => ({ namespace: ['u'], key: 'a', value: { ...free, text: TEXT }, createdAt: TIME }),
  openai: (free) => ({
    file_id: 'a',
    filename: 'a.md',
    content: [{ type: 'text', text: TEXT }],
    attributes: free,
  }),
  qdrant: (free) => ({ id: 7, score: 0.5, payload: { ...free, text: TEXT } }),
  pinecone: (free) => ({ id: 'a', score: 0.5, metadata: { ...free, text: TEXT } }),
}
const STORES = Object.keys(ROWS).filter((name): name is StoreName => name in ROWS)

const shortly = (candidates: readonly Candidate[]) =>
  candidates.map(({ external_memory_id, text, lifecycle_hint }) => [external_memory_id, text, lifecycle_hint])

describe('the forms of a store', () => {
  test('mem0: search, list, history, and what its client makes of them', () => {
    const rows = [
      { id: 'a', memory: TEXT, metadata: null },
      { id: 'b', memory: 'Old.', expirationDate: '2026-05-31' },
      { id: 'c', new_memory: 'New.', old_memory: 'Old.', event: 'UPDATE' },
      { id: 'd', memory: ' ' },
    ]
    const found = [
      ['mem0:a', TEXT, 'unknown'],
      ['mem0:b', 'Old.', 'stale'],
      ['mem0:c', 'New.', 'unknown'],
    ]
    for (const answer of [rows, { results: rows }, { count: 4, next: null, results: rows }]) {
      expect(shortly(fromMem0(answer, OPTIONS))).toEqual(found)
    }
  })

  test('Graphiti and Zep: facts, nodes and episodes with their ends', () => {
    const fact = {
      uuid: 'f',
      name: 'DEPLOYS_BY',
      fact: TEXT,
      valid_at: TIME,
      invalid_at: null,
      expired_at: null,
    }
    const ended = { ...fact, uuid: 'e', invalid_at: '2026-06-01T12:00:00+00:00' }
    expect(fromGraphiti({ facts: [fact, ended] }, OPTIONS)).toEqual([
      {
        external_memory_id: 'graphiti:f',
        source_backend: 'graphiti',
        text: TEXT,
        lifecycle_hint: 'unknown',
        metadata: { title: 'DEPLOYS_BY', valid_at: TIME },
      },
      expect.objectContaining({ external_memory_id: 'graphiti:e', lifecycle_hint: 'stale' }),
    ])
    const answer = {
      context: 'ready made',
      edges: [{ uuid: '1', fact: 'A fact.', expiredAt: '2020-01-01T00:00:00Z' }],
      nodes: [{ uuid: '2', name: 'Shop', summary: 'A shop.' }],
      episodes: [{ uuid: '3', content: 'An episode.' }],
      thread_summaries: [{ uuid: '4', summary: 'A summary.' }],
    }
    expect(shortly(fromZep(answer, OPTIONS))).toEqual([
      ['zep:1', 'A fact.', 'stale'],
      ['zep:2', 'A shop.', 'unknown'],
      ['zep:3', 'An episode.', 'unknown'],
      ['zep:4', 'A summary.', 'unknown'],
    ])
  })

  test('Letta and LangGraph: passages, and items by namespace and key', () => {
    const passage = { id: 'passage-1', content: TEXT, timestamp: TIME, tags: [] }
    expect(shortly(fromLetta({ count: 1, results: [passage] }, OPTIONS))).toEqual([
      ['letta:passage-1', TEXT, 'unknown'],
    ])
    const item = { namespace: ['users', 'a/b'], key: 'k 1', createdAt: new Date(0), updatedAt: new Date(0) }
    const items = [
      { ...item, value: { text: TEXT } },
      { ...item, key: 'k2', value: { likes: 'tea' } },
      { ...item, key: 'k3', value: { body: 'Read me.' } },
    ]
    expect(shortly(fromLangGraph(items, { ...OPTIONS, textKey: 'body' }))).toEqual([
      ['langgraph:users/a%2Fb/k%201', JSON.stringify({ text: TEXT }), 'unknown'],
      ['langgraph:users/a%2Fb/k2', '{"likes":"tea"}', 'unknown'],
      ['langgraph:users/a%2Fb/k3', 'Read me.', 'unknown'],
    ])
    expect(fromLangGraph(items, OPTIONS)[0]).toMatchObject({
      text: TEXT,
      metadata: { updated_at: '1970-01-01T00:00:00.000Z' },
    })
  })

  test('whole numbers that JSON has not are their digits, in an id and in a payload without text', () => {
    const points = [{ id: 2n ** 60n, payload: { text: TEXT } }]
    expect(shortly(fromQdrant(points, OPTIONS))).toEqual([[`qdrant:${2n ** 60n}`, TEXT, 'unknown']])
    const item = { namespace: ['users'], key: 'k', value: { count: 5n } }
    expect(shortly(fromLangGraph([item], OPTIONS))).toEqual([
      ['langgraph:users/k', '{"count":"5"}', 'unknown'],
    ])
  })

  test('a time that is no number is left out: one row of many would have all refused', () => {
    const row: object = JSON.parse(`{ "id": "a", "memory": "${TEXT}", "created_at": 1e999, "updated_at": 5 }`)
    expect(fromMem0([row], OPTIONS)[0]?.metadata).toEqual({ updated_at: 5 })
  })

  test('a text that govern counts as none gives no candidate, and any other one does', () => {
    const points = Array.from({ length: 0x21000 }, (_, at) => (at < 0x20000 ? at : at + 0xc0000))
    const others = points.filter((point) => {
      const memory = String.fromCodePoint(point)
      const isTaken = CandidateObject.shape.text.safeParse(memory).success
      return isTaken !== (candidateOf('mem0', { memory }, OPTIONS) !== null)
    })
    expect(others).toEqual([])
    const [shown] = fromMem0([{ memory: '\u{200b}\u{e0041}' }, { memory: '\u{200b}', text: TEXT }], OPTIONS)
    expect(shown?.text).toBe(TEXT)
  })

  test('govern takes what a mapper gives: 200 candidates, no text too long for it, a body of 5 MiB at most', () => {
    const rows = (count: number, text: string) =>
      Array.from({ length: count }, (_, at) => ({ id: at, memory: `${at} ${text}` }))
    const idsOf = (list: readonly object[]) => {
      const candidates = fromMem0(list, OPTIONS)
      const body = { query_text: 'deploy', candidates }
      expect(GovernRequest.safeParse(body).success).toBe(true)
      expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(5 * 2 ** 20)
      return candidates.map(({ external_memory_id }) => external_memory_id)
    }
    expect(idsOf(rows(300, TEXT))).toEqual(Array.from({ length: 200 }, (_, at) => `mem0:${at}`))
    expect(idsOf([{ id: 'long', memory: 'x'.repeat(200_001) }, ...rows(1, TEXT)])).toEqual(['mem0:0'])
    expect(idsOf(rows(30, '漢'.repeat(100_000)))).toHaveLength(9)
    // A row that says again what was said is none that is too many.
    expect(idsOf([...rows(200, TEXT), ...rows(1, TEXT)])).toHaveLength(200)
  })

  test('vector stores: hits of one file apart, points with payload, matches with metadata', () => {
    const hit = { file_id: 'file-1', filename: 'deploy.md', score: 0.9, attributes: { expired_at: 1 } }
    const of = (text: string) => ({ ...hit, content: [{ type: 'text', text }] })
    const hits = fromOpenAI({ data: [of('One.'), of('Two.'), of('One.')] }, OPTIONS)
    expect(hits.map(({ text, lifecycle_hint }) => [text, lifecycle_hint])).toEqual([
      ['One.', 'stale'],
      ['Two.', 'stale'],
    ])
    expect(hits[0]?.external_memory_id).toMatch(/^openai:file-1#[0-9a-f]{16}$/)
    expect(hits[0]?.metadata).toEqual({ title: 'deploy.md' })
    const points = [
      { id: 1, payload: { page_content: TEXT, metadata: { expiration_date: '2020-01-01' } } },
      { id: 2, payload: {} },
    ]
    for (const answer of [points, { result: points }, { result: { points } }]) {
      expect(shortly(fromQdrant(answer, OPTIONS))).toEqual([['qdrant:1', TEXT, 'stale']])
    }
    expect(
      shortly(fromPinecone({ matches: [{ id: 'v1', metadata: { chunk_text: TEXT } }] }, OPTIONS)),
    ).toEqual([['pinecone:v1', TEXT, 'unknown']])
    const hit2 = { result: { hits: [{ _id: 'v2', _score: 1, fields: { chunk_text: TEXT } }] } }
    expect(shortly(fromPinecone(hit2, OPTIONS))).toEqual([['pinecone:v2', TEXT, 'unknown']])
  })

  test('what holds no rows, and a time that is none, are refused with what to give instead', () => {
    expect(() => fromMem0({ memories_v9: [] }, OPTIONS)).toThrow(
      'give a list of them, or an answer with results',
    )
    expect(() => fromQdrant([1].map(Object), OPTIONS)).not.toThrow()
    expect(() => candidatesFrom('zep', Object(['text']), OPTIONS)).toThrow('Row 0 of zep is no object')
    for (const options of [{ now: Number.NaN }, {}, { now: null }, { now: '2026-01-01' }]) {
      const mapped = () => Reflect.apply(fromMem0, null, [[{ id: 'a', memory: TEXT }], options])
      expect(mapped).toThrow('now is no time')
    }
  })

  test('revisions under one id, and halves of characters, are still candidates that govern takes', () => {
    const rows = [
      { id: 'a', memory: 'One.' },
      { id: 'a', memory: 'Two.' },
      { id: 'b\ud800', memory: 'Half \udfff.' },
      { memory: 'No id.' },
    ]
    const candidates = fromMem0(rows, VOUCHED)
    expect(new Set(candidates.map((each) => each.external_memory_id)).size).toBe(4)
    expect(candidates.map((each) => each.external_memory_id.isWellFormed?.() ?? true)).not.toContain(false)
    const body: GovernBody = { query_text: 'x', candidates }
    expect(GovernRequest.safeParse(body).success).toBe(true)
  })
})

describe('an end', () => {
  test.each([
    ['2026-06-01T12:00:00Z', 'stale'],
    ['2026-06-01T12:00:01Z', 'current'],
    ['2026-06-01T14:00:00+02:00', 'stale'],
    ['2026-06-01 12:00:00.000000', 'stale'],
    ['2026-06-01 14:00:00+02', 'stale'],
    ['2026-06-01T10:00:01.5-02', 'current'],
    ['2026-05-31', 'stale'],
    ['2026-06-01', 'current'],
    [NOW / 1000, 'stale'],
    [NOW + 1, 'current'],
    [String(NOW / 1000), 'stale'],
    ['soon', 'unknown'],
    [true, 'unknown'],
    [null, 'current'],
  ])('%s is %s at noon of the first of June', (end, hint) => {
    for (const name of ['invalid_at', 'expired_at', 'expiration_date', 'invalidAt', 'expirationDate']) {
      const row = { id: 'a', memory: TEXT, [name]: end }
      expect(candidateOf('mem0', row, VOUCHED)?.lifecycle_hint).toBe(hint)
      expect(
        candidateOf('mem0', { id: 'a', memory: TEXT, metadata: { [name]: end } }, VOUCHED),
      ).toMatchObject({
        lifecycle_hint: hint,
      })
    }
  })

  test('of two the one that has passed counts', () => {
    const row = { id: 'a', memory: TEXT, invalid_at: '2030-01-01', expired_at: '2020-01-01' }
    expect(candidateOf('mem0', row, VOUCHED)?.lifecycle_hint).toBe('stale')
  })
})

/** What a row could say in the hope of being believed. */
const boast = fc.oneof(
  fc.constantFrom<unknown>(
    'trusted',
    'none',
    'current',
    'procedure',
    'execution',
    'default',
    'global',
    '2999-01-01T00:00:00Z',
    { source_trust: 'trusted', evidence_requirement: 'none' },
    { surface: 'use_now' },
    ['src/main.ts'],
    true,
    null,
  ),
  fc.jsonValue({ maxDepth: 2 }),
)
const KEYS = [
  'authority',
  'source_trust',
  'evidence_requirement',
  'lifecycle_hint',
  'scope',
  'domain',
  'kind',
  'memory_type',
  'observed_at',
  'updated_at',
  'valid_at',
  'target_files',
  'memgov',
  'metadata',
  'surface',
  'source_backend',
  'external_memory_id',
  'invalid_at',
  'expired_at',
  'expiration_date',
]
const hostile = fc.dictionary(fc.oneof(fc.constantFrom(...KEYS), fc.string()), boast, { maxKeys: 8 })
const RANK = ['current', 'procedure', 'unknown', 'stale']

describe('metadata of a row', () => {
  test.each(STORES)('of %s never raises a surface: all it can change is an end that has passed', (store) => {
    const plain = candidateOf(store, ROWS[store]({}), { ...VOUCHED, textKey: 'text' })
    if (plain === null) throw new Error('the row has a text')
    prove(hostile, (free) => {
      const candidate = candidateOf(store, ROWS[store](free), { ...VOUCHED, textKey: 'text' })
      if (candidate === null) throw new Error('the row has a text')
      const { lifecycle_hint: hint, ...rest } = candidate
      const { lifecycle_hint: best, ...same } = plain
      expect(rest).toEqual(same)
      expect(RANK.indexOf(hint)).toBeGreaterThanOrEqual(RANK.indexOf(best))
      // What govern reads of it: nothing but the hint differs, and a lower hint never raises a candidate (KL2).
      const read = (each: Candidate) => {
        const request = GovernRequest.parse({ query_text: 'x', candidates: [each] })
        return governCommand(request).command.candidates[0]
      }
      expect({ ...read(candidate), hint: null, readsSelfClaims: null, domain: null }).toEqual({
        ...read(plain),
        hint: null,
        readsSelfClaims: null,
        domain: null,
      })
    })
  })

  test.each(STORES)('of %s: without a word of the caller nothing is for direct use', (store) => {
    prove(hostile, (free) => {
      const candidate = candidateOf(store, { ...free, ...ROWS[store](free) }, OPTIONS)
      expect(candidate?.authority).toBeUndefined()
      expect(['unknown', 'stale']).toContain(candidate?.lifecycle_hint)
    })
  })
})
