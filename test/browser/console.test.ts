import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '../../src/adapters/keys/key-folder.ts'
import { browserPath, launchBrowser, NO_BROWSER, openPage, type WatchedPage } from '../harness/browser.ts'
import { caller, HOSTILE_TEXTS } from '../harness/console-scene.ts'
import { type ConsoleService, startConsoleService } from '../harness/console-service.ts'
import { killProcesses } from '../harness/process.ts'
import { keyGrant } from '../support/keys.ts'

const path = browserPath()
if (path === null) process.stderr.write(`${NO_BROWSER}\n`)

let service: ConsoleService
let browser: Browser
let watched: WatchedPage
let page: Page

beforeAll(async () => {
  if (path === null) return
  ;[service, browser] = await Promise.all([startConsoleService(), launchBrowser(path)])
  watched = await openPage(browser, service.url)
  page = watched.page
})

afterAll(async () => {
  if (path !== null) await browser.close()
  await killProcesses()
})

const WHERE = 'tenant=default&scope=checkout'

async function show(place: string, on: Page = page): Promise<void> {
  await on.goto(`${service.url}/console/#/${place}${place.includes('?') ? '&' : '?'}${WHERE}`)
}

const region = (name: string) => page.getByRole('region', { name })

/** What is pressed or clicked to have a question answered, and where the answer stands. */
const QUESTIONS = [
  { screen: 'Overview', key: '1', row: null, answer: () => region('Share of surfaces').getByText('use now') },
  {
    screen: 'Guides',
    key: '2',
    row: () => page.getByRole('table', { name: 'Guides, the newest first' }).getByRole('link').first(),
    answer: () => region('The prompt, rendered again').getByText('reproduced: the same bytes as then'),
  },
  {
    screen: 'Memory',
    key: '3',
    row: () => page.getByRole('list', { name: 'Memories, the newest first' }).getByRole('link').first(),
    answer: () => region('Time line').getByText('written', { exact: true }),
  },
  { screen: 'Review', key: '4', row: null, answer: () => page.getByText('If nobody acts:').first() },
  {
    screen: 'Blast radius',
    key: '5',
    row: () => region('Begin with one of the newest memories').getByRole('link').first(),
    answer: () => page.getByRole('table', { name: 'What it has touched' }),
  },
  {
    screen: 'Rules',
    key: '6',
    row: null,
    answer: () => page.getByRole('row', { name: /^S10 use now/ }).getByText(/positive/),
  },
  { screen: 'Effect', key: '7', row: null, answer: () => page.getByText('Not enough evidence.') },
  { screen: 'Live', key: '8', row: null, answer: () => page.getByText('Listening to checkout of default.') },
  {
    screen: 'At a moment',
    key: '9',
    row: () => page.getByRole('button', { name: 'Replay' }),
    answer: () => page.getByText('The last guide at or before that moment'),
  },
] as const

