import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserPath, launchBrowser, openPage, type WatchedPage } from '../harness/browser.ts'
import { caller } from '../harness/console-scene.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { killProcesses, type ServedProcess, startProcess } from '../harness/process.ts'

const path = browserPath()
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
  ;[service, browser] = await Promise.all([startProcess(dataFolder()), launchBrowser(path)])
  watched = await openPage(browser, service.url)
  const call = caller(service.url)
  for (let at = 0; at < 30; at += 1)
    await call('/v1/observe', { ...PLACE, input_text: `Till ${at} is emptied.` })
  const asked = { ...PLACE, query_text: 'when is the till emptied' }
  await call('/v1/guide', { ...asked, consumer_agent_id: 'rare', consumer_team_id: 'core' })
  for (let at = 0; at < 55; at += 1) await call('/v1/guide', { ...asked, consumer_agent_id: 'daily' })
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
  })
})
