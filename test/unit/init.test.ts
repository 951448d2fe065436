import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { type ParseError, parse } from 'jsonc-parser'
import { afterEach, describe, expect, test } from 'vitest'
import { HOST_NAMES, type HostName } from '../../src/edges/cli/command-flags.ts'
import { put, removeWorlds, treeOf, world } from '../support/init-world.ts'
import { JSON_TEXTS, REFUSED, TOML_TEXTS } from '../support/settings-texts.ts'

// memgov init and what it takes back, in a home and a project of their own.

afterEach(removeWorlds)

function readJson(path: string): unknown {
  const errors: ParseError[] = []
  const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  const value: unknown = parse(text, errors, { allowTrailingComma: true })
  expect(errors).toEqual([])
  return value
}

/** Files of a host in a project; those of JSON all take the same texts. */
const FILES: Readonly<Record<HostName, readonly string[]>> = {
  'claude-code': ['.mcp.json', '.claude/settings.json'],
  codex: ['.codex/config.toml', '.codex/hooks.json'],
  cursor: ['.cursor/mcp.json', '.cursor/hooks.json'],
  gemini: ['.gemini/settings.json'],
  vscode: ['.vscode/mcp.json'],
  opencode: ['opencode.json'],
}
const isToml = (path: string): boolean => path.endsWith('.toml')

