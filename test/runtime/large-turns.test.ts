// Requests that are as large as they may be: other actors are served meanwhile, and nobody sees half of what one wrote.
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { crashImageOf } from '../harness/data-folder.ts'
import { type Embedded, isOnFiles, startEmbedded } from '../harness/embedded.ts'

const SCOPE = 'large'
const PLACE = { tenant_id: 'default', scope: SCOPE }
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** Words that no other text has. */
function texts(count: number, chars: number, seed: number): string[] {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return LETTERS.charAt((state >>> 16) % LETTERS.length)
  }
  return Array.from({ length: count }, () => {
    let text = ''
    while (text.length < chars) text += `${next()}${next()}${next()}${next()}${next()}${next()} `
    return text.trim()
  })
}

function nodesOf(count: number, chars: number, seed = 1) {
  return { scope: SCOPE, nodes: texts(count, chars, seed).map((text) => ({ text, kind: 'fact' })) }
}

/** How many memories the actor has, and in how many its index finds words of the text as they are written. */
function counts(service: Embedded, text: string) {
  return service.registry.use('default', SCOPE, async ({ state, similar }) => ({
    memories: state.memories.size,
    found: similar.related(text.slice(0, 200), () => true, 200).length,
  }))
}

/** Turns of the loop until something is settled. */
async function turnsUntil(done: Promise<unknown>): Promise<number> {
  let isDone = false
  const end = () => {
    isDone = true
  }
  done.then(end, end)
  let turns = 0
  for (; !isDone; turns += 1) await turnOfTheLoop()
  return turns
}

test('256 texts of 20 000 characters are observed in more than 700 turns of the loop', {
  timeout: 120_000,
}, async () => {
  const service = await startEmbedded()
  const written = service.ok('observe', nodesOf(256, 20_000))
  // Two for each memory while it is decided, one while it is indexed.
  expect(await turnsUntil(written)).toBeGreaterThan(700)
  expect((await written).memory_ids).toHaveLength(256)
  await service.close()
})

test('an ordinary observe takes no slice: the actor is never seen in one', async () => {
  const service = await startEmbedded()
  await service.ok('observe', { scope: SCOPE, input_text: 'The build is green.' })
  const written = service.ok('observe', { scope: SCOPE, input_text: 'The build is red.' })
  const isInSlices = await service.registry.use('default', SCOPE, async (actor) => actor.isInSlices)
  await written
  expect(isInSlices).toBe(false)
  await service.close()
})

