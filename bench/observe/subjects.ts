import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type ServiceOptions, startService } from '../service-process.ts'
import { WITH_VITALS } from '../suite/service-vitals.ts'

/** A server process that tells its vitals. */
export interface Subject {
  readonly url: string
  readonly child: ChildProcess
  stop(): Promise<unknown>
}

const ECHO = fileURLToPath(new URL('./echo-server.js', import.meta.url))

/** Further flags of Node itself, and another program than the one that users run. */
type Differently = Pick<ServiceOptions, 'nodeFlags' | 'main'>

export async function startMeasured(
  dataDir: string,
  { nodeFlags = [], ...rest }: Differently = {},
): Promise<Subject> {
  return startService({
    dataDir,
    ...WITH_VITALS,
    ...rest,
    nodeFlags: [...WITH_VITALS.nodeFlags, ...nodeFlags],
  })
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
