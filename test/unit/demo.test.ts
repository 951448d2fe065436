import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { IN_MEMORY } from '../../src/app/config/options.ts'
import { type AskPath, runDemo } from '../../src/edges/cli/demo.ts'
import { edgeOver } from '../harness/edge.ts'
import { type Embedded, startEmbedded } from '../harness/embedded.ts'

let real: Embedded
let app: FastifyInstance

beforeAll(async () => {
  real = await startEmbedded({ dir: IN_MEMORY })
  app = edgeOver(real)
})

afterAll(() => app.close())

const ask: AskPath = async (method, path, fields) => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) query.set(name, String(value))
  const reply = await app.inject(
    method === 'GET'
      ? { method, url: `${path}?${query.toString()}` }
      : { method, url: path, payload: { ...fields } },
  )
  return { isOk: reply.statusCode === 200, body: reply.json() }
}

async function run(
  scope: string,
  isKept: boolean,
  requests = Number.POSITIVE_INFINITY,
  tenant: { tenant_id?: string } = {},
) {
  const said = { out: '', error: '' }
  let asked = 0
  const code = await runDemo(
    (...request) => {
      asked += 1
      return ask(...request)
    },
    'http://127.0.0.1:3001/console/',
    { ...tenant, scope },
    isKept,
    {
      isColoured: false,
      out: (text) => void (said.out += text),
      error: (text) => void (said.error += text),
      isStopped: () => asked >= requests,
      lookedAt: async () => undefined,
    },
  )
  return { code, asked, ...said }
}

/** Texts that a scope still holds. */
async function textsIn(scope: string): Promise<readonly string[]> {
  const { items } = await real.ok('listMemories', { scope, limit: 200 })
  return items.flatMap(({ text, title }) => [text, title].filter((said) => said !== null))
}

test('the demonstration answers every question of the console and leaves none of its texts', async () => {
  const { code, out, error } = await run('demo-1', false)
  expect([code, error]).toEqual([0, ''])
  const links = [...out.matchAll(/#\/([a-z]+)/g)].map(([, screen]) => screen)
  const screens = ['overview', 'guides', 'memories', 'review', 'radius', 'rules', 'effect', 'live', 'moment']
  expect(links).toEqual(screens)
  expect(out).toContain('do_not_use: ')
  expect(out).toContain('use_now: ')
  expect(out).toContain('dispute: Deploys of the demo shop run on')
  expect(out).toContain('contested: The night team')
  expect(out).toContain('user said: The staging database of the demo shop listens on port 6544.')
  expect(out).toMatch(/Guides that showed it: [1-9]; runs that told an outcome: [1-9]/)
  expect(out).toContain('not enough evidence')
  expect(out).toContain('memgov tail --scope demo-1 follows')
  expect(out).toContain('is erased again')
  expect(await textsIn('demo-1')).toEqual([])
  const { items } = await real.ok('listGuides', { scope: 'demo-1' })
  expect(items).toEqual([])
})

test('it can be kept', async () => {
  const { code, out } = await run('demo-2', true)
  expect(code).toBe(0)
  expect(out).toContain('memgov ls --scope demo-2')
  expect((await textsIn('demo-2')).join()).toContain('Fridays')
})

test('in another tenant it names that to the commands that it advises', async () => {
  const { out } = await run('demo-3', true, undefined, { tenant_id: 'acme' })
  expect(out).toContain('memgov tail --scope demo-3 --tenant acme follows')
  expect(out).toContain('memgov ls --scope demo-3 --tenant acme lists')
})

test('stopped at any step it takes back what it wrote until then', async () => {
  const { asked: whole } = await run('demo-whole', false)
  for (let requests = 1; requests < whole - 2; requests += 4) {
    const scope = `demo-stopped-${requests}`
    expect((await run(scope, false, requests)).code).toBe(130)
    expect(await textsIn(scope)).toEqual([])
  }
})
