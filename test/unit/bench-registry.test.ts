import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { listText, QUESTIONS, questionNamed } from '../../bench/registry.ts'

const folder = new URL('../../bench/', import.meta.url)

/** Files beside the questions: parts of the suite, and programs with commands of their own. */
const NO_QUESTIONS = new Set([
  'capacity-model',
  'compare',
  'fuzz',
  'histogram',
  'html',
  'json-client',
  'measure',
  'mutate',
  'profile',
  'registry',
  'replay',
  'result',
  'run',
  'seeded-scope',
  'service-process',
  'soak',
  'soak-crash',
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

  test('the document of the benches has a row for every question, and for nothing else', () => {
    const text = readFileSync(new URL('../../docs/benchmarks.md', import.meta.url), 'utf8')
    const [, table = ''] = text.split(/^\| question .*\n\| -.*\n/m)
    const rows = table.slice(0, table.indexOf('\n\n')).split('\n')
    const named = rows.map((row) => /^\| `([\w-]+)`/.exec(row)?.[1] ?? row)
    expect(named.toSorted()).toEqual(QUESTIONS.map(({ name }) => name).toSorted())
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

  test('names are unique, and each is found by its name', () => {
    const names = QUESTIONS.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const question of QUESTIONS) expect(questionNamed(question.name)).toBe(question)
    expect(questionNamed('toString')).toBeNull()
  })

  test('the list tells of each what it measures, its yardstick and its goals', () => {
    for (const { name, measures, yardstick, goals } of QUESTIONS) {
      for (const text of [name, measures, yardstick, ...goals]) expect(listText()).toContain(text)
    }
  })
})
