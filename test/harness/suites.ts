// Which files of tests begin first, and which `npm test` leaves out. By their path below test/, without its ending.

/**
 * The files that take longest, the longest first. They begin first, so that no worker is left alone with one at the end:
 * a fresh clone knows no times of an earlier run.
 */
export const LONGEST: readonly string[] = [
  'process/erase',
  'http/operator-events',
  'contract/type-declarations',
  'process/restored-folder',
  'process/backup',
  'process/verify',
  'process/cluster',
  'process/nodes',
  'conformance/conformance',
  'runtime/external-memory',
  'process/kill-loop',
  'process/documented-recipes',
  'crash/syscall-kills',
  'process/lost-folder',
  'process/lifecycle',
  'process/embedded-runtime',
  'process/keys',
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

/**
 * Long suites of faults, of real processes and of types, which `npm test` leaves to `npm run test:full`. What they prove has
 * a shorter test in it too: a kill, a restart, an erasure, a lock.
 */
export const FULL_ONLY: readonly string[] = [
  'contract/type-declarations',
  'crash/full-disk',
  'crash/odd-folders',
  'crash/planted-faults',
  'crash/syscall-kills',
  'http/http-pipelining',
  'http/operator-events',
  'process/archive',
  'process/backup',
  'process/bench-suite',
  'process/cluster',
  'process/documented-recipes',
  'process/framework-recipes',
  'process/erase',
  'process/erased-strings',
  'process/fuzz',
  'process/lost-folder',
  'process/mcp',
  'process/nodes',
  'process/one-owner',
  'process/overload',
  'process/replay',
  'process/restored-database',
  'process/restored-folder',
  'process/transport',
  'process/verify',
  'runtime/large-turns',
]

/** Tests that take a browser through every screen, for `npm run test:browser`; one screen is in the main run too. */
export const IN_BROWSER: readonly string[] = ['browser/client', 'browser/console', 'browser/console-lists']

export const pathsOf = (names: readonly string[]) => names.map((name) => `test/${name}.test.ts`)
