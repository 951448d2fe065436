import { execFileSync } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ComputePool } from '../../src/adapters/compute/pool.ts'
import { COUNT_VISIBLE, type RankJob } from '../../src/core/search/rank-job.ts'
import { type SearchIndex } from '../../src/core/search/search-index.ts'
import type { RedactJob } from '../../workers/redact.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { createIndex, rank, search } from '../support/search.ts'

const pool = new ComputePool()
afterAll(() => pool.close())

const QUERIES = ['alpha', 'beta word3', 'alpha beta gamma word5 TS2345', 'absent', '']
const VIEWS = [null, Uint8Array.of(1, 0, 1)]

function filled(docs: number): SearchIndex {
  const index = createIndex()
  for (let at = 0; at < docs; at += 1) {
    const text = `alpha ${at % 2 === 0 ? 'beta' : 'gamma'} word${at % 11} text${at} ${at % 500 === 0 ? 'TS2345' : ''}`
    index.add({ fields: [{ text, weight: 1 + (at % 2) }], visibilityClass: at % 3 })
  }
  return index
}

const jobsOf = (index: SearchIndex) =>
  VIEWS.flatMap((allowed) => QUERIES.map((text) => index.job(search.query(text), { allowed, limit: 30 })))

describe('the compute pool (needs the built worker: npm run build)', () => {
  test('the worker is compiled', () => {
    expect(existsSync(new URL('../../dist/service/workers/rank.js', import.meta.url))).toBe(true)
  })

  test('a worker ranks as the asking thread does', async () => {
    const jobs = jobsOf(filled(20_000))
    expect(await Promise.all(jobs.map((job) => pool.rank(job)))).toStrictEqual(jobs.map(rank))
  })

  test('an answer of a worker brings nothing but itself', async () => {
    const [job] = jobsOf(filled(1_000))
    if (job === undefined) throw new Error('no job')
    const [first, second] = [await pool.rank(job), await pool.rank(job)]
    for (const { docs, scores } of [first, second]) {
      expect(docs).toHaveLength(30)
      expect(scores.buffer.byteLength).toBeLessThan(30 * 24)
    }
  })

  test('a worker ranks the index as it was while the asking thread writes on', async () => {
    const index = filled(5_000)
    const jobs = jobsOf(index)
    const expected = jobs.map(rank)
    const answers = Promise.all(jobs.map((job) => pool.rank(job)))
    for (let round = 0; round < 20; round += 1) {
      for (let at = 0; at < 300; at += 1) {
        index.add({
          fields: [{ text: `alpha beta gamma word${at % 11} TS2345`, weight: 1 }],
          visibilityClass: at % 3,
        })
      }
      for (let at = 0; at < 50; at += 1) {
        const doc = round * 50 + at
        const text = `alpha ${doc % 2 === 0 ? 'beta' : 'gamma'} word${doc % 11} text${doc} ${doc % 500 === 0 ? 'TS2345' : ''}`
        index.remove(doc, [{ text, weight: 1 + (doc % 2) }])
      }
      if (round === 10) index.compact()
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await answers).toStrictEqual(expected)
  })

  test('a full pool refuses with overloaded, and takes tasks again when it has room', async () => {
    const small = new ComputePool({ tasksMax: 2 })
    const [job] = jobsOf(filled(10))
    if (job === undefined) throw new Error('no job')
    const running = [small.rank(job), small.rank(job)]
    await expect(small.rank(job)).rejects.toMatchObject({ computeFailure: 'overloaded' })
    await Promise.all(running)
    expect(await small.rank(job)).toStrictEqual(rank(job))
    await small.close()
  })

  test('a task over its time is stopped, and the next one finds a working thread', async () => {
    const [job] = jobsOf(filled(10))
    if (job === undefined) throw new Error('no job')
    // A chain that leads back to itself, two thousand million postings long.
    const endless: RankJob = {
      ...job,
      pages: [new Int32Array(2_000)],
      terms: [0, 0x7fffffff, COUNT_VISIBLE, 0],
    }
    await expect(pool.run('rank', endless, { timeoutMs: 100 })).rejects.toMatchObject({
      computeFailure: 'timed_out',
    })
    expect(await pool.rank(job)).toStrictEqual(rank(job))
  })

  test('a task that throws fails alone', async () => {
    await expect(pool.run('rank', null)).rejects.toMatchObject({ computeFailure: 'failed' })
    await expect(pool.run('no-such-task', null)).rejects.toMatchObject({ computeFailure: 'failed' })
    const [job] = jobsOf(filled(10))
    if (job !== undefined) expect(await pool.rank(job)).toStrictEqual(rank(job))
  })

  test('closing waits for what runs, refuses what comes, and may be repeated', async () => {
    const closing = new ComputePool()
    const [job] = jobsOf(filled(1_000))
    if (job === undefined) throw new Error('no job')
    const running = closing.rank(job)
    const closed = closing.close()
    expect(await running).toStrictEqual(rank(job))
    await closed
    await closing.close()
    await expect(closing.rank(job)).rejects.toMatchObject({ computeFailure: 'closed' })
  })

  test('a long task that goes on holds up no ranking, and both kinds of task are bounded', async () => {
    const apart = new ComputePool({ threads: 1, tasksMax: 1 })
    const folder = dataFolder()
    const pipe = join(folder, 'never-ends')
    execFileSync('mkfifo', [pipe])
    const ended: string[] = []
    // Opening a pipe to read waits until somebody opens it to write.
    const job: RedactJob = {
      place: { folder, name: 'never-ends' },
      actorKey: 'a/b',
      redaction: { memoryIds: ['m'], guides: [], external: [], externalKey: null, untilSeq: 1 },
    }
    const long = apart
      .runLong('redact', job)
      .catch(() => undefined)
      .then(() => ended.push('long'))
    try {
      await expect(apart.runLong('redact', job)).rejects.toMatchObject({ computeFailure: 'overloaded' })
      for (const each of jobsOf(filled(100))) {
        const ranking = apart.rank(each)
        await expect(apart.rank(each)).rejects.toMatchObject({ computeFailure: 'overloaded' })
        expect(await ranking).toStrictEqual(rank(each))
        ended.push('ranking')
      }
      expect([apart.waiting(), apart.waitingUpkeep()]).toEqual([0, 1])
    } finally {
      const writing = openSync(pipe, 'r+')
      await long
      closeSync(writing)
      await apart.close()
    }
    expect(ended).toEqual([...jobsOf(filled(1)).map(() => 'ranking'), 'long'])
    expect(apart.waitingUpkeep()).toBe(0)
  }, 30_000)

  test('a pool that was never used closes at once', async () => {
    await expect(new ComputePool().close()).resolves.toBeUndefined()
  })
})
