import type { SuiteResult } from '../result.ts'

/**
 * One result of several runs of the same build on the same machine: of a question that was asked more than once the
 * last answer, and of failures those that no later run made good. Throws a RangeError for no results, and for results
 * that are of different builds, machines, Nodes or kinds.
 */
export function joinResults(results: readonly SuiteResult[]): SuiteResult {
  const [first] = results
  if (first === undefined) throw new RangeError('there is nothing to join')
  for (const other of results) {
    for (const what of ['machine', 'node', 'commit', 'isQuick'] as const) {
      const [a, b] = [first[what], other[what]].map((value) => JSON.stringify(value))
      if (a !== b) throw new RangeError(`results of another ${what} cannot be joined: ${a} and ${b}`)
    }
  }
  const found = new Map<string, SuiteResult['results'][number]>()
  const failed = new Map<string, SuiteResult['failures'][number]>()
  for (const { results: own, failures } of results) {
    for (const result of own) {
      found.set(result.bench, result)
      failed.delete(result.bench)
    }
    for (const failure of failures) failed.set(failure.bench, failure)
  }
  return { ...first, results: [...found.values()], failures: [...failed.values()] }
}
