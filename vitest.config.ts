import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { scaled } from './test/harness/scale.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // They install from the registry: npm run test:package.
    exclude: ['test/package/**'],
    testTimeout: Math.max(240_000, scaled(240_000)),
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    // In a pipe: failures and a summary.
    reporters: [process.stdout.isTTY ? 'default' : 'minimal', 'json'],
    outputFile: { json: 'dist/test-report.json' },
  },
})
