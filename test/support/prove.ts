import fc from 'fast-check'
import { SEED, scaled } from '../harness/scale.ts'

export type Prove = <T>(arbitrary: fc.Arbitrary<T>, law: (value: T) => void, runs?: number) => void

/** Proves laws with the seed of a suite, so that every run of it tries the same values. */
export function proofsOf(suite: string): Prove {
  let seed = 6 + SEED
  for (const letter of suite) seed = (Math.imul(seed, 31) + letter.charCodeAt(0)) | 0
  return (arbitrary, law, runs = 40) => {
    fc.assert(
      fc.property(arbitrary, (value) => {
        law(value)
      }),
      { seed, numRuns: scaled(runs), endOnFailure: true },
    )
  }
}
