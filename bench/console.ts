import process from 'node:process'
import { browserPath, launchBrowser, NO_BROWSER } from '../test/harness/browser.ts'
import { dataFolder, removeDataFolders } from '../test/harness/data-folder.ts'
import { killProcesses, startProcess } from '../test/harness/process.ts'
import { jsonClient } from './json-client.ts'
import { requestsOf, SCOPE, seedScope } from './seeded-scope.ts'
import { progress, type Row, tableOf } from './soak/table.ts'

// The console over a large scope: how long each screen takes until it is read whole, how large its largest list is, and
// how the heap of its tab grows while events come.

const MEMORIES = 100_000
const GUIDES = 10_000
const TAIL_MS = 300_000
const SCREEN_MS_MAX = 500
const LIST_BYTES_MAX = 64 * 1024
/** Growth of the heap of the tab over the tail that still counts as none. */
const HEAP_GROWTH_MAX = 1.25
const CLIENTS = 8
const TRIES = 3
const EVENTS_A_SECOND = 20
const SEED = 2

const path = browserPath()
if (path === null) {
  process.stderr.write(`${NO_BROWSER}\n`)
  process.exit(1)
}

interface Asked {
  path: string
  bytes: number
}

const dir = dataFolder()
progress(`writing ${MEMORIES} memories`)
await (await seedScope(dir, MEMORIES))()
const service = await startProcess(dir)
const { guide, observe } = requestsOf(SEED)
progress(`asking ${GUIDES} guides`)
const clients = Array.from({ length: CLIENTS }, () => jsonClient(service.url))
await Promise.all(
  clients.map(async (client, at) => {
    for (let asked = at; asked < GUIDES; asked += CLIENTS) {
      await client.answer(
        '/v1/guide',
        JSON.stringify({ ...guide(), consumer_agent_id: `agent-${asked % 5}` }),
      )
    }
  }),
)

const browser = await launchBrowser(path)
const context = await browser.newContext({ viewport: { width: 1280, height: 860 } })
const page = await context.newPage()
const asked: Asked[] = []
page.on('response', (response) => {
  const url = new URL(response.url())
  if (!url.pathname.startsWith('/v1/') || url.pathname.endsWith('/events')) return
  void response.body().then(
    (body) => asked.push({ path: url.pathname, bytes: body.length }),
    () => {},
  )
})
await page.goto(`${service.url}/console/#/scopes?tenant=default&scope=${SCOPE}`)
await page.locator('main h1').waitFor()

async function first(of: string, id: string): Promise<string> {
  const response = await fetch(`${service.url}/v1/operator/${of}?scope=${SCOPE}&limit=1`)
  const { items } = (await response.json()) as {
    readonly items: readonly Readonly<Record<string, unknown>>[]
  }
  return encodeURIComponent(String(items[0]?.[id]))
}

const guideId = await first('guides', 'guide_trace_id')
const memoryId = await first('memories', 'memory_id')
const PLACES = [
  'overview',
  'guides',
  `guides/${guideId}`,
  'memories',
  `memories/${memoryId}`,
  'review',
  'radius',
  `radius/${memoryId}`,
  'rules',
  'rules/S10',
  'effect',
  'live',
  'moment',
]

/** Until nothing is being read any more. */
async function screenMs(place: string): Promise<number> {
  await page.evaluate(`location.hash = '#/scopes?tenant=default&scope=${SCOPE}'`)
  await page.getByRole('heading', { level: 1, name: 'Choose a scope' }).waitFor()
  await page.evaluate('new Promise((done) => setTimeout(done, 200))')
  return (await page.evaluate(`(async () => {
    const since = performance.now()
    location.hash = '#/${place}?tenant=default&scope=${SCOPE}'
    const frame = () => new Promise((done) => requestAnimationFrame(done))
    await frame()
    await frame()
    while (document.querySelector('main [aria-busy=true], main button:disabled') !== null) await frame()
    return performance.now() - since
  })()`)) as number
}

const rows: Row[] = []
const broken: string[] = []

function tell(name: string, value: string, holds: boolean): void {
  rows.push([name, value])
  if (!holds) broken.push(name)
}

for (const place of PLACES) {
  const times: number[] = []
  asked.length = 0
  for (let at = 0; at < TRIES; at += 1) times.push(await screenMs(place))
  const largest = asked.toSorted((a, b) => b.bytes - a.bytes)[0]
  const best = Math.min(...times)
  const told = largest === undefined ? 'none' : `${largest.bytes} bytes of ${largest.path}`
  const holds = best <= SCREEN_MS_MAX && (largest?.bytes ?? 0) <= LIST_BYTES_MAX
  tell(place.replace(/\/.{12,}/, '/…'), `${times.map((ms) => Math.round(ms)).join(' ')} ms, ${told}`, holds)
}

progress(`listening for ${TAIL_MS / 1000} s`)
await page.evaluate(`location.hash = '#/live?tenant=default&scope=${SCOPE}'`)
const devtools = await context.newCDPSession(page)
const heapBytes = async () => {
  await devtools.send('HeapProfiler.collectGarbage')
  return (await devtools.send('Runtime.getHeapUsage')).usedSize
}
const untilMs = performance.now() + TAIL_MS
const filledMs = performance.now() + 60_000
let filled = 0
const [client] = clients
while (performance.now() < untilMs) {
  await client?.answer('/v1/observe', JSON.stringify(observe()))
  await new Promise((done) => setTimeout(done, 1000 / EVENTS_A_SECOND))
  if (filled === 0 && performance.now() > filledMs) filled = await heapBytes()
}
const last = await heapBytes()
tell(
  'heap of the tab, once its list was full and at the end',
  `${filled} ${last} bytes`,
  last <= filled * HEAP_GROWTH_MAX,
)
await Promise.all(clients.map((client) => client.close()))
await browser.close()
await killProcesses()
removeDataFolders()
process.stdout.write(`${tableOf(rows)}\n`)
if (broken.length > 0) process.stdout.write(`beyond a bound: ${broken.join(', ')}\n`)
process.exit(broken.length === 0 ? 0 : 1)
