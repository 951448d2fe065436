import { constants } from 'node:os'
import { describe, expect, test } from 'vitest'
import { isDiskFull, watchFolder } from '../../src/adapters/files/folder-watch.ts'
import { openLayout } from '../../src/adapters/journal/layout.ts'
import { ManualTimers, openOn } from '../crash/journal-life.ts'
import { SimulatedDisk } from '../crash/simulated-disk.ts'

const GRANT = { shard: 0, epoch: 0 }

/** A watch over a folder of which the test says whether it is there, at a time that the test says. */
function world() {
  const state = { why: '', nowMs: 0, looks: 0 }
  const lock = {
    whyLost: async () => {
      state.looks += 1
      return state.why === '' ? null : state.why
    },
  }
  return { state, watch: watchFolder(lock, () => state.nowMs) }
}

describe('the watch over a data folder', () => {
  test('asks no one while a look is younger than a second, and looks again before it is believed', async () => {
    const { state, watch } = world()
    state.nowMs = 999
    expect(watch.confirmed()).toBeNull()
    expect(state.looks).toBe(0)
    state.nowMs = 1000
    await watch.confirmed()
    expect(state.looks).toBe(1)
    expect(watch.confirmed()).toBeNull()
  })

  test('a loss is told once and stays, also when the folder is back', async () => {
    const { state, watch } = world()
    const told: string[] = []
    watch.onLost(({ message }) => told.push(message))
    state.why = 'gone'
    await Promise.all([watch.look(), watch.look()])
    state.why = ''
    await watch.look()
    expect(watch.lost?.message).toBe('gone')
    expect(told).toEqual(['gone'])
    await expect(watch.confirmed()).rejects.toThrow('gone')
    watch.onLost(({ message }) => told.push(`late: ${message}`))
    expect(told).toEqual(['gone', 'late: gone'])
  })

  test('a batch that was written but whose folder is lost by then is not acknowledged, nor is any later one', async () => {
    const { state, watch } = world()
    const process = new SimulatedDisk().start()
    // A descriptor of the simulated disk is none of this process.
    const journal = await openOn(process, new ManualTimers(), {
      watch: { ...watchOf(watch), follow: () => undefined },
    })
    const append = (actorSeq: number) =>
      journal.append(GRANT, { actorKey: 'a/b', actorSeq, payload: new Uint8Array(10) })
    await append(1)
    state.why = 'gone'
    state.nowMs = 1000
    await expect(append(2)).rejects.toMatchObject({ journalFailure: 'in_doubt' })
    await expect(append(2)).rejects.toMatchObject({ journalFailure: 'in_doubt' })
    expect(journal.health()).toMatchObject({ state: 'poisoned', isFull: false })
    await journal.close()
  })
})

function watchOf(watch: ReturnType<typeof watchFolder>) {
  return {
    get lost() {
      return watch.lost
    },
    look: () => watch.look(),
    confirmed: () => watch.confirmed(),
    onLost: watch.onLost.bind(watch),
  }
}

describe('a full quota', () => {
  test('is a full disk, by its number: it has no name', () => {
    const errno = -constants.errno.EDQUOT
    const error = Object.assign(new Error('write failed'), { errno, code: `Unknown system error ${errno}` })
    expect(isDiskFull(error)).toBe(true)
    expect(isDiskFull(Object.assign(new Error('write failed'), { errno: -5, code: 'EIO' }))).toBe(false)
  })
})

describe('the parents of a new data folder', () => {
  const flushed = async (isKnown: boolean): Promise<readonly string[]> => {
    const { files } = new SimulatedDisk().start()
    if (isKnown) await openLayout(files, '/a/b/data')
    const folders: string[] = []
    const seen = { ...files, fsyncDir: async (path: string) => void folders.push(path) }
    await openLayout(seen, '/a/b/data')
    return folders
  }

  test('are all flushed before the store has a name, also those that a killed start has made', async () => {
    expect((await flushed(false)).slice(0, 3)).toEqual(['/a/b', '/a', '/'])
  })

  test('of a known store only the nearest', async () => {
    expect(await flushed(true)).toEqual(['/a/b', '/a/b/data'])
  })

  test('that may not be opened are passed over', async () => {
    const { files } = new SimulatedDisk().start()
    const fsyncDir = async (path: string): Promise<void> => {
      if (path === '/') throw Object.assign(new Error('no'), { code: 'EACCES' })
      await files.fsyncDir(path)
    }
    await expect(openLayout({ ...files, fsyncDir }, '/a/data')).resolves.toMatch(/^[0-9a-f]{32}$/)
  })
})
