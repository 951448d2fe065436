import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { disputeBetween, disputeOf, readForDispute } from '../../src/core/similarity/dispute.ts'
import { DISPUTE_KINDS } from '../../src/core/similarity/dispute-row.ts'
import { KINDS } from '../../src/core/similarity/dispute-rows.ts'
import { disputesAmong } from '../../src/core/similarity/disputes-among.ts'
import { scaled } from '../harness/scale.ts'
import { LAWS, NOTICED } from '../support/dispute-laws.ts'
import { DISPUTING } from '../support/dispute-pairs.ts'
import { FORM_LAWS } from '../support/form-laws.ts'
import { HARMONIOUS } from '../support/harmonious-pairs.ts'
import { NEAR } from '../support/near-pairs.ts'
import { anyText } from '../support/similar-texts.ts'

const numRuns = scaled(300)
const SAID = DISPUTING.flat()
const anyStatement = fc.constantFrom(...SAID, ...HARMONIOUS.flat())
const kindOf = (earlier: string, later: string) => disputeBetween(earlier, later)?.kind ?? null

describe('kinds of dispute', () => {
  test.each(KINDS.flatMap(({ id, examples }) => examples.map(([a, b]) => [id, a, b] as const)))(
    '%s: %s | %s',
    (id, earlier, later) => {
      expect(kindOf(earlier, later)).toBe(id)
    },
  )

  test('every kind is a row but that of records, and no row is used that is right less than nine times of ten', () => {
    expect([...new Set<string>(KINDS.map(({ id }) => id)), 'record'].sort()).toEqual(
      [...DISPUTE_KINDS].sort(),
    )
    for (const { measured } of KINDS) expect(measured.right).toBeGreaterThanOrEqual(measured.found * 0.9)
  })

  test.each([...DISPUTING, ...NOTICED])(
    'a later statement disputes an earlier one: %s | %s',
    (earlier, later) => {
      expect(kindOf(earlier, later)).not.toBeNull()
    },
  )

  test('a dispute names the two statements, as they stand in the texts', () => {
    const earlier = 'The shop sells tea. The upload limit is 5 MB.'
    const later = 'The upload limit is 9 MB; the shop sells tea.'
    expect(disputeBetween(earlier, later)).toEqual({
      kind: 'number',
      earlierStatement: 'The upload limit is 5 MB',
      laterStatement: 'The upload limit is 9 MB',
    })
  })
})

