import { endianness } from 'node:os'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { RecallView } from '../../src/actor/recall-view.ts'
import { ComputePool } from '../../src/adapters/compute/pool.ts'
import { openRecallImages } from '../../src/adapters/recall/store.ts'
import { evolve } from '../../src/core/model/evolve.ts'
import type { Audience } from '../../src/core/model/record.ts'
import type { ActorState } from '../../src/core/model/state.ts'
import { imageOf, stateFrom, type UndigestedImage } from '../../src/core/model/state-image.ts'
import type { TextHits } from '../../src/core/rerank/signals.ts'
import { CLASS_PAGE_DOCS, Documents } from '../../src/core/search/documents.ts'
import { type RecallImage, sectionsOf } from '../../src/core/search/index-image.ts'
import { eachPosting, PAGE_WORDS, Postings, packPosting } from '../../src/core/search/postings.ts'
import { Spellings } from '../../src/core/search/spellings.ts'
import type { Files } from '../../src/ports/files.ts'
import type { RecallImages } from '../../src/ports/store.ts'
import { DIR, GRANT, silentLog } from '../crash/journal-life.ts'
import { SimulatedDisk } from '../crash/simulated-disk.ts'
import { scaled } from '../harness/scale.ts'
import { EVERYONE, eraseOf, memoryOf } from '../support/commands.ts'
import { createIndex, docsWith, rank, search } from '../support/search.ts'
import { World } from '../support/world.ts'

const KEY = 'default/default'
const MAKER = { builtBy: 'test', byteOrder: endianness() }
const PRIVATE: Audience = { lane: 'private', ownerAgentId: 'owner', ownerTeamId: null }
const CONSUMERS = [
  { agentId: 'owner', teamId: null },
  { agentId: 'other', teamId: null },
]
const WORDS = [
  'deploying',
  'deployed',
  'gateway',
  'src/auth/session.ts',
  'maxRetries',
  'connexions',
  'expirées',
  'der',
  'die',
  'Verbindung',
  'перезапуск',
  '数据库',
  'TS2345',
  'the',
]
const pool = new ComputePool()
afterAll(() => pool.close())

const storeOn = (disk: SimulatedDisk): Promise<RecallImages> =>
  openRecallImages({ dir: DIR, files: disk.start().files, log: silentLog, maker: MAKER })

function hits(view: RecallView, state: ActorState, query: string): readonly TextHits[] {
  return CONSUMERS.map((consumer) => view.hitsOf(rank(view.job(state, view.query(query), consumer, 200))))
}

/** An actor whose index is followed live, stored now and then, and read back as a load does. */
class Life {
  readonly world = new World()
  readonly disk = new SimulatedDisk()
  view = RecallView.empty(search)
  store: RecallImages | null = null
  kept: UndigestedImage | null = null
  #applied = 0

  follow(): void {
    for (const { events } of this.world.turns.slice(this.#applied)) this.view.apply(this.world.state, events)
    this.#applied = this.world.turns.length
  }

  write(text: string, isPrivate: boolean, clientId: string | null): void {
    this.world.write(memoryOf({ text }, { clientId, audience: isPrivate ? PRIVATE : EVERYONE }), CONSUMERS[0])
    this.follow()
  }

  erase(choice: number): void {
    const { memoryIds, state } = this.world
    const live = memoryIds.filter((id) => !state.erasures.has(id))
    const id = live[choice % Math.max(1, live.length)]
    if (id === undefined) return
    this.world.erase(eraseOf([id]))
    this.follow()
  }

  /** Begins to store the index as it is now. */
  async keep(): Promise<void> {
    this.store ??= await storeOn(this.disk)
    await this.view.swept()
    const image = this.view.image()
    if (image === null) throw new Error('no image')
    this.kept = imageOf(this.world.state)
    this.store.keep(GRANT, KEY, { seq: this.world.state.seq, stateHash: 'of the test', image })
  }

  /** The stored index, with every later turn. */
  async load(): Promise<void> {
    await this.store?.settled()
    const stored = await (await storeOn(this.disk)).get(KEY)
    if (this.kept === null) return expect(stored).toBeNull()
    const state = stateFrom(this.kept)
    expect(stored?.seq).toBe(state.seq)
    const view = stored === null ? null : RecallView.from(stored.image, state, search)
    if (view === null) throw new Error('the stored index was not taken')
    for (const turn of this.world.turns.slice(state.seq)) {
      evolve(state, turn)
      view.apply(state, turn.events)
    }
    this.view = view
  }
}

const TEXT = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 9 })
  .map((words) => words.join(' '))
