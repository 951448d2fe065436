import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { QUESTIONS } from '../../bench/registry.ts'

const folder = new URL('../../bench/', import.meta.url)

/** Files beside the questions: parts of the suite, and programs with commands of their own. */
const NO_QUESTIONS = new Set([
  'builds',
  'console',
  'fit',
  'fuzz',
  'histogram',
  'json-client',
  'measure',
  'mutate',
  'registry',
  'replay',
  'result',
  'run',
  'seeded-scope',
  'service-process',
  'soak',
  'soak-cluster',
  'soak-crash',
  'soak-keys',
  'soak-migrate',
  'soak-nodes',
  'synthetic-text',
])

describe('registry of benchmarks', () => {
  test('every question has a file, and every file that is no part of the suite is a question', () => {
    const files = readdirSync(folder)
      .filter((name) => name.endsWith('.ts'))
      .map((name) => name.slice(0, -'.ts'.length))
    const names = QUESTIONS.map(({ name }) => name)
    expect(names.filter((name) => !existsSync(new URL(`${name}.ts`, folder)))).toEqual([])
    expect(files.filter((name) => !NO_QUESTIONS.has(name) && !names.includes(name))).toEqual([])
  })

  test('the page of the figures names every question, and no other', () => {
    const text = readFileSync(new URL('../../docs/internals/performance.md', import.meta.url), 'utf8')
    const named = [...text.matchAll(/`npm run bench -- ([a-z-]+)/g)].map(([, name]) => name)
    const known = [...QUESTIONS.map(({ name }) => name), 'builds']
    expect(new Set(named)).toEqual(new Set(known))
  })

  test('peers are of exact versions, and their lock file names no address to download from', () => {
    const [listed, locked] = ['package.json', 'package-lock.json'].map((name) =>
      readFileSync(new URL(`peers/${name}`, folder), 'utf8'),
    )
    const { dependencies, optionalDependencies } = JSON.parse(listed ?? '')
    const versions = Object.values({ ...dependencies, ...optionalDependencies })
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(String(version)))).toEqual([])
    expect(locked).not.toMatch(/"resolved"|https?:\/\/[^"]*\.tgz/)
  })
})
