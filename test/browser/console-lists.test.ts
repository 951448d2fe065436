import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '../../src/adapters/keys/key-folder.ts'
import { browserPath, launchBrowser, openPage, type WatchedPage } from '../harness/browser.ts'
import { caller } from '../harness/console-scene.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { killProcesses, type ServedProcess, startProcess } from '../harness/process.ts'
import { keyGrant } from '../support/keys.ts'

const path = browserPath()
const dir = dataFolder()
const PLACE = { tenant_id: 'default', scope: 'till' }
const WHERE = 'tenant=default&scope=till'
const REFUSED = {
  status: 503,
  json: { error: 'overloaded', message: 'Too many requests wait.', details: {} },
}

let service: ServedProcess
let browser: Browser
let watched: WatchedPage

beforeAll(async () => {
  if (path === null) return
  ;[service, browser] = await Promise.all([startProcess(dir), launchBrowser(path)])
  watched = await openPage(browser, service.url)
  const call = caller(service.url)
  for (let at = 0; at < 30; at += 1)
    await call('/v1/observe', { ...PLACE, input_text: `Till ${at} is emptied.` })
  const asked = { ...PLACE, query_text: 'when is the till emptied' }
  await call('/v1/guide', { ...asked, consumer_agent_id: 'rare', consumer_team_id: 'core' })
  for (let at = 0; at < 55; at += 1) await call('/v1/guide', { ...asked, consumer_agent_id: 'daily' })
  await call('/v1/observe', { ...PLACE, tenant_id: 'globex', scope: 'desk', input_text: 'A desk of Globex.' })
})

afterAll(async () => {
  if (path !== null) await browser.close()
  await killProcesses()
})

describe.skipIf(path === null)('lists of the console', () => {
  test('a page that could not be read is told of, and asked for again', async () => {
    const { page } = watched
    await page.goto(`${service.url}/console/#/memories?${WHERE}`)
    const more = page.getByRole('button', { name: 'Show more' })
    await more.waitFor()
    await page.route('**/v1/operator/memories?**', (route) => route.fulfill(REFUSED))
    await more.click()
    await page.getByText('Too many requests wait.').waitFor()
    const rows = page.getByRole('list', { name: 'Memories, the newest first' }).getByRole('listitem')
    expect(await rows.count()).toBe(25)
    await page.unroute('**/v1/operator/memories?**')
    await more.click()
    await expect.poll(() => rows.count()).toBe(30)
    expect(await page.getByText('Too many requests wait.').count()).toBe(0)
  })

  test('rules of which a page is missing are not shown as all of them', async () => {
    const { page } = watched
    await page.route(/operator\/rules.*cursor=/, (route) => route.fulfill(REFUSED))
    await page.goto(`${service.url}/console/#/rules?${WHERE}`)
    await page.getByText('Too many requests wait.').waitFor()
    await page.unroute(/operator\/rules.*cursor=/)
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.getByRole('row', { name: /^S10 use now/ }).waitFor()
    expect(await page.getByText('Too many requests wait.').count()).toBe(0)
  })

  test('a guide of long ago is found by agent and team, and a team that is missing is asked for', async () => {
    const { page } = watched
    const at = new Date().toISOString()
    await page.goto(`${service.url}/console/#/moment?${WHERE}&agent=rare&at=${at}`)
    await page.getByText('for rare without a team: name it').waitFor()
    await page.getByLabel('Team').fill('core')
    await page.getByRole('button', { name: 'Replay' }).click()
    await page.getByText('The last guide at or before that moment, for rare').waitFor()
    await page.goto(`${service.url}/console/#/guides?${WHERE}&consumer_agent_id=rare`)
    await page.getByText('Name agent and team together').waitFor()
    expect(watched.faults.filter((fault) => !fault.includes('503'))).toEqual([])
  })

  test('a prompt that could not be rendered is not said to be another one', async () => {
    const { page } = watched
    await page.route(/operator\/guides\?(?!.*with_prompt).*guide_trace_id/, (route) => route.fulfill(REFUSED))
    await page.goto(`${service.url}/console/#/guides?${WHERE}`)
    await page.getByRole('table', { name: 'Guides, the newest first' }).getByRole('link').first().click()
    await page.getByText('Too many requests wait.').waitFor()
    expect(await page.getByText('not reproduced').count()).toBe(0)
    await page.unroute(/operator\/guides\?(?!.*with_prompt).*guide_trace_id/)
  })

  test('the words of the field at the head stand in the field of the list that shows them', async () => {
    const { page } = watched
    await page.goto(`${service.url}/console/#/memories?${WHERE}`)
    const field = page.getByRole('searchbox', { name: 'Words in memory' })
    await field.fill('Till 17')
    await field.press('Enter')
    await page.getByLabel('Find a memory or a guide by words or id').fill('Till 23')
    await page.keyboard.press('Enter')
    await page.getByText('Till 23 is emptied.').waitFor()
    expect(await field.inputValue()).toBe('Till 23')
    await field.fill('')
  })

  test('a deed is taken back where it was done, whatever scope is looked at by then', async () => {
    const { page } = watched
    await page.goto(`${service.url}/console/#/memories?${WHERE}`)
    await page.getByText('Till 29 is emptied.').click()
    await page.getByRole('button', { name: 'Suppress' }).click()
    const reason = page.getByLabel('Reason, for the audit')
    await reason.fill('it is emptied by itself')
    await reason.press('Enter')
    await page.getByText('Done: suppress.').waitFor()
    await page.evaluate('location.hash = "#/overview?tenant=default&scope=elsewhere"')
    await page.getByText('There is no memory and no guide in elsewhere').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Taken back: suppress.').waitFor()
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
  })

  test('who logs in after somebody of another tenant finds the scopes of their own', async () => {
    const { page } = watched
    const grant = { agentId: null, teamId: null, isOperator: true }
    const scopes = [
      { name: 'desk', isPrefix: false },
      { name: 'shelf', isPrefix: true },
    ]
    const [till, globex, desk] = await Promise.all(
      [
        { tenantId: 'default', scopes: [] },
        { tenantId: 'globex', scopes: [] },
        { tenantId: 'globex', scopes },
      ].map(async (of) => (await createKey(dir, keyGrant({ ...grant, ...of }), Date.now())).token),
    )
    await expect.poll(async () => (await fetch(`${service.url}/v1/operator/actors`)).status).toBe(401)
    const logIn = async (token = '') => {
      await page.getByLabel('Operator key').fill(token)
      await page.getByRole('button', { name: 'Log in' }).click()
    }
    await page.goto('about:blank')
    await page.goto(`${service.url}/console/#/guides?${WHERE}`)
    await logIn(till)
    await page.getByRole('table', { name: 'Guides, the newest first' }).waitFor()
    for (const token of [globex, desk]) {
      await page.getByRole('button', { name: 'Log out' }).click()
      await logIn(token)
      await page.getByText('The key is for another tenant').waitFor()
      expect(await page.getByText('log in with an operator key').count()).toBe(0)
      await page.getByRole('link', { name: /^default/ }).click()
      await page.getByRole('link', { name: 'desk', exact: true }).click()
      await page.getByRole('region', { name: 'Share of surfaces' }).waitFor()
      await page.evaluate(`location.hash = "#/guides?${WHERE}"`)
    }
  })
})