const STEP = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      text: TEXT,
      isPrivate: fc.boolean(),
      id: fc.nat(9),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('erase' as const), choice: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('keep' as const, 'load' as const) }) },
)

describe('an index that was stored and read again', () => {
  test('answers as one that was built again, after any history, and goes on so', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { maxLength: 60 }), TEXT, async (steps, query) => {
        const life = new Life()
        for (const step of steps) {
          // A name below six is revised when it is met again.
          if (step.do === 'write') life.write(step.text, step.isPrivate, step.id < 6 ? `n${step.id}` : null)
          else if (step.do === 'erase') life.erase(step.choice)
          else if (step.do === 'keep') await life.keep()
          else await life.load()
        }
        await life.load()
        const { state } = life.world
        const built = await RecallView.over(state, search)
        expect(hits(life.view, state, query)).toStrictEqual(hits(built, state, query))
      }),
      { seed: 42, numRuns: scaled(60) },
    )
  })

  test('is the one of the moment it was given, also while pages grow, words go and the index is compacted', async () => {
    const life = new Life()
    const write = (from: number, to: number, mark: string) => {
      for (let at = from; at < to; at += 1) {
        life.write(`${mark} word${at % 301} own${at}${mark} gateway`, at % 3 === 0, `m${at}`)
      }
    }
    write(0, 600, 'first')
    const before = hits(life.view, life.world.state, 'gateway word7 own7first')
    await life.keep()
    // Revisions of most memories: documents go until a compaction is due.
    write(0, 360, 'second')
    write(600, 1_200, 'third')
    await life.store?.settled()
    const stored = await (await storeOn(life.disk)).get(KEY)
    const state = stateFrom(life.kept ?? imageOf(life.world.state))
    const view = stored === null ? null : RecallView.from(stored.image, state, search)
    expect(view && hits(view, state, 'gateway word7 own7first')).toStrictEqual(before)
    await life.load()
    const built = await RecallView.over(life.world.state, search)
    for (const query of ['gateway', 'word7 own7second', 'first own500first', 'third word9']) {
      const expected = hits(built, life.world.state, query)
      expect(expected.some(({ slots }) => slots.length > 0)).toBe(true)
      expect(hits(life.view, life.world.state, query)).toStrictEqual(expected)
      const jobs = CONSUMERS.map((consumer) =>
        life.view.job(life.world.state, life.view.query(query), consumer, 200),
      )
      const answers = await Promise.all(jobs.map((job) => pool.rank(job)))
      expect(answers.map((answer) => life.view.hitsOf(answer))).toStrictEqual(expected)
    }
  })

  test('has no word of an erased memory, and is not taken for a state with other memories', async () => {
    const life = new Life()
    life.write('kept words of the harbour', false, null)
    life.write('quondam words of the harbour', false, null)
    const early = life.view.image()
    life.erase(1)
    // Until then it tells which words of others it had.
    expect(life.view.image()).toBeNull()
    await life.view.swept()
    const image = life.view.image()
    const chars = (of: RecallImage | null) => String.fromCharCode(...(of?.index.terms.chars ?? []))
    expect(chars(early)).toContain('quondam')
    expect(chars(image)).toContain('harbour')
    expect(chars(image)).not.toContain('quondam')
    expect(image && RecallView.from(image, life.world.state, search)).not.toBeNull()
    expect(early && RecallView.from(early, life.world.state, search)).toBeNull()
  })

  test('is not stored when most of its documents are gone: building gives back their numbers', () => {
    const life = new Life()
    life.write('begun', false, 'same')
    const record = life.world.record(life.world.memoryIds[0] ?? '')
    const revised = { type: 'memory_revised', memoryId: record.memoryId } as const
    const view = life.view
    const revise = (times: number) => {
      const { content, claim, handoff, origin, derivedFrom, findings, runId } = record
      const event = { ...revised, content, claim, handoff, origin, derivedFrom, findings, runId }
      for (let at = 0; at < times; at += 1) {
        view.apply(life.world.state, [{ ...event, observedAtMs: 0, validUntilMs: null }])
      }
    }
    revise(1_000)
    expect(view.image()).not.toBeNull()
    revise(65_000)
    expect(view.image()).toBeNull()
  })
})

test('an image given right behind a removal counts no word of what is removed', () => {
  const index = createIndex()
  const fields = (text: string) => [{ text, weight: 1 }]
  for (const text of ['harbour gate', 'harbour tower'])
    index.add({ fields: fields(text), visibilityClass: 0 })
  index.remove(0, fields('harbour gate'))
  const back = createIndex(index.image())
  expect(['harbour', 'gate', 'tower'].map((word) => docsWith(back, word))).toEqual([1, 0, 1])
  expect(back.job(search.query('harbour'), { allowed: null, limit: 1 })).toMatchObject({
    docs: 1,
    meanLength: 2,
  })
})

