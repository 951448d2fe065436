import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FileJournal, JournalOptions } from '../../src/adapters/journal/file-journal.ts'
import { tellCounts } from '../harness/counts.ts'
import { scaled } from '../harness/scale.ts'
import { contentOf, GRANT, ManualTimers, openOn, recordsOf, turns, unlessDead } from './journal-life.ts'
import { type Process, SimulatedDisk, seededRandom } from './simulated-disk.ts'

const RUNS = scaled(4000)

type Step =
  /** Records queued in the same moment; sizes of their payloads. */
  | { readonly kind: 'append'; readonly actor: number; readonly sizes: readonly number[] }
  | { readonly kind: 'settle' }
  | { readonly kind: 'turns'; readonly count: number }
  /** A snapshot of the actor at its acknowledged head, less `back`. */
  | { readonly kind: 'covered'; readonly actor: number; readonly back: number }
  /** All timers fire: seal, interval flush. */
  | { readonly kind: 'timers' }

interface Life {
  readonly steps: readonly Step[]
  /** Dies in this call, counted from the start of recovery; null: lives until the steps are done. */
  readonly dieAt: number | null
  readonly end: 'close' | 'kill'
  /** After the end the power fails, too; each piece not flushed survives with this chance. */
  readonly keepShare: number | null
}

interface Story {
  readonly durability: 'sync' | 'interval'
  readonly padTo: number
  readonly lives: readonly Life[]
  readonly seed: number
}

const actorNumber = fc.integer({ min: 0, max: 2 })
const payloadSize = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 900 }) },
  { weight: 3, arbitrary: fc.integer({ min: 3000, max: 20_000 }) },
  { weight: 1, arbitrary: fc.constant(70_000) },
)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      actor: actorNumber,
      sizes: fc.array(payloadSize, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('settle' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('turns' as const), count: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('covered' as const),
      actor: actorNumber,
      back: fc.integer({ min: 0, max: 2 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('timers' as const) }) },
)
const life: fc.Arbitrary<Life> = fc.record({
  steps: fc.array(step, { maxLength: 20 }),
  dieAt: fc.option(fc.integer({ min: 1, max: 150 }), { freq: 3 }),
  end: fc.constantFrom('close' as const, 'kill' as const),
  keepShare: fc.option(fc.constantFrom(0, 0.5, 0.9), { freq: 6 }),
})
const story: fc.Arbitrary<Story> = fc.record({
  durability: fc.constantFrom('sync' as const, 'sync' as const, 'interval' as const),
  padTo: fc.constantFrom(512, 4096),
  lives: fc.array(life, { minLength: 1, maxLength: 5 }),
  seed: fc.integer(),
})

interface Submitted {
  readonly seq: number
  readonly payload: Uint8Array
  /** Position among all submissions since the last recovery. */
  readonly order: number
  /** Records of one batch share the promise. */
  readonly batch: Promise<void>
}

/** What the world outside the journal knows of one actor. */
class ActorModel {
  readonly key: string
  submitted: Submitted[] = []
  /** Everything up to here must be there. */
  ackedSeq = 0
  head = 0
  covered = 0
  previousCovered = 0

  constructor(key: string) {
    this.key = key
  }
}

class World {
  readonly disk = new SimulatedDisk()
  readonly actors = ['a/x', 'b/ä', 'c/z'].map((key) => new ActorModel(key))
  readonly random
  readonly options: Partial<JournalOptions>
  /** Answers that this life still waits for. */
  waiting: Promise<void>[] = []
  #order = 0
  #counter = 0

  constructor({ seed, durability, padTo }: Story) {
    this.random = seededRandom(seed)
    this.options = { durability, padTo, intervalMs: 1, maxSegments: 3 }
  }

