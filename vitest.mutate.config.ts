import process from 'node:process'
import { defineConfig } from 'vitest/config'

/** The tests of one group of rule files, as `npm run mutate` names them. */
export default defineConfig({
  test: { include: (process.env['MUTATE_TESTS'] ?? '').split(' '), testTimeout: 60_000 },
})
