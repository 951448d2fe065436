import { describe, expect, test } from 'vitest'
import {
  type CompactRecord,
  changedRecord,
  compactRecord,
  contentToKeep,
  plainContent,
  plainRecord,
  RecentParts,
} from '../../src/core/model/compact-record.ts'
import { plainRow } from '../../src/core/model/image.ts'
import { CONTENT_FIELDS, MEMORY_FIELDS } from '../../src/core/model/memory-fields.ts'
import { anyChange, anyChanged } from '../support/changed-records.ts'
import { CONTENT, sampleRecord } from '../support/guide-samples.ts'
import { prove } from '../support/prove.ts'

const PARTS = new RecentParts()
const asStored = (record: Parameters<typeof plainRecord>[0]): CompactRecord =>
  compactRecord(record, record.audience, PARTS)
const partOf = (of: object, part: 'provenance' | 'history' | 'remarks'): unknown => Reflect.get(of, part)

describe('a compact record', () => {
  test('reads like the record, field by field, and is written like it', () => {
    prove(anyChanged, (record) => {
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
    })
  })

  test('that is changed differs from it in what was changed and in nothing else', () => {
    prove(anyChanged, anyChange, (record, change) => {
      const changed = changedRecord(asStored(record), change)
      expect(plainRecord(changed)).toEqual({ ...record, ...change })
      expect(asStored(changed)).toEqual(changed)
    })
  })

  test('keeps its content the same object, since caches go by it', () => {
    const stored = asStored(sampleRecord('a', { text: 'one' }))
    expect(changedRecord(stored, { seq: 7 }).content).toBe(stored.content)
  })

  test('shares what it has in common with others, also when others were written between', () => {
    const of = (runId: string, text: string): CompactRecord =>
      asStored(sampleRecord(text, { text }, { runId }))
    const [one, between, other] = [of('r1', 'one'), of('r2', 'two'), of('r1', 'three')]
    if (one === undefined || between === undefined || other === undefined) throw new Error('three')
    expect(partOf(other, 'provenance')).toBe(
      partOf(asStored({ ...plainRecord(one), audience: one.audience }), 'provenance'),
    )
    const lane = { lane: 'private', ownerAgentId: 'a', ownerTeamId: null } as const
    const elsewhere = compactRecord(sampleRecord('b', {}, { runId: 'r1', audience: lane }), lane, PARTS)
    expect(partOf(elsewhere, 'provenance')).toBe(partOf(one, 'provenance'))
    expect(elsewhere.audience).toBe(lane)
    expect(partOf(other, 'history')).toBe(partOf(one, 'history'))
    expect(partOf(other.content, 'remarks')).toBe(partOf(one.content, 'remarks'))
    expect(partOf(other, 'provenance')).not.toBe(partOf(between, 'provenance'))
  })

  test('shares no list and no object that a caller sent, since hardly another memory says the same', () => {
    const said = { claim: null, handoff: null, findings: ['found'] }
    for (const change of [said, { derivedFrom: ['source'] }]) {
      const record = sampleRecord('a', {}, change)
      expect(partOf(asStored(record), 'provenance')).not.toBe(partOf(asStored(record), 'provenance'))
    }
    for (const change of [
      { payload: { a: 1 } },
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

  test('after an erasure shares nothing with what was written before it', () => {
    const parts = new RecentParts()
    const record = sampleRecord('a', {}, { kind: 'own word' })
    const keep = (): CompactRecord => compactRecord(record, record.audience, parts)
    const before = keep()
    expect(partOf(keep(), 'provenance')).toBe(partOf(before, 'provenance'))
    parts.forget()
    expect(partOf(keep(), 'provenance')).not.toBe(partOf(before, 'provenance'))
    expect(partOf(keep().content, 'remarks')).not.toBe(partOf(before.content, 'remarks'))
  })

  test('is written in the order of the tables of fields', () => {
    const record = plainRecord(asStored(sampleRecord('a', {})))
    expect(Object.keys(record)).toEqual(Object.keys(MEMORY_FIELDS))
    expect(Object.keys(record.content)).toEqual(Object.keys(CONTENT_FIELDS))
  })
})
