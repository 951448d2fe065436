import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserPath, launchBrowser, NO_BROWSER, openPage } from '../harness/browser.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { listening, stopAllListening } from '../harness/listener.ts'
import { killProcesses, type ServedProcess, startProcess } from '../harness/process.ts'

// The built `memgov/client`, loaded as a module by a page: of an origin that the service lists, of its own, and of another.

const path = browserPath()
if (path === null) process.stderr.write(`${NO_BROWSER}\n`)

const FILES: Readonly<Record<string, readonly [type: string, file: string]>> = {
  '/client.js': ['text/javascript', '../../dist/client/index.js'],
  '/client-page.js': ['text/javascript', 'client-page.js'],
}
const PAGE =
  '<!doctype html><title>memgov/client</title><script type="module" src="/client-page.js"></script>'

function fileAt(url: string): { readonly contentType: string; readonly body: string } {
  const [contentType, file] = FILES[url] ?? []
  if (contentType === undefined || file === undefined) return { contentType: 'text/html', body: PAGE }
  return { contentType, body: readFileSync(new URL(file, import.meta.url), 'utf8') }
}

let service: ServedProcess
let browser: Browser

/** Serves the page, and under `/silent` nothing ever. */
const pageServer = () =>
  listening(({ url = '' }, response) => {
    if (url.startsWith('/silent')) return
    const { contentType, body } = fileAt(url)
    response.writeHead(200, { 'content-type': contentType }).end(body)
  })

let listed = ''
let stranger = ''

beforeAll(async () => {
  if (path === null) return
  ;[listed, stranger] = await Promise.all([pageServer(), pageServer()])
  ;[service, browser] = await Promise.all([
    startProcess(dataFolder(), ['--allowed-origins', listed]),
    launchBrowser(path),
  ])
})

afterAll(async () => {
  if (path !== null) await browser.close()
  await stopAllListening()
  await killProcesses()
})

/** A page of an origin; where it is that of the service, an application behind the same proxy would have served it. */
async function pageOf(origin: string): Promise<Page> {
  const { page } = await openPage(browser, origin)
  if (origin === service.url) {
    await page.route(/\/(page|client\.js|client-page\.js)$/, (route) =>
      route.fulfill(fileAt(new URL(route.request().url()).pathname)),
    )
  }
  await page.goto(`${origin}/page`)
  await page.waitForFunction('globalThis.ask !== undefined')
  return page
}

const asked = async (page: Page, question: string, ...args: readonly string[]): Promise<unknown> =>
  page.evaluate(`ask.${question}(...${JSON.stringify(args)})`)

describe.skipIf(path === null).each([
  ['of a listed origin', () => listed],
  ['of the origin of the service', () => service.url],
] as const)('a page %s', (name, origin) => {
  let page: Page
  beforeAll(async () => {
    page = await pageOf(origin())
  })

  test('observes, is guided, finishes and reads what is stored', async () => {
    const {
      observed,
      shown,
      finished,
      listed: stored,
    } = (await asked(page, 'loop', service.url, name)) as {
      readonly [field: string]: unknown
    }
    expect(observed).toEqual([expect.any(String)])
    expect(shown).toEqual(observed)
    expect(new Set(stored as readonly string[])).toEqual(
      new Set([...(observed as readonly string[]), finished]),
    )
  })

  test('gets a refusal as a MemgovError with code, status, details and the id of the request', async () => {
    expect(await asked(page, 'refusals', service.url, name)).toMatchObject([
      { name: 'MemgovError', code: 'invalid_request', status: 400, isNamed: true },
      { name: 'MemgovError', code: 'memory_not_found', status: 404, isNamed: true },
    ])
  })

  test('ends a call by its timeout and by a signal, with the reason of the signal', async () => {
    expect(await asked(page, 'ended', `${listed}/silent`)).toMatchObject([
      { code: 'timeout', status: null, details: { timeout_ms: 50 } },
      { name: 'Error', message: 'enough' },
      { name: 'TimeoutError' },
    ])
  })

  test('sends a write whose answer is lost again, and it is carried out once', async () => {
    const {
      sent,
      observed,
      listed: stored,
    } = (await asked(page, 'repeated', service.url, `lost ${name}`)) as {
      readonly [field: string]: unknown
    }
    expect(sent).toBe(2)
    expect(stored).toEqual(observed)
  })
})

test.skipIf(path === null)(
  'a page of an origin that is not listed gets no answer and writes nothing',
  async () => {
    const page = await pageOf(stranger)
    expect(await asked(page, 'unheard', service.url, 'stranger')).toMatchObject({
      code: 'unreachable',
      status: null,
    })
    const actors = await (await fetch(`${service.url}/v1/operator/actors`)).text()
    expect(actors).toContain('"scope"')
    expect(actors).not.toContain('stranger')
  },
)