describe('what never disputes', () => {
  test.each([...HARMONIOUS, ...NEAR])('%s | %s', (earlier, later) => {
    expect(kindOf(earlier, later)).toBeNull()
    expect(kindOf(later, earlier)).toBeNull()
  })

  describe.each([...LAWS, ...FORM_LAWS])('$says', ({ apart, disputes }) => {
    test.each(apart)('both hold: %s | %s', (one, other) => {
      expect(kindOf(one, other)).toBeNull()
      expect(kindOf(other, one)).toBeNull()
    })

    test.each(disputes)('and what it must not stop: %s | %s', (earlier, later) => {
      expect(kindOf(earlier, later)).not.toBeNull()
    })
  })

  test('a cue counts in no quotation, question, promise, condition or report of an event', () => {
    const earlier = 'The export uses semicolons.'
    expect(kindOf(earlier, 'The export no longer uses semicolons.')).toBe('no_longer')
    for (const later of [
      'The note says "the export no longer uses semicolons in any file".',
      'Is it true that the export no longer uses semicolons?',
      'The export will no longer use semicolons.',
      'If the export no longer uses semicolons, tell the customer.',
      'When the export no longer uses semicolons, tell the customer.',
    ])
      expect(kindOf(earlier, later)).toBeNull()
    expect(kindOf('The plan is Basic.', 'Your plan has been updated to Premium.')).toBeNull()
  })

  test('a condition or a quotation of the earlier text asserts nothing either', () => {
    const later = 'The export no longer uses semicolons.'
    expect(kindOf('If the export uses semicolons, import fails.', later)).toBeNull()
    expect(kindOf('The label reads "the export uses semicolons everywhere".', later)).toBeNull()
  })

  test('who talks about another order, person, address or file is not disputed', () => {
    for (const [a, b] of [
      ['Order #A1001 is pending.', 'Order #A1002 is cancelled.'],
      ['Write to ana@example.com in German.', 'Write to leo@example.com in French.'],
      ['Ana Ruiz no longer works here.', 'Leo Ruiz works here.'],
      ['Ana Ruiz works in Porto.', 'Leo Ruiz works in Lisbon.'],
      ['src/a.ts is generated.', 'src/b.ts is not generated.'],
      ['Ticket 77 is open.', 'Ticket 78 is closed.'],
    ] as const) {
      expect(kindOf(a, b)).toBeNull()
      expect(kindOf(b, a)).toBeNull()
    }
  })

  test('what somebody says to somebody is talk', () => {
    expect(kindOf('Ana: I live in Porto.', "Ana: I don't live in Porto!")).toBeNull()
    expect(kindOf('I can find the badge number.', "I don't have the badge number right now.")).toBeNull()
    expect(
      kindOf("I'd like to change the berth to the quay.", "I'd like to move the berth to Kiel instead."),
    ).toBeNull()
  })

  test('a common line of texts about other things disputes nothing', () => {
    const one = 'Retries are 3. Anna writes the guide of the museum about old ships and lamps.'
    const other = 'Retries are 5. The kitchen orders flour, honey, butter, eggs and fresh lemons.'
    expect(kindOf('Retries are 3.', 'Retries are 5.')).toBe('number')
    expect(kindOf(one, other)).toBeNull()
  })

  test('what each text says of its own case, person or day is not in dispute, unless the later says that it changed', () => {
    const told = (name: string, day: string, what: string) =>
      `${name} came in on ${day}. A second visit ${what} needed.`
    expect(kindOf(told('Hale', '2025-03-02', 'is'), told('Ortiz', '2025-07-19', 'is not'))).toBeNull()
    expect(kindOf(told('Hale', '2025-03-02', 'is'), told('Hale', '2025-03-02', 'is not'))).toBe('negation')
    expect(kindOf('In hall 2, the limit is 40 dB.', 'In hall 3, the limit is 55 dB.')).toBeNull()
    expect(kindOf('In summer, the gate opens at 6:00.', 'In winter, the gate opens at 8:00.')).toBeNull()
    expect(kindOf('At the gate, the limit is 40 dB.', 'As Ines told us, the limit is now 55 dB.')).toBe(
      'number',
    )
  })

  test('what may be done in one way may be done in another', () => {
    expect(kindOf('Ana can be reached by phone.', 'Ana can be reached by mail.')).toBeNull()
    expect(kindOf('You can draw plans with Figma.', 'You can draw plans with Penpot.')).toBeNull()
    expect(kindOf('Draw plans with Figma.', 'Draw plans with Penpot.')).toBe('command')
  })

  test('what is measured differs each time, what is set does not', () => {
    expect(kindOf('The temperature is 21 degrees.', 'The temperature is 23 degrees.')).toBeNull()
    expect(kindOf('The temperature is set to 21 degrees.', 'The temperature is set to 23 degrees.')).toBe(
      'number',
    )
  })

  test('one bound is another case than its opposite', () => {
    expect(
      kindOf('Orders above 50 EUR need a signature.', 'Orders below 50 EUR need no signature.'),
    ).toBeNull()
    expect(kindOf('Login before noon is allowed.', 'Login after noon is not allowed.')).toBeNull()
  })

  test('what is offered is not so yet', () => {
    const offer = (price: number) => `The upgrade costs ${price} EUR. Would you like to proceed?`
    expect(kindOf(offer(120), offer(75))).toBeNull()
    expect(kindOf('The upgrade costs 120 EUR.', 'The upgrade costs 75 EUR.')).toBe('number')
  })

  test('with company, or with a part, nothing is done', () => {
    expect(kindOf('Ann works with Kotlin.', 'Ann works with Swift.')).toBeNull()
    expect(kindOf('The app is built with webpack.', 'The app is built with vite.')).toBe('command')
  })

  test('what both texts say is in dispute in neither', () => {
    const both = 'The upload limit is 5 MB. For archives the upload limit is 9 MB.'
    expect(kindOf(both, `${both} We went home.`)).toBeNull()
  })
})

