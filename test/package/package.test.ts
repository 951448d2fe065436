import { readdirSync, statSync } from 'node:fs'
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeTinyModel } from '../support/tiny-model.ts'
import {
  agentLoop,
  complaints,
  Folder,
  isOffline,
  loop,
  pack,
  projectsOf,
  ROOT,
  run,
  said,
  startedBy,
} from './installed.ts'

// What a user gets: the packed file, installed into an empty folder, run by each Node and loaded by other tools.

const PLATFORM = `${process.platform}-${process.arch}`
/** Tools beside the package. Each version is exact, so that a new one breaks nothing here. */
const TOOLS = [
  'esbuild@0.28.2',
  'jest@30.5.2',
  `node22@npm:node-${PLATFORM}@22.23.3`,
  `node24@npm:node-${PLATFORM}@24.21.0`,
]
const IMPORT = "import { createRuntime } from 'memgov'"
const REQUIRE = "const { createRuntime } = require('memgov')"
const packed = new Folder()
const host = new Folder()
let tarball = ''
/** Why the registry gave no package, or no tools; null: it did. */
let noPackage: string | null = null
let noTools: string | null = null

const install = (...names: readonly string[]) =>
  host.run('npm', ['install', '--engine-strict', '--no-audit', '--no-fund', ...names])

beforeAll(async () => {
  tarball = await pack(packed)
  host.write({ 'package.json': '{ "name": "host", "private": true }' })
  const { code, stderr } = await install(tarball)
  if (code !== 0 && isOffline(stderr)) noPackage = noTools = said(stderr)
  else expect([code, complaints(stderr)]).toEqual([0, ''])
  if (noPackage !== null) return
  const tools = await install(...TOOLS)
  if (tools.code !== 0) noTools = said(tools.stderr)
})

afterAll(() => {
  packed.remove()
  host.remove()
  for (const [what, why] of Object.entries({ 'the installed package': noPackage, 'other tools': noTools })) {
    if (why !== null) process.stderr.write(`SKIPPED ${what}: the registry did not give them (${why})\n`)
  }
})

describe('the packed file', () => {
  // Statements that make the tables of a shared store are read where they were written.
  test('takes at most 1.5 MB and holds no map, no source and no diary', async () => {
    expect(statSync(tarball).size).toBeLessThanOrEqual(1_500_000)
    const { stdout } = await run(packed.path, 'tar', ['-tzf', tarball])
    const files = stdout.trim().split('\n')
    expect(
      files.filter((file) =>
        /\.map$|^package\/src\/(?!adapters\/postgres\/sql\/)|(?<!\.d)\.ts$|docs\/(decisions|internals)/.test(
          file,
        ),
      ),
    ).toEqual([])
    for (const needed of [
      'main.js',
      'index.js',
      'index.cjs',
      'index.d.ts',
      'index.d.cts',
      'openapi.json',
      'workers/rank.js',
    ]) {
      expect(files).toContain(`package/dist/service/${needed}`)
    }
    expect(files.length).toBeLessThan(400)
    for (const needed of [
      'dist/client/index.js',
      'dist/client/index.cjs',
      'dist/mappers/index.js',
      'dist/mappers/index.cjs',
      'dist/langgraph/index.js',
      'dist/langgraph/index.cjs',
      'dist/ai-sdk/index.js',
      'dist/ai-sdk/index.cjs',
      'clients/python/memgov.py',
    ]) {
      expect(files).toContain(`package/${needed}`)
    }
  })

  test('is not made of a tree that cannot be built', async () => {
    const tree = new Folder()
    for (const name of readdirSync(ROOT)) {
      if (['dist', 'node_modules', '.git', 'snapshots', 'coverage'].includes(name)) continue
      await cp(join(ROOT, name), join(tree.path, name), { recursive: true })
    }
    const { code, stderr } = await tree.run('npm', ['pack'])
    expect(code).not.toBe(0)
    expect(stderr).toContain(
      'memgov is not built, and there is no compiler here. Run npm ci && npm run build first',
    )
    expect(readdirSync(tree.path).filter((name) => name.endsWith('.tgz'))).toEqual([])
    const start = await tree.run('npm', ['start'])
    expect(start.code).not.toBe(0)
    expect(start.stderr).toContain('memgov is not built')
    tree.remove()
  })

  test('pleases publint and attw', async () => {
    const lint = await run(ROOT, 'npx', ['publint', tarball, '--strict'])
    expect([lint.code, lint.stdout]).toEqual([0, expect.stringContaining('All good')])
    const types = await run(ROOT, 'npx', ['attw', tarball, '--format', 'ascii'])
    expect([types.code, types.stdout]).toEqual([0, expect.stringContaining('No problems found')])
  })

  test('starts after an installation without developer dependencies, and does not build', async () => {
    if (noPackage !== null) return
    const tree = new Folder()
    await mkdir(join(tree.path, 'dist'))
    for (const name of [
      'package.json',
      'package-lock.json',
      '.npmrc',
      'tsconfig.json',
      'rolldown.config.ts',
      'tools',
      'src',
      'workers',
      'bench',
      'docs',
    ]) {
      await cp(join(ROOT, name), join(tree.path, name), { recursive: true, preserveTimestamps: true })
    }
    await cp(join(ROOT, 'dist/service'), join(tree.path, 'dist/service'), { recursive: true })
    await cp(join(ROOT, 'dist/.built'), join(tree.path, 'dist/.built'), { preserveTimestamps: true })
    const { code, stderr } = await tree.run('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'])
    expect([code, complaints(stderr)]).toEqual([0, ''])
    const { line, ended } = await startedBy(tree.path, 'npm', ['start', '--silent', '--', '--port', '0'])
    expect(line).toMatch(
      /^memgov \S+ listens on http:\/\/127\.0\.0\.1:\d+ \(data \S+snapshots, durability sync, Node \d/,
    )
    expect(ended.stderr).not.toContain('building')
    tree.remove()
  })
})

