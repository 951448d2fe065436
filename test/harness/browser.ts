import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

/** Where a browser of Chromium's family usually is. */
const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/opt/google/chrome/chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Null: there is none, and tests of pages have to say that they are left out. */
export function browserPath(): string | null {
  const named = process.env['MEMGOV_TEST_CHROMIUM']
  const places = named === undefined ? USUAL_PLACES : [named]
  return places.find((place) => existsSync(place)) ?? null
}

export const NO_BROWSER =
  'No Chromium was found, so that nothing of the console is tried in a browser: set MEMGOV_TEST_CHROMIUM to its path.'

const FLAGS = [
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--no-sandbox',
  // A page that a test answers itself comes from no address, and would need a permission to ask a machine as near as this one.
  '--disable-features=LocalNetworkAccessChecks',
]

export function launchBrowser(path: string): Promise<Browser> {
  return chromium.launch({ executablePath: path, headless: true, args: FLAGS })
}

/** A page that notes what no page of ours may do. */
export interface WatchedPage {
  readonly page: Page
  /** Errors of the console, refusals by the content policy among them, and requests to other origins. */
  readonly faults: readonly string[]
  close(): Promise<void>
}

export async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    // A refused request is told by the page itself, in words; browsers note it too.
    const isNetwork = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isNetwork) faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) faults.push(`asked ${request.url()}`)
  })
  return { page, faults, close: () => context.close() }
}
