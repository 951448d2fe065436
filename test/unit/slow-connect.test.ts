import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { parseAddress } from '../../src/adapters/postgres/address.ts'
import { Database } from '../../src/adapters/postgres/database.ts'
import { readConfig } from '../../src/app/config/config.ts'
import { databaseTarget } from '../../src/app/migrate/places.ts'
import { openSharedReader } from '../../src/app/stores/postgres-store.ts'
import { manualClock, memoryLog } from '../harness/system.ts'

const closing: (() => unknown)[] = []
afterEach(() => {
  vi.useRealTimers()
  for (const close of closing.splice(0)) close()
})

/** Where a database would be that lets nobody in yet; `met` resolves at the first connection. */
async function silentServer() {
  const server = createServer((socket) => void socket.on('error', () => undefined))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.close())
  const { port } = server.address() as AddressInfo
  return { url: `postgres://me@127.0.0.1:${port}/none`, met: once(server, 'connection') }
}

/** How long it waits for the connection, ms: no more than `mostMs`. */
async function waitedFor(opened: Promise<unknown>, met: Promise<unknown>, mostMs: number): Promise<number> {
  let isOver = false
  const over = opened.catch(() => undefined).then(() => (isOver = true))
  await met
  let waitedMs = 0
  for (; waitedMs < mostMs; waitedMs += 1000) {
    await vi.advanceTimersByTimeAsync(1000)
    await new Promise((resolve) => setImmediate(resolve))
    if (isOver) break
  }
  await over
  return waitedMs
}

test('a service gives a connection up in time to answer, and a move of a store waits for it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { config } = readConfig({}, {})
  const parts = { config, clock: manualClock(), log: memoryLog().log }
  const serving = await silentServer()
  expect(await waitedFor(openSharedReader(config, serving.url, parts), serving.met, 60_000)).toBeLessThan(
    5000,
  )
  const moving = await silentServer()
  expect(await waitedFor(databaseTarget(moving.url, parts), moving.met, 60_000)).toBeGreaterThan(20_000)
  const pooled = await silentServer()
  const database = await Database.over({
    address: parseAddress(pooled.url, false),
    leaseMs: config.leaseMs,
    durability: 'sync',
    log: parts.log,
    connectMs: 30_000,
  })
  expect(await waitedFor(database.query('select 1', []), pooled.met, 60_000)).toBeGreaterThan(20_000)
})
