import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clip, disarmBrackets, foldLines, foldText } from '../../src/core/text/escape.ts'
import { scaled } from '../harness/scale.ts'
import { hostileText, idOf } from '../support/guide-samples.ts'
import { prove, proving } from '../support/prove.ts'

const LONE_SURROGATE = /\p{Cs}/u

describe('foldText', () => {
  test('returns clean text as it is', () => {
    for (const text of [
      'Run `npm test -- --bail` first.',
      'items[0].name = map["key"]',
      'größer als 数据库',
      '#123 is open',
    ])
      expect(foldText(text)).toBe(text)
  })

  test('gives one trimmed line without double spaces and without hidden characters', () => {
    proving(500)(hostileText, (text) => {
      const line = foldText(text)
      expect(line).toBe(line.trim())
      expect(/[\n\r\v\f\u0085\u2028\u2029]|\p{Zs}{2}|[^\P{Zs} ]/u.exec(line)).toBeNull()
      expect(line).not.toMatch(LONE_SURROGATE)
    })
  })

  test('folding twice is folding once, brackets within brackets apart', () => {
    const flat = (text: string): string => text.replaceAll('[', '(').replaceAll(']', ')')
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(flat(foldText(foldText(text)))).toBe(flat(foldText(text)))
      }),
      {
        numRuns: scaled(500),
        examples: [['"Use now"'], ['[use now] x'], ['# # #'], ['## [USE NOW'], ['[[inspect_before_use]]']],
      },
    )
  })

  test('keeps every visible character of a plain text', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zA-Z0-9 ,.\n\t=/_-]{0,200}$/u), (text) => {
        const visible = (of: string): string => of.replaceAll(/[\s"]/gu, '')
        expect(visible(foldText(text))).toBe(visible(text))
      }),
      { examples: [['use now\nrole x']] },
    )
  })

  test('folds every kind of line break to one space', () => {
    expect(foldText('a\nb\r\nc\vd\fe\u0085f\u2028g\u2029h\ti\u00a0j\u3000k')).toBe('a b c d e f g h i j k')
  })

  test('removes what cannot be seen, also inside a word', () => {
    const hidden = [
      '\u0000',
      '\u001b',
      '\u007f',
      '\u00ad',
      '\u200b',
      '\u200d',
      '\u202e',
      '\u2066',
      '\ufeff',
      '\ufe0f',
    ]
    for (const character of [...hidden, '\u{e0020}', '\u{e0100}', '\ud83d', '\udc4d', '\u180e', '\u3164'])
      expect(foldText(`dep${character}loy`)).toBe('deploy')
    expect(foldText('👍 ok')).toBe('👍 ok')
  })

  test('removes every character that Unicode calls ignorable, a control or a direction mark, and no other', () => {
    const hidden = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cs}\ufff9-\ufffb]/u
    const wrong: string[] = []
    for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
      const character = String.fromCodePoint(codePoint)
      const folded = foldText(`a${character}b`)
      const isSpace = /[\t\n\v\f\r\u0085\p{Z}]/u.test(character)
      const isHidden = hidden.test(character) || (!isSpace && /\p{Cc}/u.test(character))
      if (folded !== (isHidden ? 'ab' : isSpace ? 'a b' : `a${character}b`))
        wrong.push(codePoint.toString(16))
    }
    expect(wrong).toEqual([])
  })

  test('quotes a section word at the start of any line of the text', () => {
    expect(foldText('Use now: this')).toBe('"Use now": this')
    expect(foldText('fine\n## DO NOT USE: that')).toBe('fine "DO NOT USE": that')
    expect(foldText('> **inspect_before_use** x')).toBe('> **"inspect_before_use"** x')
    expect(foldText('re\u200bhydrate it')).toBe('"rehydrate" it')
    expect(foldText('Rehydrated rows stay')).toBe('Rehydrated rows stay')
    expect(foldText('You may use now the other')).toBe('You may use now the other')
  })

  test('drops heading marks', () => {
    expect(foldText('# Title\n### Sub')).toBe('Title Sub')
    expect(foldText('# # #')).toBe('')
  })

  test('writes id look-alikes with round brackets', () => {
    const id = idOf(1)
    expect(foldText(`[${id}] fact: forged`)).toBe(`(${id}) fact: forged`)
    expect(foldText(`see [${id}] and [ ${id} ], x[${id}]`)).toBe(`see (${id}) and ( ${id} ), x(${id})`)
    expect(foldText(`a [${id} b`)).toBe(`a (${id} b`)
    expect(foldText('a [mem0:abc] b')).toBe('a (mem0:abc) b')
    expect(foldText('[a text] b')).toBe('(a text) b')
    expect(foldText('f [a text] b')).toBe('f [a text] b')
  })

  test('takes time linear in the text: a million hostile characters are folded at once', () => {
    for (const piece of ['[', '# ', '\n[', '[a', `[${idOf(1)}`, '\u200b', ' \n'])
      expect(foldText(piece.repeat(1_000_000 / piece.length)).length).toBeLessThanOrEqual(1_000_001)
  })
})

test('foldLines keeps one break where the text had some', () => {
  expect(foldLines('a\n\n  b\r\nc d')).toBe('a\nb\nc d')
})

test('disarmBrackets never changes the length', () => {
  prove(hostileText, (text) => {
    expect(disarmBrackets(text).length).toBe(text.length)
  })
})

test('clip is never longer than asked, marks a cut and leaves no half character', () => {
  prove(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, maxChars) => {
    const cut = clip(text, maxChars)
    expect(cut.length).toBeLessThanOrEqual(maxChars)
    expect(cut).not.toMatch(LONE_SURROGATE)
    if (cut !== text) expect(text.startsWith(cut.slice(0, -1)) && cut.endsWith('…')).toBe(true)
  })
})
