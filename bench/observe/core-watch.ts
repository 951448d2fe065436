// A thread that looks every 2 ms at what threads of the service and of the generator got of the cores, until it is stopped.
import { readdirSync, readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import type { Look, Use } from './causes.ts'

const LOOK_MS = 2
/** Helper threads come and go. */
const LOOKS_PER_LIST = 100

const { service, generator, stop } = workerData as {
  readonly service: number
  readonly generator: number
  readonly stop: Int32Array
}

function useOf(pid: number, tid: number | string): Use {
  try {
    const [ran, waited] = readFileSync(`/proc/${pid}/task/${tid}/schedstat`, 'utf8').split(' ')
    return { ranMs: Number(ran) / 1e6, waitedMs: Number(waited) / 1e6 }
  } catch {
    return { ranMs: 0, waitedMs: 0 }
  }
}

/** Since the last look at the thread; a thread that is new or gone did nothing. */
function sinceLast(known: Map<string, Use>, key: string, now: Use): Use {
  const before = known.get(key) ?? now
  known.set(key, now)
  return {
    ranMs: Math.max(0, now.ranMs - before.ranMs),
    waitedMs: Math.max(0, now.waitedMs - before.waitedMs),
  }
}

function look(known: Map<string, Use>, threads: readonly string[], fromMs: number): Look {
  const toMs = performance.timeOrigin + performance.now()
  const of = (pid: number, tid: number | string) => sinceLast(known, `${pid} ${tid}`, useOf(pid, tid))
  const helpers = threads.map((tid) => of(service, tid))
  return {
    fromMs,
    toMs,
    serving: of(service, service),
    generator: of(generator, generator),
    helpers: {
      ranMs: helpers.reduce((sum, { ranMs }) => sum + ranMs, 0),
      waitedMs: helpers.reduce((sum, { waitedMs }) => sum + waitedMs, 0),
    },
  }
}

const known = new Map<string, Use>()
const looks: Look[] = []
let threads: readonly string[] = []
while (Atomics.wait(stop, 0, 0, LOOK_MS) === 'timed-out') {
  if (looks.length % LOOKS_PER_LIST === 0) {
    threads = readdirSync(`/proc/${service}/task`).filter((tid) => tid !== String(service))
  }
  looks.push(look(known, threads, looks.at(-1)?.toMs ?? performance.timeOrigin + performance.now()))
}
parentPort?.postMessage(looks)
