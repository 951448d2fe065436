import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { entitiesIn, namesOthers } from '../../src/core/text/identifiers.ts'
import { prove } from '../support/prove.ts'

const named = (text: string): Record<string, readonly string[]> => Object.fromEntries(entitiesIn(text) ?? [])

describe('a text names', () => {
  test.each([
    ['Ask Ana Lima about it', { name: ['ana lima'] }],
    ['the parcel of Jean de la Tour is lost', { name: ['jean de la tour'] }],
    ['Die Rechnung von Frau Greta Lindqvist ist offen', { name: ['frau greta lindqvist'] }],
    ['Заказ для Ивана Петрова задержан', { name: ['ивана петрова'] }],
    ['write to ana.lima@example.com', { email: ['ana.lima@example.com'] }],
    ['see src/pay/tax.ts:12 and tax.test.ts', { path: ['src/pay/tax.ts', 'tax.test.ts'] }],
    ['C:\\shop\\pay\\Tax.cs', { path: ['shop/pay/tax.cs'] }],
    ['Cart.add and pay::Tax', { symbol: ['cart.add', 'pay::tax'] }],
    ['PAY-1042 and issue #77', { ticket: ['pay-1042', '#77'] }],
    ['order 4711, Bestellung Nr. 4712', { ticket: ['#4711', '#4712'] }],
    ['user mei_tan_8935', { id: ['mei_tan_8935'] }],
    ['broken since 3f2a9bcd', { id: ['3f2a9bcd'] }],
    ['the plan "Blue Harbour" waits', { quoted: ['blue harbour'], name: ['blue harbour'] }],
    ['план «Синяя гавань»', { quoted: ['синяя гавань'] }],
  ])('%s', (text, expected) => {
    expect(named(text)).toEqual(expected)
  })

  test.each([
    'Use Redis for sessions, 500ms at most, v1.2.3 of Node.js',
    'Neue Rechnungen werden am Montag geschrieben',
    'On Monday October is over',
    'the UTF-8 file of 2024-05-01 and/or 24/7',
    'nothing at all',
    '東京の会議は明日です',
    '{"status": 3}',
  ])('nothing: %s', (text) => {
    expect(entitiesIn(text)).toBeNull()
  })
})

describe('a record is about another entity', () => {
  const isOther = (query: string, record: string): boolean => {
    const asked = entitiesIn(query)
    return asked !== null && namesOthers(asked, record)
  }
  test.each([
    ['Where does Ana Lima live?', 'Bob Ray lives in Porto.'],
    ['Where does Ana Lima live?', 'Customer: Erik Lima, Lisbon'],
    ['refund of order 4711', 'order 4712 was refunded'],
    ['status of PAY-1042', 'PAY-1043 is blocked by the tax table'],
    ['fails in src/pay/tax.ts', 'src/bill/rate.ts adds up cents'],
    ['fails in src/tax.ts', 'src/rate.ts adds up cents'],
    ['fails in src/pay/tax.ts', 'src/pay/eu/rate.ts adds up cents'],
    ['mail of ana.lima@example.com', 'bob.ray@example.com is bounced'],
    ['the "Blue Harbour" plan', 'the "Red Hill" plan is late'],
    ['Wo wohnt Greta Lindqvist?', 'Die Kundin Anna Meier wohnt in Kiel'],
    ['¿Dónde vive Ana Lima?', 'El cliente Luis Soto vive en Vigo'],
  ])('%s: %s', (query, record) => {
    expect(isOther(query, record)).toBe(true)
  })

  test.each([
    ['Where does Ana Lima live?', 'Ana Lima lives in Porto, Bob Ray in Faro.'],
    ['Where does Ana Lima live?', 'Dr. Lima lives in Porto.'],
    ['Where does Ana Lima live?', 'addresses are kept for a year'],
    ['Where does Ana Lima live?', 'order 4711 was sent'],
    ['fails in /app/src/pay/tax.ts:3', 'src/pay/tax.ts rounds down'],
    ['fails in src/pay/tax.ts', 'everything under src/pay/gen/x.ts is generated, tax.ts too'],
    // A file beside it.
    ['fails in src/pay/tax.ts', 'src/pay/rate.ts adds up cents'],
    ['status of PAY-1042', 'the tax table blocks it'],
    ['com.acme.Refund.twice throws', 'acme.Refund is not thread safe'],
    ['where are secrets kept?', 'Bob Ray keeps them in src/pay/tax.ts'],
  ])('not: %s: %s', (query, record) => {
    expect(isOther(query, record)).toBe(false)
  })

  test('never when it names nothing, and never when it holds the query itself', () => {
    const part = fc.constantFrom(
      'Ana Lima',
      'PAY-1042',
      'src/pay/tax.ts',
      'order 4711',
      'it',
      'was',
      '"Blue Hill"',
      'a.b@c.io',
    )
    const text = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(' and '))
    prove(text, text, (query, record) => {
      if (entitiesIn(record) === null) expect(isOther(query, record)).toBe(false)
      expect(isOther(query, `${record} ${query}`)).toBe(false)
    })
  })
})
