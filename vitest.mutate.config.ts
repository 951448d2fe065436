import { readFileSync } from 'node:fs'
import { relative, sep } from 'node:path'
import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { switchedText } from './bench/mutate/switch-text.ts'

// One run of the tests of a group of rule files, whose mutants sit behind switches in the loaded modules.
const root = import.meta.dirname
const files = new Set((process.env['MEMGOV_MUTATE_FILES'] ?? '').split(' '))

/** In the order of the command line: what the quick tests kill costs the slow ones no time. */
class Asked extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number =>
      process.argv.findIndex((argument) => moduleId.endsWith(argument))
    return specifications.toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}

export default defineConfig({
  plugins: [
    {
      name: 'mutants',
      enforce: 'pre',
      load(id) {
        const file = relative(root, id.split('?')[0] ?? id)
          .split(sep)
          .join('/')
        return files.has(file) ? switchedText(file, readFileSync(`${root}/${file}`, 'utf8')).text : null
      },
    },
  ],
  test: {
    include: ['test/**/*.test.ts'],
    runner: './bench/mutate/runner.ts',
    testTimeout: 3_600_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 1,
    fileParallelism: false,
    sequence: { sequencer: Asked },
    reporters: ['dot'],
  },
})
