import { describe, expect, test } from 'vitest'
import {
  isNearDuplicate,
  isSameWordButForSlip,
  sharesFacts,
} from '../../src/core/similarity/near-duplicate.ts'
import { readText } from '../../src/core/similarity/reading.ts'

describe('near duplicates', () => {
  test.each([
    ['Deploy to staging', 'Do not deploy to staging'],
    ['timeout is 30s', 'timeout is 60s'],
    ['The night build of the release branch passed', 'The night build of the release branch failed'],
    ['Read src/auth/session.ts first', 'Read src/auth/sessions.ts first'],
    ['Keep the ledger in postgres', 'Keep the ledger in mysql'],
    ['Amounts are kept in cents', 'Amounts are kept in euros'],
    ['Lint every folder', 'Lint some folders'],
    ['Deploy the API with the worker', 'Deploy the API or the worker'],
    ['Copy it from staging to the archive', 'Copy it from the archive to staging'],
    ['Exports are written nightly', 'Imports are written nightly'],
    ['Ask Martina for a review', 'Ask Martino for a review'],
    ['Use tabs here', 'Use taps here'],
    ['a < b', 'a > b'],
  ])('%j is none of %j', (a, b) => {
    expect(isNearDuplicate(a, b)).toBe(false)
  })

  test.each([
    ['Deploy to staging.', 'DEPLOY   to\nstaging'],
    ['Use `npm test`, then deploy', "use 'npm test' then deploy"],
    ['The timeout is 30s — always', 'the timeout is 30S - always!'],
    ["Don't deploy on Friday", 'DON’T DEPLOY ON FRIDAY'],
    ['Ne déployez pas', 'NE DÉPLOYEZ PAS.'],
    ['Run the linter before a release', 'Run the linter before the release'],
    ['Every endpoint has a contract test', 'Every endpiont has a contract test'],
    ['Immer den neuesten Stand prüfen', 'Immer neueste Stand prüfen'],
    ['Проверяйте таблицу перед выпуском', 'Проверяйте таблицы перед выпуском'],
  ])('%j is one of %j', (a, b) => {
    expect(isNearDuplicate(a, b)).toBe(true)
  })
})

describe('facts', () => {
  const frame = (words: string) => `we think that ${words} here`

  test.each([
    ['30s', '30 seconds'],
    ['60 s', '1 minute'],
    ['1,000 rows', '1000 rows'],
    ['three retries', '3 retries'],
    ['50%', '50 percent'],
    ["it doesn't start", 'it does not start'],
    ['a test passed', 'a test succeeded'],
    ['getUserId', 'getuserid'],
    ['the well-known path', 'the well known path'],
  ])('%j says the same as %j', (a, b) => {
    expect(sharesFacts(frame(a), frame(b))).toBe(true)
  })

  test.each([
    ['5 degrees', '-5 degrees'],
    ['$20', '€20'],
    ['50%', '50'],
    ['30 s', '30 ms'],
    ['2024-05-01', '2024-05-02'],
    ['at 10:30', 'at 10:45'],
    ['v1.2.3', 'v1.2.4'],
    ['step 1', 'step 2'],
    ['#12', '#13'],
    ['three', 'four'],
    ['src/a.ts', 'src/b.ts'],
    ['getUserId', 'getUserName'],
    ['max_retries', 'min_retries'],
    ['https://a.example/x', 'https://b.example/x'],
    ['anna@a.org', 'otto@a.org'],
    ['--force', '--dry-run'],
    ['met Alice', 'met Bob'],
    ["took Anna's key", "took Otto's key"],
    ['on Friday', 'on Monday'],
    ['it works', 'it never works'],
    ['funktioniert', 'funktioniert nicht'],
    ['ist fertig', 'ist nicht fertig'],
    ['kann laufen', 'kann ohne Pause laufen'],
    ['fonctionne', 'ne fonctionne pas'],
    ['peut finir', 'peut jamais finir'],
    ['funciona', 'no funciona'],
    ['se puede', 'nunca se puede'],
    ['pode usar', 'não pode usar'],
    ['работает', 'не работает'],
    ['部署可以', '部署不可以'],
    ['the run passed', 'the run failed'],
    ['is blocked', 'is unblocked'],
    ['Lauf erfolgreich', 'Lauf fehlgeschlagen'],
    ['test réussi', 'test échoué'],
    ['falló', 'funcionó'],
    ['falhou', 'passou'],
    ['прошли', 'упали'],
    ['测试成功', '测试失败'],
    ['enabled', 'disabled'],
    ['before lunch', 'after lunch'],
    ['only on main', 'on main'],
  ])('%j does not say the same as %j', (a, b) => {
    expect(sharesFacts(frame(a), frame(b))).toBe(false)
  })

  test('the same facts in another number are other facts', () => {
    expect(sharesFacts('not a, not b', 'not a, b')).toBe(false)
    expect(sharesFacts('5 and 5', '5 and five and 5')).toBe(false)
  })
})

describe('words', () => {
  test('keep numbers, paths and versions whole; a number names one of many only within a statement', () => {
    const { words, facts } = readText('Use v1.2.3 of src/a.ts. Then step; 2 more\nstep 2')
    expect(words).toEqual(['use', 'v1.2.3', 'of', 'src/a.ts', 'then', 'step', '2', 'more', 'step', '# 2'])
    expect(facts).toEqual(['= v1.2.3', 'src/a.ts', '= 2', 'amount+', '# 2'])
  })
})

describe('slips of the hand', () => {
  test.each([
    ['receive', 'recieve'],
    ['occurred', 'occured'],
    ['separate', 'seperate'],
    ['gateway', 'gatway'],
    ['deploys', 'deployed'],
    ['retries', 'retried'],
    ['server', 'servers'],
  ])('%s and %s may be one word', (a, b) => {
    expect(isSameWordButForSlip(a, b)).toBe(true)
    expect(isSameWordButForSlip(b, a)).toBe(true)
  })

  test.each([
    ['include', 'exclude'],
    ['increase', 'decrease'],
    ['active', 'inactive'],
    ['content', 'context'],
    ['contact', 'contract'],
    ['country', 'county'],
    ['prevent', 'present'],
    ['resolve', 'revolve'],
    ['payer', 'payee'],
    ['owner', 'owned'],
    ['month', 'mouth'],
    ['plane', 'planet'],
    ['monday', 'sunday'],
    ['auth', 'auths'],
    ['node18', 'node20'],
    ['enabled', 'disabled'],
  ])('%s and %s are two words', (a, b) => {
    expect(isSameWordButForSlip(a, b)).toBe(false)
    expect(isSameWordButForSlip(b, a)).toBe(false)
  })
})
