import { expect, test } from 'vitest'
import { execute, type Reply } from '../harness/reply.ts'
import { countingEntropy, manualClock } from '../harness/system.ts'
import { unlessDead } from './journal-life.ts'
import { type Process, SimulatedDisk, seededRandom } from './simulated-disk.ts'
import { type SimulatedService, startSimulated } from './simulated-service.ts'

const PLACE = { tenant_id: 'crash', scope: 'suite' }
/** Each is a service of its own on a copy of the disk. */
const KEPT_SHARES = [0, 0.5, 1]

type Service = Pick<SimulatedService, 'runtime'>

const clock = manualClock()
const entropy = countingEntropy()

function startOn(process: Process): Promise<SimulatedService | null> {
  return unlessDead(process, startSimulated(process, { clock, entropy, fault: {} }))
}

async function answered<Name extends 'observe' | 'guide' | 'rehydrate'>(
  { runtime }: Service,
  operation: Name,
  body: object,
) {
  const { answer, text } = await execute(runtime, operation, { ...PLACE, ...body })
  if (answer === null) throw new Error(text)
  return answer
}

/** A disk on which a guide waits for its finish. */
async function guidedDisk() {
  const disk = new SimulatedDisk()
  const process = disk.start()
  const service = await startOn(process)
  if (service === null) throw new Error('nothing kills this process')
  const { memory_ids } = await answered(service, 'observe', { input_text: 'The suite needs a cache.' })
  const asked = { query_text: 'run the suite', run_id: 'run-1', handles: true }
  const { guide_trace_id } = await answered(service, 'guide', asked)
  process.kill()
  const body = {
    ...PLACE,
    guide_trace_id,
    outcome: 'succeeded',
    summary: 'The suite is green.',
    used_memory_ids: ['m1'],
  }
  return { disk, body, memoryId: memory_ids[0] ?? '' }
}

/** What is there of the run, and of what it says of the memory. */
async function traces(service: Service, memoryId: string) {
  const read = { reason: 'look', memory_ids: [memoryId], mode: 'full' }
  const { memories } = (await answered(service, 'rehydrate', read)).result
  const uri = `svc://${PLACE.tenant_id}/${PLACE.scope}/run/run-1`
  const run = await execute(service.runtime, 'resolve', { uri })
  const inRun = run.answer?.resolve_summary.related_uri_count ?? 0
  return { runs: inRun, positive: memories[0]?.counters?.positive ?? 0 }
}

test('a process that dies in any call of a finish leaves the run and its feedback, or neither; a repeat leaves both once', async () => {
  const { disk, body, memoryId } = await guidedDisk()
  const whole = disk.copy().start()
  const unharmed = await startOn(whole)
  if (unharmed === null) throw new Error('nothing kills this process')
  const first = whole.calls.length + 1
  const { answer } = await execute(unharmed.runtime, 'finish', body)
  const last = whole.calls.length
  expect(answer?.run_id).toBe('run-1')
  expect(await traces(unharmed, memoryId)).toEqual({ runs: 1, positive: 1 })
  expect(last).toBeGreaterThan(first)
  const seen = { both: 0, neither: 0 }
  for (let dieAt = first; dieAt <= last; dieAt += 1) {
    for (const share of KEPT_SHARES) {
      const twin = disk.copy()
      const dying = twin.start({ dieAt })
      const service = await startOn(dying)
      const reply: Reply<'finish'> | null =
        service === null ? null : await unlessDead(dying, execute(service.runtime, 'finish', body))
      dying.kill()
      twin.losePower(seededRandom(dieAt), share)
      const next = await startOn(twin.start())
      if (next === null) throw new Error('nothing kills this process')
      const found = await traces(next, memoryId)
      expect([0, 1], `call ${dieAt}`).toContain(found.runs)
      expect(found.positive, `call ${dieAt}`).toBe(found.runs)
      if (reply?.answer != null) expect(found.runs, `answered, call ${dieAt}`).toBe(1)
      seen[found.runs === 1 ? 'both' : 'neither'] += 1
      const again = await execute(next.runtime, 'finish', body)
      expect(again.answer?.used_memory_ids).toEqual([memoryId])
      expect(await traces(next, memoryId)).toEqual({ runs: 1, positive: 1 })
    }
  }
  expect(seen.both).toBeGreaterThan(0)
  expect(seen.neither).toBeGreaterThan(0)
})
