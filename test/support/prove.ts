import fc from 'fast-check'
import { SEED, scaled } from '../harness/scale.ts'

/** Values to draw, and behind them a law of these values. */
type Drawn<Values extends [unknown, ...unknown[]], Answer> = [
  ...arbitraries: { [At in keyof Values]: fc.Arbitrary<Values[At]> },
  law: (...values: Values) => Answer,
]

interface More {
  readonly seed?: number
  readonly endOnFailure?: boolean
}

/** Proves a law in a hundred cases, whatever the size of the suite: laws that take no time. */
export function prove<Values extends [unknown, ...unknown[]]>(...drawn: Drawn<Values, boolean | void>): void {
  fc.assert(fc.property(...drawn))
}

/** What proves a law in so many cases in the usual size of the suite. */
export function proving(usual: number, more: More = {}) {
  return <Values extends [unknown, ...unknown[]]>(...drawn: Drawn<Values, boolean | void>): void => {
    fc.assert(fc.property(...drawn), { numRuns: scaled(usual), ...more })
  }
}

/** The same for a law that waits. */
export function provingAsync(usual: number, more: More = {}) {
  return async <Values extends [unknown, ...unknown[]]>(
    ...drawn: Drawn<Values, Promise<boolean | void>>
  ): Promise<void> => {
    await fc.assert(fc.asyncProperty(...drawn), { numRuns: scaled(usual), ...more })
  }
}

export type Prove = <T>(arbitrary: fc.Arbitrary<T>, law: (value: T) => void, runs?: number) => void

/** Proves laws with the seed of a suite, so that every run of it tries the same values. */
export function proofsOf(suite: string): Prove {
  let seed = 6 + SEED
  for (const letter of suite) seed = (Math.imul(seed, 31) + letter.charCodeAt(0)) | 0
  return (arbitrary, law, runs = 40) => {
    // A law that is one expectation returns what that returns.
    proving(runs, { seed, endOnFailure: true })(arbitrary, (value) => {
      law(value)
    })
  }
}
