import { accessSync, constants, statfsSync } from 'node:fs'
import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { scaled } from './test/harness/scale.ts'
import { FULL_ONLY, IN_BROWSER, LONGEST, pathsOf } from './test/harness/suites.ts'

/** More than the folders of all tests take, and the least room in which a service writes. */
const FOLDERS_BYTES = 4 * 2 ** 30

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
      return place < 0 ? LONGEST.length : place
    }
    return [...(await super.sort(files))].sort((a, b) => placeOf(a) - placeOf(b))
  }
}

const isShort = process.env['TEST_SHORT'] === '1'

/**
 * Where `npm test` has its folders: in memory, where a flush takes no time. A process that is killed loses nothing of
 * either kind, and a power cut is simulated. `npm run test:full` has them on the disk.
 */
function foldersInMemory(): Record<string, string> {
  const path = '/dev/shm'
  try {
    accessSync(path, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = statfsSync(path)
    return isShort && bavail * bsize > FOLDERS_BYTES ? { TMPDIR: path } : {}
  } catch {
    return {}
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Those of packages install from the registry: npm run test:package.
    exclude: ['test/package/**', ...pathsOf(IN_BROWSER), ...(isShort ? pathsOf(FULL_ONLY) : [])],
    setupFiles: ['test/harness/seed.ts', 'test/harness/leftovers.ts'],
    // A worker loads each module once for all of its files: loading takes longer than most files do. So a test takes back
    // what it changes in its process, such as a variable of the environment or a method that it replaces.
    isolate: false,
    env: foldersInMemory(),
    unstubEnvs: true,
    unstubGlobals: true,
    restoreMocks: true,
    sequence: { sequencer: LongestFirst },
    testTimeout: Math.max(240_000, scaled(240_000)),
    hookTimeout: 120_000,
    expect: { poll: { timeout: 10_000 } },
    pool: 'forks',
    maxWorkers: 2,
    // In a pipe: failures and a summary.
    reporters: [process.stdout.isTTY ? 'default' : 'minimal', 'json'],
    outputFile: { json: 'dist/test-report.json' },
  },
})
