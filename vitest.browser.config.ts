import { defineConfig } from 'vitest/config'
import { IN_BROWSER, pathsOf } from './test/harness/suites.ts'

/** The console as a person sees it and the client as a page loads it, in the browser of this machine; where there is none, it says so. */
export default defineConfig({
  test: {
    include: pathsOf(IN_BROWSER),
    testTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 1,
  },
})
