import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ConfigError, configLines, optionRows, readConfig, readOptions } from '../../src/app/config/config.ts'
import { Options, storeUrlOf } from '../../src/app/config/options.ts'
import { configurationPage } from '../../src/docs/pages.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { proving } from '../support/prove.ts'

function refusal(given: Record<string, unknown>, env: Record<string, string> = {}): string {
  try {
    readConfig(given, env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  throw new Error('nothing was refused')
}

test('without options and environment every option has its default', () => {
  const { config, sources, warnings } = readConfig({}, {})
  expect(config).toMatchObject({
    host: '127.0.0.1',
    port: 3001,
    socket: null,
    dataDir: './snapshots',
    durability: 'sync',
    concurrentLoadsMax: 8,
    snapshotMinBytes: 1024 * 1024,
    bodyLimitBytes: 5 * 1024 * 1024,
    allowedHosts: [],
    allowedOrigins: [],
    keyRatePerMinute: null,
    socketMode: '600',
    workers: 1,
    exposureRetentionDays: 30,
    exposureBudgetBytes: 1024 ** 3,
  })
  expect(new Set(Object.values(sources))).toEqual(new Set(['default']))
  expect(warnings).toEqual([])
})

test('an option wins over the environment, which wins over the default', () => {
  const env = { MEMGOV_PORT: '4000', MEMGOV_DATA_DIR: '/var/lib/memgov', MEMGOV_DURABILITY: '' }
  const { config, sources } = readConfig({ port: 0, logLevel: undefined }, env)
  expect([config.port, config.dataDir, config.durability, config.logLevel]).toEqual([
    0,
    '/var/lib/memgov',
    'sync',
    'info',
  ])
  expect(sources).toMatchObject({ port: 'option', dataDir: 'env', durability: 'default' })
})

test('a file with the address of the store counts instead of the variable', () => {
  const storeFile = join(dataFolder(), 'url')
  writeFileSync(storeFile, 'postgres://me@db.example.org/named\n')
  const { config } = readConfig({ storeFile }, { MEMGOV_STORE: 'postgres://me@db.example.org/other' })
  expect(storeUrlOf(config)).toBe('postgres://me@db.example.org/named')
})

test('where that file is a folder, the refusal names it', () => {
  const storeFile = dataFolder()
  const { config } = readConfig({ storeFile }, {})
  expect(() => storeUrlOf(config)).toThrow(
    `The address of the store cannot be read from ${storeFile}: EISDIR`,
  )
})

test('every option refuses a bad variable and the message names variable, value and what is allowed', () => {
  const texts = new Set(['dataDir', 'socket', 'requestLog', 'tlsCert', 'tlsKey', 'hookVerify', 'storeFile'])
  for (const row of optionRows()) {
    const bad = texts.has(row.name) ? `a\0b` : 'bad value'
    const message = refusal({}, { [row.env]: bad })
    expect(message).toContain(row.env)
    expect(message).toContain(JSON.stringify(bad))
    expect(message).toContain(row.allowed)
  }
})

test('an allowed origin is one that a browser may send, and never all of them', () => {
  const read = (text: string) => readConfig({}, { MEMGOV_ALLOWED_ORIGINS: text }).config.allowedOrigins
  expect(read('https://app.example.org, HTTP://localhost:5173')).toEqual([
    'https://app.example.org',
    'http://localhost:5173',
  ])
  for (const text of [
    '*',
    'null',
    'app.example.org',
    'https://app.example.org/',
    'file://x',
    'https://a:443',
  ])
    expect(() => read(text)).toThrow(`MEMGOV_ALLOWED_ORIGINS: "${text}" is no list of origins. Allowed: `)
})

test('every integer option takes its bounds and nothing beyond or beside them', () => {
  for (const row of optionRows()) {
    const bounds = /^an integer from (\d+) to (\d+)$/.exec(row.allowed)
    if (bounds === null) continue
    const [min, max] = [Number(bounds[1]), Number(bounds[2])]
    const read = (text: string) => Reflect.get(readConfig({}, { [row.env]: text }).config, row.name)
    expect([read(String(min)), read(String(max))]).toEqual([min, max])
    for (const text of [
      String(min - 1),
      String(max + 1),
      `${min}.5`,
      `${min}e0`,
      ` ${min}`,
      '0x10',
      'Infinity',
    ]) {
      expect(() => read(text)).toThrow(row.env)
    }
  }
})

test('a refused flag is named as the flag and the variable', () => {
  expect(refusal({ port: '70000' })).toBe(
    '--port (MEMGOV_PORT): "70000" is not allowed. Allowed: an integer from 0 to 65535.',
  )
})

test('all bad values are named at once, unknown options too', () => {
  const message = refusal({ colour: 'red' }, { MEMGOV_PORT: 'x', MEMGOV_LOG_LEVEL: 'loud' })
  expect(message.split('\n')).toHaveLength(3)
  for (const word of ['colour', 'MEMGOV_PORT', 'MEMGOV_LOG_LEVEL']) expect(message).toContain(word)
})

test('an address or a name is taken as host, and nothing else', () => {
  for (const host of ['127.0.0.1', '::1', 'localhost', '0.0.0.0', '::', 'memgov.example.org']) {
    expect(readConfig({ host }, {}).config.host).toBe(host)
  }
  for (const host of ['', 'http://localhost', '127.0.0.1:3001', 'a b']) {
    expect(refusal({ host })).toMatch(/neither an address nor a name/)
  }
})

test('a variable that begins with MEMGOV_ and is no option is named in a warning', () => {
  const { warnings } = readConfig({}, { MEMGOV_PROT: '3002', OTHER: '1' })
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toContain('MEMGOV_PROT')
})

test('no text makes a configuration outside the schema', () => {
  const names = Object.keys(Options.shape)
  proving(200)(fc.constantFrom(...names), fc.oneof(fc.string(), fc.integer().map(String)), (name, text) => {
    const env = { [optionRows().find((row) => row.name === name)?.env ?? '']: text }
    try {
      expect(Options.safeParse(readConfig({}, env).config).success).toBe(true)
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError)
    }
  })
})

test('the printed configuration has one JSON line an option, with its source', () => {
  const lines = configLines(readConfig({ port: '0' }, {})).map((line): unknown => JSON.parse(line))
  expect(lines).toHaveLength(Object.keys(Options.shape).length)
  expect(lines).toContainEqual({ option: 'port', env: 'MEMGOV_PORT', value: 0, source: 'option' })
})

test('the configuration page has a line for every option', () => {
  const page = configurationPage()
  for (const row of optionRows()) {
    expect(page).toMatch(new RegExp(`\\| \`${row.env}\` +\\| \`${row.flag}\` `))
    expect(page).toContain(row.description)
  }
})

test('the key of the provider comes from the environment only and is printed nowhere', () => {
  const key = 'sk-quite-secret'
  const effective = readConfig({}, { MEMGOV_EMBEDDINGS_KEY: key })
  expect(effective.config.embeddingsKey).toBe(key)
  expect(configLines(effective).join()).not.toContain(key)
  expect(configLines(effective).join()).toContain('"value":"hidden"')
  expect(configLines(readConfig({}, {})).join()).not.toContain('hidden')
  expect(refusal({ embeddingsKey: key })).toBe(
    'embeddingsKey is read from the environment only: MEMGOV_EMBEDDINGS_KEY.',
  )
  expect(refusal({}, { MEMGOV_EMBEDDINGS_KEY: `${key} two` })).toMatch(/^MEMGOV_EMBEDDINGS_KEY: the value is/)
  expect(refusal({}, { MEMGOV_EMBEDDINGS_KEY: `${key} two` })).not.toContain(key)
  expect(optionRows().map(({ name }) => name)).not.toContain('embeddingsKey')
  expect(configurationPage()).toContain('`MEMGOV_EMBEDDINGS_KEY`')
})

test('a list is values with commas between, or JSON, where a value may hold a comma', () => {
  const scopesOf = (holdoutScopes: string) => readConfig({ holdoutScopes }, {}).config.holdoutScopes
  expect(scopesOf('default/a, acme/b')).toEqual(['default/a', 'acme/b'])
  expect(scopesOf('["default/a,b"]')).toEqual(['default/a,b'])
  for (const wrong of ['default/a,b', '["default/a",5]', '["default/a,b"']) {
    expect(refusal({ holdoutScopes: wrong })).toContain('with commas between or in JSON')
  }
})

test('the query of an address is never printed: it may be a key', () => {
  const url = 'https://api.example.org/v1?api-key=sk-"word&x=1'
  const shown = configLines(readConfig({ embeddingsUrl: url }, {})).map((line): unknown => JSON.parse(line))
  const value = 'https://api.example.org/v1?hidden'
  expect(shown).toContainEqual(expect.objectContaining({ option: 'embeddingsUrl', value }))
  expect(JSON.stringify(shown)).not.toContain('word')
  expect(refusal({ embeddingsUrl: url.replace('https', 'ftp') })).toContain(
    '"ftp://api.example.org/v1?hidden"',
  )
})

test('the address of the provider is http or https without a password; http beyond this machine is warned of', () => {
  const warningsOf = (url: string) => readConfig({ embeddingsUrl: url }, {}).warnings
  for (const url of [
    'https://api.example.org',
    'http://127.0.0.1:8080/v1',
    'http://[::1]:80',
    'http://localhost',
  ]) {
    expect(warningsOf(url)).toEqual([])
  }
  expect(warningsOf('http://models.example.org')).toHaveLength(1)
  for (const url of [
    'ftp://example.org',
    'example.org',
    'https://me:word@example.org',
    'https://me@example.org',
  ]) {
    expect(refusal({ embeddingsUrl: url })).toContain('MEMGOV_EMBEDDINGS_URL')
    expect(refusal({ embeddingsUrl: url })).not.toContain('me:word')
  }
})

test('what an embedder passes is all that is read, and its messages name options', () => {
  process.env['MEMGOV_WORKERS'] = 'many'
  try {
    expect(readOptions({ embeddingsKey: 'sk-its-own', dataDir: undefined }).config).toMatchObject({
      workers: 1,
      embeddingsKey: 'sk-its-own',
      dataDir: './snapshots',
    })
  } finally {
    delete process.env['MEMGOV_WORKERS']
  }
  expect(() => readOptions({ workers: 0, port: 4000, colour: 'red', dataDirr: 'here' })).toThrow(
    [
      'port is an option of memgov serve: an embedded runtime does not listen.',
      'Unknown option colour.',
      'Unknown option dataDirr; did you mean dataDir?',
      'workers: 0 is not allowed. Allowed: an integer from 1 to 64.',
    ].join('\n'),
  )
  expect(readOptions({ embeddingsUrl: 'http://models.example' }).warnings).toEqual([
    'embeddingsUrl is not https: memory text and the key can be read on the way.',
  ])
})
