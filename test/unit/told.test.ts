import { describe, expect, test } from 'vitest'
import { asksFor, citesQuestion, questionShare, tells, withoutStamp } from '../../src/core/text/told.ts'

describe('what a question asks for', () => {
  test.each([
    ['How many jars did she fill?', 'She filled eighteen of them.'],
    ['Wie lange dauert das?', 'Etwa zwei Wochen.'],
    ['Combien de personnes ?', 'Nous étions douze.'],
    ['¿Cuántas bicicletas?', 'Son ochenta.'],
    ['Quantos anos ele tem?', 'Ele tem nove.'],
    ['Сколько их было?', 'Их было пять.'],
    ['有多少人？', '三个人。'],
  ])('%s asks for a number, and %s tells one', (question, text) => {
    expect([asksFor(question, 'number'), tells(text, 'number')]).toEqual([true, true])
  })

  test.each([
    ['Who teaches it?', 'It is taught by Odile.'],
    ['Wo wohnt er?', 'Er wohnt in Kassel.'],
    ['Où habite-t-elle ?', 'Elle habite à Lyon.'],
    ['¿Dónde está?', 'Está en Burgos.'],
    ['Кто это?', 'Это моя сестра Анна.'],
  ])('%s asks for a name, and %s tells one', (question, text) => {
    expect([asksFor(question, 'name'), tells(text, 'name')]).toEqual([true, true])
  })

  test('other questions and texts do not', () => {
    expect(asksFor('Why is it closed?', 'number')).toBe(false)
    expect(asksFor('Why is it closed?', 'name')).toBe(false)
    expect(tells('Nora: It is closed. I am sorry.', 'name')).toBe(false)
    expect(tells('It is closed.', 'number')).toBe(false)
  })
})

describe('a stamp', () => {
  test.each([
    'It opened. (1:56 pm on 8 May, 2023)',
    'It opened. [2023-05-08]',
    '[08.05.2023, 13:56] It opened.',
    '(13:56) It opened.',
    '2023-05-08T13:56:00Z It opened.',
  ])('%s tells when it was written only', (text) => {
    expect(withoutStamp(text).trim()).toBe('It opened.')
    expect(tells(text, 'time')).toBe(false)
    expect(tells(text, 'number')).toBe(false)
  })

  test.each(['It opened (in 1987).', 'It opened in 1987', '(see below) It opened.', 'f(x)', ''])(
    '%s has none',
    (text) => {
      expect(withoutStamp(text)).toBe(text)
    },
  )

  test('a text that says a time beside its stamp tells it', () => {
    expect(tells('It opened yesterday. (1:56 pm on 8 May, 2023)', 'time')).toBe(true)
  })
})

describe('the share of a text that asks', () => {
  test.each([
    ['See Section 3, “Where are the keys?”.', true],
    ['See "Where are the keys?" for this.', true],
    ['Voir « Où sont les clés ? ».', true],
    ['参见「钥匙在哪里？」一节。', true],
    ['Where are the "keys"?', false],
    ['See Section 3, “Keys”. Where is it?', false],
  ])('%s cites a question: %s', (text, isCited) => {
    expect(citesQuestion(text)).toBe(isCited)
  })

  test('is that of its sentences that end in a question mark, without a stamp', () => {
    expect(questionShare('Where is it?')).toBe(1)
    expect(questionShare('It is here.')).toBe(0)
    expect(questionShare('Ab cd. Where? (1:56 pm on 8 May, 2023)')).toBeCloseTo(7 / 14, 9)
    expect(questionShare('在哪里？这里。')).toBeCloseTo(4 / 7, 9)
  })
})
