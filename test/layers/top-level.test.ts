/** What the repository holds at its top level; a download that was committed by chance shows here. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const TOP_LEVEL = [
  '.ci',
  '.dependency-cruiser.cjs',
  '.dockerignore',
  '.gitignore',
  '.npmrc',
  '.oxlintrc.json',
  'CONTRIBUTING.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'bench',
  'biome.json',
  'clients',
  'deploy',
  'docs',
  'knip.json',
  'package-lock.json',
  'package.json',
  'rolldown.config.ts',
  'snapshots',
  'src',
  'test',
  'tools',
  'tsconfig.json',
  'vitest.browser.config.ts',
  'vitest.config.ts',
  'vitest.mutate.config.ts',
  'vitest.package.config.ts',
  'workers',
]

test('the top level holds what belongs there and nothing else', () => {
  const tracked = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0')
  const names = new Set(tracked.map((path) => path.split('/')[0]).filter((name) => name !== ''))
  expect(names).toEqual(new Set(TOP_LEVEL))
})