describe('arrays of an image', () => {
  test('of spellings stay as they are, and numbers go on after them', () => {
    const add = (to: Spellings, from: number, until: number) => {
      for (let at = from; at < until; at += 1) to.add(`word${at}`, 0, `word${at}`.length)
    }
    const spellings = new Spellings()
    add(spellings, 0, 40)
    const image = spellings.image()
    const slots = image.slots.slice()
    // One more fits without growing.
    add(spellings, 40, 41)
    expect(image.slots).toEqual(slots)
    const back = new Spellings(image)
    add(back, 0, 10_000)
    expect(back.size).toBe(10_000)
    for (const at of [0, 39, 40, 41, 9_999]) {
      expect(back.spell(at)).toBe(`word${at}`)
      expect(back.find(`word${at}`, 0, `word${at}`.length)).toBe(at)
    }
  })

  test('end anywhere in a page, and pages after them are as full as others', () => {
    const COUNT = 400_000
    for (const kept of [1, 100_000, 200_001, 262_144]) {
      let postings = new Postings()
      for (let at = 0; at < COUNT; at += 1) {
        if (at === kept) postings = new Postings(postings.image(2))
        postings.append(at % 2, packPosting(at, 1, 0))
      }
      for (const page of postings.pages) expect(page.length).toBeLessThanOrEqual(PAGE_WORDS)
      for (const term of [0, 1]) {
        let next = term
        eachPosting(postings.pages, postings.headOf(term), postings.countOf(term), (posting) => {
          if (posting >>> 8 === next) next += 2
        })
        expect(next).toBe(COUNT + term)
      }
    }
    for (const kept of [1, 30_000, 32_768]) {
      let documents = new Documents()
      for (let at = 0; at < 70_000; at += 1) {
        if (at === kept) documents = new Documents(documents.image())
        documents.add(at % 3, 2)
      }
      documents.remove(kept - 1)
      for (const page of documents.lend()) expect(page.length).toBeLessThanOrEqual(CLASS_PAGE_DOCS)
      expect([documents.size, documents.live]).toEqual([70_000, 69_999])
      expect([kept - 1, kept, 69_999].map((doc) => documents.isLive(doc))).toEqual([false, true, true])
      expect(documents.totals(Uint8Array.of(1)).docs).toBe(23_334 - ((kept - 1) % 3 === 0 ? 1 : 0))
    }
  })

  test('are whole on disk though the index goes on between the check of a piece and its write', async () => {
    const life = new Life()
    const { files } = life.disk.start()
    let written = 0
    const busy: Files = {
      ...files,
      pwrite: (fd, bytes, position) => {
        written += 1
        life.write(`later ${written} gateway`, false, null)
        return files.pwrite(fd, bytes, position)
      },
    }
    // Small pieces are gathered: it takes many memories until there are several writes.
    for (let at = 0; at < 1_500; at += 1) {
      life.write(`sooner note${at} of pier${at * 3} and crane${at * 7} gateway`, false, null)
    }
    life.store = await openRecallImages({ dir: DIR, files: busy, log: silentLog, maker: MAKER })
    await life.keep()
    await life.load()
    expect(written).toBeGreaterThan(3)
    const built = await RecallView.over(life.world.state, search)
    expect(hits(life.view, life.world.state, 'gateway sooner')).toStrictEqual(
      hits(built, life.world.state, 'gateway sooner'),
    )
  })
})

test('texts are indexed under the words of schema 5: who changes them raises RECALL_SCHEMA', () => {
  const life = new Life()
  life.write(
    `${WORDS.join(' ')} The nightly exports were failing, see conf.maxRetries and src/a-b/C.tsx:12`,
    false,
    'a',
  )
  life.write(
    'Die Verbindungen zur Datenbank werden nicht mehr geschlossen, wenn der Dienst stoppt',
    true,
    'b',
  )
  life.write('Las conexiones expiradas no se cierran cuando el servicio está parado', false, 'c')
  life.write(
    'As conexões não são fechadas quando o serviço é parado; les connexions sont fermées',
    false,
    'd',
  )
  life.write('Соединения не закрываются, когда служба остановлена', false, 'e')
  const image = life.view.image()
  let crc = 0
  for (const { name, pieces } of image === null ? [] : sectionsOf(image)) {
    // What a record weighs in memory is no word.
    if (name === 'counts') continue
    for (const piece of pieces) crc = crc32(piece, crc)
  }
  expect(crc.toString(16)).toBe('634e57a4')
})
