import fc from 'fast-check'

/** One coding attempt, as recordings of coding agents hold it: what the agent saw, and what hidden tests said. */
export interface CodingAttempt {
  readonly instance_id: string
  readonly model: string
  readonly edited_files: readonly string[]
  readonly try: number
  /** The tests that the agent could run; null: it ran none. */
  readonly test_outcome: boolean | null
  /** The hidden tests. */
  readonly resolved: boolean
}

const FOLDERS = ['core', 'io', 'forms', 'db/models', 'utils'] as const
const NAMES = ['reader', 'writer', 'query', 'fields', 'cache'] as const

const anyFile = fc
  .tuple(fc.constantFrom(...FOLDERS), fc.constantFrom(...NAMES))
  .map(([folder, name]) => `lib/${folder}/${name}.py`)

/** Invented attempts of the same shape. */
export const anyAttempt: fc.Arbitrary<CodingAttempt> = fc.record({
  instance_id: fc
    .tuple(fc.constantFrom('acme__reader', 'acme__forms'), fc.nat(99_999))
    .map((parts) => parts.join('-')),
  model: fc.constantFrom('model-a', 'model-b'),
  edited_files: fc.uniqueArray(anyFile, { minLength: 1, maxLength: 3 }),
  try: fc.integer({ min: 1, max: 3 }),
  test_outcome: fc.constantFrom(true, true, false, null),
  resolved: fc.boolean(),
})
