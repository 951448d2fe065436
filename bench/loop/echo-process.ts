import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface EchoProcess {
  readonly url: string
  stop(): Promise<void>
}

/** A bare server beside this process: at each path it parses what it gets and sends the JSON given. */
export async function startEcho(answers: Readonly<Record<string, string>>): Promise<EchoProcess> {
  const child = fork(fileURLToPath(new URL('./echo-server.js', import.meta.url)))
  const gone = once(child, 'exit')
  child.send(answers)
  const [url]: unknown[] = await Promise.race([
    once(child, 'message'),
    gone.then(() => Promise.reject(new Error('the echo server ended at its start'))),
  ])
  const stop = async () => {
    child.kill()
    await gone
  }
  return { url: String(url), stop }
}
