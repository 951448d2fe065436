import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Vitals } from '../load/vitals.ts'
import { startService } from '../service-process.ts'

/** A server process that tells its vitals. */
export interface Subject {
  readonly url: string
  readonly child: ChildProcess
  stop(): Promise<unknown>
}

const VITALS = fileURLToPath(new URL('../load/vitals.js', import.meta.url))
const ECHO = fileURLToPath(new URL('./echo-server.js', import.meta.url))

/** `nodeFlags`: further flags of Node itself. */
export async function startMeasured(dataDir: string, nodeFlags: readonly string[] = []): Promise<Subject> {
  return startService({ dataDir, hasChannel: true, nodeFlags: ['--import', VITALS, ...nodeFlags] })
}

/** A bare Fastify that parses what it gets and sends the JSON given for each path. */
export async function startMeasuredEcho(answers: Readonly<Record<string, string>>): Promise<Subject> {
  const child = fork(ECHO)
  const gone = once(child, 'exit')
  child.send(answers)
  const [url]: unknown[] = await Promise.race([
    once(child, 'message'),
    gone.then(() => Promise.reject(new Error('the echo server ended at its start'))),
  ])
  const stop = () => {
    child.kill()
    return gone
  }
  return { url: String(url), child, stop }
}

/** How the process has fared since it was last asked. */
export async function vitalsOf(child: ChildProcess): Promise<Vitals> {
  const told = once(child, 'message')
  child.send('tell')
  const [vitals] = await told
  return vitals
}
