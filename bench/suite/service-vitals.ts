import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ServiceOptions } from '../service-process.ts'
import type { Vitals } from './vitals.ts'

/** Options of a service that is asked for its vitals. */
export const WITH_VITALS = {
  hasChannel: true,
  nodeFlags: ['--import', fileURLToPath(new URL('../load/vitals.js', import.meta.url))],
} satisfies Partial<ServiceOptions>

/** How a service that was started WITH_VITALS has fared since it was asked last. */
export async function vitalsOf(child: ChildProcess): Promise<Vitals> {
  const told = once(child, 'message')
  child.send('tell')
  const [vitals] = await told
  return vitals
}
