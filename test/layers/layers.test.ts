import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'

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
  const tree = mkdtempSync(join(tmpdir(), 'memgov-layers-'))
  trees.push(tree)
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

const trees: string[] = []
afterAll(() => {
  for (const tree of trees) rmSync(tree, { recursive: true, force: true })
})

describe('the direction of knowledge', () => {
  test('no module of the project knows a layer above its own', () => {
    const { summary } = cruise(root)
    expect(summary.violations).toEqual([])
    // A tool that reads nothing finds nothing: the floor keeps a silent misconfiguration from passing.
    expect(summary.totalCruised).toBeGreaterThan(200)
  })

  test.each([
    ['domain-is-pure', { 'src/domain/planted.ts': "import 'node:fs'\n" }, 'src/domain/planted.ts'],
    [
      'domain-knows-domain',
      { 'src/domain/planted.ts': "import '../contract/wire.ts'\n", 'src/contract/wire.ts': '' },
      'src/domain/planted.ts',
    ],
    [
      'actor-knows-ports',
      { 'src/actor/planted.ts': "import '../runtime/call.ts'\n", 'src/runtime/call.ts': '' },
      'src/actor/planted.ts',
    ],
    [
      'adapters-known-to-app',
      { 'src/runtime/planted.ts': "import '../adapters/a/a.ts'\n", 'src/adapters/a/a.ts': '' },
      'src/runtime/planted.ts',
    ],
    [
      'adapters-apart',
      { 'src/adapters/a/planted.ts': "import '../b/b.ts'\n", 'src/adapters/b/b.ts': '' },
      'src/adapters/a/planted.ts',
    ],
    [
      'no-circular',
      { 'src/domain/a.ts': "import './b.ts'\n", 'src/domain/b.ts': "import './a.ts'\n" },
      'src/domain/a.ts',
    ],
  ])('a planted offence against %s is found', (rule, files, from) => {
    const { violations } = cruise(plant(files)).summary
    expect(
      violations.filter((violation) => violation.rule.name === rule).map((violation) => violation.from),
    ).toContain(from)
  })
})
