// Where does the serving thread spend an observe? Profiles a service under load and prints the share of each phase and
// its processor time: `node dist/bench/observe/phases.js [CONNECTIONS]`.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { isMain, tableText } from '../measure.ts'
import { MODULES_MAIN } from '../service-process.ts'
import { loadOn } from './in-flight.ts'
import { startMeasured } from './subjects.ts'

interface ProfileNode {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string }
  readonly children?: readonly number[]
}

interface Profile {
  readonly nodes: readonly ProfileNode[]
  readonly samples: readonly number[]
}

/** The innermost frame that matches names the phase. */
const PHASES: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['garbage collection', /^\(garbage collector\)/],
  ['the engine itself', /^\(program\)/],
  ['screening', /domain\/screening\/screen\.js/],
  ['prints and similar texts', /actor\/similar-view\.js/],
  ['correction cues', /domain\/similarity\/correction\.js/],
  ['decision, the rest', /^decideObserve /],
  ['recall index', /actor\/recall-view\.js/],
  ['encoding of the turn', /adapters\/codec\//],
  ['state', /domain\/memory\/evolve\.js/],
  ['journal', /adapters\/journal\//],
  ['snapshots', /actor\/snapshotting\.js|adapters\/snapshot\/|domain\/memory\/state-image\.js/],
  ['validation and normalising', /src\/contract\/|runtime\/normalise\//],
  ['body of the request', /edges\/http\/body\.js/],
  ['runtime and actor', /src\/(?:runtime|actor|app)\//],
  ['HTTP, Fastify and Node', /fastify|node:|edges\/http|find-my-way/],
]
const REST = 'not told apart'
const WARM_MS = 5_000
const MEASURED_MS = 6_000
/** The first part of a profile is the start and what the engine compiles. */
const COUNTED_FROM = 0.5

/** Shares of the busy samples by phase, the greatest first. */
function sharesOf({ nodes, samples }: Profile): ReadonlyMap<string, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id])))
  const phases = new Map<number, string>()
  const phaseOf = (id: number): string => {
    const known = phases.get(id)
    if (known !== undefined) return known
    const { functionName = '', url = '' } = byId.get(id)?.callFrame ?? {}
    const frame = `${functionName} ${url}`
    const parent = parents.get(id)
    const own = PHASES.find(([, pattern]) => pattern.test(frame))?.[0]
    const phase = own ?? (parent === undefined ? REST : phaseOf(parent))
    phases.set(id, phase)
    return phase
  }
  const counts = new Map<string, number>()
  let busy = 0
  for (const id of samples.slice(Math.floor(samples.length * COUNTED_FROM))) {
    if (byId.get(id)?.callFrame.functionName === '(idle)') continue
    const phase = phaseOf(id)
    counts.set(phase, (counts.get(phase) ?? 0) + 1)
    busy += 1
  }
  return new Map([...counts].sort(([, a], [, b]) => b - a).map(([phase, count]) => [phase, count / busy]))
}

async function run(connections: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'memgov-phases-'))
  const profiles = join(folder, 'profiles')
  try {
    const nodeFlags = ['--cpu-prof', `--cpu-prof-dir=${profiles}`, '--cpu-prof-interval=200']
    const service = await startMeasured(join(folder, 'data'), { nodeFlags, main: MODULES_MAIN })
    const load = loadOn(service, connections)
    await load.slice(WARM_MS)
    const { perS, cpuUs } = await load.slice(MEASURED_MS)
    await load.close()
    await service.stop()
    const files = (await readdir(profiles)).map((name) => readFile(join(profiles, name), 'utf8'))
    // Threads have profiles of their own; that of the serving thread is the largest.
    const largest = (await Promise.all(files)).toSorted((a, b) => b.length - a.length)[0] ?? '{}'
    const shares = [...sharesOf(JSON.parse(largest))]
    const rows = shares.map(([phase, share]) => [
      phase,
      `${(share * 100).toFixed(1)} %`,
      (share * cpuUs).toFixed(1),
    ])
    const title = `${connections} connections, profiled: ${perS.toFixed(0)} observes/s, ${cpuUs.toFixed(0)} µs of processor time each, all threads`
    return `${title}\n${tableText([['phase', 'share', 'µs'], ...rows])}`
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (isMain(import.meta.url)) console.log(await run(Number(process.argv[2] ?? 256)))