/** Bundles a file of the folder that has the package. Not by the tool's command, which an install script has to put in place. */
function esbuild(from: string, to: string, ...flags: readonly string[]) {
  return host.run(join(host.path, `node_modules/@esbuild/${PLATFORM}/bin/esbuild`), [
    from,
    '--bundle',
    '--platform=node',
    '--log-level=error',
    `--outfile=${to}`,
    ...flags,
  ])
}

describe('the installed package', () => {
  test('serves by npx and says what it is in one line', async ({ skip }) => {
    skip(noPackage !== null, noPackage ?? '')
    const { line } = await startedBy(host.path, 'npx', [
      'memgov',
      'serve',
      '--port',
      '0',
      '--data-dir',
      'served',
    ])
    expect(line).toMatch(
      /^memgov \S+ listens on http:\/\/127\.0\.0\.1:\d+ \(data \S+\/served, durability sync, Node \d\S+\)$/,
    )
    const version = await host.run('npx', ['memgov', '--version'])
    expect([version.code, complaints(version.stderr)]).toEqual([0, ''])
  })

  test('brings few packages, and finds its native module', async ({ skip }) => {
    skip(noPackage !== null, noPackage ?? '')
    const { stdout } = await host.run('npm', ['ls', 'memgov', '--all', '--parseable', '--omit=dev'])
    expect(stdout).not.toContain('fastify')
    host.write({
      'native.mjs': `${loop(IMPORT, 'native')}
        process.on('beforeExit', () => console.log(process.report.getReport().sharedObjects.some((file) => file.includes('msgpackr-extract'))))`,
    })
    const ended = await host.node(['native.mjs'])
    expect([ended.code, ended.stderr, ended.stdout.split('\n').slice(0, 2)]).toEqual([
      0,
      '',
      ['found 1', 'true'],
    ])
  })

  test.each([
    ['this', null],
    ['node22', 'node22'],
    ['node24', 'node24'],
  ])('is imported and required with %s, without a warning, and holds nothing', async (name, folder) => {
    const missing = folder === null ? noPackage : noTools
    if (missing !== null) return
    const node = folder === null ? process.execPath : join(host.path, 'node_modules', folder, 'bin/node')
    host.write({ 'loop.mjs': loop(IMPORT, `${name}-import`), 'loop.cjs': loop(REQUIRE, `${name}-require`) })
    for (const file of ['loop.mjs', 'loop.cjs']) {
      const ended = await host.node([file], node)
      expect([ended.code, ended.stdout, ended.stderr]).toEqual([0, 'found 1\n', ''])
    }
  })

  test('has types for callers that import it and for callers that require it', async ({ skip }) => {
    skip(noPackage !== null, noPackage ?? '')
    const source = (load: string) => `${load}
      const run = async () => {
        const runtime = await memgov.createRuntime({ dataDir: ':memory:' })
        const { agent_context } = await runtime.guide({ query_text: 'x' })
        const text: string = agent_context.prompt_text
        const body: memgov.ObserveBody = { input_text: text }
        return body
      }
      export { run }`
    host.write({
      'types/a.mts': source("import * as memgov from 'memgov'"),
      'types/b.cts': source("import memgov = require('memgov')"),
    })
    const compilerOptions = {
      noEmit: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      target: 'es2023',
      module: 'node16',
      types: [],
    }
    host.write({ 'types/tsconfig.json': JSON.stringify({ compilerOptions, include: ['*.mts', '*.cts'] }) })
    const ended = await host.node([join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'types'])
    expect([ended.code, ended.stdout]).toEqual([0, ''])
  })
})

