import { expect, test } from 'vitest'
import { least, parse, refusalOf } from './parsing.ts'

test.each([
  ['2026-01-31', Date.UTC(2026, 0, 31)],
  ['2026-01-31T12:00:00Z', Date.UTC(2026, 0, 31, 12)],
  ['2026-01-31T12:00', Date.UTC(2026, 0, 31, 12)],
  ['2026-01-31T12:00:00.5+02:00', Date.UTC(2026, 0, 31, 10, 0, 0, 500)],
  ['2026-01-31 12:00:00-0530', Date.UTC(2026, 0, 31, 17, 30)],
  ['2024-02-29T00:00:00z', Date.UTC(2024, 1, 29)],
])('the date %s is read in its zone', (until, expected) => {
  expect(parse('forget', { ...least.forget, until }).request).toMatchObject({ until: expected })
})

test.each(['9999-12-31T23:59:59-01:00', '0000-01-01T00:00:00+00:01'])(
  'the date %s is refused: in UTC its year has no four digits, and what is answered could not be sent again',
  (observed_at) => {
    const refusal = refusalOf(() => parse('observe', { memory: { text: 'x', observed_at } }))
    expect(refusal.issues).toMatchObject([{ path: 'memory.observed_at' }])
  },
)
