import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dataFolder } from '../harness/data-folder.ts'

const root = resolve(import.meta.dirname, '../..')
const config = join(root, '.dependency-cruiser.cjs')
const program = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')

interface Cruise {
  readonly summary: {
    readonly totalCruised: number
    readonly violations: readonly { readonly rule: { readonly name: string }; readonly from: string }[]
  }
}

/** What the layer rules say of a tree; the tool exits with the number of violations, its report is what counts. */
function cruise(cwd: string): Cruise {
  const args = [program, '--config', config, '--output-type', 'json', 'src', 'workers', 'bench']
  const options = { cwd, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 } as const
  try {
    return JSON.parse(execFileSync(process.execPath, args, options)) as Cruise
  } catch (error) {
    const printed = error instanceof Error && 'stdout' in error ? String(error.stdout) : ''
    return JSON.parse(printed) as Cruise
  }
}

/** A tree of its own with one file that knows too much, and what it should not know. */
function plant(files: Readonly<Record<string, string>>): string {
  const tree = dataFolder()
  const base = {
    'tsconfig.json': '{"compilerOptions":{"module":"nodenext"}}',
    'workers/none.ts': '',
    'bench/none.ts': '',
  }
  for (const [path, text] of Object.entries({ ...base, ...files })) {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    writeFileSync(join(tree, path), text)
  }
  return tree
}

describe('the direction of knowledge', () => {
  test('no module of the project knows a layer above its own', () => {
    const { summary } = cruise(root)
    expect(summary.violations).toEqual([])
    // A tool that reads nothing finds nothing: the floor keeps a silent misconfiguration from passing.
    expect(summary.totalCruised).toBeGreaterThan(200)
  })

  test('every rule finds the offence that is planted against it', () => {
    const files = Object.fromEntries(OFFENCES.flatMap(({ from, to }) => [[from, importOf(from, to)]]))
    const targets = Object.fromEntries(
      OFFENCES.filter(({ to }) => to.startsWith('src/') && !(to in files)).map(({ to }) => [to, '']),
    )
    const { violations } = cruise(
      plant({ ...targets, ...files, 'src/core/base/two.ts': "import './one.ts'\n" }),
    ).summary
    const found = violations.map(({ rule, from }) => `${rule.name}: ${from}`)
    for (const { rule, from } of OFFENCES) expect(found).toContain(`${rule}: ${from}`)
  })

  test('every rule has an offence planted against it', () => {
    const { forbidden }: { forbidden: readonly { readonly name: string }[] } = createRequire(import.meta.url)(
      config,
    )
    const tried = new Set(OFFENCES.map(({ rule }) => rule))
    expect(forbidden.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([])
  })
})

interface Offence {
  readonly rule: string
  readonly from: string
  /** A file that `from` imports against the rule, or a module of Node. */
  readonly to: string
}

const CORE = [
  'base',
  'text',
  'screening',
  'search',
  'similarity',
  'model',
  'policy',
  'rerank',
  'guide',
  'write',
  'external',
  'measure',
  'skills',
  'report',
  'laws',
]
const APP = ['config', 'store', 'archive', 'backup', 'migrate', 'cli']

/** Each folder imports the one after it; the last one imports what stands outside the order. */
function upwards(root: string, order: readonly string[]): readonly Offence[] {
  return order.map((folder, at) => ({
    rule: `${root.slice('src/'.length)}-order-${folder}`,
    from: `${root}/${folder}/planted.ts`,
    to: at + 1 < order.length ? `${root}/${order[at + 1]}/planted.ts` : `${root}/outside.ts`,
  }))
}

const OFFENCES: readonly Offence[] = [
  ...upwards('src/core', CORE),
  ...upwards('src/app', APP),
  { rule: 'core-order-is-complete', from: 'src/core/unplaced/a.ts', to: 'src/core/base/a.ts' },
  { rule: 'core-folder-has-a-place', from: 'src/core/laws/b.ts', to: 'src/core/unplaced/a.ts' },
  { rule: 'core-is-pure', from: 'src/core/base/impure.ts', to: 'node:fs' },
  { rule: 'core-knows-core', from: 'src/core/base/wire.ts', to: 'src/contract/wire.ts' },
  { rule: 'contract-beside-core', from: 'src/contract/planted.ts', to: 'src/ports/system.ts' },
  { rule: 'contract-uses-zod', from: 'src/contract/impure.ts', to: 'node:fs' },
  { rule: 'ports-know-core', from: 'src/ports/planted.ts', to: 'src/actor/actor.ts' },
  { rule: 'ports-are-pure', from: 'src/ports/impure.ts', to: 'node:fs' },
  { rule: 'actor-knows-ports', from: 'src/actor/planted.ts', to: 'src/runtime/call.ts' },
  { rule: 'actor-is-pure', from: 'src/actor/impure.ts', to: 'node:fs' },
  { rule: 'embedding-knows-actor', from: 'src/embedding/planted.ts', to: 'src/runtime/call.ts' },
  { rule: 'embedding-is-pure', from: 'src/embedding/impure.ts', to: 'node:fs' },
  { rule: 'optional-parts-unnamed', from: 'src/actor/embedded.ts', to: 'src/embedding/embedding.ts' },
  { rule: 'tools-unnamed', from: 'src/app/wired.ts', to: 'src/app/archive/planted.ts' },
  { rule: 'runtime-knows-actor', from: 'src/runtime/planted.ts', to: 'src/edges/http/server.ts' },
  { rule: 'runtime-is-pure', from: 'src/runtime/impure.ts', to: 'node:fs' },
  { rule: 'edges-know-runtime', from: 'src/edges/planted.ts', to: 'src/actor/actor.ts' },
  { rule: 'page-knows-types', from: 'src/edges/console/planted.ts', to: 'src/contract/wire.ts' },
  { rule: 'page-unnamed', from: 'src/edges/http/page.ts', to: 'src/edges/console/main.ts' },
  { rule: 'adapters-implement-ports', from: 'src/adapters/a/planted.ts', to: 'src/actor/actor.ts' },
  { rule: 'adapters-apart', from: 'src/adapters/a/sibling.ts', to: 'src/adapters/b/b.ts' },
  { rule: 'adapters-known-to-app', from: 'src/runtime/adapter.ts', to: 'src/adapters/b/b.ts' },
  { rule: 'workers-know-pure-code', from: 'workers/planted.ts', to: 'src/actor/actor.ts' },
  { rule: 'docs-come-last', from: 'src/app/generated.ts', to: 'src/docs/pages.ts' },
  { rule: 'client-stands-alone', from: 'src/client/planted.ts', to: 'src/contract/wire.ts' },
  { rule: 'frameworks-stand-alone', from: 'src/frameworks/planted.ts', to: 'src/contract/wire.ts' },
  { rule: 'frameworks-unnamed', from: 'src/app/frameworks.ts', to: 'src/frameworks/planted.ts' },
  { rule: 'mappers-stand-alone', from: 'src/mappers/planted.ts', to: 'src/contract/wire.ts' },
  { rule: 'no-circular', from: 'src/core/base/one.ts', to: 'src/core/base/two.ts' },
]

function importOf(from: string, to: string): string {
  const specifier = to.includes('/') ? relative(dirname(from), to) : to
  return `import '${specifier.startsWith('.') || specifier.startsWith('node:') ? specifier : `./${specifier}`}'\n`
}
