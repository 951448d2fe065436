import { describe, expect, test } from 'vitest'
import { UNIQUE_CANDIDATES_RULE } from '../../src/contract/govern.ts'
import { OPERATIONS } from '../../src/contract/operations.ts'
import { parseRequest } from '../../src/contract/parse.ts'
import { governCommand } from '../../src/runtime/govern.ts'
import { refusalOf } from '../contract/parsing.ts'

const LEAST = { external_memory_id: 'vec:1', source_backend: 'vector-db', text: 'The port is 5432.' }

function read(body: object, ...candidates: readonly object[]) {
  const list = candidates.length === 0 ? [LEAST] : candidates
  const { request, warnings } = parseRequest(OPERATIONS.govern, {
    query_text: 'x',
    candidates: list,
    ...body,
  })
  const meant = governCommand(request)
  return { ...meant, warnings: [...warnings, ...meant.warnings] }
}

const candidateOf = (said: object) => read({}, { ...LEAST, ...said }).command.candidates[0]

describe('what clients send', () => {
  test('a row without metadata, as a mapper fills it in, is the least trusted there is', () => {
    const { command, warnings } = read(
      { mode: 'firewall', context_mode: 'compact_agent', include_records: true },
      {
        ...LEAST,
        metadata: {},
        lifecycle_hint: 'unknown',
        authority: { source_trust: 'unknown', scope: 'unknown', evidence_requirement: 'inspect_before_use' },
        evidence_refs: [],
      },
    )
    expect(warnings).toEqual([])
    expect(command).toMatchObject({ mode: 'firewall', isCompact: true, includeRecords: true })
    expect(command.candidates).toEqual(read({}).command.candidates)
  })

  test.each(['current', 'procedure', 'unknown', 'stale', 'contested', 'failed', 'archived', 'suppressed'])(
    'the hint %s is taken',
    (lifecycle_hint) => expect(candidateOf({ lifecycle_hint })?.hint).toBe(lifecycle_hint),
  )

  test.each([
    ['2026-02-01', '2026-02-01T00:00:00Z'],
    [' 2026-02-01 10:00 ', '2026-02-01T10:00:00Z'],
    ['2026-02-01 10:00:00.123456+00', '2026-02-01T10:00:00.123Z'],
    ['2026-02-01T10:00:00,5+0200', '2026-02-01T08:00:00.500Z'],
    [1_700_000_000.5, '2023-11-14T22:13:20.500Z'],
    ['1700000000', '2023-11-14T22:13:20Z'],
    ['2026-02-30', null],
    ['2026-02-01T10:00:60Z', null],
    ['last week', null],
    [1_700_000_000_000, null],
  ])('the time %j is %s', (created_at, iso) => {
    expect(candidateOf({ metadata: { created_at } })?.times.at(-1)).toBe(
      iso === null ? null : Date.parse(iso),
    )
  })

  test.each(['none', 'inspect_before_use', 'rehydrate_before_use', 'blocked'])(
    'the requirement %s is taken',
    (word) => {
      expect(candidateOf({ authority: { evidence_requirement: word } })?.requirement).toBe(word)
    },
  )

  test.each([
    [undefined, 'standard'],
    [null, 'standard'],
    ['standard', 'standard'],
    ['admission', 'standard'],
    ['strict', 'strict'],
    ['firewall', 'firewall'],
  ])('mode %s is %s', (mode, meant) => expect(read({ mode }).command.mode).toBe(meant))

  test.each([
    [undefined, true],
    ['compact_agent', true],
    ['standard', false],
  ])('context_mode %s is compact: %s', (context_mode, isCompact) => {
    expect(read({ context_mode }).command.isCompact).toBe(isCompact)
  })

  test('null counts as absent everywhere it may be left out', () => {
    const nulls = { lifecycle_hint: null, authority: null, metadata: null, evidence_refs: null }
    expect(candidateOf(nulls)).toEqual(candidateOf({}))
    const inside = { authority: { source_trust: null, scope: null, evidence_requirement: null } }
    expect(candidateOf(inside)).toEqual(candidateOf({}))
  })

  test('200 candidates and a text of 200 000 characters are taken', () => {
    const many = Array.from({ length: 200 }, (_, at) => ({ ...LEAST, external_memory_id: `vec:${at}` }))
    expect(read({}, ...many).command.candidates).toHaveLength(200)
    expect(candidateOf({ text: 'x'.repeat(200_000) })?.text).toHaveLength(200_000)
  })

  test('the scope an authority names is any text, for the audit only', () => {
    expect(candidateOf({ authority: { scope: 'acme/shop' } })).toMatchObject({
      authorityScope: 'acme/shop',
      metadataScope: null,
    })
  })
})