describe('init and then --undo', () => {
  test.each(HOST_NAMES)(
    '%s: gives back every kind of file byte for byte, and adds to it in between',
    async (host) => {
      for (const [kind, text] of Object.entries(JSON_TEXTS)) {
        const { project, run } = world()
        const tomls = Object.values(TOML_TEXTS)
        const toml = tomls[Object.keys(JSON_TEXTS).indexOf(kind) % tomls.length] ?? ''
        for (const path of FILES[host]) put(join(project, path), isToml(path) ? toml : text)
        const before = treeOf(project)
        expect(await run({ host }), kind).toMatchObject({ code: 0, error: '' })
        const written = treeOf(project)
        for (const path of FILES[host]) {
          const now = readFileSync(join(project, path), 'utf8')
          expect(now, kind).not.toBe(isToml(path) ? toml : text)
          const kept = isToml(path) ? now.startsWith(toml) : isWithin(text, now)
          expect(kept, `${kind}: ${path}`).toBe(true)
          if (!isToml(path)) expectHeld(parsed(text), readJson(join(project, path)), kind)
        }
        expect((await run({ host })).out, kind).toContain('nothing to do')
        expect(treeOf(project), kind).toEqual(written)
        expect((await run({ host, isUndone: true })).code, kind).toBe(0)
        expect(treeOf(project), kind).toEqual(before)
      }
    },
  )

  test.each(HOST_NAMES)(
    '%s: takes away every file and folder that was not there, for a project and a user',
    async (host) => {
      for (const isUser of [false, true]) {
        const { home, project, run } = world()
        const before = [treeOf(home), treeOf(project)]
        await run({ host, isUser })
        expect([treeOf(home), treeOf(project)]).not.toEqual(before)
        expect((await run({ host, isUser, isUndone: true })).code).toBe(0)
        expect([treeOf(home), treeOf(project)]).toEqual(before)
        expect((await run({ host, isUser, isUndone: true })).out).toContain(
          'There is nothing of memgov init.',
        )
      }
    },
  )

  test('a link stays a link, and permissions stay as they are', async () => {
    const { home, project, run } = world()
    for (const [folder, isUser] of [
      [home, true],
      [project, false],
    ] as const) {
      const [kept, link] = [join(folder, 'dotfiles/settings.json'), join(folder, '.gemini/settings.json')]
      put(kept, '{ "model": "opus" }\n')
      chmodSync(kept, 0o600)
      mkdirSync(dirname(link))
      symlinkSync(kept, link)
      const before = treeOf(folder)
      await run({ host: 'gemini', isUser })
      expect(statSync(kept).mode & 0o777).toBe(0o600)
      expect(lstatSync(link).isSymbolicLink()).toBe(true)
      expect(readFileSync(kept, 'utf8')).toContain('hook gemini')
      await run({ host: 'gemini', isUser, isUndone: true })
      expect(treeOf(folder)).toEqual(before)
    }
  })

  test('what somebody has changed since stays, ours goes: also where no record of it is left', async () => {
    const { project, run } = world()
    const path = join(project, '.gemini/settings.json')
    put(path, '{\n  // mine\n  "theme": "dark"\n}\n')
    await run({ host: 'gemini' })
    writeFileSync(path, readFileSync(path, 'utf8').replace('"dark"', '"light"'))
    await run({ host: 'gemini', isUndone: true })
    expect(readFileSync(path, 'utf8')).toContain('// mine')
    expect(readJson(path)).toEqual({ theme: 'light' })
    const toml = join(project, '.codex/config.toml')
    put(toml, 'model = "o"\n')
    await run({ host: 'codex' })
    writeFileSync(toml, `${readFileSync(toml, 'utf8')}[tui]\n`)
    await run({ host: 'codex', isUndone: true })
    expect(readFileSync(toml, 'utf8')).toBe('model = "o"\n\n[tui]\n')
  })

  test.each([
    '{"hooks":{"Stop":[{"hooks":[{"command":"a"}]}]}}',
    '{"hooks":{"Stop":[{"hooks":[{"command":"a"}]},]}}',
    '{ "hooks": { "Stop": [ { "hooks": [ { "command": "a" } ] } ] } }',
    '{\n  "hooks": {\n    "Stop": [\n      { "hooks": [{"command": "a"}] } // mine\n    ]\n  }\n}\n',
    '{\r\n  "hooks": {\r\n    "Stop": [\r\n      {"hooks": [{"command": "a"}]}, // mine\r\n    ]\r\n  }\r\n}\r\n',
    '{"hooks":{"Stop":[]},"hooks":{"Stop":[{"hooks":[{"command":"a"}]}]}}',
  ])('of %j what somebody has changed since is all that is left', async (text) => {
    const { project, run } = world()
    const path = join(project, '.claude/settings.json')
    put(path, text)
    await run({ host: 'claude-code' })
    writeFileSync(path, readFileSync(path, 'utf8').replace('"a"', '"b"'))
    expect(await run({ host: 'claude-code', isUndone: true })).toMatchObject({ code: 0, error: '' })
    expect(readFileSync(path, 'utf8')).toBe(text.replace('"a"', '"b"'))
  })

  test('a hook that somebody has put into the group of ours stays', async () => {
    const { project, run } = world()
    const path = join(project, '.gemini/settings.json')
    const own = '{"command":"npx memgov hook gemini"}'
    put(
      path,
      `{"hooks":{"AfterTool":[{"matcher":"*","hooks":[${own},{"command":"a"},${own}]},{"hooks":[${own}]}]}}`,
    )
    await run({ host: 'gemini', isUndone: true })
    expect(readJson(path)).toEqual({ hooks: { AfterTool: [{ matcher: '*', hooks: [{ command: 'a' }] }] } })
  })

  test('of several members of one name the last goes, and the comma of one that is alone', async () => {
    const { project, run } = world()
    const path = join(project, '.cursor/mcp.json')
    const own = '{"command":"npx","args":["memgov","mcp"]}'
    for (const [text, left] of [
      [
        `{"mcpServers":{"memgov":{"command":"other"},"memgov":${own}}}`,
        '{"mcpServers":{"memgov":{"command":"other"}}}',
      ],
      [`{"a":1,"mcpServers":{"memgov":${own},},}`, '{"a":1,}'],
      [
        `{\n  "mcpServers": {\n    "memgov": ${own},\n    // of b\n    "b": {}\n  }\n}`,
        '{\n  "mcpServers": {\n    // of b\n    "b": {}\n  }\n}',
      ],
      [
        String.raw`{"a":1,"mcpServers":{"memgov":{"args":["C:\\x\\dist\\service\\main.js","mcp"]}}}`,
        '{"a":1}',
      ],
    ] as const) {
      put(path, text)
      expect(await run({ host: 'cursor', isUndone: true })).toMatchObject({ code: 0, error: '' })
      expect(readFileSync(path, 'utf8')).toBe(left)
    }
  })
})

/** True: `text` is left when some characters of `longer` are struck out. */
function isWithin(text: string, longer: string): boolean {
  let at = 0
  for (const character of longer) if (text.startsWith(character, at)) at += character.length
  return at === text.length
}

function parsed(text: string): unknown {
  return parse(text.replace(/^\uFEFF/, ''), [], { allowTrailingComma: true })
}

/** Members are where they were, with what they were; lists begin as they did. */
function expectHeld(before: unknown, after: unknown, kind: string): void {
  if (before === undefined) return
  if (typeof before !== 'object' || before === null) {
    expect(after, kind).toEqual(before)
    return
  }
  expect(typeof after, kind).toBe('object')
  for (const [name, value] of Object.entries(before))
    expectHeld(value, Reflect.get(Object(after), name), kind)
}

