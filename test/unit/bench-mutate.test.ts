import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { expect, test } from 'vitest'
import type { Accepted } from '../../bench/mutate/accepted.ts'
import { GROUPS } from '../../bench/mutate/groups.ts'

/** The patterns of one with a list in braces. */
function alternatives(pattern: string): readonly string[] {
  const [whole, list = ''] = /\{(.*?)\}/.exec(pattern) ?? []
  return whole === undefined ? [pattern] : list.split(',').map((name) => pattern.replace(whole, name))
}

function isFound(pattern: string): boolean {
  const [before = '', after = ''] = basename(pattern).split('*')
  if (!pattern.includes('*')) return existsSync(pattern)
  return readdirSync(dirname(pattern)).some((name) => name.startsWith(before) && name.endsWith(after))
}

test.each(GROUPS)('every file that group $name names is there', ({ sources, tests }) => {
  const patterns = [...sources, ...tests].flatMap(alternatives)
  expect(patterns.filter((pattern) => !isFound(pattern))).toEqual([])
})

test('every line with an accepted mutant is there', () => {
  const accepted: readonly Accepted[] = JSON.parse(readFileSync('bench/mutate/accepted.json', 'utf8'))
  const isThere = ({ file, line }: Accepted): boolean =>
    existsSync(`src/core/${file}`) && readFileSync(`src/core/${file}`, 'utf8').includes(line)
  expect(accepted.filter((each) => !isThere(each))).toEqual([])
})