describe('what metadata tells', () => {
  test('title or name, and files under any of their names', () => {
    expect(candidateOf({ metadata: { name: ' Port ' } })?.title).toBe('Port')
    expect(candidateOf({ metadata: { title: 'A', name: 'B' } })?.title).toBe('A')
    for (const key of ['target_files', 'files', 'paths']) {
      expect(candidateOf({ metadata: { [key]: ['a.ts', '', 7, ' b.ts '] } })?.targetFiles).toEqual([
        'a.ts',
        'b.ts',
      ])
    }
    expect(candidateOf({ metadata: { files: 'a.ts' } })?.targetFiles).toEqual(['a.ts'])
    expect(candidateOf({ metadata: { paths: Array(40).fill('a.ts') } })?.targetFiles).toHaveLength(32)
  })

  test('a scope that is not text is still another scope than that of the request', () => {
    expect(candidateOf({ metadata: { scope: ' web ' } })?.metadataScope).toBe('web')
    expect(candidateOf({ metadata: { scope: { id: 1 } } })?.metadataScope).toBe('{"id":1}')
    for (const scope of [null, '', ' '])
      expect(candidateOf({ metadata: { scope } })?.metadataScope).toBe(null)
  })

  test('work is told by what the candidate shows, and a declared domain does not take that back', () => {
    const path = 'The route in src/a.ts is used.'
    expect(candidateOf({})).toMatchObject({ domain: 'general', readsSelfClaims: false })
    expect(candidateOf({ lifecycle_hint: 'procedure' })).toMatchObject({
      domain: 'execution',
      readsSelfClaims: true,
    })
    expect(candidateOf({ text: path })).toMatchObject({ domain: 'execution', readsSelfClaims: true })
    expect(candidateOf({ text: path, metadata: { domain: 'general' } })).toMatchObject({
      domain: 'general',
      readsSelfClaims: true,
    })
    expect(candidateOf({ metadata: { domain: 'Execution' } })).toMatchObject({
      domain: 'execution',
      readsSelfClaims: true,
    })
    expect(candidateOf({ text: path, metadata: { memory_type: 'fact' } })).toMatchObject({
      domain: 'general',
      declaredType: 'fact',
      readsSelfClaims: false,
    })
    expect(candidateOf({ metadata: { memory_type: 'rumour' } })?.declaredType).toBe(null)
  })

  test('a text is screened as that of a run only when its source declares one', () => {
    const path = 'The route in src/a.ts is used.'
    expect(candidateOf({ text: path, lifecycle_hint: 'procedure' })?.screenedAs).toBe('general')
    expect(candidateOf({ metadata: { target_files: ['src/a.ts'] } })?.screenedAs).toBe('general')
    expect(candidateOf({ metadata: { memory_type: 'procedure' } })?.screenedAs).toBe('general')
    expect(candidateOf({ metadata: { domain: 'execution' } })?.screenedAs).toBe('execution')
    expect(candidateOf({ metadata: { memory_type: 'execution_memory' } })?.screenedAs).toBe('execution')
    const declared = { domain: 'general', memory_type: 'execution_memory' }
    expect(candidateOf({ metadata: declared })?.screenedAs).toBe('general')
  })

  test('the stand-ins of context count, and a role without a posture is named', () => {
    const { command, warnings } = read({
      context: { task_signature: 'fix', agent_role: 'pilot', task_context_profile: 'long_qa' },
    })
    expect(command).toMatchObject({ taskSignature: 'fix', role: 'agent', profile: 'long_qa' })
    expect(warnings).toHaveLength(1)
  })
})

const REFUSED: readonly (readonly [string, object, RegExp])[] = [
  ['candidates', { candidates: [] }, /at least 1 item\b/],
  ['candidates', { candidates: Array(201).fill(LEAST) }, /at most 200 items/],
  ['candidates', { candidates: undefined }, /required/],
  [
    'candidates.1.external_memory_id',
    { candidates: [LEAST, { ...LEAST, external_memory_id: ' vec:1 ' }] },
    /once per request/,
  ],
  [
    'candidates.0.external_memory_id',
    { candidates: [{ ...LEAST, external_memory_id: undefined }] },
    /required/,
  ],
  ['candidates.0.source_backend', { candidates: [{ ...LEAST, source_backend: ' ' }] }, /may not be empty/],
  ['candidates.0.text', { candidates: [{ ...LEAST, text: '' }] }, /may not be empty/],
  ['candidates.0.text', { candidates: [{ ...LEAST, text: 'x'.repeat(200_001) }] }, /at most 200000/],
  ['candidates.0.trust', { candidates: [{ ...LEAST, trust: 1 }] }, /Accepted here: external_memory_id/],
  [
    'candidates.0.authority.trusted',
    { candidates: [{ ...LEAST, authority: { trusted: true } }] },
    /source_trust/,
  ],
  [
    'candidates.0.authority.source_trust',
    { candidates: [{ ...LEAST, authority: { source_trust: 'root' } }] },
    /trusted, known/,
  ],
  [
    'candidates.0.authority.evidence_requirement',
    { candidates: [{ ...LEAST, authority: { evidence_requirement: 'no' } }] },
    /none, inspect/,
  ],
  [
    'candidates.0.lifecycle_hint',
    { candidates: [{ ...LEAST, lifecycle_hint: 'fresh' }] },
    /current, procedure/,
  ],
  [
    'candidates.0.evidence_refs',
    { candidates: [{ ...LEAST, evidence_refs: Array(257).fill('r') }] },
    /at most 256/,
  ],
  ['candidates.0.metadata', { candidates: [{ ...LEAST, metadata: 'x' }] }, /object/],
  ['mode', { mode: 'paranoid' }, /standard, strict, firewall, admission/],
  ['context_mode', { context_mode: 'full_power' }, /standard, compact_agent/],
  ['query_text', { query_text: ' ' }, /may not be empty/],
]

describe('what is refused', () => {
  test.each(REFUSED)('a request is refused at %s', (path, body, sentence) => {
    const refusal = refusalOf(() => read(body))
    expect(refusal.code).toBe('invalid_request')
    expect(refusal.issues.find((issue) => issue.path === path)?.message).toMatch(sentence)
  })

  test('the rule about ids stands with the operation', () => {
    expect(OPERATIONS.govern.rules).toContain(UNIQUE_CANDIDATES_RULE)
  })
})
