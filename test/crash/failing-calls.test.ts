import { describe, expect, test } from 'vitest'
import { ShortWriteError } from '../../src/adapters/files/whole-file.ts'
import type { RequestedName } from '../../src/contract/operations.ts'
import { tellCounts } from '../harness/counts.ts'
import { execute, type Reply } from '../harness/reply.ts'
import { enough, SEED, scaled, stride } from '../harness/scale.ts'
import { countingEntropy, manualClock } from '../harness/system.ts'
import { CALLS_THAT_FAIL, type FaultKind } from './disk-faults.ts'
import { turns } from './journal-life.ts'
import { type Call, type Process, SimulatedDisk } from './simulated-disk.ts'
import { type SimulatedService, startSimulated } from './simulated-service.ts'

// Every call that the service makes on its folder fails once, or from then on until the cause is gone, in every way in
// which the system says no.

const KINDS: readonly FaultKind[] = ['ENOSPC', 'EDQUOT', 'EMFILE', 'EIO', 'short']
const SCOPES = ['one', 'two', 'three']
/** Every so manieth call is made to fail, of those that are chosen. */
const STEP = stride(2)
const SECRET = 'the-word-that-has-to-go'
/** Index files hold their words in UTF-16. */
const SECRET_FORMS = [Buffer.from(SECRET), Buffer.from(SECRET, 'utf16le')]
const FILLER = 'and so on '.repeat(350)

/** What each operation may be refused with when the disk fails. */
const WRITE_REFUSALS = ['storage_read_only', 'storage_unavailable']
const REFUSALS: Partial<Record<RequestedName, readonly string[]>> = {
  observe: WRITE_REFUSALS,
  guide: WRITE_REFUSALS,
  feedback: WRITE_REFUSALS,
  erase: [...WRITE_REFUSALS, 'erase_incomplete'],
  resolve: ['storage_unavailable'],
}
/** Reasons of `/ready` for which a restart is needed, or the return after a full disk. */
const STOPPED = ['journal_failed', 'disk_full']

interface Written {
  readonly scope: string
  readonly item: string
  /** Null: refused the last time it was sent. */
  id: string | null
}

/** What a client saw, and what of it breaks a promise. */
class Told {
  readonly clock = manualClock()
  readonly entropy = countingEntropy()
  readonly wrongs: string[] = []
  readonly written: Written[] = []
  readonly refused = new Set<string>()
  isErased = false
}

/** One process on the disk, and a client of it. */
class Life {
  readonly #process: Process
  readonly #told: Told
  readonly service: SimulatedService

  private constructor(process: Process, service: SimulatedService, told: Told) {
    this.#process = process
    this.service = service
    this.#told = told
  }

  static async start(process: Process, told: Told): Promise<Life> {
    const { clock, entropy } = told
    return new Life(
      process,
      await startSimulated(process, { clock, entropy, fault: {}, isPacking: true }),
      told,
    )
  }

  async send<Name extends RequestedName>(
    operation: Name,
    body: object,
    id: string | null = null,
  ): Promise<Reply<Name>['answer']> {
    try {
      const reply = await execute(this.service.runtime, operation, body, id)
      if (reply.refusal === null) return reply.answer
      const { error } = reply.refusal
      this.#told.refused.add(error)
      if (REFUSALS[operation]?.includes(error) !== true) this.#told.wrongs.push(`${operation}: ${reply.text}`)
      const { reasons } = this.service.runtime.readiness()
      if (error === 'storage_read_only' && !reasons.some((reason) => STOPPED.includes(reason)))
        this.#told.wrongs.push(`${operation}: ${error}, and /ready says ${reasons.join()}`)
    } catch (error) {
      this.#told.wrongs.push(`${operation}: 500 for ${String(error)}`)
    }
    return null
  }