describe('while a large observe is under way', () => {
  test('others of the actor see nothing of it or all of it, and other actors are answered before', async () => {
    const service = await startEmbedded()
    const body = nodesOf(60, 4_000)
    // What is indexed last.
    const last = body.nodes.at(-1)?.text ?? ''
    await service.ok('observe', { scope: SCOPE, input_text: 'known before' })
    await service.ok('observe', { scope: 'other', input_text: 'known before' })
    let isWritten = false
    const written = service.ok('observe', body).then(() => {
      isWritten = true
    })
    const seen: { memories: number; found: number }[] = []
    const asking = async () => {
      for (let isLast = false; !isLast; await turnOfTheLoop()) {
        isLast = isWritten
        seen.push(await counts(service, last))
      }
    }
    const asked = asking()
    let answeredMeanwhile = 0
    while (!isWritten) {
      await service.ok('guide', { scope: 'other', query_text: 'known before' })
      if (!isWritten) answeredMeanwhile += 1
    }
    await Promise.all([written, asked])
    expect(answeredMeanwhile).toBeGreaterThan(2)
    expect(seen.length).toBeGreaterThan(0)
    for (const each of seen) {
      expect([
        { memories: 1, found: 0 },
        { memories: 61, found: 1 },
      ]).toContainEqual(each)
    }
    await service.close()
  })

  test.skipIf(!isOnFiles)(
    'a crash between any two slices leaves all of it or nothing, and all once it is answered',
    {
      timeout: 120_000,
    },
    async () => {
      const service = await startEmbedded()
      await service.ok('observe', { scope: SCOPE, input_text: 'known before' })
      const body = nodesOf(40, 4_000)
      const written = service.ok('observe', body)
      const left: string[] = []
      let isDone = false
      const answered = written.then(() => {
        isDone = true
      })
      const copy = () => left.push(crashImageOf(service.dir))
      for (let turn = 0; !isDone; turn += 1) {
        if (turn % 40 === 0) copy()
        await turnOfTheLoop()
      }
      await answered
      copy()
      const found = await Promise.all(left.map((folder) => memoriesIn(folder)))
      expect(found.length).toBeGreaterThan(1)
      expect(found.filter((memories) => memories !== 1 && memories !== 41)).toEqual([])
      expect(found.at(-1)).toBe(41)
      await service.close()
    },
  )

  test('a shutdown keeps what is answered, and a start shows the same state', async () => {
    const service = await startEmbedded()
    await service.ok('observe', { scope: SCOPE, input_text: 'known before' })
    const written = service.call('observe', nodesOf(40, 4_000))
    await turnOfTheLoop()
    await service.restart()
    const answer = await written
    const { memories } = await counts(service, 'known')
    expect(memories).toBe(answer.refusal === null ? 41 : 1)
    await service.close()
  })

  test('eviction waits for its end, and the next load shows the same state and finds the same', async () => {
    const service = await startEmbedded({ config: { residentActorsMax: 1 } })
    const body = nodesOf(40, 4_000)
    const written = service.ok('observe', body)
    for (const scope of ['a', 'b', 'c']) await service.ok('observe', { scope, input_text: 'elsewhere' })
    await written
    const digest = await service.digest(PLACE)
    for (const scope of ['a', 'b', 'c']) await service.ok('observe', { scope, input_text: 'once more' })
    expect(await service.digest(PLACE)).toBe(digest)
    for (const { text } of body.nodes.slice(0, 5)) {
      expect(await counts(service, text)).toEqual({ memories: 40, found: 1 })
    }
    await service.close()
  })

  test('an erasure waits for it, and takes its words out of the index in slices', async () => {
    const service = await startEmbedded()
    const body = nodesOf(40, 4_000)
    const { memory_ids } = await service.ok('observe', nodesOf(40, 4_000, 7))
    const written = service.ok('observe', body)
    const erased = service.ok('erase', {
      scope: SCOPE,
      memory_ids: memory_ids.slice(0, 30),
      reason: 'asked for',
    })
    await Promise.all([written, erased])
    const gone = texts(40, 4_000, 7)
    expect(await counts(service, gone[0] ?? '')).toEqual({ memories: 80, found: 0 })
    expect(await counts(service, gone[39] ?? '')).toEqual({ memories: 80, found: 1 })
    expect(await counts(service, body.nodes[0]?.text ?? '')).toEqual({ memories: 80, found: 1 })
    const digest = await service.digest(PLACE)
    await service.restart()
    expect(await service.digest(PLACE)).toBe(digest)
    expect(await counts(service, gone[0] ?? '')).toEqual({ memories: 80, found: 0 })
    await service.close()
  })
})

test('a reason that would be written for each of many memories is refused before it is encoded', async () => {
  const service = await startEmbedded()
  const nodes = Array.from({ length: 20 }, (_, at) => ({ text: `The build ${at} is green.` }))
  const { memory_ids } = await service.ok('observe', { scope: SCOPE, nodes })
  const suppress = { operation: 'suppress', target: 'memory', reason: 'x'.repeat(1_000_000), memory_ids }
  const { error, details } = await service.refused('forget', { scope: SCOPE, ...suppress })
  expect(error).toBe('body_too_large')
  // Counting ended where the limit was reached.
  expect(details).toMatchObject({ write_bytes: expect.any(Number), limit_bytes: expect.any(Number) })
  expect(Number(details?.['write_bytes']) - Number(details?.['limit_bytes'])).toBeLessThan(1_000_000)
  expect(await counts(service, 'build green')).toEqual({ memories: 20, found: 20 })
  await service.close()
})

test('a refused large observe changes nothing, and the actor goes on', async () => {
  const service = await startEmbedded()
  const [text = ''] = texts(1, 5_000_000, 3)
  const handoff = { anchor: 'a', summary: text, handoff_text: text.slice(0, 100), next_action: 'go on' }
  expect(await service.refused('observe', { scope: SCOPE, handoff })).toMatchObject({
    error: 'body_too_large',
  })
  await service.ok('observe', { scope: SCOPE, input_text: 'The build is green.' })
  expect(await counts(service, 'build green')).toEqual({ memories: 1, found: 1 })
  await service.close()
})

test('a text is found by the words of its first 200 000 characters', async () => {
  const service = await startEmbedded()
  const [text = ''] = texts(1, 230_000, 5)
  await service.ok('observe', {
    scope: SCOPE,
    input_text: `${text.slice(0, 150_000)} zebrastripe ${text.slice(150_000)} lateword`,
  })
  expect((await counts(service, 'zebrastripe')).found).toBe(1)
  expect((await counts(service, 'lateword')).found).toBe(0)
  await service.ok('observe', { scope: SCOPE, input_text: 'lateword', memory: { client_id: 'x' } })
  expect((await counts(service, 'lateword')).found).toBe(1)
  await service.close()
})

async function memoriesIn(dir: string): Promise<number> {
  const service = await startEmbedded({ dir })
  const { memories } = await counts(service, 'known')
  await service.close()
  return memories
}
