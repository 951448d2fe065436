import { expect, test } from 'vitest'
import { languages } from '../../src/adapters/language/languages.ts'
import { addTo, askOf, recallSteps, WARM_DOCS, WARM_QUESTIONS } from '../../src/app/warm-recall.ts'
import { createIndex } from '../../src/core/search/index.ts'
import { WINDOW_DOCS } from '../../src/core/search/window.ts'

test.each(Object.entries(WARM_QUESTIONS))(
  'the warm-up takes the way of a ranking that is %s',
  (_, question) => {
    const index = createIndex(languages)
    addTo(index, 1_200)
    expect(askOf(index, question)).toBeGreaterThan(0)
  },
)

test('every step of the warm-up can be taken', () => {
  for (const step of recallSteps()) step()
})

test('half of its rankings are of one window, half of several', () => {
  expect(WARM_DOCS).toBeGreaterThanOrEqual(2 * WINDOW_DOCS)
})