  async write(each: Written, more = ''): Promise<void> {
    const { scope, item } = each
    const memory = { client_id: item, text: `The ${item} lies on the shelf. ${more} ${FILLER}` }
    const answer = await this.send('observe', { tenant_id: 'faults', scope, memory }, `op-${item}`)
    const id = answer?.memory_ids[0] ?? null
    if (each.id !== null && id !== null && id !== each.id) this.#told.wrongs.push(`${item} was written twice`)
    each.id ??= id
  }

  async erase(): Promise<void> {
    const id = this.#told.written[0]?.id ?? null
    const body = { tenant_id: 'faults', scope: 'one', reason: 'asked for', memory_ids: [id] }
    if (id !== null && (await this.send('erase', body)) !== null) this.#told.isErased = true
  }

  /** Repeats what was refused; where the service says that it is ready all of it has to be taken now. */
  async repeat(): Promise<void> {
    const { reasons } = this.service.runtime.readiness()
    for (const each of this.#told.written.filter(({ id }) => id === null)) await this.write(each)
    if (!this.#told.isErased) await this.erase()
    const isLeft = this.#told.written.some(({ id }) => id === null) || !this.#told.isErased
    if (isLeft && !reasons.some((reason) => STOPPED.includes(reason)))
      this.#told.wrongs.push(`a repeat was refused, and /ready says ${reasons.join()}`)
  }

  async close(): Promise<void> {
    await this.service.runtime.close().catch(() => undefined)
    await turns(2)
    const open = this.#process.openPaths()
    if (open.length > 0) this.#told.wrongs.push(`left open: ${open.join()}`)
  }
}

/** Writes of every kind. */
async function work(life: Life, told: Told): Promise<void> {
  for (let round = 0; round < 8; round += 1) {
    const items = SCOPES.map((scope, at) => ({ scope, item: `item-${3 * round + at}`, id: null }))
    told.written.push(...items)
    for (const each of items) await life.write(each, each.item === 'item-0' ? SECRET : '')
    const place = { tenant_id: 'faults', scope: SCOPES[round % 3] }
    const run_id = `run-${round}`
    const guided = await life.send('guide', {
      ...place,
      query_text: 'what lies on the shelf',
      run_id,
      limit: 5,
    })
    if (guided !== null) {
      const { guide_trace_id, agent_context } = guided
      const used = { used_surface: 'use_now', used_memory_ids: agent_context.memory_ids.slice(0, 1) }
      const how = { reason: 'it was so', run_id, outcome: 'neutral', guide_trace_id }
      if (agent_context.memory_ids.length > 0) await life.send('feedback', { ...place, ...how, ...used })
    }
    life.service.timers.fire()
    await life.service.store.manifest.look()
    await turns(2)
  }
  await life.erase()
}

/** What one failure leads to: empty when every promise is kept. */
async function story(call: number, kind: FaultKind, isLasting: boolean, keepShare: number): Promise<Told> {
  const told = new Told()
  const disk = new SimulatedDisk()
  const failing = disk.start({ failAt: { call, kind, isLasting } })
  const first = await Life.start(failing, told).catch((error: unknown) => {
    if (!(error instanceof Error && ('syscall' in error || error instanceof ShortWriteError)))
      told.wrongs.push(`the start: ${String(error)}`)
    if (failing.openPaths().length > 0) told.wrongs.push(`a start left open ${failing.openPaths().join()}`)
    return null
  })
  if (first !== null) {
    await work(first, told)
    failing.mend()
    await first.repeat()
    await first.close()
  }
  failing.kill()
  if (keepShare < 1) disk.losePower(() => 0.5, keepShare)
  await afterwards(disk, told)
  return told
}

/** A start on what is left: all is there, once, and can be gone on with. */
async function afterwards(disk: SimulatedDisk, told: Told): Promise<void> {
  const process = disk.start()
  const life = await Life.start(process, told).catch((error: unknown) => {
    told.wrongs.push(`the next start was refused: ${String(error)}`)
    return null
  })
  if (life === null) return
  if (told.written.length === 0) await work(life, told)
  await life.service.registry.resumeErasures()
  await life.repeat()
  for (const scope of SCOPES) {
    const items = told.written.filter((each) => each.scope === scope)
    const found = await life.service.list('faults', scope)
    const expected = items.map(({ item }) => item)
    if (found.toSorted().join() !== expected.toSorted().join())
      told.wrongs.push(`${scope} has ${found.join()} and not ${expected.join()}`)
  }
  await life.close()
  const drafts = disk.paths().filter((path) => path.endsWith('.tmp'))
  if (drafts.length > 0) told.wrongs.push(`left behind: ${drafts.join()}`)
  const secrets = disk.paths().filter((path) => {
    const content = Buffer.from(disk.contentOf(path))
    return SECRET_FORMS.some((form) => content.includes(form))
  })
  if (secrets.length > 0) told.wrongs.push(`erased, and found in ${secrets.join()}`)
}

async function callsOfAll(): Promise<readonly Call[]> {
  const told = new Told()
  const process = new SimulatedDisk().start()
  const life = await Life.start(process, told)
  await work(life, told)
  await life.close()
  expect([...told.wrongs, ...told.refused]).toEqual([])
  return process.calls
}

/** The part of the folder that a call is about. */
const partOf = ({ path }: Call): string => path.split('/')[2] ?? ''

/** Of each kind of call that the system can answer so some, from the whole story. Numbers count from 1. */
function callsToFail(calls: readonly Call[], kind: FaultKind): readonly number[] {
  const groups = new Map<string, number[]>()
  for (const [at, call] of calls.entries()) {
    if (CALLS_THAT_FAIL[kind]?.has(call.name) === false) continue
    const group = `${call.name} ${partOf(call)} ${call.path.endsWith('.tmp')}`
    groups.set(group, [...(groups.get(group) ?? []), at + 1])
  }
  const count = scaled(3)
  return [...groups.values()].flatMap((numbers) =>
    Array.from({ length: Math.min(count, numbers.length) }, (_, pick) => {
      const at = Math.floor((pick * numbers.length) / Math.min(count, numbers.length)) + SEED
      return numbers[at % numbers.length] ?? 0
    }),
  )
}

const WAYS = KINDS.flatMap((kind) => [false, true].map((isLasting) => ({ kind, isLasting })))

describe('a service whose disk says no', () => {
  const wholeStory = callsOfAll()

  test('writes into every part of its folder in the story that is told here', async () => {
    const parts = new Set((await wholeStory).filter(({ name }) => name === 'create').map(partOf))
    for (const part of ['wal', 'snap', 'ledger', 'hist', 'idx', 'packs', 'erasing', 'MANIFEST.json.tmp'])
      expect(parts).toContain(part)
  })

  test.each(
    WAYS.map((way, at) => [way.kind, way.isLasting ? 'until it is mended' : 'once', way, at] as const),
  )(
    '%s %s, whichever call meets it: a refusal that says so, nothing lost, nothing twice, nothing left behind',
    async (_kind, _how, { kind, isLasting }, at) => {
      const calls = await wholeStory
      const refused = new Map<string, number>()
      const tried = callsToFail(calls, kind).filter((_, place) => place % STEP === at % STEP)
      for (const call of tried) {
        const told = await story(call, kind, isLasting, call % 2)
        const what = calls[call - 1]
        expect(told.wrongs, `call ${call}, ${what?.name} of ${what?.path}`).toEqual([])
        for (const code of told.refused) refused.set(code, (refused.get(code) ?? 0) + 1)
      }
      tellCounts(`${kind} in calls`, { stories: tried.length, ...Object.fromEntries(refused) })
      expect(tried.length).toBeGreaterThanOrEqual(enough(1))
      if (isLasting) expect(refused.size).toBeGreaterThanOrEqual(enough(1))
    },
    600_000,
  )
})