describe('what cannot be changed without harm', () => {
  test.each(Object.entries(REFUSED))(
    '%s: is refused by name, and no file of the program changes',
    async (_kind, text) => {
      const { project, run } = world()
      put(join(project, '.gemini/settings.json'), text)
      put(join(project, '.claude/settings.json'), text)
      const before = treeOf(project)
      for (const host of ['gemini', 'claude-code'] as const) {
        const { code, error, out } = await run({ host })
        expect([code, out, error]).toEqual([
          1,
          '',
          expect.stringMatching(/settings\.json .*Nothing was changed/),
        ])
      }
      expect(treeOf(project)).toEqual(before)
    },
  )

  test('a folder in the place of a file, a link to nothing, and a file in the place of a folder', async () => {
    const { project, run } = world()
    mkdirSync(join(project, '.vscode/mcp.json'), { recursive: true })
    expect(await run({ host: 'vscode' })).toMatchObject({
      code: 1,
      error: expect.stringContaining('is no file'),
    })
    symlinkSync(join(project, 'nowhere'), join(project, 'opencode.json'))
    expect(await run({ host: 'opencode' })).toMatchObject({
      code: 1,
      error: expect.stringContaining('a link to'),
    })
    put(join(project, '.cursor'), 'a file')
    const { error } = await run({ host: 'cursor' })
    expect(error).toContain(`${join(project, '.cursor')} is no folder`)
  })

  test.each(['a file', 'a folder', 'a folder without the file'])(
    'in a project %s that links out of it is refused by name, also for --undo, and nothing is changed there',
    async (kind) => {
      const { home, project, run } = world()
      const file = join(home, 'theirs/settings.json')
      if (kind !== 'a folder without the file') put(file, '{}')
      else mkdirSync(dirname(file))
      if (kind === 'a file') {
        mkdirSync(join(project, '.gemini'))
        symlinkSync(file, join(project, '.gemini/settings.json'))
      } else symlinkSync(dirname(file), join(project, '.gemini'))
      const before = [treeOf(home), treeOf(project)]
      for (const isUndone of [false, true]) {
        const { code, error } = await run({ host: 'gemini', isUndone })
        expect([code, error]).toEqual([
          1,
          expect.stringMatching(/settings\.json leads out of the project by a link, to .*use --user/),
        ])
      }
      expect([treeOf(home), treeOf(project)]).toEqual(before)
    },
  )

  test.each([
    ['the table', '[mcp_servers.memgov]\ncommand = "x"\n'],
    ['the table, quoted', '[ mcp_servers . "memgov" ]\n'],
    ['a table in it', '[mcp_servers.memgov.env]\nA = "b"\n'],
    ['all servers in braces', 'mcp_servers = { other = { command = "x" } }\n'],
    ['a member of all servers', '[mcp_servers]\n# mine\nother = {}\nmemgov = { command = "x" }\n'],
    ['a part of such a member', '[mcp_servers]\n  "memgov".command = "x"\n'],
    ['a text without end', 'a = """\nnever ends\n'],
    ['a line that gives no value', 'model "o"\n'],
    ['one key twice', 'model = "o"\nmodel = "p"\n'],
  ])('TOML with %s is refused', async (_kind, text) => {
    const { project, run } = world()
    put(join(project, '.codex/config.toml'), text)
    expect(await run({ host: 'codex' })).toMatchObject({ code: 1, out: '' })
    expect(readFileSync(join(project, '.codex/config.toml'), 'utf8')).toBe(text)
    expect(existsSync(join(project, '.codex/hooks.json'))).toBe(false)
  })
})

