// Stores memories in actors inside this process and sends what that took. Started with --expose-gc, so that garbage is
// not counted.
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { setCollector } from '../../src/app/host-process.ts'
import { inGroups, openEmbedded } from '../suite/embedded.ts'
import { folderBytes } from '../suite/folder.ts'
import { mulberry32, sentence, zipfWords } from '../synthetic-text.ts'

export interface Held {
  readonly memories: number
  readonly actors: number
  /** Growth of heap and of buffers outside of it. */
  readonly heldBytes: number
  /** Growth of the resident set: what the system sees, unused parts of it included. */
  readonly rssBytes: number
  /** Snapshots of all actors after a shutdown in order. */
  readonly snapshotBytes: number
}

const CHARS = 200
const WARM_MEMORIES = 500
const AT_ONCE = 200

async function hold(dataDir: string, memories: number, actors: number): Promise<Held> {
  // As in the process of a service.
  setCollector()
  // No snapshot on the way: its buffers are not what is measured.
  const options = { durability: 'interval', snapshotMinBytes: 1024 ** 3, residentActorsMax: 1_000_000 }
  const { call, close } = await openEmbedded(dataDir, options)
  const random = mulberry32(memories + actors)
  const word = zipfWords(random)
  const store = (count: number, scopeOf: (at: number) => string): Promise<void> =>
    inGroups(count, AT_ONCE, (at) => {
      const input_text = sentence(random, word, CHARS / 3).slice(0, CHARS)
      return call('observe', { scope: scopeOf(at), input_text })
    })
  // What the first memories load and compile is not theirs.
  await store(WARM_MEMORIES, () => 'warm')
  const before = await settled()
  await store(memories, (at) => `held-${at % actors}`)
  const after = await settled()
  await close()
  return {
    memories,
    actors,
    heldBytes: after.held - before.held,
    rssBytes: after.rss - before.rss,
    snapshotBytes: await folderBytes(join(dataDir, 'snap')),
  }
}

async function settled(): Promise<{ readonly held: number; readonly rss: number }> {
  if (globalThis.gc === undefined) throw new Error('this process is started with --expose-gc')
  for (let time = 0; time < 3; time += 1) {
    globalThis.gc()
    await pause(100)
  }
  // `external` leaves out buffers that are shared with other threads, as those of the recall index are.
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage()
  return { held: heapUsed + arrayBuffers, rss }
}

const [dataDir = '', memories = '', actors = ''] = process.argv.slice(2)
process.send?.(await hold(dataDir, Number(memories), Number(actors)))
