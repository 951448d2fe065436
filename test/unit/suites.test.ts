import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { FULL_ONLY, LONGEST } from '../harness/suites.ts'

test('every suite with a place of its own in a run of the tests is there', () => {
  const missing = [...LONGEST, ...FULL_ONLY].filter(
    (name) => !existsSync(fileURLToPath(new URL(`../${name}.test.ts`, import.meta.url))),
  )
  expect(missing).toEqual([])
})
