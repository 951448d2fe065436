import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayOf } from '../../src/core/text/told.ts'
import { proving } from '../support/prove.ts'

test('the day of an instant is that of ISO 8601 in UTC', () => {
  const anyInstant = fc.date({
    min: new Date('0000-01-01'),
    max: new Date('9999-12-31'),
    noInvalidDate: true,
  })
  proving(2000)(anyInstant, (date) => {
    expect(dayOf(date.getTime())).toBe(date.toISOString().slice(0, 10))
  })
})

test('around leap days, the turn of a century and midnight', () => {
  for (const day of [
    '2024-02-29',
    '2024-03-01',
    '2000-02-29',
    '1900-02-28',
    '1900-03-01',
    '1969-12-31',
    '2026-10-30',
  ]) {
    const startMs = Date.parse(day)
    expect([dayOf(startMs), dayOf(startMs + 86_399_999)]).toEqual([day, day])
  }
})
