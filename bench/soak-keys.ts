import { randomInt } from 'node:crypto'
import process from 'node:process'
import { setTimeout as elapsed } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Client } from 'undici'
import { createKey, type KeyGrant, rotateKey, withdrawKey } from '../src/adapters/keys/key-folder.ts'
import { dataFolder, filesBelow, removeDataFolders } from '../test/harness/data-folder.ts'
import { killProcesses, type ServedProcess, startProcess } from '../test/harness/process.ts'
import { growthRows, Sampler } from './soak/sampler.ts'
import { progress, type Row, tableOf } from './soak/table.ts'

// Agents that write and ask with keys of their own while their keys are rotated and revoked, for a long time; then a kill -9
// and a look. No answer may be 500, no key may open anything after its end, and nothing acknowledged may be lost.
// `node dist/bench/soak-keys.js --minutes 30`

const PLACE = { tenant_id: 'soak', scope: 'keys' }
const AGENTS = 8
const PAUSE_MS = 20
/** Between two changes of keys. */
const CHANGE_MS = 200
/** In which a running service has to follow a change: it looks twice a second, and may be busy. */
const FOLLOWS_MS = 3_000
const BOUNDS = ['--segment-bytes', '1048576', '--snapshot-min-bytes', '65536', '--log-level', 'warn']

const grant = (changes: Partial<KeyGrant>): KeyGrant => ({
  name: 'soak',
  tenantId: PLACE.tenant_id,
  scopes: [{ name: PLACE.scope, isPrefix: false }],
  agentId: null,
  teamId: null,
  origins: ['agent', 'tool'],
  isReadOnly: false,
  isOperator: false,
  readsMetrics: false,
  expiresAtMs: null,
  ...changes,
})

interface Totals {
  requests: number
  /** With a key that had ended meanwhile. */
  refused: number
  rotated: number
  revoked: number
  failures: number
  /** Keys that opened something long after their end. */
  late: number
  readonly acknowledged: Set<string>
}

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

async function send(client: Client, token: string, path: string, body: object | null): Promise<Answer> {
  const answer = await client.request({
    method: body === null ? 'GET' : 'POST',
    path,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: body === null ? null : JSON.stringify(body),
  })
  return { status: answer.statusCode, body: Object(await answer.body.json()) }
}

/** An agent whose key changes under its hands. */
class KeyedAgent {
  readonly name: string
  readonly #dir: string
  readonly #url: string
  readonly #client: Client
  #token = ''
  #steps = 0
  #isChanging = false

  constructor(dir: string, url: string, name: string) {
    this.#dir = dir
    this.#url = url
    this.#client = new Client(url)
    this.name = name
  }

  async getKey(): Promise<void> {
    this.#token = (await createKey(this.#dir, grant({ agentId: this.name }), Date.now())).token
  }