describe('the agent loop of the README', () => {
  /** Its file, and what the page says that it prints. */
  const { source, printed } = agentLoop()
  const PROJECTS = projectsOf(source)
  const NODES = ['this', 'node24'] as const

  test.each(Object.keys(PROJECTS).flatMap((kind) => NODES.map((node) => ({ kind, node }))))(
    'prints in a project of $kind what the page says, with $node',
    async ({ kind, node }) => {
      const missing = node === 'this' && kind !== 'Jest' && kind !== 'esbuild' ? noPackage : noTools
      if (missing !== null) return
      const program = node === 'this' ? process.execPath : join(host.path, 'node_modules', node, 'bin/node')
      const folder = `${kind}-${node}`
      const files = Object.entries(PROJECTS[kind] ?? {})
      host.write(Object.fromEntries(files.map(([name, text]) => [`${folder}/${name}`, text])))
      const inProject = (...args: readonly string[]) => run(join(host.path, folder), program, args)
      if (kind === 'TypeScript') {
        const built = await inProject(join(ROOT, 'node_modules/typescript/bin/tsc'))
        expect([built.code, built.stdout]).toEqual([0, ''])
      }
      if (kind === 'esbuild') {
        const built = await esbuild(`${folder}/agent.ts`, `${folder}/agent.mjs`, '--format=esm')
        expect([built.code, built.stderr]).toEqual([0, ''])
      }
      if (kind === 'Jest') {
        const ended = await inProject(join(host.path, 'node_modules/jest/bin/jest.js'))
        for (const line of printed.trim().split('\n')) expect(ended.stdout + ended.stderr).toContain(line)
        expect([ended.code, ended.stderr]).toEqual([0, expect.stringContaining('1 passed')])
        return
      }
      const ended = await inProject(kind === 'CommonJS' ? 'agent.cjs' : 'agent.mjs')
      expect(ended).toEqual({ code: 0, stdout: printed, stderr: '' })
    },
  )
})