describe('what init writes', () => {
  test('nothing before somebody agrees: the difference is shown, and a no is a no', async () => {
    const { project, run } = world()
    const before = treeOf(project)
    const silent = await run({ host: 'vscode', isAgreed: false })
    expect([silent.code, silent.error]).toEqual([1, expect.stringContaining('--yes')])
    expect(silent.out).toContain('+    "memgov": {')
    expect((await run({ host: 'vscode', isAgreed: false }, async () => false)).code).toBe(1)
    expect(treeOf(project)).toEqual(before)
    expect((await run({ host: 'vscode', isAgreed: false }, async () => true)).code).toBe(0)
  })

  test('without a program it lists what it finds and changes nothing', async () => {
    const { home, project, run } = world()
    mkdirSync(join(home, '.codex'))
    await run({ host: 'cursor', isUser: true })
    const before = [treeOf(home), treeOf(project)]
    const { out } = await run({ host: null })
    expect(out).toMatch(/codex +Codex +found/)
    expect(out).toMatch(/cursor +Cursor +set up for this user/)
    expect(out).toMatch(/gemini +Gemini CLI +not found/)
    expect([treeOf(home), treeOf(project)]).toEqual(before)
  })

  test('a later init with another scope replaces its entries, and undo still gives back the first file', async () => {
    const { project, run } = world()
    const path = join(project, '.claude/settings.json')
    put(path, '{ "model": "opus" }')
    await run({ host: 'claude-code' })
    await run({ host: 'claude-code', scope: 'other' })
    const text = readFileSync(path, 'utf8')
    expect([text.includes('"other"'), text.includes('shop')]).toEqual([true, false])
    await run({ host: 'claude-code', isUndone: true })
    expect(readFileSync(path, 'utf8')).toBe('{ "model": "opus" }')
  })

  test('Claude Code: hooks over HTTP for five events, none for those that it does not call or complains of', async () => {
    const { project, run } = world()
    await run({ host: 'claude-code' })
    const handler = {
      type: 'http',
      url: 'http://127.0.0.1:3001/hooks/claude-code',
      timeout: 2,
      headers: { authorization: 'Bearer $MEMGOV_KEY', 'x-memgov-scope': 'shop' },
      allowedEnvVars: ['MEMGOV_KEY'],
    }
    const events = ['UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure', 'PreCompact', 'Stop']
    const hooks = Object.fromEntries(events.map((event) => [event, [{ hooks: [handler] }]]))
    expect(readJson(join(project, '.claude/settings.json'))).toEqual({ hooks })
    const memgov = { type: 'stdio', command: 'npx', args: ['memgov', 'mcp', '--scope', 'shop'] }
    expect(readJson(join(project, '.mcp.json'))).toEqual({ mcpServers: { memgov } })
  })

  test('Codex: commands only, seconds, and that untrusted hooks are silent is told', async () => {
    const { project, run } = world()
    put(join(project, '.codex/hooks.json'), '{"hooks":{"Stop":[{"hooks":[{"type":"http","url":"x"}]}]}}')
    const { out } = await run({ host: 'codex' })
    expect(out).toMatch(/no hook that is not trusted/)
    expect(out).toContain('has an entry of type http')
    const text = readFileSync(join(project, '.codex/hooks.json'), 'utf8')
    expect(text).toContain('"command":"npx memgov hook codex --scope shop","timeout":5')
    expect(readFileSync(join(project, '.codex/config.toml'), 'utf8')).toBe(
      [
        '# Begin of what memgov init wrote.',
        '[mcp_servers.memgov]',
        'command = "npx"',
        'args = ["memgov","mcp","--scope","shop"]',
        'env_vars = ["MEMGOV_KEY","MEMGOV_URL"]',
        '# End of what memgov init wrote.',
        '',
      ].join('\n'),
    )
  })

  test('Gemini CLI counts in milliseconds', async () => {
    const { project, run } = world()
    expect((await run({ host: 'gemini' })).out).not.toContain('undo one of the two')
    const { out } = await run({ host: 'gemini', isUser: true })
    expect(out).toContain('set up for this project too, and may ask twice')
    expect(readFileSync(join(project, '.gemini/settings.json'), 'utf8')).toContain('"timeout": 5000')
  })

  test('a key is in no file: a project names the variable, a user the file with it, if nobody else may read that', async () => {
    const { home, project, run } = world()
    const key = join(home, '.config/memgov/key')
    put(key, 'mg_secret')
    chmodSync(key, 0o644)
    const open = await run({ host: 'cursor', isUser: true })
    expect(open.out).toContain('others may read it: chmod 600')
    expect(readFileSync(join(home, '.cursor/mcp.json'), 'utf8')).not.toContain(key)
    chmodSync(key, 0o600)
    await run({ host: 'cursor', isUser: true })
    expect(readFileSync(join(home, '.cursor/mcp.json'), 'utf8')).toContain(key)
    for (const host of HOST_NAMES) await run({ host })
    const texts = [...treeOf(project).values(), ...treeOf(home).entries()].flatMap((each) => each)
    const decoded = texts.map((text) => Buffer.from(text.split(' ')[1] ?? '', 'base64').toString())
    expect(decoded.filter((text) => text.includes('mg_secret'))).toHaveLength(1)
    expect([...treeOf(project).values()].join('')).not.toContain(
      Buffer.from('.config/memgov').toString('base64'),
    )
  })

  test('a scope or address that a shell would act on is refused', async () => {
    const { run } = world()
    await expect(run({ host: 'codex', scope: 'a; rm -rf ~' })).rejects.toThrow('--scope takes')
    await expect(run({ host: 'codex', url: 'http://h/$(x)' })).rejects.toThrow('not the URL')
  })

  test('what undo knows of files is for their owner only, and may be damaged', async () => {
    const { home, run } = world()
    put(join(home, '.claude.json'), '{"token":"secret"}')
    await run({ host: 'claude-code', isUser: true })
    const records = join(home, '../state/memgov/init')
    const modes = readdirSync(records).map((name) => statSync(join(records, name)).mode & 0o777)
    expect([modes.length, new Set(modes)]).toEqual([2, new Set([0o600])])
    expect(statSync(records).mode & 0o777).toBe(0o700)
    for (const name of readdirSync(records)) writeFileSync(join(records, name), '{')
    expect(await run({ host: 'claude-code', isUser: true, isUndone: true })).toMatchObject({ code: 0 })
  })
})
