import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { COMMANDS, flagsOf } from '../../src/edges/cli/command-flags.ts'
import { SHELLS } from '../../src/edges/cli/commands.ts'
import { memgov } from '../harness/command.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { HttpClient } from '../harness/http-client.ts'
import { startProcess } from '../harness/process.ts'
import { answerOf } from '../harness/reply.ts'

/** What bash offers behind the words of a line, the last of which is being typed. */
function offered(script: string, words: readonly string[], cwd: string): readonly string[] {
  const program = [
    script,
    `COMP_WORDS=(memgov ${words.map((word) => `'${word}'`).join(' ')})`,
    `COMP_CWORD=${words.length}`,
    '_memgov',
    'printf "%s\\n" "${COMPREPLY[@]}"',
  ].join('\n')
  const output = execFileSync('bash', ['--noprofile', '--norc', '-u', '-c', program], {
    cwd,
    encoding: 'utf8',
  })
  return output.split('\n').filter((line) => line !== '')
}

describe('completion', () => {
  test('in bash offers commands, the flags of each command, and what follows a flag', async () => {
    const { code, stdout: script } = await memgov('completion', 'bash')
    expect(code).toBe(0)
    const cwd = dataFolder()
    mkdirSync(join(cwd, 'memory'))
    writeFileSync(join(cwd, 'archive.jsonl'), '')
    const after = (...words: readonly string[]) => offered(script, words, cwd)
    expect(after('')).toEqual([...COMMANDS, '--help', '--version'])
    expect(after('ex')).toEqual(['explain', 'export'])
    for (const command of COMMANDS) {
      const own = flagsOf(command).map(({ name }) => `--${name}`)
      expect(after(command, '--')).toEqual(expect.arrayContaining([...own, '--help']))
    }
    expect(after('verify', '--de')).toEqual(['--deep'])
    expect(after('serve', '--dat')).toEqual(['--data-dir', '--data'])
    expect(after('scopes', '')).toEqual(expect.arrayContaining(['list', 'prune']))
    expect(after('completion', 'b')).toEqual(['bash'])
    expect(after('serve', '--durability', '')).toEqual(expect.arrayContaining(['sync', 'none']))
    expect(after('blast-radius', '--origin', 'ag')).toEqual(['agent'])
    expect(after('verify', '--data-dir', '')).toEqual(['memory'])
    expect(after('import', '--in', 'arch')).toEqual(['archive.jsonl'])
    expect(after('serve', '--port', '')).toEqual([])
    expect(after('unknown', '')).toEqual([])
  })

  // Where zsh or fish is not installed only bash is checked.
  test.each(SHELLS.filter((shell) => spawnSync(shell, ['-c', 'true']).status === 0))(
    'for %s is a script without an error of syntax',
    async (shell) => {
      const file = join(dataFolder(), 'script')
      writeFileSync(file, (await memgov('completion', shell)).stdout)
      const checked = spawnSync(shell, ['-n', file], { encoding: 'utf8' })
      expect([checked.status, checked.stderr]).toEqual([0, ''])
    },
  )

  test.each(SHELLS)('for %s names every command and every flag of the tables', async (shell) => {
    const { stdout } = await memgov('completion', shell)
    for (const command of COMMANDS) {
      expect(stdout).toContain(command)
      for (const { name } of flagsOf(command)) {
        expect(stdout).toContain(shell === 'fish' ? `-l ${name} ` : `--${name}`)
      }
    }
  })

  test('needs a shell that it knows', async () => {
    for (const argv of [['completion'], ['completion', 'tcsh'], ['completion', 'bash', 'zsh']]) {
      expect(await memgov(...argv)).toMatchObject({ code: 2, stdout: '' })
    }
  })
})

describe('a refused import', () => {
  test.each(['missing', 'damaged'])('of a %s archive leaves no folder behind', async (what) => {
    const parent = dataFolder()
    const archive = join(parent, 'archive.jsonl')
    if (what === 'damaged') writeFileSync(archive, '{"no":"archive"}\n')
    const before = readdirSync(parent)
    const { code, stdout, stderr } = await memgov(
      'import',
      '--in',
      archive,
      '--data-dir',
      join(parent, 'a', 'b'),
    )
    expect(code).toBe(what === 'missing' ? 2 : 1)
    expect(stdout + stderr).toContain('archive')
    expect(readdirSync(parent)).toEqual(before)
  })

  test('makes no folder for a store in memory, which no later process would find', async () => {
    const archive = join(dataFolder(), 'archive.jsonl')
    writeFileSync(archive, '')
    for (const command of [['import', '--in', archive], ['inspect']]) {
      const { code, stderr } = await memgov(...command, '--data-dir', ':memory:')
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: `memgov ${command[0]}: a store in memory has no files: name a folder by --data-dir DIR.\n`,
      })
    }
    expect(existsSync(':memory:')).toBe(false)
  })

  test('leaves a folder that was there', async () => {
    const dir = dataFolder()
    mkdirSync(dir, { recursive: true })
    const archive = join(dataFolder(), 'archive.jsonl')
    writeFileSync(archive, '')
    expect((await memgov('import', '--in', archive, '--data-dir', dir)).code).toBe(1)
    expect(existsSync(dir)).toBe(true)
  })
})

describe('an id without a scope', () => {
  test('is found in the scope of the tenant that has it, and the answer names that scope', async () => {
    const dir = dataFolder()
    const service = await startProcess(dir)
    const client = new HttpClient(service.url)
    const ids: string[] = []
    for (const place of [{ scope: 'web' }, { tenant_id: 'acme', scope: 'shop' }]) {
      const written = await client.call('observe', { ...place, input_text: `Deploys of ${place.scope}` })
      ids.push(...answerOf(written).memory_ids)
    }
    const place = { tenant_id: 'acme', scope: 'shop' }
    const guide = answerOf(await client.call('guide', { ...place, query_text: 'deploys' }))
    await client.close()
    const bare = guide.guide_trace_id.slice('guide_trace:'.length)
    const asked = (...argv: readonly string[]) => memgov(...argv, '--url', service.url)

    const told = await asked('explain', bare, '--tenant', 'acme')
    expect(told).toMatchObject({ code: 0, stderr: '' })
    expect(told.stdout).toMatch(/^ {2}Scope +acme\/shop$/m)
    const traced = await asked('blast-radius', ids[0] ?? '', '--json')
    expect(JSON.parse(traced.stdout)).toMatchObject({ tenant_id: 'default', scope: 'web' })
    const elsewhere = await asked('blast-radius', ids[1] ?? '')
    expect(elsewhere).toMatchObject({ code: 1, stdout: '' })
    expect(elsewhere.stderr).toMatch(/It is in no scope of the tenant default: name another by --tenant/)
    const whole = await asked('show', ids[0] ?? '')
    expect(whole.stdout).toContain('Deploys of web')
    await service.end()

    const stored = await memgov('blast-radius', ids[1] ?? '', '--tenant', 'acme', '--data-dir', dir)
    expect(stored).toMatchObject({ code: 0, stderr: '' })
    expect(stored.stdout).toContain(`Blast radius of memory_id ${ids[1]} in acme/shop`)
    const shown = await memgov('show', ids[0] ?? '', '--data-dir', dir)
    expect(shown.stdout).toContain('Deploys of web')
    const tail = await memgov('tail', '--scope', 'web', '--data-dir', dir)
    expect(tail).toMatchObject({ code: 0, stderr: '' })
    expect(tail.stdout).toContain('Deploys of web')
  })
})
