import { expect, test } from 'vitest'
import { browserPath, launchBrowser, NO_BROWSER, openPage } from '../harness/browser.ts'
import { startConsoleService } from '../harness/console-service.ts'

const path = browserPath()
if (path === null) process.stderr.write(`${NO_BROWSER}\n`)

test.skipIf(path === null)(
  'a browser shows what a guide saw, without an error and from this origin only',
  async () => {
    const [service, browser] = await Promise.all([startConsoleService(), launchBrowser(path ?? '')])
    try {
      const { page, faults } = await openPage(browser, service.url)
      await page.goto(`${service.url}/console/#/guides?tenant=default&scope=checkout`)
      await page.getByRole('table', { name: 'Guides, the newest first' }).getByRole('link').first().click()
      await page.getByText('reproduced: the same bytes as then').waitFor()
      expect(faults).toEqual([])
    } finally {
      await browser.close()
    }
  },
)
