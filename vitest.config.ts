import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { scaled } from './test/harness/scale.ts'
import { FULL_ONLY, LONGEST } from './test/harness/suites.ts'

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
    // They install from the registry, npm run test:package, or take a browser through every screen, npm run test:browser.
    exclude: [
      'test/package/**',
      'test/browser/client.test.ts',
      'test/browser/console.test.ts',
      ...(process.env['TEST_SHORT'] === '1' ? FULL_ONLY.map((name) => `test/${name}.test.ts`) : []),
    ],
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
