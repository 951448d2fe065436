import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { scaled } from './test/harness/scale.ts'

/**
 * The files that take longest, the longest first. They begin first, so that no worker is left alone with one at the end:
 * a fresh clone knows no times of an earlier run.
 */
const LONGEST: readonly string[] = [
  'process/restored-folder',
  'process/backup',
  'process/verify',
  'process/kill-loop',
  'process/documented-commands',
  'crash/syscall-kills',
  'process/lost-folder',
  'process/lifecycle',
  'process/erase',
  'crash/full-disk',
  'process/overload',
  'process/one-owner',
  'process/mcp',
  'process/fuzz',
  'process/erased-strings',
  'process/transport',
  'unit/verify-damage',
  'unit/adopt',
  'frameworks/governed-store',
  'crash/linearizability',
  'crash/journal-damage',
  'crash/planted-faults',
  'layers/layers',
  'layers/module-state',
  'runtime/durability',
  'runtime/large-turns',
  'runtime/residency',
  'runtime/govern-pooled',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
      return place < 0 ? LONGEST.length : place
    }
    return [...(await super.sort(files))].sort((a, b) => placeOf(a) - placeOf(b))
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // They install from the registry: npm run test:package.
    exclude: ['test/package/**'],
    setupFiles: ['test/harness/seed.ts'],
    // A worker loads each module once for all of its files: loading takes longer than most files do. So a test takes back
    // what it changes in its process, such as a variable of the environment or a method that it replaces.
    isolate: false,
    unstubEnvs: true,
    unstubGlobals: true,
    restoreMocks: true,
    sequence: { sequencer: LongestFirst },
    testTimeout: Math.max(240_000, scaled(240_000)),
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    // In a pipe: failures and a summary.
    reporters: [process.stdout.isTTY ? 'default' : 'minimal', 'json'],
    outputFile: { json: 'dist/test-report.json' },
  },
})
