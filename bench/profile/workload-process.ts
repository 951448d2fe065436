// One workload over one build in a process of its own, so that what one compiles does not change another. Sends the
// profile to the process that started it.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { jsonClient } from '../json-client.ts'
import { startService } from '../service-process.ts'
import { type Profiled, startProfiler } from './profiler.ts'
import { bodiesFor, FULL, QUICK, WORKLOADS, type Workload, type WorkloadSize } from './workloads.ts'

/** The public interface of the package, as far as every build has it. */
interface Runtime {
  observe(body: object): Promise<object>
  guide(body: object): Promise<object>
  close(): Promise<void>
}

interface Package {
  createRuntime(options: { readonly dataDir: string; readonly logLevel: string }): Promise<Runtime>
}

type Ask = (body: object) => Promise<unknown>

const INSPECTED = fileURLToPath(new URL('./inspected.js', import.meta.url))
const SEED_AT_ONCE = 200

async function main([name = '', build = '', kind = '']: readonly string[]): Promise<Profiled> {
  const workload = WORKLOADS.find((each) => each.name === name)
  if (workload === undefined) throw new RangeError(`there is no workload ${name}`)
  const size = kind === 'quick' ? QUICK : FULL
  const own = (await import(pathToFileURL(join(build, 'dist/src/index.js')).href)) as Package
  const dataDir = await mkdtemp(join(tmpdir(), 'memgov-profile-'))
  try {
    const open = () => own.createRuntime({ dataDir, logLevel: 'error' })
    await seed(await open(), size.memories)
    return workload.way === 'embedded'
      ? await embedded(await open(), workload, size)
      : await served(dataDir, build, workload, size)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function seed(runtime: Runtime, memories: number): Promise<void> {
  await askAll((body) => runtime.observe(body), bodiesFor('seed', memories), SEED_AT_ONCE)
  await runtime.close()
}

async function embedded(runtime: Runtime, workload: Workload, size: WorkloadSize): Promise<Profiled> {
  const ask: Ask = (body) => runtime[workload.kind](body)
  try {
    return await profiled(ask, workload, size, startProfiler)
  } finally {
    await runtime.close()
  }
}

async function served(
  dataDir: string,
  build: string,
  workload: Workload,
  size: WorkloadSize,
): Promise<Profiled> {
  const service = await startService({
    dataDir,
    main: join(build, 'dist/src/app/main.js'),
    nodeFlags: ['--import', INSPECTED],
    hasChannel: true,
  })
  const client = jsonClient(service.url)
  const ask: Ask = async (body) => {
    const { status, text } = await client.post(`/v1/${workload.kind}`, JSON.stringify(body))
    if (status !== 200) throw new Error(`${workload.kind} was answered ${status}: ${text.slice(0, 300)}`)
  }
  const told = async <Answer>(): Promise<Answer> => {
    const answer = once(service.child, 'message')
    service.child.send('toggle')
    const [message] = await answer
    return message
  }
  try {
    return await profiled(ask, workload, size, async () => {
      await told()
      return () => told<Profiled>()
    })
  } finally {
    await client.close()
    await service.stop()
  }
}

async function profiled(
  ask: Ask,
  { kind, inFlight }: Workload,
  { warmOps, ops }: WorkloadSize,
  start: () => Promise<() => Promise<Profiled>>,
): Promise<Profiled> {
  const bodies = bodiesFor(kind, warmOps + ops[kind])
  await askAll(ask, bodies.slice(0, warmOps), inFlight)
  const stop = await start()
  await askAll(ask, bodies.slice(warmOps), inFlight)
  return stop()
}

/** So many at a time, each client one after the other. */
async function askAll(ask: Ask, bodies: readonly object[], inFlight: number): Promise<void> {
  let next = 0
  const client = async (): Promise<void> => {
    for (let body = bodies[next++]; body !== undefined; body = bodies[next++]) await ask(body)
  }
  await Promise.all(Array.from({ length: inFlight }, client))
}

process.send?.(await main(process.argv.slice(2)), () => process.disconnect())