describe('records', () => {
  const order = (id: string, status: string, more = ''): string =>
    `order_id: ${id}\nstatus: ${status}\n${more}`

  test('two of one thing dispute in another field, in lines or in JSON', () => {
    expect(disputeBetween(order('77', 'pending'), order('77', 'delivered'))).toEqual({
      kind: 'record',
      earlierStatement: 'status: pending',
      laterStatement: 'status: delivered',
    })
    const json = (cabin: string): string =>
      JSON.stringify({ reservation: { reservationId: 'R1', cabin, legs: [1, 2] } })
    expect(kindOf(json('economy'), json('business'))).toBe('record')
  })

  test.each([
    ['another id', order('77', 'pending'), order('78', 'delivered')],
    ['another customer', order('77', 'pending', 'customer: Ann'), order('77', 'delivered', 'customer: Bo')],
    [
      'another number of one series',
      'leak: L-12\nhost: pier-1\nstate: open',
      'leak: L-13\nhost: pier-1\nstate: closed',
    ],
    ['an id that only one has', order('77', 'pending'), 'status: delivered\ncity: Rome'],
    ['no id at all', 'status: pending\ncity: Rome', 'status: delivered\ncity: Rome'],
    [
      'a name, of something with a date',
      'title: Yoga\nstart: 10\ndate: Monday',
      'title: Yoga\nstart: 11\ndate: Friday',
    ],
    [
      'a field that differs at each reading',
      order('77', 'open', 'updated_at: 1'),
      order('77', 'open', 'updated_at: 2'),
    ],
    [
      'an offer',
      order('77', 'pending', 'Please confirm if this is right.'),
      order('77', 'delivered', 'Please confirm if this is right.'),
    ],
    ['another spelling of a value', order('77', 'one-way'), order('77', 'One way')],
    ['a remark behind a value', order('77', 'card'), order('77', 'Card (ending in 4410)')],
    ['an amount in other words', order('77', '0 in all, 0 paid'), order('77', '0 bags')],
    ['an answer in more words', order('77', 'No'), order('77', 'No, thank you')],
    ['another route', order('77', 'open', 'origin: Oslo'), order('77', 'closed', 'origin: Bergen')],
    [
      'another route in a value',
      order('77', 'open', 'return: bus 4 from Oslo to Bonn'),
      order('77', 'open', 'return: bus 9 from Kiel to Bonn'),
    ],
    ['prose', order('77', 'pending'), 'Order 77 is no longer pending.'],
    ['a list of records', 'id: 1\nstate: on\nid: 2\nstate: off', 'id: 1\nstate: off\nid: 2\nstate: on'],
    ['log lines', '2026-01-02 10:00 worker is on', '2026-01-03 10:00 worker is off'],
    ['table rows', '| a | on | 1 |\n| b | off | 2 |', '| a | off | 1 |\n| b | on | 2 |'],
  ])('but not %s', (_, earlier, later) => {
    expect(kindOf(earlier, later)).toBeNull()
    expect(kindOf(later, earlier)).toBeNull()
  })
})

