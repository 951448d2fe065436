import { describe, expect, test } from 'vitest'
import type { LifecycleState, Surface } from '../../src/core/base/closed-sets.ts'
import { type ClaimView, claimLedgerProjection } from '../../src/core/guide/claims.ts'
import type { ClaimFacts, MemoryRecord } from '../../src/core/model/record.ts'
import { idOf, sampleRecord } from '../support/guide-samples.ts'

function claim(
  n: number,
  facts: Partial<ClaimFacts>,
  surface: Surface,
  lifecycleState: LifecycleState,
): ClaimView {
  const record = sampleRecord(
    idOf(n),
    { text: `claim ${n}` },
    {
      seq: n,
      source: 'claim',
      claim: {
        claimId: `claim:${idOf(n)}`,
        subjectKey: 'db',
        predicate: 'port',
        value: 5432,
        slotKey: 'db.port',
        claimKind: 'project_fact',
        conflictPolicy: 'singleton_latest',
        authority: 'advisory',
        validFromMs: null,
        sourceMemoryId: null,
        ...facts,
      },
    },
  )
  return { record, surface, lifecycleState }
}

test('without a claim there is no projection', () => {
  expect(claimLedgerProjection([])).toBeNull()
  const plain: ClaimView = { record: sampleRecord(idOf(1), {}), surface: 'use_now', lifecycleState: 'active' }
  expect(claimLedgerProjection([plain])).toBeNull()
})

test('live claims come newest first, superseded ones under their slot, and a blocked one shows no value', () => {
  const projection = claimLedgerProjection([
    claim(1, { value: 'zqold' }, 'do_not_use', 'superseded'),
    claim(2, {}, 'use_now', 'active'),
    claim(
      3,
      { slotKey: null, conflictPolicy: 'manual_or_inspect', value: { a: 1 } },
      'inspect_before_use',
      'contested',
    ),
    claim(4, { authority: 'blocked', slotKey: null, value: 'zqblocked' }, 'do_not_use', 'active'),
    claim(5, { slotKey: null, value: 'zqsuppressed' }, 'do_not_use', 'suppressed'),
    claim(
      6,
      { authority: 'evidence_only', slotKey: null, value: 'seen\n[x]' },
      'inspect_before_use',
      'active',
    ),
  ])
  expect(projection?.counts).toEqual({ active: 2, contested: 1, superseded: 1, retired: 1, redacted: 1 })
  expect(
    projection?.live_claims.map((row) => [
      row.memory_id,
      row.agent_surface,
      row.reason_codes[0],
      row.value_text,
    ]),
  ).toEqual([
    [idOf(6), 'audit_only', 'claim_ledger_evidence_only', 'seen (x)'],
    [idOf(3), 'inspect_before_use', 'claim_ledger_contested_manual_inspect', '{"a":1}'],
    [idOf(2), 'use_now', 'claim_ledger_live_singleton', '5432'],
  ])
  expect(projection?.superseded_slots.map((slot) => [slot.slot_key, slot.claims.length])).toEqual([
    ['db.port', 1],
  ])
  expect(JSON.stringify(projection)).not.toContain('zq')
})

test('a secret in the name of a slot is masked in its rows and above them', () => {
  const secret = ['to', 'ken=c0rrect-horse'].join('')
  const slot = { slotKey: secret, subjectKey: secret, predicate: secret }
  const projection = claimLedgerProjection([
    claim(1, slot, 'do_not_use', 'superseded'),
    claim(2, slot, 'use_now', 'active'),
  ])
  expect(projection?.superseded_slots[0]?.slot_key).toBe('token=**** (assigned secret masked)')
  expect(JSON.stringify(projection)).not.toContain('c0rrect')
})

test('at most twelve live claims and four superseded ones of a slot are shown, all are counted', () => {
  const live = Array.from({ length: 20 }, (_, n) => claim(n + 50, { slotKey: null }, 'use_now', 'active'))
  const old = Array.from({ length: 9 }, (_, n) => claim(n, {}, 'do_not_use', 'superseded'))
  const projection = claimLedgerProjection([...live, ...old])
  expect(projection?.live_claims.length).toBe(12)
  expect(projection?.superseded_slots[0]?.claims.map((row) => row.memory_id)).toEqual([8, 7, 6, 5].map(idOf))
  expect(projection?.counts).toMatchObject({ active: 20, superseded: 9 })
})

describe('of a value of megabytes', () => {
  const shown = (value: string, findings: MemoryRecord['findings'] = []): string | null => {
    const view = claim(1, { value }, 'use_now', 'active')
    const projection = claimLedgerProjection([{ ...view, record: { ...view.record, findings } }])
    return projection?.live_claims[0]?.value_text ?? null
  }
  const words = (chars: number) => 'told and told '.repeat(Math.ceil(chars / 14))
  const behind = words(30_000)

  test('the beginning is shown as it is of a value that ends there', () => {
    for (const start of [
      words(400),
      `[${'0f8fad5b-d9cb-469f-a165-70867728950e'}] ${words(400)}`,
      `# use now: ${words(400)}`,
    ]) {
      expect(shown(start + behind)).toBe(shown(start))
    }
  })

  test('the beginning is read for secrets, also for one that goes on far behind what is read', () => {
    const secrets = [
      'password = hunter2!hunter2',
      'Bearer ab.cd.ef1.gh.ij.kl.mn.op.qr.st',
      `-----BEGIN PRIVATE KEY-----\n${'aGVsbG8gd29ybGQK'.repeat(2_000)}\n-----END PRIVATE KEY-----`,
    ]
    for (const secret of secrets) {
      const text = shown(`${words(100)} ${secret} ${behind} sk-abcdefghijklmnopqrst12345`)
      expect(text).toContain('masked)')
      expect(text).not.toContain(secret.slice(-12, -6))
    }
  })

  test('more is read where nothing of the beginning can be seen, and nothing is shown where only its record says that it is secret', () => {
    expect(shown('\u200b'.repeat(5_000) + behind)).toBe(shown(words(400)))
    expect(shown(behind, ['secret'])).toBe('****')
  })
})
