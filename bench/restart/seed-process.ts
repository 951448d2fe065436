import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const SEED = fileURLToPath(new URL('./seed.js', import.meta.url))

/** Fills a folder with so many memories in one scope and kills the process: what is left is journal alone. */
export async function seedAndKill(dataDir: string, memories: number): Promise<void> {
  const child = fork(SEED, [dataDir, String(memories)])
  const gone = once(child, 'exit')
  const failed = gone.then(() => Promise.reject(new Error('the process that seeds ended too early')))
  await Promise.race([once(child, 'message'), failed])
  child.kill('SIGKILL')
  await gone
}
