import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { scaled } from './test/harness/scale.ts'

/** What changes the process that it runs in, or counts what is in it: each such file has a process of its own. */
const OWN_PROCESS = ['test/layers/**']

/**
 * Files that take longest, the longest first. They begin first, so that no worker is left alone with one at the end: a
 * fresh clone knows no times of an earlier run.
 */
const LONGEST: readonly string[] = [
  'test/crash/syscall-kills.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex((path) => moduleId.endsWith(path))
      return place < 0 ? LONGEST.length : place
    }
    return sorted.sort((a, b) => placeOf(a) - placeOf(b))
  }
}

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        // Modules are loaded once for all files of a worker: loading takes longer than most files.
        test: { name: 'shared', include: ['test/**/*.test.ts'], exclude: OWN_PROCESS, isolate: false },
      },
      { extends: true, test: { name: 'alone', include: OWN_PROCESS } },
    ],
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
