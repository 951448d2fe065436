import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { rulesDocument } from '../../src/docs/pages.ts'
import { allRules } from '../support/rules.ts'

const root = resolve(import.meta.dirname, '../..')
const IDS = allRules().map((rule) => rule.id)
/** A test at the beginning of a line, up to its name: alone, behind a condition, or behind a table. */
const TEST_HEAD =
  /^\s*(?:test|it)(?:\.each(?:<[^(]*>)?\([\s\S]*?^\s*\](?: as const)?\)|\.\w+\([^'"`]*\)|\.\w+)?\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/m
const TEST_START = /^(?=\s*(?:test|it)\b)/m
const RULE_ID = /^([A-Z]{1,2}\d+): /

/** The names of the tests in a source file. */
function namesIn(source: string): readonly string[] {
  return source.split(TEST_START).flatMap((part) => {
    const [, single, double, template] = TEST_HEAD.exec(part) ?? []
    return single ?? double ?? template ?? []
  })
}

function ruleOf(name: string): string | null {
  return RULE_ID.exec(name)?.[1] ?? null
}

function rulesWithoutTest(ids: readonly string[], names: readonly string[]): readonly string[] {
  const tested = new Set(names.map(ruleOf))
  return ids.filter((id) => !tested.has(id))
}

function testsWithoutRule(ids: readonly string[], names: readonly string[]): readonly string[] {
  return names.filter((name) => {
    const id = ruleOf(name)
    return id !== null && !ids.includes(id)
  })
}

function testFilesUnder(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => join(folder, path))
}

function sourcesUnder(folder: string): readonly string[] {
  return testFilesUnder(join(root, folder)).map((path) => readFileSync(path, 'utf8'))
}

describe('rules and tests name each other', () => {
  test('every rule has a test in test/rules whose name begins with its id', () => {
    const proofs = sourcesUnder('test/rules').filter((source) =>
      /from '(?:fast-check|.*\/prove\.ts|.*\/harness\/recorder\.ts)'/.test(source),
    )
    expect(rulesWithoutTest(IDS, proofs.flatMap(namesIn))).toEqual([])
  })

  test('every id at the beginning of a test name is that of a rule', () => {
    expect(testsWithoutRule(IDS, sourcesUnder('test').flatMap(namesIn))).toEqual([])
  })

  test('every rule has an id of its own and a law that is a sentence', () => {
    expect(new Set(IDS).size).toBe(IDS.length)
    for (const { id, law } of allRules()) {
      expect(id).toMatch(/^[A-Z]{1,2}\d+$/)
      expect(law).toMatch(/^[A-Z].*\.$/)
    }
  })

  test('a planted rule without a test and a planted test without a rule are found', () => {
    const planted = [
      "test('S1: as it is', () => {",
      '  test("X99: of no rule", async () => {',
      '  it(',
      '    `T1: over two lines`,',
      "  test.skip('V99: not even run', () => {",
      "  test.each([1, 2])('G1: for each', () => {",
      "test('no id at all', () => {",
    ].join('\n')
    const names = namesIn(planted)
    expect(names.length).toBe(6)
    expect(testsWithoutRule(IDS, names)).toEqual(['X99: of no rule', 'V99: not even run'])
    expect(rulesWithoutTest(['S1', 'T1', 'G1', 'S2'], names)).toEqual(['S2'])
    expect(rulesWithoutTest([...IDS, 'Z1'], sourcesUnder('test/rules').flatMap(namesIn))).toEqual(['Z1'])
  })

  test('the register sees the tests there are', () => {
    const names = sourcesUnder('test/rules').flatMap(namesIn)
    const written =
      sourcesUnder('test/rules')
        .join('\n')
        .match(/^\s*(?:test|it)\b/gm) ?? []
    expect(names.length).toBeGreaterThanOrEqual(written.length)
    expect(names.length).toBeGreaterThan(IDS.length)
  })
})

describe('the document of the rules', () => {
  test('docs/reference/rules.md is what the tables say, and names every rule once', () => {
    const document = rulesDocument()
    for (const id of IDS) expect(document.split(`| ${id} `).length).toBe(2)
    expect(readFileSync(join(root, 'docs/reference/rules.md'), 'utf8')).toBe(document)
  })
})
