import { Session } from 'node:inspector/promises'
import process from 'node:process'
import type { CpuProfile } from './cpu-profile.ts'

/** A profile of the main thread, and the processor time of all threads meanwhile. */
export interface Profiled {
  readonly profile: CpuProfile
  readonly cpuUs: number
  readonly wallUs: number
}

const SAMPLE_EVERY_US = 200

/** Samples the main thread of this process until what is returned is called. */
export async function startProfiler(): Promise<() => Promise<Profiled>> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_US })
  await session.post('Profiler.start')
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  return async () => {
    const wallUs = (performance.now() - startedAt) * 1_000
    const { user, system } = process.cpuUsage(cpu)
    const { profile } = await session.post('Profiler.stop')
    session.disconnect()
    return { profile, cpuUs: user + system, wallUs }
  }
}
