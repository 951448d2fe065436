import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contradictionsAmong, contradicts } from '../../src/core/similarity/contradiction.ts'
import { scaled } from '../harness/scale.ts'
import { anyText, plainWords } from '../support/similar-texts.ts'

const numRuns = scaled(500)

describe('texts that contradict each other', () => {
  test.each([
    ['Deploy to staging', 'Do not deploy to staging', 'negation'],
    ['Ne déployez pas en production', 'Déployez en production', 'negation'],
    ['Am Freitag deployen', 'Nicht am Freitag deployen', 'negation'],
    ['Деплой в пятницу', 'Не деплой в пятницу', 'negation'],
    ['在周五部署', '不要在周五部署', 'negation'],
    ['The build of the API passed', 'The build of the API failed.', 'outcome'],
    ['Der Build ist fehlgeschlagen', 'Der Build ist erfolgreich', 'outcome'],
    ['Feature flags are enabled', 'Feature flags are disabled', 'opposite'],
    ['The theme is dark', 'Theme is light', 'opposite'],
    ['The timeout is 30s', 'timeout is 60 s', 'number'],
    ['Retry uploads 3 times', 'Retry uploads five times', 'number'],
    ['Use port 8080 for the API', 'Use port 9090 for the API', 'number'],
    ['Release date is 2025-01-01', 'Release date: 2025-02-01', 'number'],
    ['Default branch is main', 'The default branch is master', 'value'],
    ['Log in first. The upload timeout is 30s.', 'Upload timeout: 45s', 'number'],
  ])('%j against %j: %s', (a, b, dispute) => {
    expect(contradicts(a, b)).toBe(dispute)
  })
})

describe('texts that do not', () => {
  test.each([
    ['timeout is 60 s', 'the timeout is 1 minute'],
    ['The build failed', 'The build did not pass'],
    ['Step 1: run the tests', 'Step 2: run the tests'],
    ['The build took 30s', 'The build took 45s'],
    ['Should we deploy on Friday?', 'Do not deploy on Friday'],
    ['Previously the timeout was 30s', 'The timeout is 60s'],
    ['On 2025-01-01 we met Bob', 'On 2025-02-01 we met Bob'],
    ['Seen on 5 May with Bob', 'Seen on 7 May with Bob'],
    ['The user likes tea', 'The user likes coffee'],
    ['API timeout is 30s', 'Database timeout is 60s'],
    ['src/a.ts passed', 'src/b.ts failed'],
    ['If the build fails, do not deploy', 'If the build passes, deploy'],
    ['Do not use 30s', 'Do not use 60s'],
    ['The timeout is at least 30s', 'The timeout is 60s'],
    ['Definitely.', 'Definitely not.'],
    ['The service is slow', 'The service is written in Go'],
    ['Deploy to staging', 'Deploy to production'],
  ])('%j and %j', (a, b) => {
    expect(contradicts(a, b)).toBeNull()
  })

  test('what both texts say is in dispute in neither', () => {
    const both = 'The build passed. Later the build failed.'
    expect(contradicts(both, `${both} We went home.`)).toBeNull()
  })

  test('a common line of long texts about other things disputes nothing', () => {
    const one = 'Retries are 3. Anna writes the guide of the museum about old ships and lamps.'
    const other = 'Retries are 5. The kitchen orders flour, honey, butter, eggs and fresh lemons.'
    expect(contradicts('Retries are 3.', 'Retries are 5.')).toBe('number')
    expect(contradicts(one, other)).toBeNull()
  })
})

describe('laws', () => {
  test('contradiction is symmetric, and no text contradicts itself', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(contradicts(a, b)).toBe(contradicts(b, a))
        expect(contradicts(a, a)).toBeNull()
        expect(contradicts(a, a.toUpperCase().toLowerCase())).toBeNull()
      }),
      { numRuns },
    )
  })

  test('any plain statement contradicts its denial', () => {
    fc.assert(
      fc.property(fc.uniqueArray(plainWords(1, 1), { minLength: 2, maxLength: 12 }), (words) => {
        const text = [...new Set(words.flat())]
        fc.pre(text.length > 1)
        expect(contradicts(text.join(' '), `not ${text.join(' ')}`)).toBe('negation')
      }),
      { numRuns },
    )
  })

  test('among many texts exactly the pairs are found that contradict each other two by two', () => {
    const statement = fc.constantFrom(
      'The timeout is 30s',
      'The timeout is 60s',
      'Deploy to staging',
      'Do not deploy to staging',
      'The build of the API passed',
      'The build of the API failed',
      'Default branch is main',
      'The default branch is trunk',
      'Anna likes tea',
    )
    const text = fc.array(statement, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('. '))
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), (texts) => {
        const pairs = texts.flatMap((a, first) =>
          texts.slice(first + 1).flatMap((b, offset) => {
            const dispute = contradicts(a, b)
            return dispute === null ? [] : [{ first, second: first + 1 + offset, dispute }]
          }),
        )
        expect(contradictionsAmong(texts)).toEqual(pairs)
      }),
      { numRuns },
    )
  })

  test('logs without end are compared within the bound', () => {
    const log = (offset: number) =>
      Array.from({ length: 3_000 }, (_, at) => `queue length is ${at * 2 + offset}`).join('\n')
    expect(contradicts(log(0), log(1))).toBe('number')
  })
})