  payload(size: number): Uint8Array {
    this.#counter += 1
    const bytes = new Uint8Array(size + 4)
    new DataView(bytes.buffer).setUint32(0, this.#counter)
    bytes.fill(this.#counter % 251, 4)
    return bytes
  }

  /** Opens, tells the marks, checks what came back and takes it as the truth. Null when the process died in it. */
  async revive(process: Process, timers: ManualTimers): Promise<FileJournal | null> {
    const journal = await unlessDead(process, openOn(process, timers, this.options))
    if (journal === null) return null
    for (const { key, covered, previousCovered } of this.actors) {
      if (previousCovered > 0) journal.covered(GRANT, key, previousCovered)
      if (covered > 0) journal.covered(GRANT, key, covered)
    }
    const isChecked = await unlessDead(
      process,
      this.#adopt(journal).then(() => true),
    )
    return isChecked === null ? null : journal
  }

  async #adopt(journal: FileJournal): Promise<void> {
    const survivors: Submitted[] = []
    const lost: Submitted[] = []
    for (const actor of this.actors) {
      const records = await recordsOf(journal, actor.key, actor.previousCovered + 1)
      const head = records.at(-1)?.actorSeq ?? actor.previousCovered
      assert.deepEqual(
        records.map((r) => r.actorSeq),
        range(actor.previousCovered + 1, head),
      )
      assert.ok(head >= actor.ackedSeq, `${actor.key}: ${actor.ackedSeq} acknowledged, ${head} recovered`)
      for (const { actorSeq, payload } of records) {
        const original = actor.submitted.find(({ seq }) => seq === actorSeq)
        assert.ok(original !== undefined, `record ${actorSeq} of ${actor.key} was never submitted`)
        assert.equal(Buffer.compare(payload, original.payload), 0)
      }
      survivors.push(...actor.submitted.filter(({ seq }) => seq <= head))
      lost.push(...actor.submitted.filter(({ seq }) => seq > head))
      actor.submitted = actor.submitted.filter(({ seq }) => seq <= head)
      actor.head = head
      actor.ackedSeq = head
    }
    const firstLost = Math.min(...lost.map(({ order }) => order))
    assert.deepEqual(
      survivors.filter(({ order }) => order > firstLost),
      [],
    )
    const lostBatches = new Set(lost.map(({ batch }) => batch))
    if (this.options.durability === 'sync') {
      assert.deepEqual(
        survivors.filter(({ batch }) => lostBatches.has(batch)),
        [],
      )
    }
  }

  append(journal: FileJournal, actor: ActorModel, size: number): void {
    const seq = actor.head + 1
    const payload = this.payload(size)
    const batch = journal.append(GRANT, { actorKey: actor.key, actorSeq: seq, payload })
    this.waiting.push(batch)
    this.#order += 1
    actor.head = seq
    actor.submitted.push({ seq, payload, order: this.#order, batch })
    if (this.options.durability !== 'sync') return
    void batch.then(() => {
      actor.ackedSeq = Math.max(actor.ackedSeq, seq)
    })
  }

  /** Without acknowledged durability the journal itself says what is flushed. */
  noteFlushed(journal: FileJournal): void {
    if (this.options.durability === 'sync') return
    for (const actor of this.actors) {
      const last = journal.positionsOf(actor.key, actor.previousCovered + 1).at(-1)
      if (last !== undefined) actor.ackedSeq = last.firstSeq + last.offsets.length - 1
    }
  }

  cover(journal: FileJournal, actor: ActorModel, back: number): void {
    this.noteFlushed(journal)
    const seq = actor.ackedSeq - back
    if (seq < Math.max(1, actor.covered)) return
    actor.previousCovered = actor.covered
    actor.covered = seq
    journal.covered(GRANT, actor.key, seq)
  }
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)
}

async function live(world: World, { steps, dieAt, end }: Life): Promise<void> {
  const process = world.disk.start(dieAt === null ? {} : { dieAt })
  const timers = new ManualTimers()
  world.waiting = []
  const journal = await world.revive(process, timers)
  if (journal === null) return
  for (const [i, step] of steps.entries()) {
    const actor = world.actors['actor' in step ? step.actor : 0]
    if (actor === undefined) throw new Error(`step ${i} names no actor`)
    if (step.kind === 'append') for (const size of step.sizes) world.append(journal, actor, size)
    if (step.kind === 'covered') world.cover(journal, actor, step.back)
    if (step.kind === 'timers') timers.fire()
    if (step.kind === 'turns') await turns(step.count)
    if (step.kind === 'settle') {
      await unlessDead(process, Promise.all(world.waiting))
    }
    assert.equal(journal.health().state, 'open')
  }
  world.noteFlushed(journal)
  if (end === 'close') {
    await unlessDead(process, journal.close())
    world.noteFlushed(journal)
  }
  process.kill()
}

/** Two recoveries of the same disk, the second one after a power failure, find the same. */
async function recoversTwice(world: World): Promise<void> {
  const fromSeqOf = (key: string): number =>
    (world.actors.find((actor) => actor.key === key)?.previousCovered ?? 0) + 1
  const contents: unknown[] = []
  for (let i = 0; i < 2; i += 1) {
    const process = world.disk.start()
    const journal = await openOn(process, new ManualTimers(), world.options)
    contents.push(await contentOf(journal, fromSeqOf))
    process.kill()
    world.disk.losePower(world.random, 0.5)
  }
  assert.deepEqual(contents[1], contents[0])
}

describe('journal on a disk that forgets', () => {
  test(
    'what was acknowledged comes back, whole batches, in order, without a gap, and nothing else',
    async () => {
      let crashes = 0
      await fc.assert(
        fc.asyncProperty(story, async (told) => {
          const world = new World(told)
          for (const next of told.lives) {
            await live(world, next)
            crashes += 1
            if (next.keepShare !== null) world.disk.losePower(world.random, next.keepShare)
          }
          await recoversTwice(world)
          const survivor = await world.revive(world.disk.start(), new ManualTimers())
          expect(survivor?.health().state).toBe('open')
        }),
        { numRuns: RUNS },
      )
      tellCounts('journal on a disk that forgets', { stories: RUNS, crashes })
    },
    Math.max(60_000, RUNS * 200),
  )

  test('a start that was killed at any call, then the power: the next start loses nothing it acknowledged', async () => {
    const probe = new SimulatedDisk().start()
    await openOn(probe, new ManualTimers())
    expect(probe.calls.length).toBeGreaterThan(15)
    for (let dieAt = 1; dieAt <= probe.calls.length; dieAt += 1) {
      const disk = new SimulatedDisk()
      const killed = disk.start({ dieAt })
      await unlessDead(killed, openOn(killed, new ManualTimers()))
      const process = disk.start()
      const journal = await openOn(process, new ManualTimers())
      await journal.append(GRANT, { actorKey: 'a/x', actorSeq: 1, payload: new Uint8Array([1]) })
      process.kill()
      disk.losePower(() => 1, 0)
      const next = await openOn(disk.start(), new ManualTimers())
      expect(next.headOf('a/x'), `killed in call ${dieAt}`).toBe(1)
    }
  })
})