describe('other tools', () => {
  test('esbuild: imported into a module and required it works; imported into CommonJS the error says what to do', async ({
    skip,
  }) => {
    skip(noTools !== null, noTools ?? '')
    host.write({ 'app.mjs': loop(IMPORT, 'bundled'), 'app.cjs': loop(REQUIRE, 'bundled-required') })
    const builds = [
      ['app.mjs', 'out/module.mjs', '--format=esm'],
      ['app.cjs', 'out/required.cjs', '--format=cjs'],
    ] as const
    for (const [from, to, ...flags] of builds) {
      const built = await esbuild(from, to, ...flags)
      expect([to, built.code, built.stderr]).toEqual([to, 0, ''])
      const ended = await host.node([to])
      expect([to, ended.code, ended.stdout, ended.stderr]).toEqual([to, 0, 'found 1\n', ''])
    }
    await esbuild('app.mjs', 'out/external.mjs', '--format=esm', '--external:memgov')
    const external = await host.node(['out/external.mjs'])
    expect([external.code, external.stdout, external.stderr]).toEqual([0, 'found 1\n', ''])
    await esbuild('app.mjs', 'out/common.cjs', '--format=cjs')
    const common = await host.node(['out/common.cjs'])
    expect(common.stdout + common.stderr).toContain('Mark the package memgov as external in the bundler')
    const away = new Folder()
    await cp(join(host.path, 'out/module.mjs'), join(away.path, 'module.mjs'))
    const alone = await away.node(['module.mjs'])
    expect(alone.stdout + alone.stderr).toContain('Mark the package memgov as external in the bundler')
    away.remove()
  })

  test('Jest: require works as it is, import with --experimental-vm-modules', async ({ skip }) => {
    skip(noTools !== null, noTools ?? '')
    const body = `test('x', async () => {
      const runtime = await createRuntime({ dataDir: ':memory:' })
      await expect(runtime.guide({})).rejects.toMatchObject({ name: 'MemgovError', code: 'invalid_request' })
      await runtime.observe({ input_text: 'Deploys go through staging first.' })
      const { agent_context } = await runtime.guide({ query_text: 'deploy' })
      expect(agent_context.memory_ids).toHaveLength(1)
      await runtime.close()
    })`
    host.write({
      'jest/required.test.cjs': `${REQUIRE}\n${body}`,
      'jest/imported.test.mjs': `${IMPORT}\n${body}`,
    })
    const config = JSON.stringify({
      roots: ['<rootDir>/jest'],
      testMatch: ['**/*.test.?js'],
      transform: {},
    })
    const jest = join(host.path, 'node_modules/jest/bin/jest.js')
    const required = await host.node([jest, '--config', config, 'required'])
    expect([required.code, required.stderr]).toEqual([0, expect.stringContaining('1 passed')])
    const imported = await host.node(['--experimental-vm-modules', jest, '--config', config, 'imported'])
    expect([imported.code, imported.stderr]).toEqual([0, expect.stringContaining('1 passed')])
  })

  test('a model of embeddings in a folder finds a memory that has no word of the question', async ({
    skip,
  }) => {
    skip(noPackage !== null, noPackage ?? '')
    // The script of the runtime fetches what graphics cards need.
    const added = await install(
      '--ignore-scripts',
      '@huggingface/tokenizers@0.2.0',
      'onnxruntime-node@1.30.0',
    )
    skip(added.code !== 0 && isOffline(added.stderr), said(added.stderr))
    expect([added.code, complaints(added.stderr)]).toEqual([0, ''])
    writeTinyModel(join(host.path, 'model'))
    host.write({
      'embed.mjs': `${IMPORT}
        const embeddingsUrl = new URL('model', import.meta.url).href
        const runtime = await createRuntime({ dataDir: ':memory:', embeddingsUrl, embeddingsTimeoutMs: 10_000 })
        const texts = Array.from({ length: 30 }, (_, at) => 'Lunch of day ' + at)
        for (const input_text of ['Ship to the rehearsal first', ...texts]) await runtime.observe({ input_text })
        for (let ready = 0; ready < 31; ready = runtime.health().providers.embedding.memories.ready)
          await new Promise((resolve) => setTimeout(resolve, 50))
        const { agent_context } = await runtime.guide({ query_text: 'release staging', limit: 1 })
        console.log(agent_context.prompt_text.includes('Ship to the rehearsal first'))
        await runtime.close()`,
    })
    const ended = await host.node(['embed.mjs'])
    expect([ended.code, ended.stderr, ended.stdout]).toEqual([0, '', 'true\n'])
  })

  test('vitest runs it as it is', async ({ skip }) => {
    skip(noPackage !== null, noPackage ?? '')
    host.write({
      'vitest.config.mjs': 'export default { test: { globals: true, include: ["vitest/*.test.mjs"] } }',
      'vitest/one.test.mjs': `${IMPORT}
        test('x', async () => {
          const runtime = await createRuntime({ dataDir: ':memory:', inlineRankMaxNs: 0 })
          await runtime.observe({ input_text: 'Deploys go through staging first.' })
          const { agent_context } = await runtime.guide({ query_text: 'deploy' })
          expect(agent_context.memory_ids).toHaveLength(1)
        })`,
    })
    const ended = await host.node([join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run'])
    expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining('1 passed')])
  })
})
