import { type ForkOptions, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/**
 * What a module beside `caller` sends when it is started with these arguments in a process of its own. The process is
 * killed when it does not end by itself after that. Rejects when it ends without a word.
 */
export async function askApart<Answer>(
  caller: string,
  module: string,
  args: readonly (string | number)[],
  options: ForkOptions = {},
): Promise<Answer> {
  const child = fork(fileURLToPath(new URL(module, caller)), args.map(String), options)
  const gone = once(child, 'exit')
  const failed = gone.then(([code]) => Promise.reject(new Error(`${module} ended with ${String(code)}`)))
  const [answer] = await Promise.race([once(child, 'message'), failed])
  child.kill('SIGKILL')
  await gone
  return answer
}
