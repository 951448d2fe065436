import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changedRecord, contentToKeep, RecentParts, storedRecord } from '../../src/core/model/shape.ts'
import { plainContent } from '../../src/core/model/stored-content.ts'
import { plainRecord, plainRow, type StoredRecord } from '../../src/core/model/stored-record.ts'
import { anyChange, anyChanged } from '../support/changed-records.ts'
import { CONTENT, sampleRecord } from '../support/guide-samples.ts'

const PARTS = new RecentParts()
const asStored = (record: Parameters<typeof plainRecord>[0]): StoredRecord =>
  storedRecord(record, record.audience, PARTS)
const partOf = (of: object, part: 'setting' | 'past' | 'remarks'): unknown => Reflect.get(of, part)

describe('a stored record', () => {
  test('reads like the record, field by field, and is written like it', () => {
    fc.assert(
      fc.property(anyChanged, (record) => {
        const stored = asStored(record)
        for (const key of Object.keys(record)) {
          const field = key as keyof typeof record
          expect(JSON.stringify(stored[field])).toBe(JSON.stringify(record[field]))
        }
        for (const key of Object.keys(record.content)) {
          const field = key as keyof typeof record.content
          expect(stored.content[field]).toEqual(record.content[field])
        }
        expect(plainRecord(stored)).toEqual(record)
        expect(plainRow(stored)).toEqual(record)
        expect(JSON.stringify(stored)).toBe(JSON.stringify(plainRecord(stored)))
      }),
    )
  })

  test('that is changed differs from it in what was changed and in nothing else', () => {
    fc.assert(
      fc.property(anyChanged, anyChange, (record, change) => {
        const changed = changedRecord(asStored(record), change)
        expect(plainRecord(changed)).toEqual({ ...record, ...change })
        expect(asStored(changed)).toEqual(changed)
      }),
    )
  })

  test('keeps its content the same object, since caches go by it', () => {
    const stored = asStored(sampleRecord('a', { text: 'one' }))
    expect(changedRecord(stored, { seq: 7 }).content).toBe(stored.content)
  })

  test('shares what it has in common with others, also when others were written between', () => {
    const of = (runId: string, text: string): StoredRecord =>
      asStored(sampleRecord(text, { text }, { runId }))
    const [one, between, other] = [of('r1', 'one'), of('r2', 'two'), of('r1', 'three')]
    if (one === undefined || between === undefined || other === undefined) throw new Error('three')
    expect(partOf(other, 'setting')).toBe(
      partOf(asStored({ ...plainRecord(one), audience: one.audience }), 'setting'),
    )
    const lane = { lane: 'private', ownerAgentId: 'a', ownerTeamId: null } as const
    const elsewhere = storedRecord(sampleRecord('b', {}, { runId: 'r1', audience: lane }), lane, PARTS)
    expect(partOf(elsewhere, 'setting')).toBe(partOf(one, 'setting'))
    expect(elsewhere.audience).toBe(lane)
    expect(partOf(other, 'past')).toBe(partOf(one, 'past'))
    expect(partOf(other.content, 'remarks')).toBe(partOf(one.content, 'remarks'))
    expect(partOf(other, 'setting')).not.toBe(partOf(between, 'setting'))
  })

  test('shares nothing that was said of it alone, which would outlive its erasure', () => {
    const said = { claim: null, handoff: null, findings: ['found'] }
    for (const change of [said, { derivedFrom: ['source'] }]) {
      const record = sampleRecord('a', {}, change)
      expect(partOf(asStored(record), 'setting')).not.toBe(partOf(asStored(record), 'setting'))
    }
    for (const change of [
      { summary: 's' },
      { rawRef: 'r' },
      { nextAction: 'n' },
      { payload: { a: 1 } },
      { outcomeRaw: 'nearly' },
      { targetFiles: ['f'] },
      { acceptanceChecks: ['c'] },
      { workflowSteps: ['w'] },
      { tools: ['t'] },
      { evidenceRefs: ['e'] },
    ]) {
      const content = { ...CONTENT, ...change }
      expect(partOf(contentToKeep(content, PARTS), 'remarks')).not.toBe(
        partOf(contentToKeep(content, PARTS), 'remarks'),
      )
      expect(plainContent(contentToKeep(content, PARTS))).toEqual(content)
    }
  })
})
