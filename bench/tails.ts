// What do readers of events cost those who ask for guides? One service; rounds with 16 streams open on the scope that is
// asked take turns with rounds without, so that both meet the same minute of the machine.
import { Buffer } from 'node:buffer'
import { connect, type Socket } from 'node:net'
import process from 'node:process'
import { LISTENERS_MAX } from '../src/contract/operator-events.ts'
import { jsonClient } from './json-client.ts'
import { isMain, quantile, timesUs } from './measure.ts'
import { figureOf, type Outcome } from './result.ts'
import { requestsOf } from './seeded-scope.ts'
import { startService } from './service-process.ts'
import { withFolder } from './suite/folder.ts'
import { printOutcome } from './suite/text.ts'

export interface TailsOptions {
  readonly rounds: number
  /** Guides of each round. */
  readonly guides: number
  /** Memories of the scope. */
  readonly memories: number
}

const FULL: TailsOptions = { rounds: 40, guides: 1000, memories: 500 }
const QUICK: TailsOptions = { rounds: 4, guides: 150, memories: 100 }
const P99 = 0.99
const READ_BYTES = 65_536
const STATUS = 'HTTP/1.1 200'
const COST = { bound: 'most', value: 1.1 } as const

const PLACE = { tenant_id: 'default', scope: 'tails' }

export function run(options: TailsOptions = FULL): Promise<Outcome> {
  return withFolder('tails', async (dataDir) => {
    const service = await startService({ dataDir })
    const client = jsonClient(service.url)
    try {
      const made = requestsOf(1)
      for (let at = 0; at < options.memories; at += 1)
        await client.answer('/v1/observe', JSON.stringify({ ...made.observe(), ...PLACE }))
      const all = { without: new Array<number[]>(), with: new Array<number[]>() }
      for (let round = -2; round < 2 * options.rounds; round += 1) {
        const isWith = round % 2 === 0
        const readers = isWith ? await openReaders(service.url) : []
        const texts = Array.from({ length: options.guides }, () =>
          JSON.stringify({ ...made.guide(), ...PLACE }),
        )
        const times = await timesUs(texts, (text) => client.answer('/v1/guide', text))
        if (round >= 0) all[isWith ? 'with' : 'without'].push(times)
        for (const reader of readers) reader.destroy()
      }
      const p99sOf = (rounds: readonly number[][]) => rounds.map((times) => quantile(times, P99))
      // Each round beside the one next to it: a minute in which the machine did other work too weighs as one round.
      const ratiosAt = (share: number) =>
        all.with.map((times, at) => quantile(times, share) / quantile(all.without[at] ?? [], share))
      return {
        settings: { ...options, readers: LISTENERS_MAX },
        figures: [
          figureOf('guide, no reader, p99', 'µs', p99sOf(all.without)),
          figureOf('guide, 16 readers, p99', 'µs', p99sOf(all.with)),
          figureOf('guide p50 with 16 readers, times without', '×', ratiosAt(0.5)),
          figureOf('guide p99 with 16 readers, times without', '×', ratiosAt(P99), { goal: COST }),
        ],
        notes: [],
      }
    } finally {
      await client.close()
      await service.stop()
    }
  })
}

/**
 * Streams of the scope. What comes is taken on the thread that asks for the guides, into one buffer for all: what a reader
 * does with events is its own affair, and not to be counted as a cost of the service.
 */
function openReaders(url: string): Promise<Socket[]> {
  const { host, hostname, port } = new URL(url)
  const query = new URLSearchParams(PLACE).toString()
  const head = `GET /v1/operator/events?${query} HTTP/1.1\r\nhost: ${host}\r\n\r\n`
  const buffer = Buffer.alloc(READ_BYTES)
  return Promise.all(
    Array.from(
      { length: LISTENERS_MAX },
      () =>
        new Promise<Socket>((resolve, reject) => {
          let isOpen = false
          const callback = (): boolean => {
            if (isOpen) return true
            isOpen = true
            const status = buffer.toString('latin1', 0, STATUS.length)
            if (status === STATUS) resolve(socket)
            else reject(new Error(`a stream was refused: ${status}`))
            return true
          }
          const socket = connect({ host: hostname, port: Number(port), onread: { buffer, callback } })
          socket.on('error', reject)
          socket.write(head)
        }),
    ),
  )
}

if (isMain(import.meta.url)) printOutcome('tails', await run(process.argv.includes('--quick') ? QUICK : FULL))
