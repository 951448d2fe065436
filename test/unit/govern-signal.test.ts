import { describe, expect, test } from 'vitest'
import { isAboutWork, type SelfClaim, selfClaimOf } from '../../src/core/external/govern-signal.ts'

const SAID: readonly (readonly [SelfClaim, string])[] = [
  ['negative', 'The approach in src/auth/session.ts failed and was rejected.'],
  ['negative', 'Tried the codemod on lib/. This failed twice in CI'],
  ['negative', 'Failed: src/db/migrate.ts cannot run inside a transaction'],
  ['negative', 'Outcome: failed'],
  ['negative', 'Patching the lockfile by hand is a dead end'],
  ['negative', 'counter-evidence for the cache route'],
  ['negative', 'The retired route goes through src/legacy.ts'],
  ['negative', 'The fix was not accepted by review.'],
  ['negative', 'If the build is slow, wait. The workaround has been abandoned.'],
  ['stale', 'This workflow is obsolete; use the one in docs/.'],
  ['stale', 'Use of the older branch plan in src/plan.ts'],
  ['stale', 'Outdated. See docs/new.md'],
  ['stale', 'The steps are no longer valid'],
  ['stale', 'notes of the previous round'],
  ['contested', 'This plan is disputed by the reviewers'],
  ['contested', 'Two conflicting procedures exist: inspect before reuse'],
  ['contested', 'the guidance was contradicted'],
]

const NOT_SAID: readonly string[] = [
  'The approach never failed in src/auth/session.ts.',
  'If the run failed, repeat it with --verbose.',
  'When this is outdated, regenerate docs/api.md.',
  'The fix for failed logins is in src/login.ts',
  'Failed tests are listed in test/report.json',
  'Stale caches are evicted by src/cache.ts after an hour',
  'Legacy clients send the field at the top level.',
  "The plan hasn't failed.",
  'Rerun the tests before release; the suite passes.',
  'The steps are valid and the review accepted them.',
  '',
]

describe('what a text says of itself', () => {
  test.each(SAID)('%s is read from: %s', (claim, text) => {
    expect(selfClaimOf(text)).toBe(claim)
    expect(selfClaimOf(`Run the suite first.\n${text.toUpperCase()}`)).toBe(claim)
  })

  test.each(NOT_SAID.map((text) => [text]))('nothing is read from: %s', (text) => {
    expect(selfClaimOf(text)).toBe(null)
  })

  test('a sentence speaks for itself only', () => {
    expect(selfClaimOf('The plan is set. Failed logins are counted in src/count.ts')).toBe(null)
    expect(selfClaimOf('No retries. The plan failed.')).toBe('negative')
  })
})

describe('what counts as work', () => {
  test('a procedure, files, a type of work or a repository path make a text one about work', () => {
    expect(isAboutWork('text', null, true, false)).toBe(true)
    expect(isAboutWork('text', null, false, true)).toBe(true)
    expect(isAboutWork('text', 'procedure', false, false)).toBe(true)
    expect(isAboutWork('see `src/a.ts`', null, false, false)).toBe(true)
    expect(isAboutWork('see (test/a.ts)', 'event', false, false)).toBe(true)
  })

  test('facts, preferences and project context are never read as work, nor is prose', () => {
    for (const type of ['fact', 'preference', 'project_context'] as const) {
      expect(isAboutWork('see src/a.ts', type, true, true)).toBe(false)
    }
    for (const text of ['and/or', 'my_src/a', 'the docs say', 'https://example.com/src/a']) {
      expect(isAboutWork(text, null, false, false)).toBe(false)
    }
  })
})
