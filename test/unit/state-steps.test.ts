import { expect, test } from 'vitest'
import { emptyState } from '../../src/core/model/state.ts'
import { imageOf, stateHash, stateSteps } from '../../src/core/model/state-image.ts'

const STEP = 500

/** Rows of one list, which tells how many of them were read. */
function counted<Row>(rows: readonly Row[], read: () => void): readonly Row[] {
  return rows.map(
    (row) =>
      new Proxy(row as object, {
        get(target, name) {
          if (name === '0') read()
          return Reflect.get(target, name)
        },
      }) as Row,
  )
}

test.each([
  ['external', 3_000, (at: number) => ['b', `${at}`, `${at}`, 'hash', 'fact', 'use_now', 1, 1, 1, []], 1],
  ['external_by_run', 400, (at: number) => [`run ${at}`, ids(100), surfaces(100)], 201],
  ['exposed_by_consumer', 400, (at: number) => [`agent ${at}`, ids(100), surfaces(100)], 201],
  ['shown_lines', 300, (at: number) => [`run ${at}`, 1, ids(50), Array(50).fill(1), []], 101],
  ['operations', 3_000, (at: number) => [`op ${at}`, 'hash', null, 1], 1],
] as const)('no step of a load reads more rows of %s than it may', (name, count, rowOf, entries) => {
  let read = 0
  const rows = Array.from({ length: count }, (_, at) => rowOf(at))
  const image = imageOf(emptyState('t', 's'))
  const sections = [
    ...image.sections.filter((section) => section.name !== name),
    { name, rows: counted(rows, () => (read += 1)) },
  ]
  const steps = stateSteps({ ...image, sections }, STEP)
  let most = 0
  let step = steps.next()
  for (let before = 0; ; before = read, step = steps.next()) {
    most = Math.max(most, read - before)
    if (step.done === true) break
  }
  expect(read).toBeGreaterThanOrEqual(count)
  // A row is read once more where a list looks for its key.
  expect(most).toBeLessThanOrEqual(2 * (STEP / entries + 1))
  const whole = stateSteps(
    { ...image, sections: [...image.sections.filter((each) => each.name !== name), { name, rows }] },
    count * 1000,
  )
  const atOnce = whole.next()
  if (atOnce.done !== true) throw new Error('a step more than there is to read')
  expect(stateHash(step.value)).toBe(stateHash(atOnce.value))
})

function ids(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `memory ${at}`)
}

function surfaces(count: number): readonly string[] {
  return ids(count).map(() => 'use_now')
}
