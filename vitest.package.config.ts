import { defineConfig } from 'vitest/config'

/** The package as users get it: packed, installed elsewhere, loaded by other tools. It asks the registry for them. */
export default defineConfig({
  test: {
    include: ['test/package/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 150_000,
    pool: 'forks',
    maxWorkers: 1,
  },
})