describe.skipIf(path === null)('the console in a browser', () => {
  test('each of the nine questions is answered within two clicks', async () => {
    for (const { screen, row, answer } of QUESTIONS) {
      await show('scopes')
      await page.getByRole('navigation').getByRole('link', { name: screen, exact: true }).click()
      await row?.().click()
      await answer().waitFor()
    }
    expect(watched.faults).toEqual([])
  })

  test('each of the nine questions is answered by keyboard alone', async () => {
    for (const { key, row, answer } of QUESTIONS) {
      await show('scopes')
      await page.getByRole('heading', { level: 1, name: 'Choose a scope' }).waitFor()
      await page.keyboard.press(key)
      if (row !== null) {
        await row().waitFor()
        await page.keyboard.press('j')
        await page.keyboard.press('Enter')
      }
      await answer().waitFor()
    }
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys and questions' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('3')
    await page.keyboard.press('/')
    await page.keyboard.type(service.scene.disputed[0])
    await page.keyboard.press('Enter')
    await region('What it says').getByText('port 5432').waitFor()
    expect(watched.faults).toEqual([])
  })

  test('settling a dispute changes the next guide, is in the audit, and can be undone', async () => {
    const [older, newer] = service.scene.disputed
    const call = caller(service.url)
    const surfaceOf = async () => {
      const asked = { ...service.place, query_text: 'staging database port', consumer_agent_id: 'auditor' }
      const { agent_context: context } = await call('/v1/guide', asked)
      const lists = context as Readonly<Record<string, readonly string[]>>
      return [older, newer].map(
        (id) =>
          ['use_now', 'do_not_use'].find((list) => lists[`${list}_memory_ids`]?.includes(id)) ?? 'inspect',
      )
    }
    expect(await surfaceOf()).toEqual(['inspect', 'use_now'])
    await show('review?kind=dispute')
    const dispute = page.getByRole('article', { name: /^Dispute about/ })
    const side = (await dispute.getByRole('article', { name: 'Side A' }).innerText()).includes('5432')
      ? 'A'
      : 'B'
    await dispute.getByRole('button', { name: `Keep ${side}`, exact: true }).click()
    await dispute.getByText(`${side} keeps its surface.`).waitFor()
    const trial = dispute.getByRole('list', { name: 'What would change' })
    await trial.getByText('validity: superseded').waitFor()
    await page.keyboard.type('the port was never moved')
    await page.keyboard.press('Enter')
    await page.getByText(`Done: keep ${side.toLowerCase()}.`).waitFor()
    expect((await surfaceOf())[0]).toBe('use_now')
    const [changed] = (await memory(newer)).changes.slice(-1)
    expect(changed).toMatchObject({ cause: 'settled', reason: 'the port was never moved', to: 'superseded' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Taken back').waitFor()
    expect(await surfaceOf()).toEqual(['inspect', 'use_now'])
    await dispute.waitFor()
    expect(watched.faults).toEqual([])
  })

  test('review by one reason shows only what waits for it', async () => {
    const call = caller(service.url)
    const remember = { input_text: 'The till is emptied at noon.', memory: { kind: 'fact', origin: 'user' } }
    const { memory_ids: ids } = await call('/v1/observe', { ...service.place, ...remember })
    const asked = { query_text: 'when is the till emptied', run_id: 'till-1' }
    const { guide_trace_id } = await call('/v1/guide', { ...service.place, ...asked })
    const told = { outcome: 'negative', reason: 'it was emptied at night', used_surface: 'use_now' }
    const blamed = { guide_trace_id, run_id: 'till-1', used_memory_ids: ids, ...told }
    await call('/v1/feedback', { ...service.place, ...blamed })
    await show('review')
    await page.getByLabel('Only').selectOption('demoted by failures')
    await page
      .getByText('It stays where agents inspect it first, until a run that used it succeeds.')
      .waitFor()
    expect(await page.getByRole('article').allInnerTexts()).toEqual([
      expect.stringContaining('emptied at noon'),
    ])
    await page.getByLabel('Only').selectOption('incidents')
    await page.getByText('Nothing waits for a person.').waitFor()
    expect(watched.faults).toEqual([])
  })

  test('a text looks as it is written, whatever it would do', async () => {
    const { hostile } = service.scene
    await show(`memories/${hostile.markup}`)
    await region('What it says').getByText(HOSTILE_TEXTS.markup).waitFor()
    await region('What it says').getByText('Deploy <b>notes</b>').waitFor()
    await show(`memories/${hostile.bidi}`)
    const marked = region('What it says').getByText('The invoice total is')
    await marked.waitFor()
    expect(await marked.innerText()).toBe(
      'The invoice total is U+202E0001U+202C euroU+200B forU+2066 MarchU+2069.',
    )
    await show(`memories/${hostile.link}`)
    const linked = region('What it says').getByText(HOSTILE_TEXTS.link)
    await linked.waitFor()
    expect(await linked.getByRole('link').count()).toBe(0)
    await show(`memories/${hostile.long}`)
    const unfold = region('What it says').getByRole('button', { name: 'Show all 32,000 characters' })
    await unfold.click()
    await region('What it says').getByRole('button', { name: 'Fold' }).waitFor()
    expect(await page.locator('.said.block').first().textContent()).toContain(HOSTILE_TEXTS.long)
    expect(await page.locator('img, iframe, main script').count()).toBe(0)
    expect(await page.evaluate('globalThis.pwned')).toBeUndefined()
    expect(watched.faults).toEqual([])
  })

  test('what is erased is said to be erased, not in force, and to be used in no way', async () => {
    const call = caller(service.url)
    const { memory_ids: ids } = await call('/v1/observe', { ...service.place, input_text: 'To be erased.' })
    const [id = ''] = ids as readonly string[]
    await call('/v1/memory/erase', { ...service.place, memory_ids: [id], reason: 'asked' })
    await show(`memories/${id}`)
    await region('What it says').getByText('erased', { exact: true }).waitFor()
    const said = await region('What it says').innerText()
    expect(said).not.toMatch(/in force|inspect|confidence/i)
    await show(`radius/${id}`)
    const touched = page.getByRole('table', { name: 'What it has touched' })
    await touched.getByText('erased', { exact: true }).waitFor()
    await region('Graph').getByText('memory, erased').first().waitFor({ state: 'attached' })
    expect(await page.locator('main').innerText()).not.toContain('in force')
    await show('memories')
    const row = page.getByRole('listitem').filter({ hasText: 'Erased. What is left' }).first()
    expect(await row.innerText()).not.toContain('inspect')
  })

  test('a link that names no moment and no scope asks for them, and breaks nothing', async () => {
    for (const at of ['abc', '2026-13-45', '+275760-09-13T00:00:00.000Z']) {
      await page.goto('about:blank')
      await show(`moment?at=${encodeURIComponent(at)}`)
      await page.getByText('Name a moment').waitFor()
    }
    await page.goto('about:blank')
    await page.goto(`${service.url}/console/#/overview?tenant=&scope=`)
    await page.getByRole('heading', { level: 1, name: 'Choose a scope' }).waitFor()
    expect(watched.faults).toEqual([])
  })

  test('a scope that nobody has written to is not shown as one that is empty', async () => {
    await page.goto(`${service.url}/console/#/overview?tenant=default&scope=chekout`)
    await page.getByText('There is no memory and no guide in chekout of default').waitFor()
    await show('overview')
    await region('Share of surfaces').waitFor()
    expect(await page.getByText('There is no memory and no guide').count()).toBe(0)
  })

  test('without a scope Live asks for one once', async () => {
    await page.goto(`${service.url}/console/#/live?tenant=default&scope=`)
    await page.getByText('to listen to it.').waitFor()
    expect((await page.locator('main').innerText()).match(/choose/gi)).toHaveLength(1)
  })

  test('what screening found is told also where another rule decided first', async () => {
    await show('overview')
    const figure = page.locator('.figure', { hasText: 'Held by screening alone' })
    await figure.getByText('newest open reviews').waitFor()
    expect(await figure.innerText()).toMatch(/found something in [1-9]\d* of the newest/)
  })

  test('a scope of the longest name leaves its counts on the screen', async () => {
    const scope = 'x'.repeat(256)
    await caller(service.url)('/v1/observe', { scope, input_text: 'In a scope with a long name.' })
    await show('scopes')
    const table = page.getByRole('table', { name: 'Scopes' })
    await table.getByText(scope).waitFor()
    const [inside, shown] = await table.evaluate((each) => [
      each.getBoundingClientRect().width,
      each.parentElement?.getBoundingClientRect().width ?? 0,
    ])
    expect(inside).toBeLessThanOrEqual(shown + 1)
  })

  test('no screen has a serious fault of access, in the light and in the dark', async () => {
    const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    const [first] = service.scene.guides
    const places = [
      'scopes',
      'overview',
      'guides',
      'memories',
      'review',
      'rules',
      'rules/S10',
      'effect',
      'live',
      'moment',
      `guides/${encodeURIComponent(first ?? '')}`,
      `memories/${service.scene.disputed[0]}`,
      `radius/${service.scene.disputed[0]}`,
    ]
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      // Only colours differ in the dark, and those of these screens are all that there are.
      const shown =
        colorScheme === 'light'
          ? places
          : places.filter((each) => /^(overview|review|guides.|memories.)/.test(each))
      for (const place of shown) {
        await show(place)
        await page.locator('main h1').waitFor()
        await expect.poll(() => page.locator('[aria-busy]').count()).toBe(0)
        await page.evaluate(source)
        const found = (await page.evaluate(
          `axe.run(document, ${colorScheme === 'light' ? '{}' : '{ runOnly: ["color-contrast"] }'}).then(({ violations }) => violations.map(({ id, impact, nodes }) => ({ id, impact, at: nodes.map((node) => node.html).slice(0, 3) })))`,
        )) as readonly { readonly impact: string }[]
        const serious = found.filter(({ impact }) => impact === 'serious' || impact === 'critical')
        expect(serious, `${place}, ${colorScheme}`).toEqual([])
      }
    }
    await page.emulateMedia({ colorScheme: 'light' })
  })

  test('a service that is killed is told of, and no event is missing or told twice when it is back', async () => {
    const say = (text: string) => caller(service.url)('/v1/observe', { ...service.place, input_text: text })
    await show('live')
    await page.getByText('Listening to checkout of default.').waitFor()
    for (const at of [1, 2, 3]) await say(`Lamp ${at} of the east stair is out.`)
    const events = page.getByRole('list', { name: 'Events, the newest first' }).getByRole('listitem')
    await expect.poll(() => events.count()).toBe(3)
    await service.kill()
    await page.getByText('The service does not answer.').waitFor()
    await service.again()
    for (const at of [4, 5]) await say(`Lamp ${at} of the east stair is out.`)
    await expect.poll(() => events.count()).toBe(5)
    await page.getByText('Listening to checkout of default.').waitFor()
    expect(await page.getByText('The service does not answer.').count()).toBe(0)
    const ids = await page.evaluate(
      '[...document.querySelectorAll("[data-event]")].map((row) => row.dataset.event)',
    )
    expect(new Set(ids as readonly string[]).size).toBe(5)
    expect(await page.locator('.event.is-gap').count()).toBe(0)
  })

  test('a scope that another node has for a while is asked for again', async () => {
    let refusals = 0
    const error = { error: 'not_owner', message: 'Another node owns this tenant and scope.', details: {} }
    await page.route('**/v1/operator/events?**', (route) => {
      refusals += 1
      return refusals > 2 ? route.continue() : route.fulfill({ status: 421, json: error })
    })
    await show('overview')
    await show('live')
    await page.getByText('Another node owns this tenant and scope.').waitFor()
    await page.getByText('Listening to checkout of default.').waitFor()
    expect(refusals).toBe(3)
    await page.unroute('**/v1/operator/events?**')
  })

  test('keys: no operator is told so, who may read sees no action, and nobody sees another tenant', async () => {
    const other = { tenant_id: 'globex', scope: 'checkout' }
    const { memory_ids: foreign } = await caller(service.url)('/v1/observe', {
      ...other,
      input_text: 'Globex only.',
    })
    const grant = { tenantId: 'default', agentId: null, teamId: null, scopes: [] }
    const key = async (changes: Partial<Parameters<typeof keyGrant>[0]>) =>
      (await createKey(service.dir, keyGrant({ ...grant, ...changes }), Date.now())).token
    const [agent, reader, operator] = [
      await key({ agentId: 'builder' }),
      await key({ isOperator: true, isReadOnly: true }),
      await key({ isOperator: true }),
    ]
    const logIn = async (token: string) => {
      await page.getByLabel('Operator key').fill(token)
      await page.getByRole('button', { name: 'Log in' }).click()
    }
    await expect.poll(async () => (await fetch(`${service.url}/v1/operator/actors`)).status).toBe(401)
    await page.reload()
    await show('review')
    await logIn('mg_wrong')
    await page.getByText('This key opens nothing here.').waitFor()
    await logIn(agent)
    await page
      .getByText(/operator key/i)
      .nth(1)
      .waitFor()
    expect(await page.getByRole('alert').innerText()).toMatch(/operator/)
    await logIn(reader)
    await page.getByText('If nobody acts:').first().waitFor()
    expect(await page.getByRole('button', { name: /^Keep|Promote|Reject|Suppress/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Log out' }).click()
    await logIn(operator)
    await page
      .getByRole('button', { name: /^Keep A/ })
      .first()
      .waitFor()
    await page.goto(`${service.url}/console/#/memories?tenant=globex&scope=checkout`)
    await page.getByText('This key may not read here.').waitFor()
    expect(await page.content()).not.toContain((foreign as readonly string[])[0])
    expect(await page.content()).not.toContain('Globex only')
    expect(watched.faults).toEqual([])
  })
})

interface Told {
  readonly changes: readonly object[]
}

async function memory(id: string): Promise<Told> {
  const query = new URLSearchParams({ ...service.place, memory_id: id })
  const response = await fetch(`${service.url}/v1/operator/memories?${query.toString()}`)
  const { items } = (await response.json()) as { readonly items: readonly { readonly detail: Told }[] }
  const [item] = items
  if (item === undefined) throw new Error(`no memory ${id}`)
  return item.detail
}