  async work(totals: Totals, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      this.#steps += 1
      const text = `Step ${this.#steps} of ${this.name} is done`
      const { body } = await this.#ask(totals, '/v1/observe', { ...PLACE, input_text: text })
      const { memory_ids: ids } = body
      if (Array.isArray(ids)) for (const id of ids) totals.acknowledged.add(String(id))
      await this.#ask(totals, '/v1/guide', { ...PLACE, query_text: text, limit: 5 })
      await elapsed(PAUSE_MS)
    }
    await this.#client.close()
  }

  async #ask(totals: Totals, path: string, body: object): Promise<Answer> {
    const token = this.#token
    const answer = await send(this.#client, token, path, body)
    totals.requests += 1
    if (answer.status === 401) {
      totals.refused += 1
      // A new key is known as late as an old one is forgotten.
      await elapsed(CHANGE_MS)
    } else if (answer.status !== 200) {
      totals.failures += 1
      progress(null)
      process.stdout.write(`${path} was answered ${answer.status} ${JSON.stringify(answer.body)}\n`)
    }
    return answer
  }

  /**
   * Its key ends; another one, or another secret, takes its place. Resolves when the old one was tried once more; at once
   * while the change before it is not written yet, as it may be on a slow disk.
   */
  async change(totals: Totals): Promise<void> {
    if (this.#isChanging) return
    this.#isChanging = true
    const before = this.#token
    const keyId = before.slice(3, 15)
    if (randomInt(2) === 0) {
      this.#token = (await rotateKey(this.#dir, keyId, Date.now())).token
      totals.rotated += 1
    } else {
      await withdrawKey(this.#dir, keyId)
      await this.getKey()
      totals.revoked += 1
    }
    this.#isChanging = false
    await elapsed(FOLLOWS_MS)
    const client = new Client(this.#url)
    const { status } = await send(client, before, '/v1/guide', { ...PLACE, query_text: 'late' })
    await client.close()
    if (status !== 401) totals.late += 1
  }
}

/** Memories that were acknowledged and are not there. */
async function lostOf(url: string, token: string, acknowledged: ReadonlySet<string>): Promise<number> {
  const client = new Client(url)
  const left = new Set(acknowledged)
  let cursor: string | null = ''
  while (cursor !== null) {
    const query = new URLSearchParams({ ...PLACE, limit: '200', ...(cursor === '' ? {} : { cursor }) })
    const { status, body } = await send(client, token, `/v1/operator/memories?${query.toString()}`, null)
    const { items, next_cursor: next } = body
    if (status !== 200 || !Array.isArray(items)) throw new Error(`the list was answered ${status}`)
    for (const item of items) left.delete(String(Object(item).memory_id))
    cursor = typeof next === 'string' ? next : null
  }
  await client.close()
  return left.size
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { minutes: { type: 'string' } } })
  const dir = dataFolder()
  const totals: Totals = {
    requests: 0,
    refused: 0,
    rotated: 0,
    revoked: 0,
    failures: 0,
    late: 0,
    acknowledged: new Set(),
  }
  const operator = await createKey(dir, grant({ isOperator: true, scopes: [] }), Date.now())
  const agents: KeyedAgent[] = []
  let served: ServedProcess = await startProcess(dir, BOUNDS)
  const sampler = new Sampler(() => served.pid, dir)
  try {
    for (let at = 0; at < AGENTS; at += 1) {
      const agent = new KeyedAgent(dir, served.url, `agent-${at}`)
      await agent.getKey()
      agents.push(agent)
    }
    const endAt = performance.now() + Number(values.minutes ?? 30) * 60_000
    const isOver = () => performance.now() >= endAt
    const working = agents.map((agent) => agent.work(totals, isOver))
    const changes: Promise<void>[] = []
    for (let at = 0; !isOver(); at += 1) {
      changes.push(agents[at % AGENTS]?.change(totals) ?? Promise.resolve())
      await elapsed(CHANGE_MS)
      progress(`${totals.requests} requests, ${totals.rotated + totals.revoked} changes of keys`)
    }
    await Promise.all([...working, ...changes])
    sampler.stop()
    await served.end('SIGKILL')
    served = await startProcess(dir, BOUNDS)
    const lost = await lostOf(served.url, operator.token, totals.acknowledged)
    served.signal('SIGTERM')
    const { code } = await served.exited
    progress(null)
    const files = filesBelow(dir)
    const growth = growthRows('the run', sampler.samples)
    const rows: readonly Row[] = [
      ['requests', String(totals.requests)],
      ['refused with a key that had ended', String(totals.refused)],
      ['keys rotated', String(totals.rotated)],
      ['keys revoked', String(totals.revoked)],
      ['ended keys that opened something', String(totals.late)],
      ['answers other than 200 and 401', String(totals.failures)],
      ['memories acknowledged', String(totals.acknowledged.size)],
      ['lost', String(lost)],
      ['files in the data folder', String(files.length)],
      ['of them of keys', String(files.filter((path) => path.includes('/keys/')).length)],
      ...growth,
    ]
    process.stdout.write(`${tableOf(rows)}\n`)
    const isGrowing = growth.some(([, value]) => value === 'GROWING')
    if (totals.failures + totals.late + lost > 0 || code !== 0 || isGrowing) process.exitCode = 1
    removeDataFolders()
  } finally {
    sampler.stop()
    await killProcesses()
  }
}

await main()
