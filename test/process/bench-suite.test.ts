import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { dataFolder } from '../harness/data-folder.ts'

const COMMAND = fileURLToPath(new URL('../../dist/bench/run.js', import.meta.url))
const folder = dataFolder()

function bench(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  return { status, stdout, stderr }
}

describe('npm run bench', () => {
  test('a question is asked, printed, written as JSON and as a page', () => {
    const json = join(folder, 'a.json')
    const html = join(folder, 'a.html')
    const run = bench(['start', '--quick', '--json', json, '--html', html])
    expect(run).toMatchObject({ status: 0, stderr: '' })
    const suite = JSON.parse(readFileSync(json, 'utf8'))
    expect(suite).toMatchObject({ isQuick: true, results: [{ bench: 'start' }], failures: [] })
    expect(suite.results[0].figures.length).toBeGreaterThan(0)
    expect(readFileSync(html, 'utf8')).toContain('of 1 goals met')
    for (const { name } of suite.results[0].figures) expect(run.stdout).toContain(name)
  })

  test('a question that breaks is named, the others are asked all the same and say what they skip, and the exit code is 1', () => {
    const json = join(folder, 'b.json')
    // The one question needs a temporary folder, the other does without, and has no recorded texts.
    const { status, stdout, stderr } = bench(['append', 'screening', '--quick', '--json', json], {
      TMPDIR: join(folder, 'nowhere'),
      BENCH_DATA: '',
    })
    expect(status).toBe(1)
    expect(stderr).toMatch(/^append broke: it ended with 1: Error: ENOENT/m)
    const suite = JSON.parse(readFileSync(json, 'utf8'))
    expect(suite).toMatchObject({ results: [{ bench: 'screening' }], failures: [{ bench: 'append' }] })
    expect(stdout).toContain('No text is screened')
    expect(stdout).toContain('--data DIR or BENCH_DATA')
  })

  test('a part of the judgements is asked over a folder; another, whose texts are missing, is named', () => {
    const data = join(folder, 'texts')
    mkdirSync(join(data, 'judgement'), { recursive: true })
    const pair = { id: 'a', label: 'update', family: 'number', lang: 'en', older: 'Two.', newer: 'Three.' }
    writeFileSync(join(data, 'judgement', 'pairs-dev.jsonl'), `${JSON.stringify(pair)}\n`)
    const { status, stdout, stderr } = bench(['judgement', '--data', data, '--only', 'pairs,near'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(/^pairs, observe: noticed +\d of 1 /m)
    expect(stdout).toContain('The part near is skipped: there is no ')
  })

  test('arguments that are not understood exit with 2 and tell how it is used', () => {
    for (const args of [['no-such-question'], ['--no-such-flag'], ['builds'], ['start', '--only', 'pairs']]) {
      const { status, stderr } = bench(args)
      expect(status).toBe(2)
      expect(stderr).toContain('npm run bench')
    }
  })
})
