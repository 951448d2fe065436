import { spawnSync } from 'node:child_process'
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { dataFolder } from '../harness/data-folder.ts'

const TOOL = fileURLToPath(new URL('../../tools/build.mjs', import.meta.url))
const PAST = new Date('2020-01-01T00:00:00Z')
/** A checkout whose compiler and bundler only leave a line each. */
function checkout(hasCompiler: boolean) {
  const root = dataFolder()
  const write = (path: string, text: string, at: Date = PAST): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    utimesSync(join(root, path), at, at)
  }
  mkdirSync(join(root, 'tools'))
  cpSync(TOOL, join(root, 'tools/build.mjs'))
  for (const file of ['package.json', 'tsconfig.json', 'rolldown.config.ts', 'docs/openapi.json'])
    write(file, '{}')
  for (const file of ['src/app/main.ts', 'workers/rank.ts', 'bench/run.ts']) write(file, '')
  if (hasCompiler) {
    const said = (word: string) =>
      `const fs = require('fs'); fs.mkdirSync('dist/service', { recursive: true }); fs.appendFileSync('dist/said', '${word} '); fs.writeFileSync('dist/service/main.js', '')`
    for (const name of ['typescript-native', 'rolldown', 'vite'])
      write(`node_modules/${name}/package.json`, '{}')
    write('node_modules/typescript-native/bin/tsc', said('compiled'))
    write('node_modules/vite/bin/vite.js', said('paged'))
    // Under this ending it is read as a module.
    write(
      'node_modules/rolldown/bin/cli.mjs',
      `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); ${said('bundled')}`,
    )
  }
  for (const folder of ['src/app', 'src', 'workers', 'bench']) utimesSync(join(root, folder), PAST, PAST)
  const build = (...args: readonly string[]) =>
    spawnSync(process.execPath, [join(root, 'tools/build.mjs'), ...args], { encoding: 'utf8' })
  const said = (): string =>
    existsSync(join(root, 'dist/said')) ? readFileSync(join(root, 'dist/said'), 'utf8') : ''
  return { root, write, build, said }
}

test('a build is made once, and again after a source was changed, added or removed', () => {
  const { root, write, build, said } = checkout(true)
  const stale = () => build('--if-stale').stderr
  expect(stale()).toContain('building')
  expect(said()).toBe('compiled bundled paged ')
  expect(stale()).toBe('')
  expect(said()).toBe('compiled bundled paged ')
  const later = new Date(Date.now() + 60_000)
  for (const change of [
    () => write('src/app/main.ts', 'changed', later),
    () => write('workers/new.ts', '', later),
    () => {
      rmSync(join(root, 'workers/rank.ts'))
      utimesSync(join(root, 'workers'), later, later)
    },
    () => write('tsconfig.json', '{ }', later),
  ]) {
    utimesSync(join(root, 'dist/.built'), new Date(), new Date())
    for (const path of ['src/app', 'workers', 'src/app/main.ts', 'tsconfig.json'])
      utimesSync(join(root, path), PAST, PAST)
    if (existsSync(join(root, 'workers/new.ts'))) utimesSync(join(root, 'workers/new.ts'), PAST, PAST)
    expect(stale()).toBe('')
    change()
    expect(stale()).toContain('building')
  }
  expect(build().stderr).toContain('building')
})

test('a build may be run by its path, as a linked command runs it', () => {
  const { root, build } = checkout(true)
  expect(build().status).toBe(0)
  expect(() => accessSync(join(root, 'dist/service/main.js'), constants.X_OK)).not.toThrow()
})

test('without a compiler what was built is used as it is, and a tree that was not built says what to do', () => {
  const { write, build } = checkout(false)
  const unbuilt = build('--if-stale')
  expect(unbuilt.status).toBe(1)
  expect(unbuilt.stderr).toContain('Run npm ci && npm run build first')
  write('dist/service/main.js', '')
  const stale = build('--if-stale')
  expect(stale.status).toBe(0)
  expect(stale.stderr).toContain('the build is used as it is')
  write('dist/.built', '', new Date())
  const current = build('--if-stale')
  expect([current.status, current.stderr]).toEqual([0, ''])
})