describe('laws', () => {
  test('no text disputes itself, a copy of it, or another spelling of it', () => {
    fc.assert(
      fc.property(fc.oneof(anyStatement, anyText), (text) => {
        expect(kindOf(text, text)).toBeNull()
        expect(kindOf(text, `  ${text}\n`)).toBeNull()
        expect(kindOf(text, text.replaceAll(' ', '  '))).toBeNull()
      }),
      { numRuns },
    )
  })

  test('texts that name different ids never dispute', () => {
    const anyId = fc.integer({ min: 1000, max: 9999 })
    fc.assert(
      fc.property(anyStatement, anyStatement, anyId, anyId, (a, b, one, other) => {
        fc.pre(one !== other)
        expect(kindOf(`Order ${one}: ${a}`, `Order ${other}: ${b}`)).toBeNull()
        expect(kindOf(`${a} See user${one}@example.com.`, `${b} See user${other}@example.com.`)).toBeNull()
      }),
      { numRuns },
    )
  })

  test('nothing disputes a question', () => {
    fc.assert(
      fc.property(anyStatement, anyStatement, (a, b) => {
        const asked = `${b.replaceAll(/[.!。]/g, ' ')}?`
        expect(kindOf(a, asked)).toBeNull()
        expect(kindOf(asked, a)).toBeNull()
      }),
      { numRuns },
    )
  })

  test('it never throws, whatever the texts, and reading first changes nothing', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string({ unit: 'binary' }), anyStatement), anyText, (a, b) => {
        expect(disputeOf(readForDispute(a), readForDispute(b))).toEqual(disputeBetween(a, b))
      }),
      { numRuns },
    )
  })

  test('a long text is read in about the time of its first 4000 characters', () => {
    for (const piece of ['word ', "'", '{"a":[', 'a: b\n', '5. ', '((((', '- ', '的']) {
      const startedMs = performance.now()
      readForDispute(piece.repeat(400_000 / piece.length))
      expect(performance.now() - startedMs).toBeLessThan(2_000)
    }
  })

  test('what a text says behind 4000 characters counts for nothing', () => {
    const filler = 'Nothing more. '.repeat(300)
    expect(kindOf('The limit is 5 MB.', `The limit is 9 MB. ${filler}`)).toBe('number')
    expect(kindOf('The limit is 5 MB.', `${filler}The limit is 9 MB.`)).toBeNull()
  })
})

describe('among many texts', () => {
  test('exactly the pairs are found that dispute each other in one direction or the other', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(anyStatement, fc.constant('order: 4\nstate: on'), fc.constant('order: 4\nstate: off')),
          { maxLength: 8 },
        ),
        (texts) => {
          const pairs = texts.flatMap((a, first) =>
            texts.slice(first + 1).flatMap((b, offset) => {
              const isDisputed = kindOf(a, b) !== null || kindOf(b, a) !== null
              return isDisputed ? [[first, first + 1 + offset]] : []
            }),
          )
          expect(disputesAmong(texts).map(({ first, second }) => [first, second])).toEqual(pairs)
        },
      ),
      { numRuns },
    )
  })

  test('texts of one language are compared in common words, too', () => {
    const texts = ['The lift in the lobby is broken.', 'The elevator in the lobby is running again.'] as const
    expect(kindOf(...texts)).toBe('state')
    expect(disputesAmong(texts)).toMatchObject([{ first: 0, second: 1, dispute: 'state' }])
  })

  test('a field name of more than two texts is no subject', () => {
    const texts = ['Deposit: 5 %', 'Deposit: 7 %', 'Deposit: 9 %']
    expect(disputesAmong(texts.slice(0, 2))).toHaveLength(1)
    expect(disputesAmong(texts)).toEqual([])
  })

  test('logs without end are compared within the bound', () => {
    const log = (offset: number) =>
      Array.from({ length: 400 }, (_, at) => `limit is ${at * 2 + offset} MB`).join('\n')
    const startedMs = performance.now()
    disputesAmong(Array.from({ length: 200 }, (_, at) => log(at)))
    expect(performance.now() - startedMs).toBeLessThan(20_000)
  })
})
