import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { QUESTIONS } from '../../bench/registry.ts'
import { parseSuiteResult } from '../../bench/result.ts'

const COMMAND = fileURLToPath(new URL('../../dist/bench/run.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'memgov-suite-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function bench(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  return { status, stdout, stderr }
}

describe('npm run bench', () => {
  test('a question is asked, printed and written as JSON and as a page, without a progress line in a pipe', () => {
    const [json, html] = [join(folder, 'a.json'), join(folder, 'a.html')]
    const run = bench(['http-edge', '--quick', '--json', json, '--html', html])
    expect(run).toMatchObject({ status: 0, stderr: '' })
    const suite = parseSuiteResult(readFileSync(json, 'utf8'))
    expect(suite.isQuick).toBe(true)
    expect(suite.results.map(({ bench: name }) => name)).toEqual(['http-edge'])
    for (const { name } of suite.results[0]?.figures ?? []) {
      expect(run.stdout).toContain(name)
      expect(readFileSync(html, 'utf8')).toContain(name)
    }
    const compared = bench(['compare', json, json])
    expect(compared.status).toBe(0)
    expect(compared.stdout).toContain('http-edge: the edge')
  })

  test('a question that breaks is named, the others are asked all the same, and the exit code is 1', () => {
    const json = join(folder, 'b.json')
    // The one question needs a temporary folder, the other does not.
    const run = bench(['append', 'http-edge', '--quick', '--json', json], { TMPDIR: join(folder, 'nowhere') })
    expect(run.status).toBe(1)
    expect(run.stderr).toMatch(/^append broke: it ended with 1: Error: ENOENT/m)
    const suite = parseSuiteResult(readFileSync(json, 'utf8'))
    expect(suite.failures.map(({ bench: name }) => name)).toEqual(['append'])
    expect(suite.results.map(({ bench: name }) => name)).toEqual(['http-edge'])
  })

  test('the list names every question', () => {
    const { status, stdout } = bench(['--list'])
    expect(status).toBe(0)
    for (const { name } of QUESTIONS) expect(stdout).toContain(name)
  })

  test('a profile is a picture and a table of where the time of a workload went', () => {
    const run = bench(['profile', 'guide-embedded', '--quick', '--label', 'now', '--out', folder])
    expect(run).toMatchObject({ status: 0, stderr: '' })
    const table = readFileSync(join(folder, 'now-guide-embedded.txt'), 'utf8')
    expect(table).toMatch(/compileGuide +src\/core\/guide\/compile\.js/)
    const picture = readFileSync(join(folder, 'now-guide-embedded.svg'), 'utf8')
    expect(picture).toContain('compileGuide')
    expect(Buffer.byteLength(picture)).toBeLessThanOrEqual(60_000)
    expect(bench(['profile', 'no-such-workload'])).toMatchObject({ status: 2 })
  })

  test('arguments that are not understood exit with 2 and tell how it is used', () => {
    for (const args of [['no-such-question'], ['--no-such-flag'], ['compare', 'one.json']]) {
      const { status, stderr } = bench(args)
      expect(status).toBe(2)
      expect(stderr).toContain('npm run bench')
    }
  })
})
